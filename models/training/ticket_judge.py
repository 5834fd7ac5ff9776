"""Judges the reader of tickets on real prints and photos: `python -m models.training.ticket_judge [--nets FOLDER]`.

Beside tables of `ticket_tables` these are tried: prints as they are (a scan, cut a little, turned, small, on black),
tables as a large and a small photo, and the real photos in other crops, turns, sizes and lights. Judged by names: right
is what is told and lies there, whatever else is told; sure and wrong is what nobody asks about though it isn't there.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models.training import ticket_tables
from models.training.card_art import SHARED
from vision import classify, papers, photo
from vision.evaluation.figures import BINS
from vision.papers import Papers, ShareSeen, TechnologySeen
from vision.photo import Photo
from vision.tickets import TicketSeen

Picture = NDArray[np.uint8]
TURNS = (None, cv2.ROTATE_180, cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE)
SCANS = ("as it is", "cut", "upside down", "turned", "small", "on black", "poor jpeg", "slanted")
LOOKS = ("as it is", "upside down", "turned", "slanted", "half", "quarter", "poor jpeg", "warm", "glare", "dark", "one")


@dataclass(frozen=True, eq=False)
class Trial:
    """A picture to read, and the names of all that lies there."""

    group: str
    name: str
    board: str
    picture: Picture
    there: tuple[str, ...]


@dataclass
class Row:
    """What was made of the pictures of one group."""

    there: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    asked_wrong: int = 0
    seconds: list[float] = field(default_factory=list)
    # How sure each ticket was that was told or suggested, and whether it lies there.
    said: list[tuple[float, bool]] = field(default_factory=list)

    def __str__(self) -> str:
        share = (
            f"{100 * self.right / max(self.there, 1):5.1f} % right {100 * self.sure / max(self.there, 1):5.1f} % sure"
        )
        return (
            f"{self.right:4} of {self.there:4} right, {self.sure:4} sure, {self.wrong} wrong and sure, "
            f"{self.asked_wrong} asked that are not there; {share}; {np.mean(self.seconds or [0]):.2f} CPU s a picture"
        )


def tables(seed: int, each: int, only: str = "") -> Iterator[Trial]:
    """Real prints on tables, as photos of 1600 pixels; those of five tickets also as large and small photos."""
    for p, name in enumerate(ticket_tables.PRINTS):
        if only and only not in name:
            continue
        deck = ticket_tables.prints(name)
        for k, layout in enumerate(ticket_tables.LAYOUTS):
            for n in range(each):
                rng = np.random.default_rng((seed, p, k, n))
                picture, truth = ticket_tables.table(layout, deck, rng)
                there = tuple(str(row["id"]) for row in truth)
                board = ticket_tables.PRINTS[name]
                yield Trial(f"tables {name}", f"{layout}-{seed}-{n}", board, _jpeg(picture, 88), there)
                if layout == "few":
                    large = cv2.resize(picture, None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
                    small = cv2.resize(picture, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
                    yield Trial(f"12 MP {name}", f"large-{seed}-{n}", board, _jpeg(large, 90), there)
                    yield Trial(f"960 px {name}", f"small-{seed}-{n}", board, _jpeg(small, 80), there)


def scans(seed: int, each: int, only: str = "") -> Iterator[Trial]:
    """Single prints as they are, in all ways that people send them."""
    for p, name in enumerate(ticket_tables.PRINTS):
        if only and only not in name:
            continue
        board = ticket_tables.PRINTS[name]
        known = {f"{t.a}--{t.b}" for t in maps.load(board).tickets.values()}
        paths = [q for q in sorted((SHARED / "prints" / "tickets" / name).glob("*.jpg")) if q.stem in known]
        rng = np.random.default_rng((seed, p, 99))
        for k, way in enumerate(SCANS):
            for n in range(each):
                path = paths[rng.integers(len(paths))]
                picture = _scan(np.asarray(cv2.imread(str(path)), np.uint8), way, rng)
                yield Trial(f"scans {name}", f"{way.replace(' ', '-')}-{seed}-{n}-{k}", board, picture, (path.stem,))


def _scan(picture: Picture, way: str, rng: np.random.Generator) -> Picture:
    high, wide = picture.shape[:2]
    if way == "cut":
        left, top, right, bottom = (rng.uniform(0, 0.05, 4) * (wide, high, wide, high)).astype(int)
        return picture[top : high - bottom, left : wide - right]
    if way == "upside down":
        return np.asarray(cv2.rotate(picture, cv2.ROTATE_180), np.uint8)
    if way == "turned":
        return np.asarray(
            cv2.rotate(picture, (cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_90_COUNTERCLOCKWISE)[rng.integers(2)])
        )
    if way == "small":
        scale = rng.uniform(280, 420) / max(high, wide)
        return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if way == "on black":
        rim = int(0.12 * wide)
        return np.asarray(
            cv2.copyMakeBorder(picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(8, 8, 8)), np.uint8
        )
    if way == "slanted":
        return _turned(cv2.copyMakeBorder(picture, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(160, 170, 180)), rng)
    return _jpeg(picture, 35) if way == "poor jpeg" else picture


def _turned(picture: NDArray[Any], rng: np.random.Generator) -> Picture:
    high, wide = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(rng.uniform(-18, 18)), 0.9)
    return np.asarray(cv2.warpAffine(picture, turn, (wide, high), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _jpeg(picture: NDArray[Any], quality: int) -> Picture:
    coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def real(seed: int) -> Iterator[Trial]:
    """The real photos with truth, as they are and in other crops, turns, sizes and lights."""
    for path in sorted((SHARED / "photos" / "tickets").glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        picture = np.asarray(cv2.imread(str(path.with_name(truth["photo"]))), np.uint8)
        board = truth["tickets"][0]["board"]
        there = tuple(row["id"] for row in truth["tickets"])
        rng = np.random.default_rng((seed, 7))
        for look in LOOKS:
            if look == "one":
                for row in truth["tickets"]:
                    yield Trial(
                        "real photo, one by one", row["id"], board, _around(picture, row["quad"], rng), (row["id"],)
                    )
            else:
                group = "real photo" if look == "as it is" else "real photo, varied"
                yield Trial(group, f"{look.replace(' ', '-')}-{seed}", board, _looked(picture, look, rng), there)


def _around(picture: Picture, quad: list[list[float]], rng: np.random.Generator) -> Picture:
    """A ticket that fills the picture, cut a little here and there."""
    corners = np.array(quad)
    low, top = corners.min(0), corners.max(0)
    room = rng.uniform(-0.03, 0.06, 4) * np.tile(top - low, 2)
    left, upper, right, lower = (np.concatenate([low, top]) + np.array([-1, -1, 1, 1]) * room).astype(int)
    return picture[max(upper, 0) : lower, max(left, 0) : right]


def _looked(picture: Picture, look: str, rng: np.random.Generator) -> Picture:
    if look == "upside down":
        return np.asarray(cv2.rotate(picture, cv2.ROTATE_180), np.uint8)
    if look == "turned":
        return np.asarray(cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE), np.uint8)
    if look == "slanted":
        return _turned(picture, rng)
    if look in ("half", "quarter"):
        scale = 0.5 if look == "half" else 0.25
        return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if look == "poor jpeg":
        return _jpeg(cv2.resize(picture, None, fx=0.35, fy=0.35, interpolation=cv2.INTER_AREA), 30)
    light = picture.astype(np.float32)
    if look == "warm":
        light *= np.array([0.55, 0.8, 1.0], np.float32)
    elif look == "dark":
        light = light * 0.3 + rng.normal(0, 6, light.shape).astype(np.float32)
    elif look == "glare":
        high, wide = picture.shape[:2]
        y, x = np.mgrid[:high, :wide].astype(np.float32)
        far = ((x - wide * 0.4) / (wide * 0.16)) ** 2 + ((y - high * 0.55) / (high * 0.12)) ** 2
        light += (170 * np.exp(-far))[..., None]
    return np.asarray(np.clip(light, 0, 255), np.uint8)


def extras(seed: int) -> Iterator[Trial]:
    """Technologies and shares: as they are, and one by one on tables."""
    for kind, board in ticket_tables.OTHERS.items():
        for n, one in enumerate(ticket_tables.others(kind)):
            rng = np.random.default_rng((seed, n, 5))
            yield Trial(f"{kind} as they are", one.id, board, one.picture, (one.id,))
            layout = ("one", "filling")[n % 2]
            laid = ticket_tables.table(layout, [one], rng)[0]
            yield Trial(f"{kind} on tables", f"{layout}-{one.id}", board, laid, (one.id,))


def told(seen: Papers, trial: Trial) -> list[tuple[str | None, bool]]:
    """What was read, and whether nobody is asked."""
    named = [(f"{t.ticket.a}--{t.ticket.b}" if t.ticket else None, t.sure) for t in seen.tickets]
    # A ticket that is surely told where none lies is a mistake on these, too.
    if trial.group.startswith("technologies"):
        return [(t.id, t.sure) for t in seen.technologies] + [one for one in named if one[1]]
    if trial.group.startswith("shares"):
        # All shares at hand are the first of their company: another number is a mistake.
        numbered = [s.company if s.number in (None, 1) else f"{s.company} {s.number}" for s in seen.shares]
        return [*zip(numbered, (s.sure for s in seen.shares), strict=True), *(one for one in named if one[1])]
    return named


def judge(trial: Trial, row: Row, worst: Path | None, *, file: bool = True) -> str:
    """Reads a picture; what was wrong, in a few words."""
    board = maps.load(trial.board)
    began = time.process_time()
    seen = papers.read_papers(_photo(trial, file), board)
    row.seconds.append(time.process_time() - began)
    ids = [(f"{t.a}--{t.b}" if (t := board.tickets.get(n)) else n) for n in trial.there]
    names = told(seen, trial)
    right = [n for n in ids if any(n == m for m, _ in names)]
    sure = [n for n in ids if any(n == m and s for m, s in names)]
    row.there += len(ids)
    row.right += len(right)
    row.sure += len(sure)
    false = [(n, s) for n, s in names if n not in ids]
    row.wrong += sum(s for n, s in false if n is not None)
    row.asked_wrong += sum(not s for _, s in false)
    row.said += [(t.confidence, f"{t.ticket.a}--{t.ticket.b}" in ids) for t in seen.tickets if t.ticket]
    missed = [n for n in ids if n not in sure]
    if worst is not None and missed:
        worst.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(worst / f"{trial.group}-{trial.name}.png".replace(" ", "_")), _shown(trial.picture, seen))
    lost = [n if n not in right else f"{n} (asked)" for n in missed]
    return "; ".join([*lost, *(f"{'SURE ' if s else ''}not there: {n}" for n, s in false)])


def _shown(picture: Picture, seen: Papers) -> Picture:
    """The picture with all that was read on it: green is sure, red is asked."""
    shown = picture.copy()
    unit = max(picture.shape[:2]) / 1000
    every: list[TicketSeen | TechnologySeen | ShareSeen] = [*seen.tickets, *seen.technologies, *seen.shares]
    for one in every:
        name = one.name if not isinstance(one, TicketSeen) else one.ticket.id if one.ticket else "?"
        color = (0, 150, 0) if one.sure else (0, 0, 220)
        quad = np.array(one.quad)
        cv2.polylines(shown, [np.round(quad).astype(np.int32)], True, color, max(round(3 * unit), 1))
        at = (round(float(quad[:, 0].min())), round(float(quad[:, 1].mean())))
        cv2.putText(
            shown,
            f"{name} {one.confidence:.2f}",
            at,
            cv2.FONT_HERSHEY_SIMPLEX,
            0.8 * unit,
            color,
            max(round(2 * unit), 1),
        )
    return shown


def _photo(trial: Trial, file: bool) -> Photo:
    """As from a file, so that large pictures are reduced as they would be."""
    if not file or max(trial.picture.shape) < 1900:
        return photo.of_image(trial.picture)
    return photo.decode(cv2.imencode(".jpg", trial.picture, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes())


def reliability(row: Row) -> Iterator[str]:
    """Of the tickets told with about some confidence, how many lie there."""
    for low, high in pairwise(BINS):
        mine = [(c, right) for c, right in row.said if low <= c < high or (high == 1 and c == 1)]
        if mine:
            mean, right = np.mean([c for c, _ in mine]), np.mean([right for _, right in mine])
            share = f"{100 * mean:5.1f} % on average, {100 * right:5.1f} % right"
            yield f"said {low:.2f} to {high:.2f}: {len(mine):4} tickets, {share}"


def nets_of(folder: Path) -> None:
    """Takes the nets of a fold instead of those that come with the program."""
    home = classify.MODELS

    def net(name: str, by: classify.Engine | None = None) -> classify.Net:
        own = folder / f"{name.rsplit('/', 1)[-1]}.onnx"
        return (
            classify._load(own, by or classify.engine()) if own.is_file() else classify.Nets(home, by)(f"board/{name}")
        )

    classify.net = net


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nets", type=Path, help="a folder with lines.onnx and names.onnx of a fold")
    parser.add_argument("--seeds", type=int, nargs="*", default=[11])
    parser.add_argument("--each", type=int, default=1, help="pictures of each layout and print")
    parser.add_argument("--only", default="", help="prints with this in their name")
    parser.add_argument("--kinds", default="real,scans,tables,extras")
    parser.add_argument("--worst", type=Path, help="annotated pictures of all that was not right and sure")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if args.nets:
        nets_of(args.nets.resolve())
    rows: dict[str, Row] = {}
    for seed in args.seeds:
        every = {
            "real": real(seed),
            "scans": scans(seed, args.each, args.only),
            "tables": tables(seed, args.each, args.only),
            "extras": extras(seed),
        }
        for kind in args.kinds.split(","):
            for trial in every[kind]:
                row = rows.setdefault(trial.group, Row())
                note = judge(trial, row, args.worst)
                if note:
                    print(f"{trial.group} {trial.name}: {note} ({row.seconds[-1]:.1f} s)", flush=True)
    whole = Row()
    for group in sorted(rows):
        print(f"{group:28} {rows[group]}")
        if not group.startswith(tuple(ticket_tables.OTHERS)):
            for name in ("there", "right", "sure", "wrong", "asked_wrong"):
                setattr(whole, name, getattr(whole, name) + getattr(rows[group], name))
            whole.seconds += rows[group].seconds
            whole.said += rows[group].said
    print(f"{'all tickets':28} {whole}")
    for line in reliability(whole):
        print(line)


if __name__ == "__main__":
    main()
