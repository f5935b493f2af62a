"""Atomic file writes: a reader never sees half a file, a power cut loses none, and two writers do not undo each other's work."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # not POSIX
    fcntl = None

PART = ".part"  # ends the names of files that are being written
ABANDONED = 3600.0  # seconds after which nobody writes such a file any more
KINDS = ((stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))


def refuse_other_than_file(path: Path) -> None:
    """OSError if ``path`` is a folder, a device or the like; a file, a link to one, or nothing is fine."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "found a folder; allowed: a file", str(path))
    if not stat.S_ISREG(mode):
        found = next((name for is_kind, name in KINDS if is_kind(mode)), "no regular file")
        raise OSError(errno.EINVAL, f"found {found}; allowed: a file", str(path))


def write_atomically(path: Path | str, content: bytes | str) -> None:
    """Write ``content`` to a temporary file next to ``path``, sync it, and move it into place; on failure ``path`` is unchanged.

    OSError as from ``open``, and if ``path`` is not a regular file. A link stays a link: the file that it leads to is replaced.
    """
    refuse_other_than_file(Path(path))
    path = Path(os.path.realpath(path))
    data = content.encode() if isinstance(content, str) else content
    prefix = f".{path.name[:40]}."
    for leftover in leftovers(path.parent, prefix):
        with suppress(OSError):
            leftover.unlink()
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and error.errno is not None:  # a full disk names no file
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    _sync_folder(path.parent)


def leftovers(folder: Path, prefix: str = ".") -> Iterator[Path]:
    """The files in ``folder`` that :func:`write_atomically` left half written, for files whose hidden names begin with ``prefix``.

    A process that was killed leaves one; such a file is never read, and the next writer removes it.
    """
    for path in folder.iterdir():
        if path.name.startswith(prefix) and path.name.endswith(PART):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > ABANDONED:
                    yield path


def _sync_folder(folder: Path) -> None:
    """Sync the names in ``folder`` to the disk, where the system can. The file is in place by now: nothing is left to fail."""
    if os.name != "posix":
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a folder that may be written and not read
        return
    try:
        os.fsync(handle)
    except OSError:  # a file system that cannot
        pass
    finally:
        os.close(handle)


@contextmanager
def sole_writer(path: Path | str) -> Iterator[None]:
    """Wait until no other thread or process is within a ``sole_writer`` of ``path``'s folder, and keep them out.

    A lock of the folder, which leaves nothing behind, not even when the process is killed. Without such locks (on Windows, on some
    network drives) nobody waits.
    """
    handle = None
    if fcntl is not None:
        try:
            handle = os.open(Path(os.path.realpath(path)).parent, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
        except OSError:
            pass
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)
