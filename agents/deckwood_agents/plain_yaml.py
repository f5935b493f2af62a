"""YAML as configurations and options are written in it: plain values, no aliases, each name once. Whatever a file holds, nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from deckwood.core.program import Unreadable
from deckwood.core.untrusted import printable, read_bytes, shown

MAX_LENGTH = 1 << 20
REFUSALS = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, OverflowError, RecursionError)
"""What PyYAML raises at a wrong text, and where a value does not fit its tag: ``!!bool x``, 2020-99-99."""


class _Loader(yaml.SafeLoader):
    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):  # a few lines of them stand for billions of values
            raise yaml.constructor.ConstructorError(None, None, "anchors and aliases are not allowed", None)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:  # the last of two would silently win
                raise yaml.constructor.ConstructorError(None, None, f"{name!r} is given twice", node.start_mark)
        return super().construct_mapping(node, deep)


def load(path: Path) -> Any:
    """The content of a YAML file. OSError as from ``open``; Unreadable for what is no YAML of this kind."""
    data = read_bytes(path)
    if len(data) > MAX_LENGTH:
        raise Unreadable(f"{path}: more than {MAX_LENGTH:,} bytes")
    try:
        return yaml.load(data.decode(), _Loader)  # a SafeLoader
    except REFUSALS as error:
        raise Unreadable(f"{path}: {_reason(error)}") from None


def scalar(text: str) -> Any:
    """The value of one option on a command line; Unreadable where it is none."""
    try:
        value = yaml.load(text, _Loader)  # a SafeLoader
    except REFUSALS as error:
        raise Unreadable(f"{shown(text)}: {_reason(error)}") from None
    return value


def _reason(error: Exception) -> str:
    return "too deep to read" if isinstance(error, RecursionError) else "\n".join(map(printable, str(error).split("\n")))
