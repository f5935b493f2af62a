"""Reading deck files: TOML, checked by pydantic models, with actionable errors.

A wrong file raises one :class:`~deckwood.core.errors.DeckError` that lists its problems, each with the card, the field, what was found and
what is allowed. Models derive from :class:`Part`; their own checks report through :func:`problem` and :func:`refuse`.
"""

from __future__ import annotations

import difflib
import errno
import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails, PydanticCustomError

from deckwood.core.errors import DeckError
from deckwood.core.files import refuse_other_than_file
from deckwood.core.spec import LoadedDeck

MAX_PROBLEMS = 20
"""As many problems of one file are listed; of the rest, the number."""
MAX_BYTES = 1 << 18
"""Larger files are refused; the decks that ship have 50 kB at most."""
MAX_DOTS = 200
"""Lines with more dots are refused before parsing: tomllib takes minutes for a key of thousands of parts."""
MAX_NAME, MAX_NOTE, MAX_SHOWN, MAX_LINE = 80, 10_000, 120, 1_000
"""Characters of a name, of a note, of what was found as a message shows it, and of a message's line."""

M = TypeVar("M", bound=BaseModel)


class Part(BaseModel):
    """A table of a deck file: no unknown fields, no silent conversions."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


def quoted(words: Iterable[object]) -> str:
    """The words in quotation marks, with commas."""
    return ", ".join(f'"{word}"' for word in words)


def one_of(found: object, words: Iterable[str]) -> str:
    """The allowed words, and the one that was probably meant."""
    words = list(words)
    near = difflib.get_close_matches(str(found), words, n=1)
    if not near:
        return f"one of {quoted(words)}"
    if len(words) > 20:
        return f'did you mean "{near[0]}"? One of {quoted(words)}'
    return f'one of {quoted(words)}; did you mean "{near[0]}"?'


def problem(where: Sequence[str | int], found: object, allowed: str) -> InitErrorDetails:
    """A problem of the field at ``where`` (below the model that checks it), for :func:`refuse`."""
    return InitErrorDetails(
        type=PydanticCustomError("deck", "{problem}", {"problem": f"found {_shown(found)}; allowed: {allowed}"}),
        loc=tuple(where),
        input=found,
    )


def refuse(problems: Sequence[InitErrorDetails]) -> None:
    """Raise the problems, if any, from within a model's validator."""
    if problems:
        raise ValidationError.from_exception_data("deck", list(problems))


def _name(text: str) -> str:
    if len(text) > MAX_NAME or not text.isprintable() or text != text.strip():
        refuse([problem((), text, f"1 to {MAX_NAME} characters that can be printed, with no space at either end")])
    return text


def _note(text: str) -> str:
    if len(text) > MAX_NOTE or not text.replace("\n", "").isprintable():
        refuse([problem((), text, f"up to {MAX_NOTE} characters that can be printed")])
    return text


Name = Annotated[str, Field(min_length=1), AfterValidator(_name)]
"""A name, with nothing that a terminal obeys."""
Note = Annotated[str, AfterValidator(_note)]
"""What the author says of the deck, of several lines if need be."""


def load(
    path: Path, model: type[M], tables_of: Callable[[M], tuple[Any, Mapping[str, tuple[str, ...]]]], context: Any = None
) -> LoadedDeck:
    """The deck of a file: a ``model``, validated in ``context``, from which ``tables_of`` makes tables and names (or raises with what
    follows the file's name, such as ``: too many effects``).

    DeckError, in letters that a terminal can show, names everything that is wrong with the file.
    """
    try:
        file = _read(path, model, context)
        tables, names = tables_of(file)
    except DeckError as error:
        lines = f"{path}{error}".split("\n")
        raise DeckError("deck file " + "\n".join(map(printable, lines))) from None
    return LoadedDeck(tables, names, path.absolute(), digest_of(file))


def digest_of(file: BaseModel) -> str:
    """The sha256 of what a deck file says: the same whatever the order of its keys, its comments, spaces and line ends."""
    content = file.model_dump(mode="json", exclude_defaults=True)
    return hashlib.sha256(json.dumps(content, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _read(path: Path, model: type[M], context: Any) -> M:
    """The file as a ``model``; DeckError says what is wrong, after the file's name."""
    try:
        content = _bytes_of(path)
    except OSError as error:
        raise DeckError(f": cannot be read ({error.strerror}); give the path of a deck's TOML file") from None
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise DeckError(f", line {line}: found a byte that is not UTF-8; allowed: text in UTF-8") from None
    for number, dots in enumerate((written.count(".") for written in text.split("\n")), 1):
        if dots > MAX_DOTS:
            raise DeckError(f", line {number}: found {dots} dots; allowed: at most {MAX_DOTS} in a line")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        _refuse_syntax(text, str(error))
    except RecursionError:
        raise DeckError(": found lists within lists or tables within tables, too deep to read; allowed: what a deck has") from None
    except ValueError as error:  # a number of thousands of digits, a day that no calendar has
        raise DeckError(f": not valid TOML: {error}") from None
    try:
        return model.model_validate(data, context=context)
    except ValidationError as error:
        raise DeckError(_report(text, data, model, error)) from None


def _bytes_of(path: Path) -> bytes:
    """OSError as from ``open``, and for anything but a regular file of a plausible size."""
    refuse_other_than_file(path)
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError(errno.EFBIG, f"found more than {MAX_BYTES} bytes; allowed: at most that many")
    return content


def printable(text: str) -> str:
    """``text`` for a message: unprintable characters are escaped, and a long text is cut."""
    cut = text if len(text) <= MAX_LINE else f"{text[:MAX_LINE]}..."
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in cut)


def _refuse_syntax(text: str, message: str) -> NoReturn:
    place = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if place is None:
        raise DeckError(f", at its end: not valid TOML: {message}")
    line, column = int(place[1]), int(place[2])
    lines = text.split("\n")
    shown = lines[line - 1].strip()[:MAX_SHOWN] if line <= len(lines) else ""
    raise DeckError(f", line {line}, column {column}: not valid TOML: {message[: place.start()]}; found: {shown}")


def _report(text: str, data: dict[str, Any], model: type[BaseModel], error: ValidationError) -> str:
    errors = error.errors(include_url=False)
    lines = [f": {len(errors)} problem{'s'[: len(errors) > 1]}"]
    for entry in errors[:MAX_PROBLEMS]:
        lines.append(f"  {_place(entry['loc'], data, text)}: {explained(entry, model)}")
    if len(errors) > MAX_PROBLEMS:
        lines.append(f"  ... and {len(errors) - MAX_PROBLEMS} more")
    return "\n".join(lines)


def _place(loc: Sequence[str | int], data: Any, text: str) -> str:
    """Card (by name and line) and field. Lists count from 1."""
    cards: list[str] = []
    field: list[str] = []
    line = 0
    for part in loc:
        if isinstance(data, dict) and part not in data and data.get("type") == part:
            continue  # the kind of table that its type names
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            data = None
        field = [*field[:-1], f"{field[-1]} {part + 1}"] if isinstance(part, int) and field else [*field, str(part)]
        if isinstance(data, dict) and isinstance(name := data.get("name"), str):
            cards.append(f"{'.'.join(field)} {_shown(name)}")
            field = []
            if found := re.compile(rf'^[^#\n]*\bname\s*=\s*["\']{re.escape(name)}["\']', re.MULTILINE).search(text):
                line = text.count("\n", 0, found.start()) + 1
    where = ", ".join([*cards, *([f"line {line}"] if line else [])])
    what = f"field {'.'.join(field)}" if field else ""
    return ", ".join(filter(None, (where, what))) or "the whole file"


def explained(entry: Any, model: type[BaseModel]) -> str:
    """What was found and what is allowed, for a pydantic error or one of ours."""
    if entry["type"] == "deck":
        return str(entry["msg"])
    field: FieldInfo | None = None
    kinds: list[type[BaseModel]] = []
    for part in entry["loc"]:
        if isinstance(part, str):
            if kind := next((kind for kind in kinds if part in _types(kind)), None):
                model = kind
                continue
            if field is not None and part not in model.model_fields and get_origin(field.annotation) is dict:
                continue  # a name that the file gives
            if (inner := model.model_fields.get(part)) is None:
                break
            field = inner
            kinds = list(_models(field.annotation))
            model = next(iter(kinds), model)
    if entry["type"] == "extra_forbidden":
        return f'found an unknown field "{entry["loc"][-1]}"; allowed: {one_of(entry["loc"][-1], model.model_fields)}'
    if entry["type"] in ("union_tag_invalid", "union_tag_not_found"):
        found, words = entry["input"].get("type"), [name for kind in kinds for name in _types(kind)]
        return f"found {'no type' if found is None else f'type {_shown(found)}'}; allowed: type = {one_of(found, words)}"
    if field is None:
        allowed = entry["msg"]
    elif isinstance(entry["loc"][-1], int):
        allowed = _allowed(get_args(field.annotation)[0])
    else:
        allowed = _allowed(field.annotation, field.metadata)
    return f"found {'nothing' if entry['type'] == 'missing' else _shown(entry['input'])}; allowed: {allowed}"


def _types(model: type[BaseModel]) -> tuple[str, ...]:
    """The types of the tables that a model takes, where its file distinguishes tables by a field ``type``."""
    field = model.model_fields.get("type")
    return get_args(field.annotation) if field else ()


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)


def _allowed(annotation: Any, metadata: Iterable[Any] = ()) -> str:
    """What a field takes, in words."""
    names = ("ge", "le", "min_length", "max_length", "pattern")
    metadata = [part for item in metadata for part in (item.metadata if isinstance(item, FieldInfo) else (item,))]
    limits = {name: value for item in metadata for name in names if (value := getattr(item, name, None)) is not None}
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _allowed(inner[0], inner[1:])
    if origin is Literal:
        return f"one of {', '.join(map(_shown, inner))}"
    if origin in (Union, UnionType):
        return " or ".join(_allowed(choice) for choice in inner if choice is not type(None))
    if annotation is bool:
        return "true or false"
    if annotation is int:
        if limits.keys() == {"ge"}:
            return f"a whole number of at least {limits['ge']}"
        return "a whole number" + (f" from {limits['ge']} to {limits['le']}" if len(limits) == 2 else "")
    if annotation is float:
        return "a number" + (f" from {limits['ge']:g} to {limits['le']:g}" if len(limits) == 2 else "")
    if annotation is str:
        form = f" of the form {limits['pattern']}" if "pattern" in limits else ""
        return "a text" + (" that is not empty" if "min_length" in limits else form)
    if origin is list:
        least, most = limits.get("min_length"), limits.get("max_length")
        if least is None and most is not None:
            number = f"at most {most}"
        else:
            number = f"exactly {least}" if least == most and least is not None else "one or more" if least else "any number of"
        return f"{number} entries, each {_allowed(inner[0])}"
    if origin is dict:
        return f"a table of names, each {_allowed(inner[1])}"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return f"a table with the fields {', '.join(annotation.model_fields)}"
    return str(annotation)


def _shown(found: object) -> str:
    if isinstance(found, str):
        return f'"{found}"' if len(found) <= MAX_SHOWN else f'"{found[:MAX_SHOWN]}..."'
    if isinstance(found, bool):
        return str(found).lower()
    if isinstance(found, int) and found.bit_length() > 64:
        return "a number of more than 64 bits"
    if isinstance(found, list):
        short = len(found) <= 5 and not any(isinstance(item, dict) for item in found)
        return f"[{', '.join(map(_shown, found))}]" if short else f"{len(found)} entries"
    if isinstance(found, dict):
        return "a table"
    return str(found)
