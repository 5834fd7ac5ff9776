"""Recordings read on a cluster: a scheduler and two workers of its own here, one of which is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # Any: distributed is half typed

import pytest

pytest.importorskip("distributed", reason="needs the extra `cluster`")

from companion import practice
from companion.cli import main
from maps import Trouble
from vision import evaluation
from vision.enrol import enrol
from vision.evaluation.cluster import Cluster, Mark, identity
from vision.studio import practice as drawn
from vision.studio import write

ROOT = Path(__file__).resolve().parents[2]
PHOTOS = 6


@dataclass
class Machines:
    """A scheduler and its workers, each a process."""

    home: Path
    address: str = ""
    scheduler: subprocess.Popen[bytes] | None = None
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self) -> None:
        told = self.home / "scheduler.json"
        self.scheduler = self._dask("scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(told))
        until = time.monotonic() + 60
        while not told.exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        time.sleep(0.1)
        self.address = json.loads(told.read_text(encoding="utf-8"))["address"]

    def add(self, **env: str) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(self.home / "dask"))
        worker = self._dask("worker", self.address, *options, **env)
        self.workers.append(worker)
        return worker

    def _dask(self, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **env}, **quiet)  # type: ignore[call-overload,no-any-return]

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home where the practice board is enrolled, and recordings of it."""
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(folder / "home"))
        corners = json.loads((practice.FOLDER / "empty.json").read_text(encoding="utf-8"))["corners"]
        enrol(practice.EMPTY, practice.BOARD, corners)
    for seed in range(1, PHOTOS + 1):
        image, truth = drawn("europe", seed)
        write(folder / "recordings", f"photo-{seed}", image, truth)
    (folder / "recordings" / "torn.json").write_text("{", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def machines(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_HOME", str(table / "home"))
        mine = Machines(tmp_path_factory.mktemp("machines"))
        try:
            mine.start()
            mine.add()
            yield mine
        finally:
            mine.stop()


@pytest.fixture(autouse=True)
def _at_home(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(table / "home"))
    # Machines that run tests are busy.
    monkeypatch.setattr("vision.evaluation.cluster.PATIENCE", 60)


def judged(rows: list[evaluation.Row]) -> list[Any]:
    """What was judged, without the seconds that it took."""
    told = json.loads(json.dumps(evaluation.document(rows)))
    return [{k: v for k, v in photo.items() if k != "seconds"} for photo in told["rows"]]


def test_a_killed_workers_photos_are_read_again_and_nothing_differs(machines: Machines, table: Path) -> None:
    here = evaluation.evaluate([table / "recordings"])
    victim = machines.add()
    seen: list[int] = []

    def killing(done: int, of: int) -> None:
        seen.append(done)
        if done == 2:
            victim.kill()

    with Cluster(machines.address) as cluster:
        cluster._client.wait_for_workers(2, timeout=60)
        there = evaluation.evaluate([table / "recordings"], pool=cluster, progress=killing)
    assert victim.wait() != 0
    assert judged(there) == judged(here)
    assert seen == list(range(1, PHOTOS + 1))
    assert all(row.judged.board_right for row in there if row.kind == "board")


def test_photos_that_the_workers_have_not_are_sent(
    machines: Machines, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if another file lay at that place there.
    monkeypatch.setattr(Mark, "of", classmethod(lambda cls, _: cls(1, "other")))
    with Cluster(machines.address) as cluster:
        there = evaluation.evaluate([table / "recordings"], pool=cluster)
    monkeypatch.undo()
    monkeypatch.setenv("COMPANION_HOME", str(table / "home"))
    assert cluster._sent == {str(table / "recordings")}
    assert judged(there) == judged(evaluation.evaluate([table / "recordings"]))


def test_the_command_reads_on_the_cluster(
    machines: Machines, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["eval", str(table / "recordings"), "--cluster", machines.address, "--csv", str(tmp_path / "rows.csv")]
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["rows"]) == PHOTOS + 1
    assert len((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()) == PHOTOS + 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no interrupt for another process")
def test_ctrl_c_leaves_nothing_running(machines: Machines, table: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for n in range(30):
        for kind in ("jpg", "json"):
            shutil.copy(table / "recordings" / f"photo-1.{kind}", many / f"photo-{n}.{kind}")
    command = [sys.executable, "-m", "companion", "eval", str(many), "--cluster", machines.address]
    with (
        Cluster(machines.address) as watcher,
        listening(),
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as asking,
    ):
        try:
            until = time.monotonic() + 60
            while not tasks_of(watcher):
                assert time.monotonic() < until
                assert asking.poll() is None
                time.sleep(0.1)
            asking.send_signal(signal.SIGINT)
            _, said = asking.communicate(timeout=60)
        finally:
            asking.kill()
        assert asking.returncode == 130
        assert "Traceback" not in said
        until = time.monotonic() + 60
        while tasks_of(watcher):
            assert time.monotonic() < until
            time.sleep(0.1)
        # And the next one finds a cluster that works.
        (row,) = evaluation.evaluate([table_of_one(table, tmp_path)], pool=watcher)
        assert row.judged.board_right


@contextmanager
def listening() -> Iterator[None]:
    """Programs started now hear Ctrl-C: those of a shell's background inherit that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def tasks_of(cluster: Cluster) -> int:
    """How many tasks the scheduler knows."""
    return int(cluster._client.run_on_scheduler(_count))


def _count(dask_scheduler: Any) -> int:
    return len(dask_scheduler.tasks)


def table_of_one(table: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "one"
    folder.mkdir()
    for kind in ("jpg", "json"):
        shutil.copy(table / "recordings" / f"photo-2.{kind}", folder / f"photo.{kind}")
    return folder


def test_a_worker_with_other_models_is_told_of(
    table: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mine = Machines(tmp_path_factory.mktemp("other"))
    try:
        mine.start()
        # Nothing is enrolled at that table.
        mine.add(COMPANION_HOME=str(tmp_path / "elsewhere"))
        with Cluster(mine.address) as cluster, pytest.raises(Trouble) as told:
            evaluation.evaluate([table / "recordings"], pool=cluster)
    finally:
        mine.stop()
    assert told.value.message.key == "error.cluster-differs"


def test_no_cluster_and_no_package_are_told_in_a_sentence(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.evaluation.cluster.PATIENCE", 1)
    command = ["eval", str(table / "recordings"), "--cluster"]
    assert main([*command, "tcp://127.0.0.1:9"]) == 2
    assert "No cluster answers at tcp://127.0.0.1:9" in capsys.readouterr().err
    assert main([*command, "nonsense://"]) == 2
    assert "No cluster answers" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main([*command, "tcp://127.0.0.1:9"]) == 2
    assert "companion[cluster]" in capsys.readouterr().err


def test_what_a_reading_depends_on_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = identity()
    monkeypatch.setenv("COMPANION_ENGINE", "opencv")
    assert identity() != mine
