"""The state of a batch as bytes: a JSON header that says what it belongs to, then the raw arrays. Nothing is unpickled."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deckwood.core.errors import SnapshotError
from deckwood.core.game import Game
from deckwood.core.golden import stored_hash

MAGIC = b"deckwood snapshot 1\n"


def identity(game: Game) -> dict[str, Any]:
    """What a snapshot or a replay must agree on with the game that reads it."""
    fields = {name: (str(kind[0].base), kind[0].shape, kind[1]) for name, kind in (game.spec.dtype.fields or {}).items()}
    return {
        "env_id": game.spec.env_id,
        "golden_hash": stored_hash(game.spec),
        "position": hashlib.sha256(repr(fields).encode()).hexdigest(),
        "deck": game.deck.digest,
        "options": game.options.tolist(),
    }


def pack(game: Game, state: Mapping[str, NDArray[Any]]) -> bytes:
    """The arrays of a batch as bytes; :func:`unpack` gives them to a batch of the same game, deck, options and size."""
    kept = {**state, "log": state["log"][:, : int(state["logged"].max())]}
    arrays = {name: np.ascontiguousarray(array) for name, array in kept.items()}
    layout = [(name, "" if array.dtype == game.spec.dtype else array.dtype.str, array.shape) for name, array in arrays.items()]
    body = b"".join(array.tobytes() for array in arrays.values())
    header = {**identity(game), "layout": layout, "digest": hashlib.sha256(body).hexdigest()}
    return MAGIC + json.dumps(header).encode() + b"\n" + body


def unpack(game: Game, own: Mapping[str, NDArray[Any]], data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays that :func:`pack` was given, to put in the place of ``own``. SnapshotError for bytes that are damaged or do not fit."""
    if not data.startswith(MAGIC):
        raise SnapshotError("these bytes are not a deckwood snapshot")
    try:
        line, body = data[len(MAGIC) :].split(b"\n", 1)
        header = json.loads(line)
        layout, digest = header.pop("layout"), header.pop("digest")
    except (ValueError, KeyError, AttributeError) as error:
        raise SnapshotError("the snapshot's header is damaged") from error
    for key, expected in identity(game).items():
        if header.get(key) != expected:
            raise SnapshotError(f"the snapshot has {key} {header.get(key)!r}, but this {game.spec.env_id} has {expected!r}")
    if hashlib.sha256(body).hexdigest() != digest:
        raise SnapshotError("the snapshot is damaged: its digest does not match")
    slots, room = own["log"].shape[:2]
    state, start = {}, 0
    for name, kind, shape in layout:
        own_array = own.get(name)
        fits = own_array is not None and (tuple(shape) == own_array.shape or (name == "log" and shape[0] == slots))
        if not fits:
            raise SnapshotError(f"the snapshot's {name} has shape {tuple(shape)}, which this batch of {slots} cannot take")
        dtype = np.dtype(kind) if kind else game.spec.dtype
        count = int(np.prod(shape))
        state[name] = np.frombuffer(body, dtype, count, start).reshape(shape)
        start += count * dtype.itemsize
    kept = state.pop("log")
    if room:
        state["log"] = np.zeros((slots, room, 3), np.int32)
        state["log"][:, : kept.shape[1]] = kept[:, :room]
    return state
