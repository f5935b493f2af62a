"""Rules as plain Python functions, for code that needs a rule for one position and must not wait for a compiler."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
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
        read = source.__code__.co_names
        names.update({name: _twin(names[name], read) for name in read if name in names})
    return _TWINS[function]


def _twin(value: Any, read: tuple[str, ...]) -> Any:
    """What stands for a global: a rule's twin; for a module, what is read of it, rules as their twins."""
    if isinstance(value, ModuleType):
        return SimpleNamespace(**{name: uncompiled(getattr(value, name)) for name in read if hasattr(value, name)})
    return uncompiled(value)
