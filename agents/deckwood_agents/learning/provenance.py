"""The provenance of a result."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any


def provenance() -> dict[str, Any]:
    """Versions, commit and machine. The commit is included only if git tracks this very file: other repositories may enclose an installed
    package."""

    def installed(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    def git(*arguments: str) -> str:
        try:
            return subprocess.run(
                ["git", *arguments], cwd=Path(__file__).parent, capture_output=True, text=True, check=True, timeout=20
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""

    packages = ("deckwood", "numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib")
    tracked = bool(git("ls-files", "--error-unmatch", "--", __file__))
    return {
        "versions": {"python": platform.python_version()} | {package: installed(package) for package in packages},
        "commit": git("rev-parse", "HEAD") if tracked else "",
        "changed_files": git("status", "--porcelain", "--untracked-files=no").splitlines() if tracked else [],
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
