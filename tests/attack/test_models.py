"""Models and what a table enrolled: a damaged one is named, and stops nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.cli import main
from companion.lang import tell
from maps import Trouble, load
from models import checksums
from vision import classify, fingerprints, light, shipped, tables
from vision.locate import fingerprints as known_prints


def test_every_model_has_its_checksum() -> None:
    told = json.loads(checksums.FILE.read_text("utf-8"))
    assert told == checksums.found(), "models were changed: run python -m models.checksums"


@pytest.mark.parametrize(
    "name", ["board/spaces.onnx", "board/spaces.test.npz", "fingerprints/usa.npz", "board/usa.npz"]
)
@pytest.mark.parametrize("damage", ["flip", "cut", "empty"])
def test_a_damaged_model_is_named(name: str, damage: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    data = bytearray((shipped.MODELS / name).read_bytes())
    data[len(data) // 2] ^= 1
    shipped.checksums()
    monkeypatch.setattr(shipped, "MODELS", tmp_path)
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_bytes({"flip": bytes(data), "cut": bytes(data[:-100]), "empty": b""}[damage])
    with pytest.raises(Trouble, match="model-damaged") as trouble:
        shipped.contents(path)
    assert name in tell(trouble.value.message)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="model-missing"):
        shipped.contents(tmp_path / "none.onnx")


@pytest.mark.parametrize("data", [b"", b"no net", b"\x08\x07" * 50])
@pytest.mark.parametrize("engine", ["opencv", classify.engine()])
def test_a_net_of_ones_own_that_is_none_is_named(tmp_path: Path, data: bytes, engine: classify.Engine) -> None:
    (tmp_path / "spaces.onnx").write_bytes(data)
    with pytest.raises(Trouble, match="model-"):
        classify.Nets(tmp_path, engine)("spaces")


@pytest.mark.parametrize("data", [b"", b"PK", b"\x80\x04N."])
def test_an_enrolled_print_that_is_damaged_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    built_in = fingerprints.built_in()[0]
    built_in.save(tables.print_file("europe"))
    tables.print_file("usa").write_bytes(data)
    light.own_file("usa").parent.mkdir(parents=True, exist_ok=True)
    light.own_file("usa").write_bytes(data)
    assert [p.board_id for p in tables.enrolled()] == [built_in.board_id]
    assert tables.damaged() == ("usa",)
    assert {p.board_id for p in known_prints()} >= {"usa", "europe"}
    assert light.reference(load("usa"), enrolled=True) is light.built_in("usa")
    assert main(["read", "none.jpg"]) == 2
    assert "'usa' is damaged" in capsys.readouterr().err


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "bomb.npz", field=np.zeros(9_000_000, np.float64))
    with pytest.raises(ValueError, match="too large"):
        shipped.arrays((tmp_path / "bomb.npz").read_bytes())
