"""Compilation of rules, and a disk cache that never serves a stale engine.

Numba's own cache looks at the file of a function but not at the files of the functions it calls. Here the cache *folder* is named
by a digest of every source of the package (and of the compiler, the processor and the bounds-checking flag), so a change anywhere
means a new folder. ``DECKWOOD_CACHE_DIR`` chooses where; ``NUMBA_DISABLE_JIT=1`` turns compilation off, with the same results.
"""

from __future__ import annotations

import hashlib
import pickle
import shutil
import sys
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding
import numba
import numpy as np
from numba.core import compiler, config, dispatcher, sigutils, types
from numba.core.caching import _Cache
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.types.misc import unliteral

from deckwood.core.cache import cache_folder
from deckwood.core.files import write_atomically
from deckwood.core.linking import PartCompiler, WholeCompiler

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parents[1]
COMPILED = not config.DISABLE_JIT


def rule(function: F, home: Path | None = None) -> F:
    """Compile ``function`` with Numba on its first call and keep the result on disk; without JIT, return it unchanged.

    ``home`` is the file, or the folder, whose sources decide whether the kept result is still valid, where that is not the function's own
    file: of a file all sources of its package count, of a folder those in it.
    """
    if not COMPILED:
        return function
    compiled: Any = numba.njit(nogil=True, pipeline_class=WholeCompiler)(function)
    compiled._cache = _DiskCache(function, home or Path(function.__code__.co_filename))
    # Called from other rules, a function needs no entry from Python, and one version for all constants and widths of integers.
    called: Any = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=PartCompiler)(function)
    resolve = called.get_call_template
    compiled.get_call_template = lambda args, kws: resolve(tuple(map(_widest, args)), {name: _widest(kind) for name, kind in kws.items()})
    compiled.get_overload = called.get_overload
    return compiled  # type: ignore[no-any-return]


def _widest(kind: Any) -> Any:
    kind = unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind  # type: ignore[attr-defined]


@lru_cache
def sources_digest(folder: Path) -> str:
    """The digest of every Python source below ``folder``; of those directly in it where it is no package."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py") if (folder / "__init__.py").exists() else folder.glob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@cache
def cache_directory() -> Path:
    """The folder of compiled code for exactly these sources, this compiler and this processor; created on first use."""
    parts = (
        sources_digest(PACKAGE),
        sys.version,
        numba.__version__,
        np.__version__,
        llvmlite.__version__,
        llvmlite.binding.get_host_cpu_name(),
        config.BOUNDSCHECK,
        config.OPT,
        config.DEBUGINFO_DEFAULT,
    )
    return cache_folder("compiled", hashlib.sha256(repr(parts).encode()).hexdigest()[:20])


@cache
def _announce() -> None:
    print("deckwood: compiling the rules for this machine; this happens once and takes up to a minute", file=sys.stderr, flush=True)


def _top_folder(source: Path) -> Path:
    """The outermost package that holds ``source``, or its folder."""
    folder = source.resolve().parent
    while (folder / "__init__.py").exists() and (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


class _DiskCache(_Cache):  # type: ignore[misc]
    """One file per function and signature, written atomically, so that any number of processes may compile at once."""

    def __init__(self, function: Any, home: Path) -> None:
        self._function = function
        self._home = home
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_directory() / self._function.__module__)

    def _file(self, signature: Any, target_context: Any) -> Path:
        arguments, _ = sigutils.normalize_signature(signature)
        home = self._home.resolve()
        # A game from outside the package: its own sources count too.
        own = "" if PACKAGE in home.parents or not home.exists() else sources_digest(home if home.is_dir() else _top_folder(home))
        code = self._function.__code__
        identity = (
            str(arguments),
            target_context.codegen().magic_tuple(),
            own,
            code.co_firstlineno,
            hashlib.sha256(code.co_code).hexdigest(),
        )
        name = f"{self._function.__qualname__}-{hashlib.sha256(repr(identity).encode()).hexdigest()[:20]}.bin"
        return Path(self.cache_path) / name.replace("<", "").replace(">", "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not self._enabled:
            return None
        # Numba's own cache refreshes its registries here: all typing rules and lowerings, and SciPy with them. Finished machine code
        # needs only the runtime; a compilation refreshes them itself.
        rtsys.initialize(target_context)
        try:
            payload = pickle.loads(self._file(sig, target_context).read_bytes())
            return compiler.CompileResult._rebuild(target_context, *payload)
        except FileNotFoundError:
            pass
        except Exception:  # a damaged or foreign file is only a miss
            self._file(sig, target_context).unlink(missing_ok=True)
        _announce()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        # A rule compiled as part of a caller is contained in the caller; keeping it would make LLVM emit it twice.
        if not self._enabled or _compiling_depth() > 1 or data.library.has_dynamic_globals or any(data.lifted):
            return
        try:
            file = self._file(sig, data.target_context)
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, dumps(data._reduce()))
        except OSError:
            self._enabled = False

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        shutil.rmtree(self.cache_path, ignore_errors=True)


def _compiling_depth() -> int:
    """How many compilations are on the stack: one, unless a caller's compilation needs this function."""
    depth, frame = 0, sys._getframe()
    while frame is not None:
        depth += frame.f_code is dispatcher.Dispatcher.compile.__code__
        frame = frame.f_back  # type: ignore[assignment]
    return depth
