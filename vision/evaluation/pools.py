"""Who reads the photos: this process, processes beside it, or the machines of a cluster. One door for all of them."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Protocol  # Any: tasks of any kind of work

from maps import Message, message
from vision.evaluation.readers import Sheets

# A process that closed its pipe ends within this time.
_END_SECONDS = 2.0
# How many photos of how many are done.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What came of reading one photo, in a form that passes between processes."""

    reading: Mapping[str, object] | None = None
    sheets: Sheets | None = None
    problem: Message | None = None
    # Told where the photo was changed before it was read.
    truth: Mapping[str, object] | None = None


# A function of a module, so that other processes find it. A task's first argument is the photo, or its recording.
Work = Callable[..., Outcome]
Task = tuple[Any, ...]


class Pool(Protocol):
    """What does the work for every task; the outcomes come in the order of the tasks, whoever failed on the way.

    Ctrl-C ends it as `Interrupted`, with what was done by then.
    """

    def __call__(self, work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]: ...


class Interrupted(KeyboardInterrupt):
    """Somebody pressed Ctrl-C: what was done by then, in the order of the tasks, None for what was not."""

    def __init__(self, outcomes: Sequence[Outcome | None]) -> None:
        super().__init__()
        self.outcomes = tuple(outcomes)


@dataclass(frozen=True)
class Local:
    """This machine: this process, or as many processes of their own as there are jobs.

    A process that dies, as one does when memory is short, takes only the photo that it held with it.
    """

    jobs: int = 1

    def __call__(self, work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]:
        found: list[Outcome | None] = [None] * len(tasks)
        numbered = self._one_by_one if self.jobs <= 1 or len(tasks) <= 1 else self._beside
        try:
            for done, (i, outcome) in enumerate(numbered(work, tasks), 1):
                found[i] = outcome
                progress(done, len(tasks))
        except KeyboardInterrupt:
            raise Interrupted(found) from None
        return [outcome or Outcome() for outcome in found]

    def _one_by_one(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        for i, task in enumerate(tasks):
            yield i, work(*task)

    def _beside(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Outcome]]:
        waiting = deque(range(len(tasks)))
        workers: dict[Connection, tuple[BaseProcess, int]] = {}
        try:
            while waiting or workers:
                while waiting and len(workers) < self.jobs:
                    line, process = _worker(work)
                    workers[line] = (process, waiting.popleft())
                    _ask(line, tasks[workers[line][1]])
                ready = wait(list(workers))
                for line in [line for line in workers if line in ready]:
                    process, i = workers.pop(line)
                    outcome = _answer(line, process)
                    yield i, outcome
                    if process.is_alive() and waiting:
                        workers[line] = (process, waiting.popleft())
                        _ask(line, tasks[workers[line][1]])
                    else:
                        line.close()
        finally:
            for line, (process, _) in workers.items():
                process.kill()
                line.close()


def _worker(work: Work) -> tuple[Connection, BaseProcess]:
    # `spawn` works on every system and inherits no half-loaded model.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work), daemon=True)
    process.start()
    # With our copy closed, its end is heard.
    theirs.close()
    return ours, process


def _serve(line: Connection, work: Work) -> None:
    """A process of its own: does one task after another until nobody asks any more."""
    # Ctrl-C reaches every process of a terminal; whoever asked decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = line.recv()
        except (EOFError, OSError):
            return
        try:
            line.send(work(*task))
        except Exception as error:
            line.send(failed(error))


def _ask(line: Connection, task: Task) -> None:
    # Of a process that is dead already the answer tells.
    with suppress(OSError):
        line.send(task)


def _answer(line: Connection, process: BaseProcess) -> Outcome:
    try:
        outcome: Outcome = line.recv()
    except (EOFError, OSError):
        process.join(_END_SECONDS)
        return failed(ChildProcessError(f"the process that read it ended ({process.exitcode})"))
    return outcome


HERE = Local()
# The problem of a photo that nothing is wrong with: reading it broke.
OUR_FAULT = "error.reading-failed"


def silence(_done: int, _of: int) -> None:
    """Progress where nobody shows it."""


def failed(error: BaseException) -> Outcome:
    """The outcome of a photo whose reading broke."""
    return Outcome(problem=message(OUR_FAULT, what=f"{type(error).__name__}: {error}"))
