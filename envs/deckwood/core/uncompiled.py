"""Rules as plain Python functions, for code that needs a rule for one position and must not wait for a compiler."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

_TWINS: dict[Any, Callable[..., Any]] = {}


def uncompiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The Python function that a rule was made from, calling the Python functions of the rules that it calls."""
    source = getattr(function, "py_func", None)
    if source is None:
        return function
    if function not in _TWINS:
        names = dict(source.__globals__)
        _TWINS[function] = FunctionType(source.__code__, names, source.__name__, source.__defaults__)
        names.update({name: uncompiled(names[name]) for name in source.__code__.co_names if hasattr(names.get(name), "py_func")})
    return _TWINS[function]
