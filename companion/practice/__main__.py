"""Draws the photos of the practice game."""

from __future__ import annotations

from companion.practice import BOARD, FOLDER, told
from vision.studio import Pose, practice, write

# A game whose finished board looks like one: four colours, two thirds of the tracks taken.
SEED = 65


def main() -> None:
    colors = [p["color"] for p in told()["players"]]
    image, truth = practice(BOARD, SEED, taken=0, stations=False, pose=Pose(8, 0), light="warm", surface="wood")
    write(FOLDER, "empty", image, truth)
    pose = Pose(24, 352, 0.92)
    image, truth = practice(BOARD, SEED, taken=0.62, colors=colors, pose=pose, light="warm", surface="wood")
    write(FOLDER, "final", image, truth)


if __name__ == "__main__":
    main()
