"""Records as somebody might craft them: valid ones, changed in one to three places."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np

EXTREMES: tuple[Any, ...] = (
    -(10**30), -(2**63), -(2**31), -129, -2, -1, 0, 1, 2, 3, 5, 6, 7, 40, 99, 127, 128, 255, 256, 32_767, 2**31 - 1, 2**31, 2**32 - 1,
    2**32, 2**62, 2**63, 2**64, 10**30, 10**400, 0.0, 0.5, 1e308, float("nan"), float("inf"), True, False, None, "", "x", "\x1b[2J", "0",
    [], [0], [[]], {}, {"x": 0},
)  # fmt: skip


def places(content: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a JSON value."""
    inside = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for name, value in inside:
        yield (*at, name)
        yield from places(value, (*at, name))


def pick(rng: np.random.Generator, choices: Any) -> Any:
    return choices[int(rng.integers(len(choices)))]


def change(rng: np.random.Generator, content: Any, actions: int) -> None:
    """One thing in ``content``, a list or a dict, in place."""
    *way, last = pick(rng, list(places(content)))
    for name in way:
        content = content[name]
    value = content[last]
    kind = int(rng.integers(8))
    if kind == 0:
        content[last] = deepcopy(pick(rng, EXTREMES))
    elif kind == 1 and isinstance(value, list):
        del value[int(rng.integers(len(value) + 1)) :]
    elif kind == 2 and isinstance(value, list):
        value.insert(int(rng.integers(len(value) + 1)), int(rng.integers(actions)))
    elif kind == 3 and isinstance(value, list) and value:
        value.append(deepcopy(pick(rng, value)))
    elif kind == 4 and isinstance(content, dict):
        content[pick(rng, ["x", *content])] = content.pop(last)
    elif kind == 5 and isinstance(content, list):
        del content[last]
    elif isinstance(value, int):
        content[last] = int(rng.integers(actions)) if kind == 6 else value + pick(rng, (-1, 1, 256, -256, 2**16))
    else:
        content[last] = deepcopy(pick(rng, EXTREMES))


def flip(rng: np.random.Generator, data: bytes) -> bytes:
    """Some bytes changed, cut out or put in."""
    out = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        place, kind = int(rng.integers(len(out))), int(rng.integers(4))
        if kind == 0:
            out[place] ^= 1 << int(rng.integers(8))
        elif kind == 1:
            out[place] = int(pick(rng, b'0123456789[]{},:"-.e \x00\xff'))
        elif kind == 2:
            del out[place : place + int(rng.integers(1, 20))]
        else:
            out[place:place] = bytes(out[place : place + int(rng.integers(1, 20))])
        out = out or bytearray(b"x")
    return bytes(out)


def crafted(rng: np.random.Generator, body: bytes, actions: int) -> bytes:
    """``body``, which is JSON, with a few changes to its bytes or to what it says."""
    if rng.random() < 0.2:
        return flip(rng, body)
    content = json.loads(body)
    for _ in range(int(rng.integers(1, 4))):
        if content:
            change(rng, content, actions)
    return json.dumps(content).encode()
