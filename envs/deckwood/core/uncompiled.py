"""Rules as plain Python functions, for code that asks a rule about one position and must not wait for a compiler."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any


@cache
def uncompiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function that a rule was made from, calling the Python functions of the rules that it calls."""
    source = getattr(function, "py_func", None)
    if source is None:
        return function
    called = {name: source.__globals__[name] for name in source.__code__.co_names if hasattr(source.__globals__.get(name), "py_func")}
    names = {**source.__globals__, **{name: uncompiled(rule) for name, rule in called.items()}}
    return FunctionType(source.__code__, names, source.__name__, source.__defaults__)
