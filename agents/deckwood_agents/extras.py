"""What an install without extras lacks, said by name."""

from importlib.util import find_spec

TRAIN = ("torch", "stable_baselines3", "sb3_contrib", "rich", "yaml", "scipy", "choix")
"""What packages of ours import at once; the rest of the extra is imported where it is used."""


def require_train(package: str) -> None:
    """ModuleNotFoundError, which names the extra, where something is missing that ``package`` imports."""
    for name in TRAIN:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f'{package} needs {name}: pip install "deckwood[train]"', name=name)
