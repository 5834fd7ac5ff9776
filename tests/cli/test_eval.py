"""`companion eval` and its page, with a reader that answers from the truth and plants mistakes."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.progress import Bar
from tests.vision.stand_ins import careless, perfect
from vision import evaluation
from vision.studio import practice, write


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("recordings")
    image, truth = practice("europe", 3, light="warm", size=(640, 480))
    write(made, "kitchen", image, {**truth, "session": "<kitchen>"})
    (made / "torn.json").write_text("{", encoding="utf-8")
    return made


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, careless)


def plant(monkeypatch: pytest.MonkeyPatch, reader: evaluation.Reader) -> None:
    monkeypatch.setattr(evaluation, "evaluate", partial(_evaluate, reader=reader))
    monkeypatch.setattr(evaluation, "sweep", partial(_sweep, reader=reader))


_evaluate, _sweep = evaluation.evaluate, evaluation.sweep


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(("language", "says"), [("en", "read as empty"), ("fr", "lu vide")])
def test_the_table_shows_photos_totals_and_mistakes(
    capsys: pytest.CaptureFixture[str], folder: Path, language: str, says: str
) -> None:
    assert main(["eval", str(folder), "--lang", language]) == 0
    out, err = capsys.readouterr()
    # Two mistakes, and once more what was mixed up.
    assert out.count(says) == 3
    assert "torn.json" in out
    assert "98.0 %" in out
    assert "1/1" in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("reader")
def test_json_is_one_document(capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path) -> None:
    assert main(["eval", str(folder), "--json", "--csv", str(tmp_path / "out.csv")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {r["name"].rpartition("/")[2]: r["perfect"] for r in told["rows"]} == {"kitchen": False, "torn": False}
    assert {"totals", "confusion", "reliability", "seconds"} <= set(told)
    assert len((tmp_path / "out.csv").read_text().splitlines()) == 3


def test_floors_fail_below_and_hold_above(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    floors = str(tmp_path / "floors.json")
    plant(monkeypatch, perfect)
    assert main(["eval", str(folder), "--write-floor", floors]) == 0
    assert main(["eval", str(folder), "--floor", floors]) == 0
    assert "holds" in capsys.readouterr().out
    plant(monkeypatch, careless)
    assert main(["eval", str(folder), "--floor", floors]) == 1
    assert "not hold" in capsys.readouterr().out
    assert main(["eval", str(folder), "--floor", floors, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert {f["figure"] for f in told["floors"] if not f["held"]} >= {"routes_right", "perfect_part"}


def test_against_an_older_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    plant(monkeypatch, careless)
    main(["eval", str(folder), "--json"])
    old = tmp_path / "old.json"
    old.write_text(capsys.readouterr().out, encoding="utf-8")
    plant(monkeypatch, perfect)
    assert main(["eval", str(folder), "--against", str(old)]) == 0
    out = capsys.readouterr().out
    assert "1 photo better, 0 worse" in out
    assert re.search(r"kitchen: 2 > 0 \+\S+ \+\S+", out)


class Page(HTMLParser):
    """Collects what a page holds."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_report_stands_alone_and_shows_every_mistake(folder: Path, tmp_path: Path, language: str) -> None:
    report = tmp_path / "report.html"
    assert main(["eval", str(folder), "--report", str(report), "--lang", language]) == 0
    text = report.read_text(encoding="utf-8")
    page = Page()
    page.feed(text)
    sources = [a.get("src") or a.get("href") or "" for _, a in page.tags if "src" in a or "href" in a]
    assert sources
    assert all(s.startswith(("data:image/jpeg;base64,", "#")) for s in sources)
    assert "http://" not in text
    assert "https://" not in text
    spots = [a for tag, a in page.tags if tag == "figure" and (a.get("class") or "").startswith("spot")]
    assert [a["class"] for a in spots] == ["spot silent"] * 2
    assert len([s for s in sources if s.startswith("data:")]) == 2
    assert sum(tag == "table" and a.get("class") == "sortable" for tag, a in page.tags) == 4
    # Words from files are shown as they are, never run.
    assert "<kitchen>" not in text
    assert "<kitchen>" in page.words


@pytest.mark.usefixtures("reader")
def test_stress_writes_a_plot_for_each_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(evaluation, "sweep", partial(_sweep, reader=empty, harms=evaluation.HARMS[5:7]))
    assert main(["eval", str(folder), "--stress", str(tmp_path / "plots"), "--sample", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(p).name for p in told["plots"]] == ["stress-europe.png"]
    assert (tmp_path / "plots" / "stress-europe.png").read_bytes().startswith(b"\x89PNG")
    assert [c["harm"] for c in told["curves"]] == ["jpeg", "size"]


def empty(photo: Path, ask: evaluation.Ask) -> evaluation.Sheets:
    return evaluation.Sheets(())


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["nowhere"], "no-folder"),
        (["{empty}"], "no-recordings"),
        (["{folder}", "--floor", "{empty}/no.json"], "no-file"),
        (["{folder}", "--against", "{folder}/torn.json"], "bad-json"),
        (["{folder}", "--report", "{empty}/no/where.html"], "file-not-written"),
        (["{folder}", "--jobs", "0"], "usage"),
        (["{empty}", "--stress", "{empty}/plots"], "no-recordings"),
    ],
)
@pytest.mark.usefixtures("reader")
def test_what_is_wrong_is_told(
    capsys: pytest.CaptureFixture[str], folder: Path, tmp_path: Path, arguments: list[str], code: str
) -> None:
    filled = [a.format(empty=tmp_path, folder=folder) for a in arguments]
    assert main(["eval", *filled, "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_the_bar_redraws_one_line_on_a_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Bar("Reading") as bar:
        for done in range(1, 101):
            bar(done, 100)
    assert 9 <= len(capsys.readouterr().err.splitlines()) <= 12
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Bar("Reading") as bar:
        bar(1, 2)
        bar(2, 2)
    err = capsys.readouterr().err
    assert err.count("\r") == 2
    assert err.endswith("2/2\n")
