"""Saved agents: a Stable-Baselines3 zip that also says which game it is for, and holds what a run needs to go on.

Beside Stable-Baselines3's own entries, which ``MaskablePPO.load`` reads, the zip holds ``deckwood.json`` (:class:`Manifest`) and, where the
run can go on from here, ``resume.npz`` (arrays only). Playing a checkpoint reads the manifest and the weights and runs no pickled code.

Beside this module lie those that ship, ``<game>.zip``, each with a card; :mod:`deckwood_agents.learning.ship` writes them.
"""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch as th
from numpy.typing import NDArray

from deckwood.core.errors import DeckwoodError
from deckwood.core.files import write_atomically
from deckwood.core.spec import GameSpec
from deckwood_agents.players.policy import MaskedPolicy, batch_spaces, policy_arguments

MANIFEST, RESUME = "deckwood.json", "resume.npz"
FORMAT = 1


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


def read_manifest(path: Path) -> Manifest:
    """CheckpointError when ``path`` is not a checkpoint that train.py saved."""
    try:
        with zipfile.ZipFile(path) as archive:
            content = json.loads(archive.read(MANIFEST))
    except FileNotFoundError:
        raise CheckpointError(f"{path}: no such file") from None
    except KeyError:
        raise CheckpointError(f"{path}: holds no {MANIFEST}, so it was not saved by train.py and the game it is for is unknown") from None
    except (OSError, zipfile.BadZipFile, json.JSONDecodeError) as error:
        raise CheckpointError(f"{path}: not a checkpoint ({error})") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT or set(content) != {field.name for field in fields(Manifest)}:
        found = content.get("format") if isinstance(content, dict) else content
        raise CheckpointError(f"{path}: saved in format {found!r} of checkpoints; this version reads format {FORMAT}")
    return Manifest(**content)


def read_resume(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays that a run goes on from; CheckpointError when the checkpoint holds none."""
    try:
        with zipfile.ZipFile(path) as archive, np.load(io.BytesIO(archive.read(RESUME)), allow_pickle=False) as arrays:
            return dict(arrays)
    except KeyError:
        raise CheckpointError(f"{path}: holds an agent but not the state of its run, so it can be played and not resumed") from None


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
    advised = bool(manifest.network.get("advice"))
    policy = MaskedPolicy(*batch_spaces(spec, advised=advised), lambda _: 0.0, **policy_arguments(**manifest.network))
    try:
        with zipfile.ZipFile(path) as archive:
            weights = th.load(io.BytesIO(archive.read("policy.pth")), map_location=device, weights_only=True)
        policy.load_state_dict(weights)
    except pickle.UnpicklingError:
        raise CheckpointError(
            f"{path}: its policy.pth holds something else than weights, and was not loaded: that could run code"
        ) from None
    except (KeyError, RuntimeError, EOFError, zipfile.BadZipFile) as error:
        raise CheckpointError(f"{path}: its weights do not fit the network it declares ({error})") from None
    policy.to(device).set_training_mode(False)
    return policy, manifest
