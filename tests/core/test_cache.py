"""What is kept between starts is used only where nobody else can have written it; files are written whole or not at all."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import pytest

from deckwood.core import cache
from deckwood.core.cache import Cache
from deckwood.core.files import ABANDONED, PART, write_atomically

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and modes are POSIX")
as_root = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
SOMEBODY = 12345


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    """A user's cache folder and a folder for temporary files of the test's own."""
    monkeypatch.setenv("DECKWOOD_CACHE_DIR", str(tmp_path / "user"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    cache._warn_of.cache_clear()
    cache._private_root.cache_clear()
    yield
    cache._private_root.cache_clear()


def test_what_was_written_is_read_again_and_only_by_its_kind_and_key():
    Cache("kind", "key").write("name", b"content")
    assert Cache("kind", "key").read("name") == b"content"
    for kind, key, name in (("other", "key", "name"), ("kind", "other", "name"), ("kind", "key", "other")):
        assert Cache(kind, key).read(name) is None


@posix
def test_folders_are_the_users_alone(tmp_path):
    mask = os.umask(0)
    try:
        Cache("kind", "key").write("name", b"content")
    finally:
        os.umask(mask)
    for part in ("user", "user/kind", "user/kind/key"):
        assert (tmp_path / part).stat().st_mode & 0o777 == 0o700


def test_every_flipped_byte_is_a_miss(tmp_path):
    kept = Cache("kind", "key")
    kept.write("name", b"content")
    file = tmp_path / "user/kind/key/name"
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert kept.read("name") is None
    file.write_bytes(whole)
    file.rename(file.with_name("other"))
    assert kept.read("other") is None


@as_root
@pytest.mark.parametrize("planted", ["file", "folder", "open file", "open folder", "link"])
def test_what_somebody_else_may_have_written_is_not_read(tmp_path, monkeypatch, planted):
    kept = Cache("kind", "key")
    kept.write("name", b"planted")
    folder = tmp_path / "user/kind/key"
    file = folder / "name"
    monkeypatch.setattr(os, "getuid", lambda: SOMEBODY + 1)
    for path in (folder, file):
        os.chown(path, SOMEBODY + 1, -1)
    assert Cache("kind", "key").read("name") == b"planted"
    match planted:
        case "file":
            os.chown(file, SOMEBODY, -1)
        case "folder":
            os.chown(folder, SOMEBODY, -1)
        case "open file":
            file.chmod(0o646)
        case "open folder":
            folder.chmod(0o720)
        case "link":
            file.rename(folder / "target")
            file.symlink_to(folder / "target")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert Cache("kind", "key").read("name") is None
    assert [("others" in str(one.message)) for one in told] == [True] * ("folder" in planted)


@as_root
def test_a_planted_folder_among_temporary_files_is_passed_over(tmp_path, monkeypatch):
    """As in a common folder for temporary files, where anybody may make the folder first."""
    monkeypatch.setenv("DECKWOOD_CACHE_DIR", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    planted = tmp_path / f"temporary/deckwood-{os.getuid()}"
    planted.mkdir(mode=0o777)
    os.chown(planted, SOMEBODY, -1)
    with pytest.warns(UserWarning, match="is not used as a cache: found what belongs to another user"):
        kept = Cache("kind", "key")
    kept.write("name", b"content")
    assert kept.read("name") == b"content"
    assert not list(planted.iterdir())
    (private,) = (folder for folder in (tmp_path / "temporary").iterdir() if folder != planted)
    assert private.stat().st_mode & 0o777 == 0o700


def test_a_prebuilt_cache_that_may_only_be_read_is_used(tmp_path, monkeypatch):
    Cache("kind", "key").write("name", b"content")
    real = tempfile.TemporaryFile

    def read_only(dir=None, **kwargs):
        if dir is not None and (tmp_path / "user") in Path(dir).parents:
            raise PermissionError(dir)
        return real(dir=dir, **kwargs)

    monkeypatch.setattr(tempfile, "TemporaryFile", read_only)
    kept = Cache("kind", "key")
    kept.write("another", b"more")
    assert (kept.read("name"), kept.read("another")) == (b"content", b"more")
    assert [file.name for file in (tmp_path / "user/kind/key").iterdir()] == ["name"]


def test_with_no_place_at_all_nothing_is_kept_and_nothing_fails(tmp_path, monkeypatch):
    monkeypatch.setenv("DECKWOOD_CACHE_DIR", str(tmp_path / "file"))
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    kept = Cache("kind", "key")
    kept.write("name", b"content")
    assert kept.read("name") is None


HOMELESS = """
import os
os.getuid = lambda: 54321  # a container's user that no list names
from deckwood.core.cache import Cache
kept = Cache("kind", "key")
kept.write("name", b"content")
print(kept.read("name"))
"""


@posix
def test_without_a_home_and_without_a_user_something_can_be_kept(tmp_path):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HOME", "XDG", "DECKWOOD"))}
    environment |= {"PYTHONPATH": str(ROOT / "envs"), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", HOMELESS], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_went_unused_is_dropped(tmp_path):
    Cache("kind", "key").write("old", b"content")
    folder = tmp_path / "user/kind/key"
    old = time.time() - 40 * 24 * 3600
    os.utime(folder / "old", (old, old))
    (folder / f".name.abcd{PART}").write_bytes(b"half")
    os.utime(folder / f".name.abcd{PART}", (old, old))
    (folder / f".name.efgh{PART}").write_bytes(b"being written")
    Cache("kind", "key").write("new", b"content")
    assert {file.name for file in folder.iterdir()} == {"new", f".name.efgh{PART}"}


# ------------------------------------------------------------------------------------------------------------------------ files

WRITER = """
import sys
from deckwood.core.files import write_atomically
for i in range(10**6):
    write_atomically(sys.argv[1], bytes([i % 256]) * 300_000)
    print(i, flush=True)
"""


def test_a_writer_that_is_killed_leaves_the_file_whole_and_what_it_left_goes(tmp_path):
    file = tmp_path / "file"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "envs")}
    for wait in (0.0, 0.003, 0.007, 0.013):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(file)], env=environment, stdout=subprocess.PIPE)
        assert writer.stdout is not None
        writer.stdout.readline()
        time.sleep(wait)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        content = file.read_bytes()
        assert len(content) == 300_000
        assert len(set(content)) == 1
    left = tmp_path / f".file.abcdefgh{PART}"
    left.write_bytes(b"half")
    other = tmp_path / f".another.abcdefgh{PART}"
    other.write_bytes(b"half")
    for path in tmp_path.glob(f".*{PART}"):
        os.utime(path, (time.time() - 2 * ABANDONED,) * 2)
    write_atomically(file, b"whole")
    assert list(tmp_path.glob(f".*{PART}")) == [other]
    assert file.read_bytes() == b"whole"


def test_a_full_disk_leaves_the_old_file_and_names_the_new_one(tmp_path):
    """A limit on the size of files stands for the disk's."""
    file = tmp_path / "file"
    file.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large") as error:
            write_atomically(file, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error.value.filename == str(file)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["file"]
    assert file.read_bytes() == b"old"


def test_a_device_and_a_pipe_are_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, found in ((Path("/dev/null"), "a device"), (tmp_path / "pipe", "a pipe"), (tmp_path, "a folder")):
        with pytest.raises(OSError, match=f"found {found}; allowed: a file"):
            write_atomically(path, b"content")
