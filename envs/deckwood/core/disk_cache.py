"""Machine code on disk, named by the digest of everything that it depends on. It uses Numba's internals (see :mod:`deckwood.core.jit`)."""

from __future__ import annotations

import hashlib
import pickle
import sys
from functools import cache
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from numba.core import compiler, config, dispatcher, sigutils
from numba.core.caching import _Cache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from deckwood.core.cache import PACKAGE, Cache
from deckwood.core.fingerprint import NotKept, fingerprint

OWN_SOURCES = ("core/disk_cache.py", "core/fingerprint.py", "core/jit.py", "core/linking.py")


@cache
def compiled_cache() -> Cache:
    """The machine code made by this compiler, with these settings, for this processor."""
    parts = (
        [hashlib.sha256((PACKAGE / source).read_bytes()).hexdigest() for source in OWN_SOURCES],
        sys.version,
        numba.__version__,
        np.__version__,
        llvmlite.__version__,
        llvmlite.binding.get_host_cpu_name(),
        config.BOUNDSCHECK,
        config.OPT,
        config.DEBUGINFO_DEFAULT,
    )
    return Cache("compiled", hashlib.sha256(repr(parts).encode()).hexdigest()[:20])


@cache
def _announce() -> None:
    print("deckwood: compiling the rules for this machine; this happens once and takes up to a minute", file=sys.stderr, flush=True)


class DiskCache(_Cache):  # type: ignore[misc]
    """One file per function and signature."""

    def __init__(self, function: Any) -> None:
        self._function = function
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(compiled_cache().folders[0]) if compiled_cache().folders else ""

    def _name(self, signature: Any, target_context: Any) -> str:
        arguments, _ = sigutils.normalize_signature(signature)
        function = self._function
        # What the machine code calls itself, and the module that is imported with it.
        identity = (function.__module__, function.__qualname__, target_context.codegen().magic_tuple(), fingerprint(function, arguments))
        readable = f"{function.__module__}.{function.__qualname__}".replace("<", "").replace(">", "")[:100]
        return f"{readable}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:32]}.bin"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._enabled:
            return None
        # Numba's own cache refreshes its registries here: all typing rules and lowerings, and SciPy with them. Finished machine code
        # needs only the runtime; a compilation refreshes them itself.
        rtsys.initialize(target_context)
        try:
            content = compiled_cache().read(self._name(sig, target_context))
            if content is not None:
                return compiler.CompileResult._rebuild(target_context, *pickle.loads(content))
        except NotKept:
            self._enabled = False
        except Exception:  # written by something else; it is compiled and written again
            pass
        _announce()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        # A rule compiled as part of a caller is contained in the caller; keeping it would make LLVM emit it twice.
        if not self._enabled or _compiling_depth() > 1 or data.library.has_dynamic_globals or any(data.lifted):
            return
        compiled_cache().write(self._name(sig, data.target_context), dumps(data._reduce()))

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Called by Numba when a function is recompiled; its new dependencies have another name."""


def _compiling_depth() -> int:
    """How many compilations are on the stack: one, unless a caller's compilation needs this function."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth += frame.f_code is dispatcher.Dispatcher.compile.__code__
        frame = frame.f_back  # type: ignore[assignment]
    return depth
