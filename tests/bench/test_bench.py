"""The bench: every part is found, results name the machine and nobody, and the document shows them."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any  # Any: JSON

import pytest

import bench
from bench.__main__ import main as bench_main
from bench.alone import Alone
from bench.score import plain_longest
from companion.cli import main
from companion.rules import longest_trail
from maps import load

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS: dict[str, Any] = {
    "date": "2026-01-02",
    "machine": {"system": "Linux", "architecture": "x", "processor": "P", "cores": 2, "load": 0.5, "python": "3.12.1"},
    "rows": [
        {"part": "score", "name": "a table", "value": 2.5, "unit": "ms", "ratio": 20.0},
        {"part": "read", "name": "did not run: no model", "value": None, "unit": "", "ratio": None},
    ],
}


def test_every_part_is_found() -> None:
    assert {"score", "start", "growth"} <= set(bench.parts())
    assert not {"worst", "alone"} & set(bench.parts())


def test_a_part_that_cannot_run_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = bench.measure(["nonsense"])["rows"]
    assert row["value"] is None
    assert "nonsense" in row["name"]


def test_a_reading_alone_is_told_by_its_median_and_its_spread() -> None:
    turns = ((0.05, 0.2), (0.05, 0.25), (0.1, 0.9))
    told, spread, first, memory = Alone(200, 1.0, turns).rows("a photo", 3, 350)
    assert told == {"name": "a photo, against 3 decodings", "value": 250.0, "unit": "ms", "ratio": 0.6}
    assert (spread["value"], spread["unit"], spread["ratio"]) == (5.0, "(4.0 to 9.0)", None)
    assert (first["value"], memory["value"], memory["ratio"]) == (1000.0, 200.0, 1.75)


def test_a_part_that_hangs_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MOST_SECONDS", 0.01)
    (row,) = bench.measure(["start"])["rows"]
    assert "more than" in row["name"]


def test_reasons_tell_no_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", f"FileNotFoundError: {ROOT}/models/x and {Path.home()}/y")

    monkeypatch.setattr("bench.subprocess.run", fails)
    (row,) = bench.measure(["start"])["rows"]
    assert row["name"] == "did not run: FileNotFoundError: ./models/x and ~/y"


def test_the_document_is_written_again_without_measuring(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(bench, "DOCUMENT", tmp_path / "performance.md")
    assert bench_main(["--document"]) == 2
    bench.keep({**RESULTS, "date": "2026-01-01", "rows": []})
    bench.keep(RESULTS)
    (tmp_path / "performance.md").unlink()
    assert bench_main(["--document"]) == 0
    assert "a table" in capsys.readouterr().out
    assert (tmp_path / "performance.md").read_text(encoding="utf-8") == bench.document(RESULTS)


def test_results_tell_no_names_and_no_paths() -> None:
    told = json.dumps(bench.measure([]))
    assert platform.node() not in told
    assert str(Path.home()) not in told
    assert str(ROOT) not in told


def test_the_document_and_the_table_show_every_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(bench, "DOCUMENT", tmp_path / "performance.md")
    file = bench.keep(RESULTS)
    assert json.loads(file.read_text(encoding="utf-8")) == RESULTS
    text = (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert "| score | a table | 2.5 ms | 20 x |" in text
    assert "| read | did not run: no model | - | - |" in text
    assert "2026-01-02" in text
    assert bench.text(RESULTS).splitlines()[0].split() == ["2.5", "ms", "20", "x", "score:", "a", "table"]


def test_the_kept_document_is_that_of_the_latest_results() -> None:
    kept = sorted(bench.RESULTS.glob("*.json"))
    assert kept, "python3 run.py bench writes them"
    results = json.loads(kept[-1].read_text(encoding="utf-8"))
    assert bench.DOCUMENT.read_text(encoding="utf-8") == bench.document(results)


def test_unknown_parts_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_main(["scor"]) == 2
    assert "'score'" in capsys.readouterr().err


@pytest.mark.parametrize(("argument", "code"), [("--help", 0), ("--hlep", 2)])
def test_asking_how_measures_nothing(argument: str, code: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "measure", lambda *_: pytest.fail("it measured"))
    with pytest.raises(SystemExit) as ended:
        bench_main([argument])
    assert ended.value.code == code


def test_the_command_runs_it_from_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[str], Path]] = []

    def run(command: list[str], cwd: Path, check: bool) -> subprocess.CompletedProcess[str]:
        calls.append((command, cwd))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr("companion.cli.bench.subprocess.run", run)
    assert main(["bench", "score", "--dry", "--json"]) == 0
    assert calls == [([sys.executable, "-m", "bench", "--dry", "--json", "score"], ROOT)]


def test_without_the_project_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("companion.cli.bench.ROOT", tmp_path)
    assert main(["bench"]) == 2
    assert "project" in capsys.readouterr().err


def test_the_yardstick_agrees_with_what_it_measures() -> None:
    tracks = tuple(load("usa").routes.values())[:14]
    assert plain_longest(tracks) == longest_trail(tracks).length
