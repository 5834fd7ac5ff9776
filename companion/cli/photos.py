"""Photos that commands look at. OpenCV and the models load only when one is really read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.cli.inputs import existing_file
from companion.cli.output import Output
from companion.rules import find_variant
from companion.words import card_mark, share_mark, technology_mark, ticket_mark
from maps import GRAY, LOCOMOTIVE, LOCOMOTIVES, Board, Trouble, load
from maps.drawing.palette import LIGHT
from vision.reading import Reading

if TYPE_CHECKING:
    from vision.annotate import Mark
    from vision.cards import CardSeen
    from vision.papers import Papers
    from vision.photo import Photo


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


def one_picture(picture: str | None, photos: Sequence[str]) -> None:
    """Trouble where several photos would be drawn into one picture."""
    if picture and len(photos) > 1:
        raise Trouble("annotate-one")


def cards_in(path: str, board: Board | None = None, picture: str | None = None, language: str = "en") -> list[CardSeen]:
    """The train cards in one photo, only those that the board has; Trouble if there are none.

    With `picture` also writes the photo with every card outlined and named.
    """
    from vision.cards import read_cards
    from vision.photo import load as load_photo

    photo = load_photo(existing_file(path))
    seen = read_cards(photo, (*board.cards.colors, LOCOMOTIVE)) if board else read_cards(photo)
    if not seen:
        raise Trouble("no-cards", nothing_seen=True, file=path)
    if picture:
        from vision.annotate import Mark

        wild, paints = (board.cards.wild if board else LOCOMOTIVES), LIGHT.tracks
        fills = [paints[card.color if card.color in paints else GRAY].fill for card in seen]
        texts = [card_mark(n, card, language, wild) for n, card in enumerate(seen, 1)]
        marks = [Mark(c.quad, text, not c.doubtful, fill) for c, text, fill in zip(seen, texts, fills, strict=True)]
        _draw(picture, photo, marks)
    return seen


def papers_in(path: str, board: Board, picture: str | None = None, language: str = "en") -> Papers:
    """The tickets in one photo, and technologies and shares where the board has such; Trouble if there are none.

    With `picture` also writes the photo with each of them outlined and named.
    """
    from vision.papers import read_papers
    from vision.photo import load as load_photo

    photo = load_photo(existing_file(path))
    seen = read_papers(photo, board)
    if not seen:
        raise Trouble("no-tickets", nothing_seen=True, file=path)
    if picture:
        from vision.annotate import Mark

        marks = [Mark(t.quad, ticket_mark(n, t, board, language), t.sure) for n, t in enumerate(seen.tickets, 1)]
        marks += [Mark(t.quad, technology_mark(t, board, language), t.sure) for t in seen.technologies]
        marks += [Mark(s.quad, share_mark(s, board, language), s.sure) for s in seen.shares]
        _draw(picture, photo, marks)
    return seen


def _draw(picture: str, photo: Photo, marks: Sequence[Mark]) -> None:
    from companion.cli.pictures import write_picture
    from vision.annotate import marked

    write_picture(picture, marked(photo, marks))
