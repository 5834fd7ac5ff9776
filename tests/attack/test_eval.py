"""Long work: one process that dies takes one photo with it, and Ctrl-C gives what was read so far."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

from companion.cli import main
from maps import Message, Trouble
from tests.attack import work
from vision import evaluation
from vision.evaluation import Local, Stopped
from vision.evaluation.pools import HERE, Interrupted, Outcome, Progress, Task, Work

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.skipif(os.name == "nt", reason="kills as Unix has them")
def test_a_process_that_dies_takes_one_photo_with_it() -> None:
    seen: list[int] = []
    found = Local(2)(work.numbered, [(n,) for n in range(9)], lambda done, _: seen.append(done))
    assert seen == list(range(1, 10))
    for n, outcome in enumerate(found):
        if n in (3, 5):
            assert outcome.problem is not None
            assert outcome.problem.key == evaluation.OUR_FAULT
            assert ("-9" if n == 3 else "broken") in outcome.problem.values["what"]
        else:
            assert outcome.reading == {"n": n}


@pytest.mark.skipif(os.name == "nt", reason="signals as Unix has them")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_it_with_what_was_read(jobs: int) -> None:
    command = [sys.executable, "-m", "tests.attack.work", str(jobs)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        for _ in range(3):
            run.stdout.readline()
        # A machine whose Python takes long to start has others to serve.
        began = time.monotonic()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        busy = max(1.0, (time.monotonic() - began) / 0.1)
        # A terminal tells the whole group.
        os.killpg(run.pid, signal.SIGINT)
        began = time.monotonic()
        told = run.stdout.read().split("\n")
        run.wait(30)
        took = time.monotonic() - began
        assert run.stderr.read() == ""
    assert int(told[-2].removeprefix("read ")) >= 3
    assert took < 2 * busy


def _recordings(folder: Path, n: int) -> Path:
    folder.mkdir()
    for i in range(n):
        (folder / f"{i}.jpg").write_bytes(b"no picture")
        (folder / f"{i}.json").write_text(
            json.dumps({"photo": f"{i}.jpg", "board": "usa", "routes": {"atlanta-charleston-gray": None}})
        )
    return folder


def test_stopped_by_hand_the_rows_read_so_far_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _recordings(tmp_path / "set", 4)

    def stopped(work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]:
        raise Interrupted([Outcome(problem=Message("error.no-board")), *[None] * (len(tasks) - 1)])

    with pytest.raises(Stopped) as told:
        evaluation.evaluate([folder], pool=stopped)
    assert (len(told.value.rows), told.value.of) == (1, 4)
    monkeypatch.setattr(evaluation, "Local", lambda _: stopped)
    assert main(["eval", str(folder), "--json"]) == 130
    out = capsys.readouterr()
    assert json.loads(out.out)["stopped"] == {"read": 1, "of": 4}
    assert "1 of 4" in out.err


def test_a_row_that_failed_for_our_fault_is_an_exit_of_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = _recordings(tmp_path / "set", 2)
    assert main(["eval", str(folder), "--json"]) == 0

    def breaks(work: Work, tasks: Sequence[Task], progress: Progress) -> list[Outcome]:
        return HERE(lambda *_: Outcome(problem=Message(evaluation.OUR_FAULT, {"what": "x"})), tasks, progress)

    monkeypatch.setattr(evaluation, "Local", lambda _: breaks)
    assert main(["eval", str(folder), "--json"]) == 2
    capsys.readouterr()


@pytest.mark.parametrize(
    "change",
    [
        {"covered": [["x"]]},
        {"cut": {"routes": [[]]}},
        {"cut": {"routes": 5}},
        {"covered": {"a": 1}},
        {"corners": [[1e999, 0]] * 4},
        {"session": ["x"]},
        {"light": {"kind": []}},
        {"stations": {"atlanta": []}},
    ],
)
def test_a_truth_of_any_form_is_a_row(tmp_path: Path, change: dict[str, Any]) -> None:
    folder = _recordings(tmp_path / "set", 1)
    truth = json.loads((folder / "0.json").read_text()) | change
    (folder / "0.json").write_text(json.dumps(truth))
    (row,) = evaluation.evaluate([folder], pool=lambda _work, tasks, _progress: [Outcome() for _ in tasks])
    json.dumps(evaluation.document([row]))
    evaluation.to_csv([row])


@pytest.mark.parametrize(
    "rows",
    [
        5,
        [5],
        [{"name": ["x"]}],
        [{"name": "a", "routes_wrong": "many"}],
        [{"name": "a", "routes_wrong": 1e999}],
        [{"name": "a", "mistakes": [{"id": []}]}],
        [{"name": "a", "mistakes": "x"}],
    ],
)
def test_an_older_answer_of_any_form_is_told(rows: object) -> None:
    with pytest.raises(Trouble, match="not-an-evaluation"):
        evaluation.rows_of({"rows": rows})


@pytest.mark.parametrize(
    "totals", [None, [], {"source": 3}, {"source": {"photo": []}}, {"source": {"photo": {"silent": "x"}}}]
)
def test_figures_of_any_form_are_left_out(totals: object) -> None:
    new = {"rows": [], "totals": {"source": {"photo": {"silent": 2}}}}
    assert evaluation.against({"rows": [], "totals": totals}, new).figures == {"photo": {"silent": (None, 2)}}
