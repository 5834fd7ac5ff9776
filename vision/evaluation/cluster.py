"""The machines of a Dask cluster as a pool: photos are found there or sent, a lost worker's photos are read again.

Only this file knows `distributed`, which comes with the extra `cluster`.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any  # Any: distributed is half typed; and JSON

from maps import Trouble
from vision import classify, tables
from vision.evaluation.pools import Outcome, Progress, Task, Work, failed
from vision.recordings import Recording

ROOT = Path(__file__).resolve().parents[2]
# Seconds to wait for the scheduler, and for the first worker.
PATIENCE = 10
# Photos on their way to each core: enough that none waits for work, few enough to fit in memory.
AHEAD = 3
# Of each end of a file; its size and its ends tell whether it is the same file there.
END = 1 << 16
# The caches and the nets of a process are read by one photo at a time, whatever threads a worker has.
_ONE = threading.Lock()


@dataclass(frozen=True)
class Mark:
    """What tells a photo from another one that lies at the same place on another machine."""

    size: int
    ends: str

    @classmethod
    def of(cls, path: Path) -> Mark | None:
        """The mark of a file, or None where there is none."""
        try:
            with path.open("rb") as file:
                size = os.fstat(file.fileno()).st_size
                ends = hashlib.sha256(file.read(END))
                file.seek(max(size - END, 0))
                ends.update(file.read(END))
        except OSError:
            return None
        return cls(size, ends.hexdigest())


@dataclass(frozen=True)
class Elsewhere:
    """The worker has no such photo: it has to be sent."""


@dataclass(frozen=True)
class Another:
    """The worker has another program or other models: what it reads can't be compared."""

    worker: str


Answer = Outcome | Elsewhere | Another


def identity() -> str:
    """What a reading depends on besides the photo: code, models, what this table enrolled, and what runs the nets."""
    return _identity(tables.folder(), classify.engine())


@lru_cache(maxsize=4)
def _identity(table: Path, engine: str) -> str:
    digest = hashlib.sha256(engine.encode())
    kinds = {".py", ".json", ".npz", ".onnx"}
    for room in (ROOT / "maps", ROOT / "models", ROOT / "vision", table):
        for path in sorted(p for p in room.rglob("*") if p.suffix in kinds and "training" not in p.parts):
            digest.update(path.relative_to(room).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def there(work: Work, task: Task, mark: Mark | None, data: bytes | None, wanted: str) -> Answer:
    """Runs on a worker: reads the photo where it lies if it is the same one, else the copy that was sent."""
    if identity() != wanted:
        import socket

        return Another(socket.gethostname())
    if data is None:
        photo = _photo(task)
        if mark is None or Mark.of(photo) != mark:
            return Elsewhere()
        with _ONE:
            return work(*task)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / _photo(task).name
        copy.write_bytes(data)
        with _ONE:
            return work(*_with_photo(task, copy))


def _photo(task: Task) -> Path:
    first = task[0]
    return first.photo if isinstance(first, Recording) else Path(first)


def _with_photo(task: Task, photo: Path) -> Task:
    first = task[0]
    return (replace(first, photo=photo) if isinstance(first, Recording) else photo, *task[1:])


class Cluster:
    """The workers behind one scheduler, by its address; `with` closes the connection and drops what is left."""

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError:
            raise Trouble("cluster-not-installed") from None
        self.address = address
        try:
            # distributed has no types: its client and futures are Any.
            self._client: Any = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TimeoutError):
            raise Trouble("cluster-unreachable", address=address) from None
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            self.close()
            raise Trouble("cluster-empty", address=address) from None
        self._sent: set[str] = set()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leaves the cluster; its scheduler forgets what this program asked for."""
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=PATIENCE)

    def __call__(self, work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]:
        """The outcomes in order. A worker that dies costs nothing; a photo that kills three is a failed row."""
        from distributed import as_completed

        results: list[Outcome] = [Outcome()] * len(tasks)
        # What can't be opened here is told here.
        gone = [i for i, task in enumerate(tasks) if not _photo(task).is_file()]
        for i in gone:
            results[i] = work(*tasks[i])
        waiting: Iterator[int] = iter(sorted(set(range(len(tasks))) - set(gone)))
        asked: dict[Any, int] = {}
        running = as_completed(loop=self._client.loop)
        done = len(gone)
        try:
            self._fill(work, tasks, waiting, asked, running)
            for future in running:
                i = asked.pop(future)
                answer = _answer(future)
                if isinstance(answer, Another):
                    raise Trouble("cluster-differs", worker=answer.worker)
                if isinstance(answer, Elsewhere):
                    again = self._ask(work, tasks[i], send=True)
                    asked[again] = i
                    running.add(again)
                    continue
                results[i] = answer
                done += 1
                progress(done, len(tasks))
                self._fill(work, tasks, waiting, asked, running)
        finally:
            if asked:
                self._client.cancel(list(asked), force=True)
        return results

    def _fill(
        self, work: Work, tasks: Sequence[Task], waiting: Iterator[int], asked: dict[Any, int], running: Any
    ) -> None:
        """Keeps every core that the cluster has now busy, those that came later too."""
        room = AHEAD * max(1, sum(self._client.nthreads().values())) - len(asked)
        for _ in range(room):
            i = next(waiting, None)
            if i is None:
                return
            future = self._ask(work, tasks[i], send=str(_photo(tasks[i]).parent) in self._sent)
            asked[future] = i
            running.add(future)

    def _ask(self, work: Work, task: Task, send: bool) -> Any:
        photo, data = _photo(task), None
        if send:
            # One photo that had to be sent tells of its whole folder.
            self._sent.add(str(photo.parent))
            data = photo.read_bytes()
        mark = None if send else Mark.of(photo)
        return self._client.submit(there, work, task, mark, data, identity(), pure=False)


def _answer(future: Any) -> Answer:
    """What a worker gave, or why nobody could."""
    error = future.exception()
    if error is None:
        answer: Answer = future.result()
        return answer
    if isinstance(error, ModuleNotFoundError):
        raise Trouble("cluster-without-program", module=error.name or "")
    return failed(error)
