"""A digest of everything that a rule's machine code depends on.

Numba compiles a function from its bytecode and constants, its defaults and the cells of its closure, the values of the globals that it
reads when it is compiled, the types of its arguments, and the functions that it calls, which are compiled from the same. Nothing else of
a source reaches the machine code, and whatever a function reads it names. So the digest is taken over exactly these, beginning at the
function and going on to every rule that it names: of modules (``op.DAMAGE``) the attributes that the function names are taken, of arrays
the bytes, of named tuples and enumerations the fields. If it errs, it includes too much (an attribute that is called like a global),
never too little: a value of a kind that is not listed here raises :class:`NotKept`, and its readers are compiled at every start.

What belongs to Python, NumPy, Numba and llvmlite is named only: their versions are part of the cache's key, as are the sources of the
compilation itself.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

VERSIONED = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
SIMPLE = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
DISPATCHER = type(numba.njit(lambda: None))


class NotKept(TypeError):
    """Machine code depends on a value whose content cannot be determined."""


def fingerprint(function: Callable[..., Any], arguments: Iterable[Any]) -> str:
    """The digest of all that decides the machine code of ``function`` for ``arguments``, Numba's types; NotKept if that is unknown."""
    places: dict[Any, int] = {function: 0}
    waiting = [function]
    digest = hashlib.sha256()
    for argument in arguments:
        digest.update(repr(_type(argument, places, waiting)).encode())
    for one in waiting:  # grows
        own, called = _reads(one)
        digest.update(own)
        for other in called:
            if other not in places:
                places[other] = len(places)
                waiting.append(other)
        digest.update(repr([places[other] for other in called]).encode())
    return digest.hexdigest()


def _type(kind: Any, places: dict[Any, int], waiting: list[Any]) -> Any:
    """A type of Numba in words; a named tuple's own name leaves out its fields, and a function's is an address."""
    types = numba.types
    if isinstance(kind, types.BaseTuple):
        fields = (kind.instance_class.__qualname__, kind.fields) if isinstance(kind, types.BaseNamedTuple) else ()
        return "tuple", fields, [_type(part, places, waiting) for part in kind]
    if isinstance(kind, types.Dispatcher):
        function = kind.dispatcher.py_func
        if function not in places:
            places[function] = len(places)
            waiting.append(function)
        return "function", places[function]
    if isinstance(kind, types.Number | types.Boolean | types.Array | types.Record | types.NestedArray | types.NoneType | types.UnicodeType):
        return str(kind)
    if isinstance(kind, types.Literal | types.Omitted):
        return str(kind), repr(getattr(kind, "literal_value", getattr(kind, "value", None)))
    raise NotKept(f"found an argument of type {kind}; allowed: numbers, arrays, records, tuples of them, and rules")


@cache
def _reads(function: Any) -> tuple[bytes, tuple[Any, ...]]:
    """What one function is made of, and the functions that it names, in order."""
    called: list[Any] = []
    parts: list[Any] = []
    for code in _codes(function.__code__):
        parts.append(
            (
                code.co_code,
                code.co_names,
                code.co_varnames,
                code.co_freevars,
                code.co_cellvars,
                (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags),
                [_value(constant, (), called) for constant in code.co_consts if not isinstance(constant, CodeType)],
            )
        )
        names = code.co_names
        for name in names:
            if name in function.__globals__:
                parts.append((name, _value(function.__globals__[name], names, called)))
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:
        raise NotKept(f"found an empty cell in {function.__qualname__}; allowed: values that are known") from None
    names = tuple(name for code in _codes(function.__code__) for name in code.co_names)
    defaults = (function.__defaults__ or ()), sorted((function.__kwdefaults__ or {}).items())
    parts.append([_value(value, names, called) for value in (*cells, *defaults[0], *defaults[1])])
    return repr(parts).encode(), tuple(called)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _value(value: Any, names: tuple[str, ...], called: list[Any], within: tuple[Any, ...] = ()) -> Any:
    """A value that a function with these ``names`` reads, as something whose ``repr`` is its content; functions are added to ``called``."""
    if type(value) in SIMPLE:
        return type(value).__name__, repr(value)
    if isinstance(value, Enum):
        return _name(type(value)), value.name, _value(value.value, names, called)
    if isinstance(value, tuple):
        return _name(type(value)), getattr(value, "_fields", ()), [_value(part, names, called) for part in value]
    if isinstance(value, frozenset):
        return "frozenset", sorted(repr(_value(part, names, called)) for part in value)
    if isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        return repr(value.dtype), value.shape, value.tobytes()
    if isinstance(value, np.dtype):
        return repr(value)
    if isinstance(value, ModuleType):
        return _module(value, names, called, within)
    if isinstance(value, DISPATCHER):
        called.append(value.py_func)
        return "rule", sorted((name, repr(option)) for name, option in value.targetoptions.items() if name != "pipeline_class")
    if isinstance(value, type):
        return _class(value, names, called)
    if isinstance(value, FunctionType | BuiltinFunctionType | np.ufunc | numba.types.Type) and _is_versioned(value):
        return type(value).__name__, str(getattr(value, "__module__", "")), getattr(value, "__qualname__", None) or str(value)
    raise NotKept(f"found {value!r}; allowed: numbers, text, tuples, arrays, enumerations, modules and rules")


def _module(module: ModuleType, names: tuple[str, ...], called: list[Any], within: tuple[Any, ...]) -> Any:
    if module.__name__.partition(".")[0] in VERSIONED or module in within:
        return module.__name__
    found = vars(module)
    return module.__name__, [(name, _value(found[name], names, called, (*within, module))) for name in names if name in found]


def _class(kind: type, names: tuple[str, ...], called: list[Any]) -> Any:
    if issubclass(kind, Enum):
        return _name(kind), [(name, _value(member.value, names, called)) for name, member in kind.__members__.items()]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        return _name(kind), getattr(kind, "_fields", ()), [(name, _value(value, names, called)) for name, value in defaults.items()]
    if _is_versioned(kind):
        return _name(kind)
    raise NotKept(f"found the class {kind.__qualname__}; allowed: enumerations and named tuples")


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _is_versioned(value: Any) -> bool:
    return (getattr(value, "__module__", None) or type(value).__module__).partition(".")[0] in VERSIONED
