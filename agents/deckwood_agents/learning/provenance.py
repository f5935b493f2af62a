"""What a result was made with."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[3]


def provenance() -> dict[str, Any]:
    """Versions, commit and machine."""

    def installed(package: str) -> str:
        try:
            return version(package)
        except PackageNotFoundError:
            return "not installed"

    def git(*arguments: str) -> str:
        try:
            return subprocess.run(
                ["git", *arguments], cwd=REPOSITORY, capture_output=True, text=True, check=True, timeout=20
            ).stdout.strip()
        except (OSError, subprocess.SubprocessError):
            return ""

    packages = ("deckwood", "numpy", "numba", "gymnasium", "torch", "stable-baselines3", "sb3-contrib")
    return {
        "versions": {"python": platform.python_version()} | {package: installed(package) for package in packages},
        "commit": git("rev-parse", "HEAD"),
        "changed_files": git("status", "--porcelain", "--untracked-files=no").splitlines(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }
