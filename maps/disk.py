"""Files that a power cut, a full disk or a second window can't spoil: written beside and moved, or not at all."""

from __future__ import annotations

import glob
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

# A file half written is left by a killed program only; none is written for as long as this.
_LEFT_OVER = 60.0


def write_whole(file: Path, data: str | bytes, lasting: bool = True) -> None:
    """Replaces a file in one go: whoever reads it sees all of it, or what was there before. OSError leaves no trace.

    `lasting`: waits until it is on the disk, so that it outlives a power cut and not only the program.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    _sweep(file)
    # Two windows, or two threads, must not write into the same half.
    part = file.with_name(f"{file.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with part.open("wb") as out:
            out.write(data.encode() if isinstance(data, str) else data)
            if lasting:
                out.flush()
                os.fsync(out.fileno())
        part.replace(file)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    if lasting:
        sync_folder(file.parent)


def _sweep(file: Path) -> None:
    """Takes away what a killed program left beside a file."""
    with suppress(OSError):
        for left in file.parent.glob(f"{glob.escape(file.name)}.*.part"):
            if time.time() - left.stat().st_mtime > _LEFT_OVER:
                left.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Makes a new name in a folder last as well; not every system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


class Lock:
    """One writer per file. The system lets go of it when the program ends, however it ends."""

    def __init__(self, file: Path) -> None:
        """BlockingIOError if another window has it, OSError if the file can't be opened."""
        self._handle: int | None = os.open(file, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            _lock(self._handle)
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            self.release()


if sys.platform == "win32":
    import msvcrt

    # Windows locks bytes for readers too: one that no file ever has.
    _BEYOND = 1 << 40

    def _lock(handle: int) -> None:
        os.lseek(handle, _BEYOND, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(*error.args) from error
else:
    import fcntl

    def _lock(handle: int) -> None:
        # A file system that knows no locks (some network shares) has none to offer.
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return
