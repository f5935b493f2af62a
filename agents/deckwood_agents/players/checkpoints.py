"""Saved agents: a Stable-Baselines3 zip that also says which game it is for, and holds what a run needs to go on.

Beside Stable-Baselines3's own entries, which ``MaskablePPO.load`` reads, the zip holds ``deckwood.json`` (:class:`Manifest`) and, where the
run can go on from here, ``resume.npz`` (arrays only). Playing a checkpoint reads the manifest and the weights and runs no pickled code.

Beside this module lie those that ship, ``<game>.zip``, each with a card; :mod:`deckwood_agents.learning.ship` writes them.
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import pickle
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray
from stable_baselines3.common.utils import get_device

from deckwood.core.errors import DeckwoodError
from deckwood.core.files import refuse_other_than_file, write_atomically
from deckwood.core.spec import GameSpec
from deckwood.core.untrusted import parse_json, printable, shown
from deckwood_agents.players.policy import ACTIVATIONS, MaskedPolicy, batch_spaces, policy_arguments

MANIFEST, RESUME = "deckwood.json", "resume.npz"
WEIGHTS, OPTIMIZER = "policy.pth", "policy.optimizer.pth"
FORMAT = 1
MAX_UNPACKED, MAX_RATIO = 1 << 26, 50  # bytes, and times the size of the file; weights do not shrink by packing
TEXTS, TABLES, NUMBERS = (
    ("env_id", "golden_hash", "layout", "deck_digest"),
    ("options", "network", "run"),
    ("steps", "seed", "observation_size", "actions"),
)
KINDS = dict.fromkeys(TEXTS, str) | dict.fromkeys(TABLES, dict) | dict.fromkeys(NUMBERS, int)
KIND_NAMES = {str: "text", dict: "names with values", int: "a whole number from 0"}


class CheckpointError(DeckwoodError, ValueError):
    """A file that is no checkpoint, or one of another game, version or shape: names the file, what was found and what was expected."""


@dataclass(frozen=True)
class Manifest:
    """What a checkpoint says about itself."""

    env_id: str
    golden_hash: str  # "" where the game had none when this was saved
    layout: str  # digest of the names and sizes of features and actions
    observation_size: int
    actions: int
    options: Mapping[str, Any]
    deck_digest: str
    network: Mapping[str, Any]  # trunk, heads, activation
    steps: int
    seed: int
    run: Mapping[str, Any]  # config, versions, commit, commands
    format: int = FORMAT


def layout_digest(spec: GameSpec) -> str:
    """A digest of what each input and output of a network stands for."""
    table = [[f.name, f.size, f.low, f.high] for f in spec.features], [a.name for a in spec.actions]
    return hashlib.sha256(json.dumps(table).encode()).hexdigest()[:16]


def save_checkpoint(path: Path, model: Any, manifest: Manifest, resume: Mapping[str, NDArray[Any]] | None = None) -> None:
    """Write ``model`` and all that belongs to it to ``path``, whole or not at all."""
    buffer = io.BytesIO()
    model.save(buffer)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1))
        if resume is not None:
            arrays = io.BytesIO()
            np.savez_compressed(arrays, **dict(resume))  # type: ignore[arg-type]
            archive.writestr(RESUME, arrays.getvalue())
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, buffer.getvalue())


def entries(file: Path | io.BytesIO, where: Path, otherwise: str = "not a checkpoint") -> zipfile.ZipFile:
    """The archive in ``file``, which may be a stranger's: CheckpointError unless it is one, of a size that its own size explains."""
    try:
        archive = zipfile.ZipFile(file)
        size = len(file.getbuffer()) if isinstance(file, io.BytesIO) else file.stat().st_size
    except FileNotFoundError:
        raise CheckpointError(f"{where}: no such file") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{where}: {otherwise} ({printable(str(error))})") from None
    unpacked = sum(entry.file_size for entry in archive.infolist())
    if unpacked > max(MAX_UNPACKED, MAX_RATIO * size):
        raise CheckpointError(f"{where}: {size:,} bytes that unpack to {unpacked:,}, more than any checkpoint; it was not unpacked")
    return archive


def read_entry(path: Path, name: str, otherwise: str = "") -> bytes:
    """The bytes of an entry; CheckpointError, which says ``otherwise``, where it is missing, and where it is damaged."""
    refuse_other_than_file(path)
    with entries(path, path) as archive:
        try:
            return archive.read(name)
        except KeyError:
            raise CheckpointError(f"{path}: holds no {name}{otherwise and ', '}{otherwise}") from None
        except (OSError, RuntimeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise CheckpointError(f"{path}: its {name} is damaged ({printable(str(error))})") from None


def read_tensors(path: Path, name: str, device: str) -> Any:
    """What torch saved in an entry, tensors and plain values alone; CheckpointError otherwise, and nothing in it is run."""
    content = io.BytesIO(read_entry(path, name))
    entries(content, path, f"its {name} is damaged").close()
    content.seek(0)
    try:
        return th.load(content, map_location=device, weights_only=True)
    except pickle.UnpicklingError:
        raise CheckpointError(f"{path}: its {name} holds something else than weights, and was not loaded: that could run code") from None
    except Exception as error:  # torch raises whatever the bytes happen to cause
        raise CheckpointError(f"{path}: its {name} is damaged ({printable(str(error))})") from None


def read_manifest(path: Path) -> Manifest:
    """CheckpointError when ``path`` is not a checkpoint that train.py saved."""
    data = read_entry(path, MANIFEST, "so it was not saved by train.py and the game it is for is unknown")
    try:
        content = parse_json(data)
    except ValueError as error:
        raise CheckpointError(f"{path}: its {MANIFEST} is damaged ({printable(str(error))})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT or set(content) != {field.name for field in fields(Manifest)}:
        found = content.get("format") if isinstance(content, dict) else content
        raise CheckpointError(f"{path}: saved in format {shown(found)} of checkpoints; this version reads format {FORMAT}")
    for name, kind in KINDS.items():
        if type(content[name]) is not kind or (kind is int and content[name] < 0):
            raise CheckpointError(f"{path}: its {MANIFEST} has {name} {shown(content[name])}; allowed: {KIND_NAMES[kind]}")
    return Manifest(**content)


def read_resume(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays that a run goes on from; CheckpointError when the checkpoint holds none."""
    content = io.BytesIO(read_entry(path, RESUME, "the state of its run, so it can be played and not resumed"))
    try:
        with entries(content, path, f"its {RESUME} is damaged") as arrays:
            return {Path(name).stem: _array(name, arrays.read(name)) for name in arrays.namelist()}
    except Exception as error:  # NumPy raises whatever the bytes happen to cause
        raise CheckpointError(f"{path}: its {RESUME} is damaged ({printable(str(error))})") from None


def _array(name: str, data: bytes) -> NDArray[Any]:
    """An array of NumPy's format. ValueError for objects, and for another size than its header claims, before any is made."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version != (1, 0):
        raise ValueError(f"{name} is of version {version} of NumPy's format; allowed: (1, 0)")
    shape, by_columns, dtype = np.lib.format.read_array_header_1_0(file)
    if dtype.kind not in "biuf" or (by_columns and len(shape) > 1) or math.prod(shape) * dtype.itemsize != len(data) - file.tell():
        raise ValueError(f"{name} is not an array of numbers, or its size differs from the declared one")
    return np.frombuffer(data, dtype, offset=file.tell()).reshape(shape).astype(dtype.newbyteorder("="))


def check_manifest(path: Path, manifest: Manifest, spec: GameSpec, golden_hash: str) -> None:
    """CheckpointError, with the reason, unless the checkpoint was made for this game as it is now."""
    expected = {
        "env_id": spec.env_id,
        "observation_size": spec.observation_size,
        "actions": len(spec.actions),
        "layout": layout_digest(spec),
        "golden_hash": golden_hash,
    }
    for name, value in expected.items():
        found = getattr(manifest, name)
        if found != value and not (name == "golden_hash" and "" in (found, value)):
            why = {
                "layout": "features or actions were renamed, resized or reordered since",
                "golden_hash": "the game's rules or its deck changed since, so its results would not compare",
            }.get(name, f"it is for {manifest.env_id}")
            raise CheckpointError(f"{path}: made for {name} {found!r}, the game here has {value!r}: {why}")


def load_policy(path: Path, spec: GameSpec, golden_hash: str, device: str = "cpu") -> tuple[MaskedPolicy, Manifest]:
    """The network in ``path``, in evaluation mode; CheckpointError when it does not fit the game."""
    manifest = read_manifest(path)
    check_manifest(path, manifest, spec, golden_hash)
    weights = read_tensors(path, WEIGHTS, device)
    try:
        own = network_arguments(manifest.network, spec.observation_size, sum(map(_bytes, weights.values())))
        policy = MaskedPolicy(*batch_spaces(spec, with_advice=bool(own["advice"])), lambda _: 0.0, **policy_arguments(**own))
        policy.load_state_dict(weights)
    except (KeyError, RuntimeError, AttributeError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: its weights do not fit the network it declares ({printable(str(error))})") from None
    policy.to(get_device(device)).set_training_mode(False)
    return policy, manifest


def _bytes(tensor: th.Tensor) -> int:
    return tensor.numel() * tensor.element_size()


def network_arguments(network: Mapping[str, Any], features: int, size: int) -> dict[str, Any]:
    """The arguments of :func:`policy_arguments` that a manifest names; ValueError where they are none, or ask for more than ``size`` bytes
    of weights."""
    own = {"advice": "", "advice_weight": 0.0, **network}
    if set(own) != {"trunk", "heads", "activation", "advice", "advice_weight"}:
        raise ValueError(f"found {shown(sorted(own))}")
    widths = [own["trunk"], own["heads"]]
    if not all(isinstance(layers, list) and all(type(width) is int and width > 0 for width in layers) for layers in widths):
        raise ValueError(f"found widths {shown(widths)}")
    if own["activation"] not in ACTIVATIONS or not isinstance(own["advice"], str) or type(own["advice_weight"]) not in (int, float):
        raise ValueError(f"found {shown(network)}")
    if 4 * sum(a * b for a, b in pairwise([features, *own["trunk"], *own["heads"]])) > size:
        raise ValueError(f"layers of {shown(widths)}")
    return own
