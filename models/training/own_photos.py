"""What training draws by itself: bare prints that nobody printed, and practice photos of every board.

They are drawn once, 2.7 seconds a print, and kept beside the patches.
"""

from __future__ import annotations

from pathlib import Path

import maps
from models.training import made_prints
from vision.studio import practice, write

# Seeds that were trained on: others are free to judge.
PRINTS = range(8000, 8260)
PRACTICE = range(9101, 9106)
# With depots, which no photo or render shows.
DEPOTS = range(9201, 9207)


def drawn(folder: Path, few: int | None = None) -> list[Path]:
    """The folders of prints made up and of practice photos, with all that is still missing in them; `few` of each."""
    prints, photos = folder / "prints", folder / "practice"
    prints.mkdir(parents=True, exist_ok=True)
    for seed in PRINTS if few is None else PRINTS[: few * len(made_prints.BOARDS)]:
        board = made_prints.BOARDS[seed % len(made_prints.BOARDS)]
        if not (prints / f"{board}-{seed:04d}.print.npz").is_file():
            made_prints.bare(board, seed, prints)
    for board in maps.available():
        for seed in (*PRACTICE[:few], *DEPOTS[:few]):
            name = f"{board}-{seed:04d}"
            if not (photos / f"{name}.json").is_file():
                write(photos, name, *practice(board, seed, stations=board == "europe", depots=seed in DEPOTS))
    return [prints, photos]
