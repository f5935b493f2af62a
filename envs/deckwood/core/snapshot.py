"""The state of a batch as bytes: a JSON header that says what it belongs to, then the raw arrays. Nothing is unpickled."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from deckwood.core.errors import SnapshotError
from deckwood.core.golden import stored_hash

if TYPE_CHECKING:
    from deckwood.core.driver import Batch, Game

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


def pack(batch: Batch) -> bytes:
    """The batch as bytes; :func:`unpack` puts them into a batch of the same game, deck, options and size."""
    state = batch.__getstate__()
    del state["made"]
    state["log"] = state["log"][:, : int(state["logged"].max())]
    arrays = {name: np.ascontiguousarray(array) for name, array in state.items()}
    layout = [(name, "" if array.dtype == batch.spec.dtype else array.dtype.str, array.shape) for name, array in arrays.items()]
    body = b"".join(array.tobytes() for array in arrays.values())
    header = {**identity(batch.game), "layout": layout, "digest": hashlib.sha256(body).hexdigest()}
    return MAGIC + json.dumps(header).encode() + b"\n" + body


def unpack(batch: Batch, data: bytes) -> None:
    """Put a state from :func:`pack` into ``batch``. SnapshotError, with nothing changed, for bytes that are damaged or of another game."""
    if not data.startswith(MAGIC):
        raise SnapshotError("these bytes are not a deckwood snapshot")
    try:
        line, body = data[len(MAGIC) :].split(b"\n", 1)
        header = json.loads(line)
        layout, digest = header.pop("layout"), header.pop("digest")
    except (ValueError, KeyError, AttributeError) as error:
        raise SnapshotError("the snapshot's header is damaged") from error
    for key, own in identity(batch.game).items():
        if header.get(key) != own:
            raise SnapshotError(f"the snapshot has {key} {header.get(key)!r}, but this {batch.spec.env_id} has {own!r}")
    if hashlib.sha256(body).hexdigest() != digest:
        raise SnapshotError("the snapshot is damaged: its digest does not match")
    state, own_state, start = {}, batch.__getstate__(), 0
    for name, kind, shape in layout:
        own_array = own_state.get(name)
        fits = own_array is not None and (tuple(shape) == own_array.shape or (name == "log" and shape[0] == batch.num_envs))
        if not fits:
            raise SnapshotError(f"the snapshot's {name} has shape {tuple(shape)}, which this batch of {batch.num_envs} cannot take")
        dtype = np.dtype(kind) if kind else batch.spec.dtype
        count = int(np.prod(shape))
        state[name] = np.frombuffer(body, dtype, count, start).reshape(shape)
        start += count * dtype.itemsize
    kept = state.pop("log")
    if batch.log:
        room = np.zeros((batch.num_envs, batch.log, 3), np.int32)
        room[:, : kept.shape[1]] = kept[:, : batch.log]
        state["log"] = room
    batch.restore(state)
