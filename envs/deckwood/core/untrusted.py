"""Reading untrusted files: bounded in size, unambiguous JSON, nothing executed."""

from __future__ import annotations

import errno
import json
import math
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ValidationError
from pydantic_core import PydanticCustomError

from deckwood.core.decks import MAX_LINE, explained
from deckwood.core.decks import printable as printable
from deckwood.core.files import refuse_other_than_file

MAX_BYTES = 1 << 26
"""Larger files are refused: no game comes near."""
MAX_SHOWN = 100

M = TypeVar("M", bound=BaseModel)


def _one_line(text: str) -> str:
    if len(text) > MAX_LINE or not text.isprintable():
        raise PydanticCustomError(
            "deck", "{problem}", {"problem": f"found {shown(text)}; allowed: up to {MAX_LINE} characters that can be printed on a line"}
        )
    return text


def _number_of_format(found: Any) -> Any:
    """1 == 1.0 == True, which a Literal does not distinguish."""
    if type(found) is not int:
        raise PydanticCustomError("format", "not a whole number")
    return found


Line = Annotated[str, AfterValidator(_one_line)]
"""Text that can be shown to a person, with nothing that a terminal obeys."""
WHOLE = BeforeValidator(_number_of_format)
"""For the ``Literal`` that says a file's format."""


def read_bytes(path: Path) -> bytes:
    """The file's bytes. OSError as from ``open``, and unless it is a regular file of at most ``MAX_BYTES``."""
    refuse_other_than_file(path)
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"found more than {MAX_BYTES} bytes; allowed: at most that many", str(path))
    return data


def parse_json(data: bytes) -> Any:
    """The JSON in ``data``. ValueError for invalid JSON, a duplicate name, a number that is not finite, or deep nesting."""
    try:
        return json.loads(data.decode(), object_pairs_hook=_unique, parse_constant=_finite, parse_float=_finite)
    except RecursionError:
        raise ValueError("lists within lists, too deep to read") from None


def validated(model: type[M], data: bytes, what: str, error: type[ValueError]) -> M:
    """The JSON in ``data`` as a ``model``; otherwise ``error``, which begins with ``what`` and names the field."""
    try:
        return model.model_validate(parse_json(data))
    except ValidationError as refusal:
        entry = refusal.errors(include_url=False)[0]
        where = ".".join(map(str, entry["loc"])) or "the whole file"
        raise error(f"{what}, {printable(where)}: {printable(explained(entry, model))}") from None
    except ValueError as refusal:
        raise error(f"{what}: found no JSON ({printable(str(refusal))}); allowed: what was saved, unchanged") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"the name {shown(name)} is given twice")
        found[name] = value
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {shown(text)} is not finite")
    return number


def shown(found: object) -> str:
    """``found`` on one line of a message, cut if long, with control characters escaped."""
    text = ascii(found) if not isinstance(found, str) else ascii(found[: MAX_SHOWN + 1])
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
