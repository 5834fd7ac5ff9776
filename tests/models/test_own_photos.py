"""What training draws by itself is drawn once, for every board, and by seeds that stay."""

from __future__ import annotations

from pathlib import Path

import pytest

import maps
from models.training import examples, made_prints, own_photos


def test_prints_and_practice_photos_of_every_board_are_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int]] = []

    def bare(board: str, seed: int, out: Path) -> None:
        asked.append((board, seed))
        (out / f"{board}-{seed:04d}.print.npz").touch()

    monkeypatch.setattr(made_prints, "bare", bare)
    monkeypatch.setattr(maps, "available", lambda: ("usa", "europe"))
    prints, photos = own_photos.drawn(tmp_path, 1)
    assert {board for board, _ in asked} == set(made_prints.BOARDS)
    assert {seed for _, seed in asked} < set(own_photos.PRINTS)
    summaries = [examples.summary(path) for path in examples.boards([photos])]
    assert {s.board for s in summaries} == {"usa", "europe"}
    assert {s.kind for s in summaries} == {"drawn"}
    before = {path: path.stat().st_mtime_ns for path in photos.iterdir()}
    assert own_photos.drawn(tmp_path, 1) == [prints, photos]
    assert len(asked) == len(made_prints.BOARDS)
    assert before == {path: path.stat().st_mtime_ns for path in photos.iterdir()}
    assert len(before) == 8
    assert sum(s.depots for s in summaries) == 2
