"""A disk cache for results that took long to compute. ``DECKWOOD_CACHE_DIR`` chooses another place.

Entries may be machine code, so a file is read only if nobody else can have written it: its folder and the file itself belong to
this user or to the system's administrator, and others may not write to them. Each file holds a checksum: a damaged file counts as missing.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import stat
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

from deckwood.core.files import leftovers, write_atomically

PACKAGE = Path(__file__).resolve().parents[1]

_FOLDERS = 8  # of other versions, settings or checkouts that are left alone
_UNUSED = 30 * 24 * 3600.0  # seconds after which a file is dropped
_DAY = 24 * 3600.0
_CHECKSUM = hashlib.sha256().digest_size


@lru_cache
def sources_digest(folder: Path) -> str:
    """The digest of every Python source below ``folder``; or of those directly in it if it is not a package."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py") if (folder / "__init__.py").exists() else folder.glob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def user_cache() -> Path:
    """The user's cache folder for this package, which may not exist yet. RuntimeError if the user has no home folder."""
    if chosen := os.environ.get("DECKWOOD_CACHE_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "deckwood"


class Cache:
    """Results of one ``kind``, valid as long as ``key`` is, one file each. Any number of processes may use it at once.

    They are looked for in the user's cache folder and among temporary files, and written to the first of the two that can be written to;
    where neither can, to a folder of this process alone. So a prebuilt cache that may only be read is used.
    """

    def __init__(self, kind: str, key: str) -> None:
        self.folders = [root / kind / key for root in _roots()]
        self._writable: Path | None = None

    def read(self, name: str) -> bytes | None:
        """What was written under ``name``; None if there is nothing complete that can be trusted."""
        for folder in self.folders:
            content = _read(folder, name)
            if content is not None:
                return content
        return None

    def write(self, name: str, content: bytes) -> None:
        """Store ``content`` under ``name``, whole or not at all; silently dropped if nothing can be written."""
        self._writable = self._writable or self._open()
        if self._writable is not None:
            with suppress(OSError):
                write_atomically(self._writable / name, _checksum(name, content) + content)

    def _open(self) -> Path | None:
        """The folder to write to; None if there is none."""
        for folder in self.folders:
            with suppress(OSError):
                folder.parents[1].parent.mkdir(parents=True, exist_ok=True)
                for part in (folder.parents[1], folder.parent, folder):
                    part.mkdir(mode=0o700, exist_ok=True)
                if not _is_ours(folder):
                    continue
                os.utime(folder)
                tempfile.TemporaryFile(dir=folder).close()
                _prune(folder)
                return folder
        with suppress(OSError):
            folder = _private_root()
            self.folders.append(folder)
            return folder
        return None


def _roots() -> Iterator[Path]:
    with suppress(RuntimeError):  # no home, and no entry in the list of users
        yield user_cache()
    with suppress(OSError):  # no folder for temporary files
        name = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
        root = Path(tempfile.gettempdir()) / f"deckwood-{name}"
        if not os.path.lexists(root) or _is_ours(root):
            yield root


@cache
def _private_root() -> Path:
    """A new private folder, removed when this process ends."""
    folder = Path(tempfile.mkdtemp(prefix="deckwood-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _is_ours(folder: Path) -> bool:
    """Whether a folder exists and only this user and the administrator can have written to it; a warning where others can."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    trusted = stat.S_ISDIR(found.st_mode) and _is_trusted(found)
    if not trusted:
        _warn_of(folder)
    return trusted


def _is_trusted(found: os.stat_result) -> bool:
    return not hasattr(os, "getuid") or (found.st_uid in (os.getuid(), 0) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))


@cache
def _warn_of(folder: Path) -> None:
    found, allowed = "what belongs to another user or may be written by others", "a folder of your own"
    warnings.warn(f"{folder} is not used as a cache: found {found}; allowed: {allowed}", stacklevel=2)


def _read(folder: Path, name: str) -> bytes | None:
    if not _is_ours(folder):
        return None
    try:
        with open(folder / name, "rb", opener=_open_no_link) as file:
            found = os.fstat(file.fileno())
            if not (stat.S_ISREG(found.st_mode) and _is_trusted(found)):
                return None
            content = file.read()
            if time.time() - found.st_mtime > _DAY:
                with suppress(OSError):  # a cache that may only be read
                    os.utime(folder / name)
    except OSError:
        return None
    checksum, rest = content[:_CHECKSUM], content[_CHECKSUM:]
    return rest if checksum == _checksum(name, rest) else None


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _checksum(name: str, content: bytes) -> bytes:
    return hashlib.sha256(name.encode() + b"\0" + content).digest()


def _prune(current: Path) -> None:
    """Drop the least recently used entries. A process that still runs from it has what it needs in memory."""
    now = time.time()
    for file in (*leftovers(current), *(file for file in current.iterdir() if now - _used(file) > _UNUSED)):
        with suppress(OSError):
            file.unlink()
    others = sorted((folder for folder in current.parent.iterdir() if folder != current), key=_used, reverse=True)
    for folder in others[_FOLDERS:]:
        if now - _used(folder) > 3600:
            shutil.rmtree(folder, ignore_errors=True)


def _used(path: Path) -> float:
    """When a file or folder was last used; now, if it is gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()
