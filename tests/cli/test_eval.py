"""`companion eval` and its page, with a reader that answers from the truth and plants mistakes."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest

import maps
from companion.cli import main
from companion.cli.progress import Bar
from tests.vision.stand_ins import careless, one_red_as_black, perfect, truth_beside
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


def test_a_failure_in_one_colour_alone_fails_the_floor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    floors = str(tmp_path / "floors.json")
    for seed in range(6):
        image, truth = practice("usa", seed, size=(320, 240), colors=["red", "blue", "black", "green", "yellow"])
        write(tmp_path / "games", f"{seed}", image, truth)
    plant(monkeypatch, perfect)
    assert main(["eval", str(tmp_path / "games"), "--write-floor", floors]) == 0
    # Floors of the share of whole boards would break as well: here only single colours are looked at.
    told = json.loads(Path(floors).read_text(encoding="utf-8"))["source"]["drawn"]
    kept = {"source": {"drawn": {figure: value for figure, value in told.items() if not figure.endswith("_part")}}}
    Path(floors).write_text(json.dumps(kept), encoding="utf-8")
    plant(monkeypatch, one_red_as_black)
    assert main(["eval", str(tmp_path / "games"), "--floor", floors, "--json"]) == 1
    broken = {f["figure"] for f in json.loads(capsys.readouterr().out.splitlines()[-1])["floors"] if not f["held"]}
    assert {"red route", "black route"} <= broken
    assert "blue route" not in broken


def test_the_worst_photos_are_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    plant(monkeypatch, careless)
    monkeypatch.setattr(evaluation, "page", partial(evaluation.page, reader=careless))
    assert main(["eval", str(folder), "--worst", str(tmp_path / "worst")]) == 0
    (picture,) = (tmp_path / "worst").iterdir()
    assert str(picture) in capsys.readouterr().out
    assert picture.name.startswith("01-")
    assert picture.read_bytes().startswith(b"\xff\xd8")


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


_BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_CLICKS = """<script>
const table = document.querySelector("table.sortable");
const names = () => [...table.tBodies[0].rows].map(row => row.cells[0].dataset.sort.split("/")[1]);
const heads = [...table.tHead.rows[0].cells];
const told = [];
for (const column of [0, 0, heads.findIndex(head => head.textContent === "spaces")]) {
  heads[column].firstChild.click();
  told.push(names().join(" ") + " " + heads[column].getAttribute("aria-sort"));
}
document.body.textContent = told.join("|");
</script>"""


@pytest.mark.skipif(_BROWSER is None, reason="needs a browser")
@pytest.mark.usefixtures("reader")
def test_rows_sort_in_a_browser(tmp_path: Path) -> None:
    assert _BROWSER is not None
    for name, board in (("b", "usa"), ("a", "europe"), ("c", "pennsylvania")):
        image, truth = practice(board, 3, size=(320, 240))
        write(tmp_path / "games", name, image, truth)
    (tmp_path / "games" / "d.json").write_text("{", encoding="utf-8")
    report = tmp_path / "report.html"
    assert main(["eval", str(tmp_path / "games"), "--report", str(report)]) == 0
    text = report.read_text(encoding="utf-8")
    report.write_text(text.replace("</body>", f"{_CLICKS}</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom"]
    shown = subprocess.run([_BROWSER, *options, report.as_uri()], capture_output=True, text=True, check=True).stdout
    # Wrong spaces sort by number, what was not read first; equal ones stay in the order before.
    wrong = {n: careless_spaces(tmp_path / "games" / f"{n}.jpg") for n in "cba"}
    by_spaces = " ".join(["d", *sorted(wrong, key=lambda n: wrong[n])])
    assert "a b c d ascending|d c b a descending|" + by_spaces + " ascending" in shown


def careless_spaces(photo: Path) -> int:
    """How many spaces the careless reader gets wrong."""
    truth = truth_beside(photo)
    taken = [route for route, color in truth["routes"].items() if color][:2]
    return sum(maps.load(truth["board"]).routes[route].length for route in taken)


@pytest.mark.usefixtures("reader")
def test_stress_writes_a_plot_for_each_board(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(evaluation, "sweep", partial(_sweep, reader=empty, harms=evaluation.HARMS[5:7]))
    assert main(["eval", str(folder), "--stress", str(tmp_path / "plots"), "--sample", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(p).name for p in told["plots"]] == ["stress-europe-drawn.png"]
    assert (tmp_path / "plots" / "stress-europe-drawn.png").read_bytes().startswith(b"\x89PNG")
    assert [(c["source"], c["harm"]) for c in told["curves"]] == [("drawn", "jpeg"), ("drawn", "size")]


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
        (["{folder}", "--write-floor", "{folder}/torn.json"], "bad-json"),
        (["{folder}", "--worst", "{folder}/torn.json/x"], "file-not-written"),
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
