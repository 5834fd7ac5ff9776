"""`companion rules`, and docs/rules, which it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules import HEADINGS, VARIANTS
from companion.words import rules_pages
from maps import LANGUAGES

DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "rules"


def test_the_pages_are_up_to_date() -> None:
    """Where this fails: python3 run.py rules --out docs/rules."""
    made = dict(rules_pages())
    there = {str(f.relative_to(DOCS).as_posix()): f.read_text(encoding="utf-8") for f in DOCS.rglob("*.md")}
    assert set(there) == set(made)
    assert [path for path, text in made.items() if there[path] != text] == []


def test_all_pages_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--out", str(tmp_path / "new"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    # Every variant, the module and the list of them.
    assert len(told["pages"]) == len(LANGUAGES) * (len(VARIANTS) + 2)
    assert all((tmp_path / "new" / page).is_file() for page in told["pages"])


def test_variants_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--json"]) == 0
    ids = [v["id"] for v in json.loads(capsys.readouterr().out)["variants"]]
    assert ids == [*VARIANTS, "warehouses-depots"]
    assert main(["rules", "--lang", "fr"]) == 0
    assert "usa : États-Unis" in capsys.readouterr().out


@pytest.mark.parametrize("heading", sorted(set(HEADINGS.values())))
def test_the_heading_of_a_verdict_opens(heading: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--variant", "europe", "--rule", heading, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["sections"]
    assert told
    assert {s["heading"] for s in told} == {heading}
    assert all(s["text"] and s["title"] for s in told)


def test_a_module_has_its_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--variant", "warehouses-depots"]) == 0
    assert "## Warehouses and depots" in capsys.readouterr().out


@pytest.mark.parametrize(("rule", "said"), [("tunel", "tunnel"), ("zzzz", "claiming")])
def test_a_rule_that_nobody_knows(rule: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--rule", rule]) == 2
    assert said in capsys.readouterr().err
