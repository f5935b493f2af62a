"""Compilation of rules. ``NUMBA_DISABLE_JIT=1`` turns it off, with the same results.

Kernels are linked in one piece (:mod:`deckwood.core.linking`) and kept on disk (:mod:`deckwood.core.disk_cache`). Both use Numba's
internals, so they are used only with tested releases of Numba. With others, plain ``numba.njit`` compiles the rules at every start.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numba
from numba.core import config

F = TypeVar("F", bound=Callable[..., Any])

COMPILED = not config.DISABLE_JIT
TESTED = (0, 68), (0, 69)
"""The first release of Numba whose internals are used, and the first whose internals are not."""
ANY_NUMBA = "DECKWOOD_ANY_NUMBA"
"""The environment variable that has the internals of any release used, to test a new one."""


def rule(function: F) -> F:
    """Compile ``function`` with Numba on its first call and keep the result on disk; without JIT, return it unchanged."""
    if not COMPILED:
        return function
    make = _linked_and_kept()
    return numba.njit(nogil=True)(function) if make is None else make(function)  # type: ignore[no-any-return]


@cache
def _linked_and_kept() -> Callable[[Any], Any] | None:
    """What compiles a function by way of Numba's internals; None, with a warning, where they are not known to fit."""
    least, below = TESTED
    reason = f"tested with Numba {_dotted(least)} and newer, below {_dotted(below)}"
    if os.environ.get(ANY_NUMBA) or least <= numba.version_info.short < below:
        try:
            return _by_internals()
        except (ImportError, AttributeError) as error:
            reason = str(error)
    warnings.warn(
        f"rules are recompiled at every start: the compilation cache does not fit Numba {numba.__version__} ({reason})", stacklevel=3
    )
    return None


def _by_internals() -> Callable[[Any], Any]:
    from numba.core import types
    from numba.core.types.misc import unliteral

    from deckwood.core.disk_cache import DiskCache
    from deckwood.core.linking import PartCompiler, WholeCompiler

    def widest(kind: Any) -> Any:
        kind = unliteral(kind)
        return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind  # type: ignore[attr-defined]

    def make(function: Any) -> Any:
        compiled: Any = numba.njit(nogil=True, pipeline_class=WholeCompiler)(function)
        compiled._cache = DiskCache(function)
        # Called from other rules, a function needs no entry from Python, and one version for all constants and widths of integers.
        called: Any = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=PartCompiler)(function)
        resolve = called.get_call_template
        compiled.get_call_template = lambda args, kws: resolve(tuple(map(widest, args)), {name: widest(kind) for name, kind in kws.items()})
        compiled.get_overload = called.get_overload
        return compiled

    return make


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
