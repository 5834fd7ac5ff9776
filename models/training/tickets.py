"""Rebuilds models/tickets/prints.npz: `python -m models.training.tickets`.

Every printed ticket is drawn many times as a phone might see it; a ridge regression on its edges tells them apart.
Judged on rendered photos, which are never trained on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

import maps
from models.training import card_art, edges
from models.training.card_scenes import light
from vision import align, photo, sheets, tickets
from vision.align import Edges
from vision.config import ALIGN

Picture = NDArray[np.uint8]
# Numbers that a block of edges is boiled down to, of 36.
PARTS = 12


def flat(picture: Picture) -> Picture:
    """Upright tickets lie on their side: the finder tells long sides first."""
    return picture if picture.shape[1] > picture.shape[0] else np.ascontiguousarray(np.rot90(picture, -1))


def seen(art: Picture, rng: np.random.Generator, off: float) -> tuple[Picture, Picture, NDArray[np.float64]]:
    """A ticket as a phone might see it, rectified by corners that are a little off, and what of it is in sight.

    Last, where the corners should have been, in parts of the sides.
    """
    wide, high = ALIGN.size
    scale = float(rng.uniform(0.36, 1.0))
    small = cv2.resize(flat(art), None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    pad = 26
    around = tuple(int(v) for v in rng.integers(0, 255, 3))
    big = cv2.copyMakeBorder(small, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=around)
    gray = cv2.cvtColor(light(big.astype(np.float32), rng), cv2.COLOR_BGR2GRAY)
    tall, across = small.shape[:2]
    true = np.array([(0, 0), (across, 0), (across, tall), (0, tall)]) - 0.5 + pad
    quad = true + rng.normal(0, off * across, (4, 2)) + rng.normal(0, off * across, (1, 2))
    crop = align.rectified(np.asarray(gray, np.uint8), quad)
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    place = cv2.getPerspectiveTransform(quad.astype(np.float32), box)
    should = (cv2.perspectiveTransform(true[None], place.astype(np.float64))[0] - box) / (wide, high)
    mask = np.full((high, wide), 255, np.uint8)
    if rng.random() < 0.4:
        part = rng.uniform(0.1, 0.5)
        side = rng.integers(4)
        mask[: round(high * part * (side == 0)), :] = 0
        mask[high - round(high * part * (side == 1)) :, :] = 0
        mask[:, : round(wide * part * (side == 2))] = 0
        mask[:, wide - round(wide * part * (side == 3)) :] = 0
    return crop, mask, should


def aligner(
    printed: list[card_art.TicketPrint], known: Edges, rng: np.random.Generator, samples: int
) -> NDArray[np.float32]:
    """For one design, steps that find the corners: twice from far, then from near and nearer."""
    steps = []
    for off in (0.055, 0.02, 0.008):
        rows, moves = [], []
        for _ in range(samples):
            crop, mask, should = seen(printed[rng.integers(len(printed))].picture, rng, off * rng.uniform(0.3, 1))
            rows.append(np.append(known.seen(crop, mask), 1))
            moves.append(should.ravel())
        steps.append(edges.ridge(np.array(rows, np.float32), np.array(moves, np.float32), 6.0))
    return np.array(steps, np.float32)


def train(per_print: int, ridge: float, align_samples: int, seed: int = 1) -> dict[str, NDArray[Any]]:
    rng = np.random.default_rng(seed)
    printed = card_art.tickets()
    names = sorted({(p.board, p.id) for p in printed})
    views = [
        (names.index((p.board, p.id)), *seen(p.picture, rng, 0.006)[:2]) for p in printed for _ in range(per_print)
    ]
    known = edges.learned([align.blocks(crop) for _, crop, _ in views], PARTS)
    whole = np.array([known.seen(crop, mask) for _, crop, mask in views])
    wanted = np.eye(len(names), dtype=np.float32)[[n for n, _, _ in views]]
    designs = list(dict.fromkeys((p.board, p.sheet) for p in printed))
    aligners = [aligner([p for p in printed if p.sheet == sheet], known, rng, align_samples) for _, sheet in designs]
    return {
        **edges.stored(known),
        **edges.packed("weights", edges.ridge(whole, wanted, ridge)),
        **edges.packed("aligners", np.array(aligners)),
        "design_boards": np.array([b for b, _ in designs]),
        "boards": np.array([b for b, _ in names]),
        "ids": np.array([i for _, i in names]),
    }


def judge(folder: Path) -> None:
    """One line per picture, then right, wrong and asked over all."""
    right = wrong = asked = total = extra = asked_right = 0
    for path in sorted(folder.glob("*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        boards = sorted({t["board"] for t in truth["tickets"]}) or ["europe"]
        for board in boards:
            found = tickets.read_tickets(photo.load(path.with_suffix(".jpg")), maps.load(board))
            left = list(found)
            notes = []
            for ticket in truth["tickets"]:
                total += 1
                near = [(sheets.overlap(np.array(ticket["quad"]), np.array(t.quad)), n) for n, t in enumerate(left)]
                best, n = max(near, default=(0.0, -1))
                if best < 0.5:
                    notes.append(f"lost {ticket['id']}")
                    continue
                seen_ticket = left.pop(n)
                good = seen_ticket.ticket.id == ticket["id"]
                right += good and seen_ticket.sure
                wrong += not good and seen_ticket.sure
                asked += not seen_ticket.sure
                asked_right += good and not seen_ticket.sure
                if not good or not seen_ticket.sure:
                    notes.append(f"{ticket['id']} as {seen_ticket.ticket.id} {seen_ticket.confidence:.2f}")
            extra += len(left)
            notes += [f"extra {t.ticket.id} {t.confidence:.2f}" for t in left]
            print(path.stem, "; ".join(notes))
    print(
        f"{total} tickets: right {right}, asked {asked} (first guess right {asked_right}), wrong {wrong}, extra {extra}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-print", type=int, default=14)
    parser.add_argument("--ridge", type=float, default=10.0)
    parser.add_argument("--judge", action="store_true", help="judge what is there, train nothing")
    parser.add_argument("--align-samples", type=int, default=320)
    args = parser.parse_args()
    if not args.judge:
        tickets.PRINTS.parent.mkdir(exist_ok=True)
        np.savez_compressed(tickets.PRINTS, **train(args.per_print, args.ridge, args.align_samples))
        tickets.prints.cache_clear()
    judge(card_art.SHARED / "renders" / "cards")


if __name__ == "__main__":
    main()
