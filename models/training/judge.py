"""Reads photos with some nets, the whole way but for finding the board, and tells the mistakes by their causes.

    python -m models.training.judge                             the shipped nets on everything at hand
    python -m models.training.judge --nets FOLD --only usa      a fold's nets on what it left out
    python -m models.training.judge --on FOLDER --located       other photos, boards found by the program

Needs ../shared, or folders with --on. FOLDER/board holds the nets of a fold.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # Any: JSON

import cv2
import numpy as np

from maps import Board
from models.training import examples
from vision import photo
from vision.classify import MODELS, Nets
from vision.decide import Decided
from vision.locate import Located, locate
from vision.read import look

ROOT = Path(__file__).resolve().parents[2]
# How sure a route was told to be, for the reliability table.
STEPS = (0.0, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


@dataclass
class Row:
    """What was read of the photos of one fold."""

    boards: int = 0
    perfect: int = 0
    judged: int = 0
    wrong: int = 0
    silent: int = 0
    doubtful: int = 0
    stations: int = 0
    stations_wrong: int = 0
    causes: Counter[str] = field(default_factory=Counter)

    def line(self) -> str:
        causes = ", ".join(f"{cause} {n}" for cause, n in self.causes.most_common())
        return (
            f"{self.perfect} of {self.boards} boards without mistake, routes wrong {self.wrong} of {self.judged}, "
            f"stations wrong {self.stations_wrong} of {self.stations}, silent {self.silent}, doubts {self.doubtful}"
            + (f" ({causes})" if causes else "")
        )


def cause(board: Board, route: str, true: str | None, told: str | None) -> str:
    """What kind of mistake this is, in a few words."""
    if true is None:
        return "empty print of its colour taken" if board.routes[route].color == told else "empty taken for a wagon"
    return "wagons not seen" if told is None else "colours mixed up"


def judged(board: Board, truth: Mapping[str, Any], found: Decided) -> Iterator[tuple[str, str, bool]]:
    """Every mistake: where, its cause, and whether nobody is asked to look there."""
    hidden = set(truth.get("covered") or ()) | set((truth.get("cut") or {}).get("routes") or ())
    for route, told in found.routes.items():
        if route not in hidden and told.color != truth["routes"][route]:
            silent = route not in found.doubtful
            yield route, cause(board, route, truth["routes"][route], told.color), silent
    stations, seen = truth.get("stations") or {}, found.buildings.get("station", {})
    for city in sorted({*stations, *seen}):
        color = seen[city].color if city in seen else None
        if color != stations.get(city):
            kind = "station invented" if city not in stations else "station missed or of another colour"
            yield city, kind, city not in found.doubtful


def _place(picture: photo.Photo, truth: Mapping[str, Any], board: Board, located: bool) -> Located:
    if located:
        return locate(picture, board.id)
    homography = examples.homography(truth, board)
    square = np.array([[(0, 0), (1, 0), (1, 1), (0, 1)]], np.float64)
    corners = cv2.perspectiveTransform(square, homography)[0]
    return Located(board.id, homography, tuple((float(x), float(y)) for x, y in corners))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--on", type=Path, action="append", help="folders of photos with their truth")
    parser.add_argument("--nets", type=Path, default=MODELS)
    parser.add_argument("--only", default="", help="folds, by the start of their names, with commas")
    parser.add_argument("--located", action="store_true", help="find each board as a reader does, not by its truth")
    args = parser.parse_args(arguments)
    folders = args.on or [args.shared / "photos", args.shared / "renders" / "boards"]
    rows: dict[str, Row] = {}
    sure = np.zeros((len(STEPS) - 1, 3))
    for path in examples.boards(folders):
        summary = examples.summary(path)
        if not summary.fold.startswith(tuple(args.only.split(","))):
            continue
        truth = json.loads(path.read_text(encoding="utf-8"))
        board, picture = examples.board_of(truth), photo.load(path.with_name(truth["photo"]))
        place, reference = _place(picture, truth, board, args.located), examples.reference_of(path, truth)
        found = look(picture, place, board, nets=Nets(args.nets), reference=reference)
        mistakes = list(judged(board, truth, found))
        row = rows.setdefault(summary.fold, Row())
        row.boards += 1
        row.perfect += not mistakes
        row.judged += len(board.routes)
        row.wrong += sum(name in board.routes for name, _, _ in mistakes)
        row.stations += len(truth.get("stations") or {})
        row.stations_wrong += sum(name in board.cities for name, _, _ in mistakes)
        row.silent += sum(silent for _, _, silent in mistakes)
        row.doubtful += len(found.doubtful)
        row.causes.update(kind for _, kind, _ in mistakes)
        wrong = {name for name, _, _ in mistakes}
        for route, told in found.routes.items():
            step = int(np.searchsorted(STEPS, told.confidence, "right")) - 1
            sure[step] += (1, told.confidence, route not in wrong)
        print(f"  {summary.fold:22} {path.stem:28}", *(f"{n} ({c}{', silent' if s else ''})" for n, c, s in mistakes))
    for fold, row in sorted(rows.items()):
        print(f"{fold:24} {row.line()}")
    for low, top, (n, told, right) in zip(STEPS, STEPS[1:], sure, strict=False):
        if n:
            print(f"told {low:.2f} to {min(top, 1):.2f}: {int(n)} routes, mean {told / n:.3f}, right {right / n:.4f}")


if __name__ == "__main__":
    main()
