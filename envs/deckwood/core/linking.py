"""Compiles a kernel with all the rules it calls as one piece of machine code.

Numba optimises and emits every function on its own and again inside each of its callers, up the whole tree of calls. A rule that is called
by another is only a part here: its LLVM code is kept as it is, and linked, optimised and emitted once, with the kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _NoEngine:
    """Stands for the code generator where Numba would tell the engine about a function that is not there."""

    def set_env(self, name: str, env: Any) -> None:
        pass


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of one rule, to be linked into its callers."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    @property
    def codegen(self) -> _NoEngine:
        return _NoEngine()

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def own_module(self) -> Any:
        """This rule's code alone, mergeable with further copies of it."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        # Asked by a caller that is no rule: it gets everything that this one needs.
        module = self.own_module().clone()
        for library in called_by([self]):
            module.link_in(_code(library), preserve=True)
        return module


class Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, with all that it calls."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in called_by([self]):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(_code(library), preserve=True)
        self._linking_libraries: list[Any] = []
        super().finalize()


def called_by(libraries: Iterable[Any]) -> list[Any]:
    """The libraries that these call, directly or through parts; each once, callers first."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        for library in waiting.pop()._linking_libraries:
            if library not in found:
                found[library] = None
                if isinstance(library, Part):
                    waiting.append(library)
    return list(found)


def _code(library: Any) -> Any:
    return library.own_module() if isinstance(library, Part) else library._get_module_for_linking()


class _Pipeline(Compiler):  # type: ignore[misc]
    library: type[JITCodeLibrary]

    def define_pipelines(self) -> Any:
        self.state.library = self.library(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class PartCompiler(_Pipeline):
    """For rules called by rules."""

    library = Part


class WholeCompiler(_Pipeline):
    """For what Python calls."""

    library = Whole
