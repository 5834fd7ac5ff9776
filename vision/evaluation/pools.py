"""Who reads the photos: this process, processes beside it, or the machines of a cluster. One door for all of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, Protocol

from maps import Message, message
from vision.evaluation.readers import Sheets

# How many photos of how many are done.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Outcome:
    """What came of reading one photo, in a form that passes between processes."""

    reading: Mapping[str, Any] | None = None
    sheets: Sheets | None = None
    problem: Message | None = None
    # Told where the photo was changed before it was read.
    truth: Mapping[str, Any] | None = None


# A function of a module, so that other processes find it. A task's first argument is the photo, or its recording.
Work = Callable[..., Outcome]
Task = tuple[Any, ...]


class Pool(Protocol):
    """What does the work for every task; the outcomes come in the order of the tasks, whoever failed on the way."""

    def __call__(self, work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]: ...


@dataclass(frozen=True)
class Local:
    """This machine: this process, or as many processes of their own as there are jobs."""

    jobs: int = 1

    def __call__(self, work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]:
        if self.jobs <= 1 or len(tasks) <= 1:
            found = []
            for task in tasks:
                found.append(work(*task))
                progress(len(found), len(tasks))
            return found
        # `spawn` works on every system and inherits no half-loaded model.
        context = multiprocessing.get_context("spawn")
        results: list[Outcome] = [Outcome()] * len(tasks)
        with ProcessPoolExecutor(min(self.jobs, len(tasks)), context) as pool:
            futures = {pool.submit(work, *task): i for i, task in enumerate(tasks)}
            for done, future in enumerate(as_completed(futures), 1):
                results[futures[future]] = _result(future)
                progress(done, len(tasks))
        return results


HERE = Local()


def silence(_done: int, _of: int) -> None:
    """Nobody wants to know."""


def failed(error: BaseException) -> Outcome:
    """The outcome of a photo whose reading broke."""
    return Outcome(problem=message("error.reading-failed", what=f"{type(error).__name__}: {error}"))


def _result(future: Future[Outcome]) -> Outcome:
    """What a process gave, or that it died, as one does when memory is short."""
    error = future.exception()
    return future.result() if error is None else failed(error)
