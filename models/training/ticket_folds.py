"""Trains the nets of tickets print by print: `python -m models.training.ticket_folds --begin FOLDER --out FOLDER`.

From nets that saw no real print (`--drawn-only`) each fold goes on with all prints but one, as the shipped nets did
with all of them. `python -m models.training.ticket_judge --nets OUT/PRINT --only PRINT` judges it on that print.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from models.training import lines, names, print_lines, ticket_tables

# Seeds of the scenes of each print are so far apart.
APART = 20


def scenes(work: Path, shards: int) -> None:
    """Scenes of each print by itself, so that every fold takes those of the others and none is drawn twice."""
    for n, one in enumerate(ticket_tables.PRINTS):
        lines.draw(work / one, shards, False, 200 + APART * n, prints=True, only=one)
    lines.draw(work, 1, True, 0)


def fold(without: str, begin: Path, work: Path, out: Path, minutes: float) -> None:
    """Finder and reader that know every print but one."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "names.onnx").is_file():
        names.draw(work / "strips", 1, True, 0)
        names.draw(work / "strips", 6, False, 0)
        real = print_lines.examples(1500, np.random.default_rng(7), without)
        state = work / f"names-{without}.pt"
        reader = names.train(work / "strips", state, minutes * 0.4, 6e-4, real, begin / "names.onnx")
        names.write(reader, out / "names.onnx")
    if not (out / "lines.onnx").is_file():
        mine = work / f"without-{without}"
        mine.mkdir(exist_ok=True)
        for path in [*work.glob("judge-*.npz"), *work.glob("*/train-*.npz")]:
            known = path.parent.name != without and path.parent.name in {work.name, *ticket_tables.PRINTS}
            if known and not (mine / path.name).exists():
                (mine / path.name).symlink_to(path)
        finder = lines.train(mine, work / f"lines-{without}.pt", minutes * 0.6, 1e-3, begin / "lines.onnx")
        lines.write(finder, out / "lines.onnx")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--begin", type=Path, required=True, help="a folder with nets that saw no real print")
    parser.add_argument("--out", type=Path, required=True, help="a folder for the nets, one of each print left out")
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "companion-folds")
    parser.add_argument("--minutes", type=float, default=6, help="of processor time for each fold")
    parser.add_argument("--shards", type=int, default=2, help="so many shards of scenes are drawn of each print")
    args = parser.parse_args()
    torch.set_num_threads(1)
    scenes(args.work.resolve(), args.shards)
    for one in ticket_tables.PRINTS:
        fold(one, args.begin, args.work.resolve(), args.out / one, args.minutes)


if __name__ == "__main__":
    main()
