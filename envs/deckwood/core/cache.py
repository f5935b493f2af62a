"""Where results that took long are kept between starts. ``DECKWOOD_CACHE_DIR`` chooses another place."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

_KEPT = 8  # folders of other versions, settings or checkouts that are left alone


def user_cache() -> Path:
    """The user's cache folder for this package, which may not exist yet."""
    if chosen := os.environ.get("DECKWOOD_CACHE_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "deckwood"


def cache_folder(kind: str, key: str) -> Path:
    """A folder that can be written to, for results of one ``kind`` that hold as long as ``key`` does; created where it is missing.

    It lies in the user's cache or, where that cannot be written to, among temporary files. Of the kind's other folders those that have gone
    unused longest are dropped.
    """
    for root in (user_cache(), Path(tempfile.gettempdir()) / f"deckwood-{_user_name()}"):
        folder = root / kind / key
        try:
            folder.mkdir(parents=True, exist_ok=True)
            os.utime(folder)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        _prune(folder)
        return folder
    return Path(tempfile.mkdtemp(prefix="deckwood-"))


def _user_name() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _prune(current: Path) -> None:
    """Drop the folders that have gone unused longest. A process that still runs from one has what it needs in memory."""
    others: list[tuple[float, Path]] = []
    for folder in current.parent.iterdir():
        try:
            others.append((folder.stat().st_mtime, folder))
        except OSError:
            continue
    for used, folder in sorted(others, reverse=True)[_KEPT:]:
        if folder != current and time.time() - used > 3600:
            shutil.rmtree(folder, ignore_errors=True)
