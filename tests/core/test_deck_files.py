"""Deck files of strangers: refused in plain words, never obeyed; and what a deck's digest is of."""

from __future__ import annotations

import os
import pickle
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deckwood.core import registry
from deckwood.core.decks import MAX_BYTES, MAX_NAME, digest_of
from deckwood.core.errors import DeckError
from deckwood.core.game import Game
from deckwood.dice_commit import deck as dice_commit
from deckwood.etherfields import deck as etherfields
from deckwood.lost_woods import deck as lost_woods
from deckwood.tanglewoods import deck as tanglewoods

DECKS = {module.SHIPPED.parent.name: module for module in (tanglewoods, etherfields, dice_commit, lost_woods)}
SHIPPED = {name: module.SHIPPED.read_text(encoding="utf-8") for name, module in DECKS.items()}
WOLF = dice_commit.load_deck().names["faces"][1]


def refusal(tmp_path: Path, content: str | bytes, game: str = "dice_commit") -> str:
    """What is said of a file with this content."""
    path = tmp_path / "mine.toml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(DeckError) as refused:
        DECKS[game].load_deck(path)
    message = str(refused.value)
    assert str(path) in message
    assert len(message) < 5_000
    assert all(letter.isprintable() or letter == "\n" for letter in message)
    return message


def swapped(game: str, old: str, new: str) -> str:
    """The file that ships, with its first ``old`` replaced."""
    assert old in SHIPPED[game]
    return SHIPPED[game].replace(old, new, 1)


EFFECT = '{ when = "after", op = "lose_gold", count = 1 }'
NAME = f'name = "{WOLF}"'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SHIPPED["dice_commit"].encode("utf-16"), "line 1: found a byte that is not UTF-8"),
        (SHIPPED["dice_commit"].encode() + b'\nx = "\xe9"', "not UTF-8"),
        (b"\x7fELF\x00\x00", "not valid TOML"),
        (b"", "problems"),
        ("x = " + "[" * 100_000, "too deep to read|not valid TOML"),
        ("x = " + "{a=" * 50_000, "too deep to read|not valid TOML"),
        ("x = " + "[" * 900 + "]" * 900, "unknown field|too deep"),
        ("a" + ".a" * 50_000 + " = 1", "line 1: found 50000 dots; allowed: at most 200"),
        ("a" + ".a" * 150 + " = 1", "unknown field"),
        ("x = " + "9" * 5_000, "not valid TOML"),
        ("x = 1979-99-99", "not valid TOML"),
        ("title = 1\n# \x1b[31m", "not valid TOML: .*invalid character"),
        ('"\\u001b[2J" = 1', re.escape("unknown field \"\\x1b[2J\"")),
        ("#" * (MAX_BYTES + 1), f"more than {MAX_BYTES} bytes"),
        (swapped("dice_commit", "health = ", "health = 0x" + "f" * 5_000 + " #"), "found a number of more than 64 bits"),
        (swapped("dice_commit", "health = ", "health = 1e400 #"), "found inf"),
        (swapped("dice_commit", "[worths]", "[worths]\nwon = nan\n#"), "found nan|not valid"),
        (swapped("dice_commit", NAME, 'name = "\\u001b[2Jwolf"'), r"found .*\\x1b\[2Jwolf.*can be printed"),
        (swapped("dice_commit", NAME, 'name = "w\\u202eolf"'), r"\\u202e.*can be printed"),
        (swapped("dice_commit", NAME, 'name = "a\\nb"'), "can be printed"),
        (swapped("dice_commit", NAME, 'name = " "'), "no space at either end"),
        (swapped("dice_commit", NAME, f'name = "{"w" * 100_000}"'), f"1 to {MAX_NAME} characters"),
        (swapped("dice_commit", NAME, f'effects = [{", ".join([EFFECT] * 4_000)}]\n{NAME}'), "allowed: at most 24 entries"),
    ],
)  # fmt: skip
def test_a_strangers_file_is_refused(content: str | bytes, message: str, tmp_path: Path) -> None:
    assert re.search(message, refusal(tmp_path, content))


def test_a_file_that_is_none_is_not_read(tmp_path: Path) -> None:
    """A pipe that nobody writes to would be waited for."""
    os.mkfifo(tmp_path / "pipe.toml")
    for path, found in ((tmp_path, "a folder"), (tmp_path / "pipe.toml", "a pipe"), (Path("/dev/zero"), "a device")):
        with pytest.raises(DeckError, match=f"found {found}"):
            dice_commit.load_deck(path)


@pytest.mark.parametrize("size", [40, 2_000])
def test_products_of_long_lists_are_counted_before_they_are_made(size: int, tmp_path: Path) -> None:
    numbers = ", ".join(["1"] * size)
    lists = "".join(f"{name} = [{numbers}]\n" for name in ("strategy", "recovery", "health", "gold"))
    fights = f'[[tier]]\nname = "mine"\n[[tier.plain]]\nenemies = [["{WOLF}"]]\ndice = ["1y"]\n{lists}'
    message = refusal(tmp_path, f"{SHIPPED['dice_commit']}\n{fights}")
    assert f'found "lists of {size**4} fights"; allowed: at most 256 fights' in message


@pytest.mark.parametrize("kind", ["hero", "boss"])
def test_the_players_choice_is_no_key(kind: str, tmp_path: Path) -> None:
    found = tomllib.loads(SHIPPED["etherfields"])[kind][0]["key"]
    message = refusal(tmp_path, swapped("etherfields", f'key = "{found}"', 'key = "choose"'), "etherfields")
    assert 'found "choose"; allowed: any other key' in message


def test_the_key_of_a_visiting_hero_is_taken(tmp_path: Path) -> None:
    own = tomllib.loads(SHIPPED["etherfields"])["hero"][0]["key"]
    guest = next(key for key in etherfields.load_deck().names["heroes"] if key not in SHIPPED["etherfields"] and key != "choose")
    message = refusal(tmp_path, swapped("etherfields", f'key = "{own}"', f'key = "{guest}"'), "etherfields")
    assert f'found the key "{guest}"' in message


@pytest.mark.parametrize("game", ["tanglewoods", "etherfields"])
def test_more_effects_than_the_tables_hold(game: str, tmp_path: Path) -> None:
    effects = ", ".join(['{ op = "gain_gold", count = 1 }'] * 24)
    content = re.sub(r"(?m)^reward = \[.*\]$", f"reward = [{effects}]", SHIPPED[game])
    assert re.search(r": found \d+ effects; allowed: at most 1024 on all cards", refusal(tmp_path, content, game))


# The digest


def digest(tmp_path: Path, game: str, content: bytes) -> str:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    return str(DECKS[game].load_deck(path).digest)


@pytest.mark.parametrize("game", DECKS)
def test_line_ends_comments_and_spaces_are_no_part_of_a_deck(game: str, tmp_path: Path) -> None:
    text = SHIPPED[game]
    same: list[Callable[[], bytes]] = [
        lambda: text.replace("\n", "\r\n").encode(),
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: f"# a comment\n\n{text}  \n".encode(),
        lambda: re.sub(r"(?m) = ", "   =  ", text).encode() if '"""' not in text else text.encode(),
    ]
    assert {digest(tmp_path, game, content()) for content in same} == {DECKS[game].load_deck().digest}


def test_the_order_of_keys_is_no_part_of_a_deck(tmp_path: Path) -> None:
    old = next(line for line in SHIPPED["etherfields"].splitlines() if line.startswith("hand_size"))
    first, second = SHIPPED["etherfields"].split(old + "\n", 1)
    following, rest = second.split("\n", 1)
    moved = f"{first}{following}\n{old}\n{rest}"
    assert tomllib.loads(moved) == tomllib.loads(SHIPPED["etherfields"])
    assert digest(tmp_path, "etherfields", moved.encode()) == etherfields.load_deck().digest


@pytest.mark.parametrize("game", DECKS)
def test_every_number_and_word_is_part_of_a_deck(game: str, tmp_path: Path) -> None:
    """Each of a deck's values, changed in the content, changes the digest."""
    module: Any = DECKS[game]

    file = module.DeckFile.model_validate(tomllib.loads(SHIPPED[game]), context=getattr(module, "WORDS", None))
    digests = {digest_of(file)}
    changed = 0
    for name, value in file:
        entries = value if isinstance(value, list) else [value]
        for place, entry in enumerate(entries):
            for inner, found in entry if hasattr(entry, "model_copy") else ():
                if type(found) in (int, float, str):
                    copy = entry.model_copy(update={inner: found + type(found)(1)})
                    whole = [*entries[:place], copy, *entries[place + 1 :]] if isinstance(value, list) else copy
                    digests.add(digest_of(file.model_copy(update={name: whole})))
                    changed += 1
    assert changed > 10
    assert len(digests) == changed + 1


# Places


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a deck file, that one is in."""
    (tmp_path / "other").mkdir()
    (tmp_path / "mine.toml").write_text(swapped("dice_commit", 'title = "', 'title = "My '), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "other"


def test_a_pickle_finds_its_deck_from_another_folder(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(registry.spec("deckwood/DiceCommit-v1"), deck="mine.toml")
    pickled = pickle.dumps(game)
    monkeypatch.chdir(elsewhere)
    assert pickle.loads(pickled).deck.digest == game.deck.digest
    assert game.deck.source == elsewhere.parent / "mine.toml"
