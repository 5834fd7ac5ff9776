"""Photos that commands look at. OpenCV and the models load only when one is really read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.cli.inputs import existing_file
from companion.cli.output import Output
from companion.rules import find_variant
from maps import LOCOMOTIVE, Board, Trouble, load
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.cards import CardSeen
    from vision.papers import Papers


def remarks(out: Output) -> None:
    """What somebody should know before photos are read: boards that have to be enrolled again."""
    from vision.tables import damaged

    for board in damaged():
        out.note(out.say("cli.enrol.damaged", board=board))


def read_photo(
    path: str,
    board: Board | None,
    colors: Sequence[str] | None,
    picture: str | None,
    language: str,
    depots: bool = False,
    known: Mapping[str, str] | None = None,
    players: int | None = None,
    variant: str | None = None,
) -> Reading:
    """Reads one photo; with `picture` also writes the photo with everything that was read drawn into it.

    How many tracks of a group may be held is told by the number of `players` and the variant, or the board's first one.
    """
    from companion.cli.pictures import write_picture
    from vision.annotate import annotate
    from vision.photo import load as load_photo
    from vision.read import read

    photo = load_photo(existing_file(path))

    def limits(found: Board) -> Mapping[str, int]:
        return {} if players is None else find_variant(variant or found.id)[0].group_limits(found, players)

    reading = read(photo, board.id if board else None, colors, known, players, depots, limits)
    if picture:
        write_picture(picture, annotate(photo, reading, load(reading.board), language))
    return reading


def cards_in(path: str, board: Board | None = None) -> list[CardSeen]:
    """The train cards in one photo, only those that the board has; Trouble if there are none."""
    from vision.cards import read_cards
    from vision.photo import load as load_photo

    photo = load_photo(existing_file(path))
    seen = read_cards(photo, (*board.cards.colors, LOCOMOTIVE)) if board else read_cards(photo)
    if not seen:
        raise Trouble("no-cards", nothing_seen=True, file=path)
    return seen


def papers_in(path: str, board: Board) -> Papers:
    """The tickets in one photo, and technologies and shares where the board has such; Trouble if there are none."""
    from vision.papers import read_papers
    from vision.photo import load as load_photo

    seen = read_papers(load_photo(existing_file(path)), board)
    if not seen:
        raise Trouble("no-tickets", nothing_seen=True, file=path)
    return seen
