"""Work beside the screen: jobs run on threads and speak to the screen in named messages on a queue."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any  # Any: what a job gives is known to whoever asked for it

from maps import Trouble

# Reading a photo must not wait for a map that is being painted.
_THREADS = 2


class Cancelled(Exception):
    """The player has changed their mind: the job's answer is not wanted any more."""


@dataclass(frozen=True)
class Note:
    """What a job tells: `done` with its answer, `failed` with a Trouble, `progress` with a share from 0 to 1."""

    job: str
    kind: str
    value: Any = None


Receiver = Callable[[Note], None]


class Job:
    """One piece of work. It asks `check` now and then, and tells how far it is."""

    def __init__(self, name: str, receiver: Receiver, notes: queue.Queue[tuple[Receiver, Note]]) -> None:
        self.name, self._receiver, self._notes = name, receiver, notes
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        return self._cancelled.is_set()

    def check(self) -> None:
        """Ends the job here if nobody wants it any more."""
        if self.cancelled:
            raise Cancelled

    def progress(self, share: float) -> None:
        self.check()
        self._tell("progress", share)

    def _tell(self, kind: str, value: object) -> None:
        self._notes.put((self._receiver, Note(self.name, kind, value)))

    def run(self, work: Callable[[Job], object]) -> None:
        """Does the work; whatever comes of it is told, unless it was cancelled meanwhile."""
        told: object
        try:
            self.check()
            told = work(self)
        except Cancelled:
            return
        except Trouble as trouble:
            kind, told = "failed", trouble
        except Exception as error:
            kind, told = "failed", Trouble("unexpected", what=f"{type(error).__name__}: {error}", file="-")
        else:
            kind = "done"
        if not self.cancelled:
            self._tell(kind, told)


class Work:
    """Starts jobs, and hands what they tell to whoever asked, on the thread that calls `deliver`."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, "work")
        self._notes: queue.Queue[tuple[Receiver, Note]] = queue.Queue()
        self._running: dict[Future[None], Job] = {}
        self._closed = False

    def start(self, name: str, work: Callable[[Job], object], receiver: Receiver) -> Job:
        job = Job(name, receiver, self._notes)
        if self._closed:
            job.cancel()
            return job
        future = self._pool.submit(job.run, work)
        self._running[future] = job
        future.add_done_callback(lambda done: self._running.pop(done, None))
        return job

    def deliver(self) -> bool:
        """Hands over everything told so far; whether there was anything."""
        any_told = False
        while True:
            try:
                receiver, note = self._notes.get_nowait()
            except queue.Empty:
                return any_told
            receiver(note)
            any_told = True

    @property
    def busy(self) -> bool:
        return bool(self._running) or not self._notes.empty()

    def finish(self, seconds: float = 30.0) -> None:
        """Waits until nothing runs and everything is delivered: for pictures of the screens, and tests."""
        end = time.monotonic() + seconds
        while self.busy and time.monotonic() < end:
            if not self.deliver():
                time.sleep(0.005)

    def close(self) -> None:
        """Nothing is started any more; what still runs is not waited for, and stops when it next asks."""
        self._closed = True
        for job in list(self._running.values()):
            job.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
