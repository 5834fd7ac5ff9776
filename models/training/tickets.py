"""Rebuilds models/tickets/prints.npz: `python -m models.training.tickets`.

The prints are taken from clean art; how much they differ from photo to photo, and where corners should have been, is
learned from tickets drawn as a phone might see them. Judged on rendered photos, which are never trained on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any  # Any: JSON, and arrays of any kind of number

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models import checksums
from models.training import card_art, edges
from models.training.card_art import TicketPrint
from models.training.card_scenes import light
from vision import align, photo, prints, sheets, tickets
from vision.align import Edges
from vision.config import ALIGN

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Corners = NDArray[np.float64]
# Numbers that a block of edges is boiled down to, of 36; the aligners use the first, most telling ones.
PARTS = 16
ALIGNER_PARTS = 8
# How far off the corners are before each step of alignment, in parts of the long side.
OFFS = (0.055, 0.02, 0.008)
# Blocks vary from photo to photo at least this much, whatever the drawn views say.
LEAST_NOISE = 0.15
# One whole number of a stored print.
STEP = 0.2
# Sizes and blurs of the clean art that a print is the average of.
CLEAN = ((1.0, 0.6), (1.0, 1.2), (0.8, 0.5), (0.8, 0.9), (0.65, 0.5), (0.5, 0.4), (0.5, 0.7))
# Where each design has the names: left, top, right, bottom in parts of the print as it is held to be read.
_TOP, _BOTTOM = (0.04, 0.06, 0.96, 0.22), (0.15, 0.72, 0.68, 0.95)
TITLES = {
    "usa-destinations-1-0": _TOP,
    "usa-destinations-1-1": _TOP,
    "usa-destinations-1-2": _TOP,
    "europe-destinations-1-0": _TOP,
    "europe-destinations-1-1": _BOTTOM,
    "europe-destinations-2-0": _TOP,
    "europe-destinations-2-1": _BOTTOM,
    "legendaryasia-destinations-1-0": _TOP,
    "legendaryasia-destinations-2-0": _TOP,
    "pennsylvania-destinations-1-0": (0.13, 0.08, 0.79, 0.2),
    "uk-destinations-1-0": (0.1, 0.0, 1.0, 0.16),
}


def flat(picture: Picture) -> Picture:
    """Upright tickets lie on their side: the finder tells long sides first."""
    return picture if picture.shape[1] > picture.shape[0] else np.ascontiguousarray(np.rot90(picture, -1))


def bent(picture: Picture, rng: np.random.Generator) -> Picture:
    """Paper that isn't flat: its parts are shifted a little, whatever the corners say."""
    high, wide = picture.shape[:2]
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32))
    along = 2 * x / wide - 1
    arch = 1 - along**2
    from_x = x + np.float32(rng.normal(0, 0.008) * wide) * arch * along
    from_y = y + np.float32(rng.normal(0, 0.006) * high) * arch
    return np.asarray(cv2.remap(picture, from_x, from_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def corners(wide: int, high: int, pad: int) -> Corners:
    return np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5 + pad


def drawn(art: Picture, other: Picture, rng: np.random.Generator) -> tuple[Picture, Picture, Corners]:
    """A ticket as a phone might see it, what of it is in sight (255), and its corners.

    `other` lies around it at times, and at times over a side of it; where that begins is known roughly only.
    """
    scale = float(np.exp(rng.uniform(np.log(0.4), np.log(1.15))))
    small = cv2.resize(bent(flat(art), rng), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    high, wide = small.shape[:2]
    pad = round(0.16 * wide)
    over = cv2.resize(flat(other), (wide + 2 * pad, high + 2 * pad))
    plain = np.full_like(over, rng.integers(0, 255, 3))
    big = np.array(over if rng.random() < 0.5 else plain)
    big[pad:-pad, pad:-pad] = small
    mask = np.full(big.shape[:2], 255, np.uint8)
    if rng.random() < 0.45:
        across = _across(wide, high, pad, rng)
        part = rng.uniform(0.08, 0.5)
        big[across < part] = over[across < part]
        mask[across < part + rng.normal(0, 0.015)] = 0
    gray = cv2.cvtColor(light(big.astype(np.float32), rng), cv2.COLOR_BGR2GRAY)
    return np.asarray(gray, np.uint8), mask, corners(wide, high, pad)


def _across(wide: int, high: int, pad: int, rng: np.random.Generator) -> Floats:
    """How far each pixel is from one of the four sides, in parts of the print; not quite straight."""
    y, x = np.mgrid[-pad : high + pad, -pad : wide + pad].astype(np.float32)
    u, v = x / wide, y / high
    side = rng.integers(4)
    tilt = np.float32(rng.normal(0, 0.06))
    return np.asarray((u, 1 - u, v, 1 - v)[side] + tilt * ((v, v, u, u)[side] - 0.5), np.float32)


def off_by(true: Corners, off: float, rng: np.random.Generator) -> tuple[Corners, Corners]:
    """Corners that are a little off, and where they should have been, in parts of the sides."""
    across = np.linalg.norm(true[1] - true[0])
    quad = true + rng.normal(0, off * across, (4, 2)) + rng.normal(0, off * across, (1, 2))
    box = corners(*ALIGN.size, 0)
    place = cv2.getPerspectiveTransform(quad.astype(np.float32), box.astype(np.float32))
    should = (cv2.perspectiveTransform(true[None], place.astype(np.float64))[0] - box) / ALIGN.size
    return quad, np.asarray(should)


def clean(art: Picture) -> list[Floats]:
    """The blocks of a print in good light, in several sizes, sharp and less sharp: the same for every print."""
    gray = cv2.cvtColor(flat(art), cv2.COLOR_BGR2GRAY)
    pad = 8
    views = []
    for n, (scale, blur) in enumerate(CLEAN):
        small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        big = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=90 + 10 * n)
        soft = np.asarray(cv2.GaussianBlur(big, (0, 0), blur), np.uint8)
        quad = corners(small.shape[1], small.shape[0], pad)
        for x, y in ((0.0, 0.0), (0.004, 0.005), (-0.004, -0.005), (0.004, -0.005), (-0.004, 0.005)):
            views.append(align.blocks(align.rectified(soft, quad + np.array((x, y)) * small.shape[1::-1])))
    return views


def telling(prints: Floats, views: list[tuple[int, Floats, Floats]], designs: NDArray[np.int64]) -> Floats:
    """What tells prints of a design apart, against what differs from photo to photo (linear discriminants)."""
    off = np.concatenate([(blocks - prints[n])[shown > 0] for n, blocks, shown in views])
    within = off.T @ off / len(off)
    within += np.eye(36) * np.trace(within) / 36 * 0.02
    values, ways = np.linalg.eigh(within)
    white = ways / np.sqrt(values)
    middles = np.array([prints[designs == d].mean(0) for d in range(designs.max() + 1)])
    apart = (prints - middles[designs]).reshape(-1, 36) @ white
    _, ways = np.linalg.eigh(apart.T @ apart)
    return np.asarray((white @ ways[:, ::-1])[:, :PARTS], np.float32)


def title(sheet: str) -> NDArray[np.bool_]:
    """The blocks that show the names, column by column as HOG goes."""
    left, top, right, bottom = TITLES[sheet]
    if sheet.startswith("uk"):
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    wide, high = (side // (2 * ALIGN.cell) for side in ALIGN.size)
    x, y = np.arange(wide)[:, None], np.arange(high)[None]
    inside_x = np.minimum(right * wide, x + 1) - np.maximum(left * wide, x)
    inside_y = np.minimum(bottom * high, y + 1) - np.maximum(top * high, y)
    return np.asarray((np.clip(inside_x, 0, 1) * np.clip(inside_y, 0, 1) > 0.3).ravel())


def aligners(views: list[tuple[Picture, Picture, Corners]], known: Edges, rng: np.random.Generator) -> Floats:
    """Steps that find the corners of one design: from far, near and nearer."""
    steps = []
    for off in OFFS:
        rows, moves = [], []
        for gray, mask, true in views * 2:
            quad, should = off_by(true, off * rng.uniform(0.3, 1), rng)
            seen = known.seen(align.rectified(gray, quad), align.rectified(mask, quad))
            rows.append(np.append(seen.reshape(-1, PARTS)[:, :ALIGNER_PARTS], 1))
            moves.append(should.ravel())
        steps.append(edges.ridge(np.array(rows, np.float32), np.array(moves, np.float32), 1000.0))
    return np.array(steps)


def noise(prints: Floats, views: list[tuple[int, Floats, Floats]]) -> Floats:
    """How much each block of a design differs from its print: the median, so that glare doesn't count."""
    off = np.array([((blocks - prints[n]) ** 2).sum(1) for n, blocks, _ in views])
    shown = np.array([s for _, _, s in views])
    middle = np.nanmedian(np.where(shown > 0, off, np.nan), axis=0)
    # The median of a chi-squared number lies two thirds below its mean.
    return np.asarray(np.maximum(middle / (PARTS - 0.67), LEAST_NOISE), np.float32)


def train(per_print: int, least: int, seed: int = 1) -> dict[str, NDArray[Any]]:
    """Prints, their noise and aligners, from as many drawn views per print, and per design at least so many."""
    rng = np.random.default_rng(seed)
    printed = card_art.tickets()
    names = list(dict.fromkeys(p.sheet for p in printed))
    designs = np.array([names.index(p.sheet) for p in printed])
    counts = np.maximum(per_print, -(-least // np.bincount(designs)))
    pictures = [_pictures(p, printed, counts[d], rng) for p, d in zip(printed, designs, strict=True)]
    whole = np.array([np.mean(clean(p.picture), axis=0) for p in printed])
    views = [
        (n, align.blocks(align.rectified(gray, off_by(true, 0.003, rng)[0])), align.shown(align.rectified(mask, true)))
        for n, mine in enumerate(pictures)
        for gray, mask, true in mine
    ]
    basis = telling(whole, views, designs).astype(np.float16).astype(np.float32)
    prints = whole @ basis
    mean = prints.mean(0).astype(np.float16).astype(np.float32)
    known = Edges(basis, mean.ravel())
    boiled = [(n, blocks @ basis, shown) for n, blocks, shown in views]
    steps, varies = [], []
    for d in range(len(names)):
        steps.append(aligners([v for n in np.flatnonzero(designs == d) for v in pictures[n]], known, rng))
        varies.append(noise(prints, [v for v in boiled if designs[v[0]] == d]))
    return {
        **edges.stored(known),
        **edges.packed("aligners", np.array(steps)),
        "prints": np.clip(np.round((prints - mean).reshape(len(prints), -1) / STEP), -127, 127).astype(np.int8),
        "prints_step": np.array(STEP, np.float32),
        "noise": np.array(varies, np.float16),
        "ids": np.array([p.id for p in printed]),
        "designs": designs.astype(np.uint8),
        "boards": np.array([next(p.board for p in printed if p.sheet == name) for name in names]),
        "titles": np.array([title(name) for name in names]),
    }


def _pictures(
    ticket: TicketPrint, printed: list[TicketPrint], count: int, rng: np.random.Generator
) -> list[tuple[Picture, Picture, Corners]]:
    others = rng.integers(len(printed), size=count)
    return [drawn(ticket.picture, printed[other].picture, rng) for other in others]


def judge(folder: Path) -> None:
    """One line per picture, then what was right, asked, wrong, lost and extra, by board and by what is in sight."""
    counts: dict[str, Counter[str]] = {}
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        # Pictures of cards only: everything that is told there is made up.
        board = truth["tickets"][0].get("board", truth.get("board")) if truth["tickets"] else "europe"
        found = tickets.read_tickets(photo.load(path.with_suffix(".jpg")), maps.load(board))
        notes = []
        for ticket in truth["tickets"]:
            what, note = _judged(ticket, found)
            well = "60 % and more" if ticket["visible"] >= 0.6 else "less than 60 %"
            for group in (board, well, "all"):
                counts.setdefault(group, Counter())[what] += 1
            notes += [note] if what != "right" else []
        for other in found:
            counts.setdefault("all", Counter())["extra, sure" if other.sure else "extra, asked"] += 1
            notes.append(f"extra {_id(other)} {other.confidence:.2f}")
        print(path.stem, "; ".join(notes), flush=True)
    for group in sorted(counts):
        print(group, dict(counts[group]))


def _id(seen: tickets.TicketSeen) -> str | None:
    return seen.ticket.id if seen.ticket else None


def _judged(ticket: dict[str, Any], found: list[tickets.TicketSeen]) -> tuple[str, str]:
    """What was made of a ticket; its find is taken out of `found`."""
    near = [(sheets.overlap(np.array(ticket["quad"]), np.array(t.quad)), n) for n, t in enumerate(found)]
    overlap, n = max(near, default=(0.0, -1))
    if overlap < 0.5:
        return "lost", f"lost {ticket['id']}"
    seen = found.pop(n)
    right = _id(seen) == ticket["id"]
    note = f"{ticket['id']} as {_id(seen)} {seen.confidence:.2f}"
    if seen.sure:
        return "right" if right else "wrong", note
    return "asked, first guess right" if right else "asked, first guess wrong", note


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-print", type=int, default=6, help="drawn views of each print")
    parser.add_argument("--per-design", type=int, default=240, help="drawn views of each design at least")
    parser.add_argument("--judge", type=Path, nargs="*", help="judge what is there on these folders, train nothing")
    args = parser.parse_args()
    if args.judge is None:
        prints.PRINTS.parent.mkdir(exist_ok=True)
        stored: dict[str, Any] = train(args.per_print, args.per_design)
        np.savez_compressed(prints.PRINTS, **stored)
        checksums.write()
        prints.prints.cache_clear()
    for folder in args.judge or [card_art.SHARED / "renders" / "cards"]:
        judge(folder)


if __name__ == "__main__":
    main()
