"""Which tickets lie in a photo: names first, then the print.

Lines of letters are found anywhere and read against the board's list of tickets, whatever the print looks like. A
ticket whose names say too little is compared with the prints that are known. What no witness is sure of is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any  # Any: JSON

import cv2
import numpy as np
from numpy.typing import NDArray

from maps import Board, Ticket
from vision import alike, closer, lines, outline, prints, sheets, titles
from vision.alike import Row
from vision.config import ALIKE, LINES, SHEET, TICKET, TITLE
from vision.lines import Line
from vision.photo import Photo
from vision.prints import Known
from vision.sheets import Quad, Sheet
from vision.titles import Gazetteer, Read, Title

Picture = NDArray[np.uint8]
Corners = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class TicketSeen:
    """A ticket on the table: the likeliest first, then what else it may be. Not `sure`: a person is asked.

    `ticket` is None where nobody can tell. A ticket that no list knows has no points (0) and an id of its own.
    """

    ticket: Ticket | None
    confidence: float
    sure: bool
    alternatives: tuple[Ticket, ...]
    quad: Corners

    @property
    def choices(self) -> tuple[Ticket, ...]:
        """What it may be, the likeliest first."""
        return (*((self.ticket,) if self.ticket else ()), *self.alternatives)

    def to_json(self) -> dict[str, Any]:
        told = {
            "id": self.ticket.id if self.ticket else None,
            "points": self.ticket.points if self.ticket else None,
            "confidence": round(self.confidence, 4),
            "quad": [[round(x, 1), round(y, 1)] for x, y in self.quad],
            "doubtful": not self.sure,
            "alternatives": [t.id for t in self.alternatives],
        }
        if not self.sure:
            told["suggestions"] = [t.id for t in self.choices]
        return told


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A photo looked at once: its lines of letters, and its sheets, for whoever asks about tickets, cards or shares.

    `fine` is the grey picture that strips are cut from: where letters are small it has `zoom` times as many pixels.
    """

    image: Picture
    gray: Picture
    lines: list[Line]
    sheets: list[Sheet]
    fine: Picture
    zoom: float

    def strip(self, line: Line) -> Picture:
        """A line as the reader of names wants it."""
        return lines.strip(self.fine, line if self.zoom == 1 else line.scaled(self.zoom))

    def together(self, a: Line, b: Line) -> bool:
        """Whether two lines may stand on one sheet."""
        one, other = _under(a.middle, self.sheets), _under(b.middle, self.sheets)
        apart = bool(one and other and not one & other)
        return not apart and not _across(a, self.sheets) and not _across(b, self.sheets)


def _under(at: Quad, found: Sequence[Sheet]) -> set[int]:
    """The sheets on which a place lies, of those that may be tickets."""
    x, y = float(at[0]), float(at[1])
    tickets = {n: s.quad.astype(np.float32) for n, s in enumerate(found) if _may_be(s)}
    return {n for n, quad in tickets.items() if cv2.pointPolygonTest(quad, (x, y), False) >= 0}


def _across(line: Line, found: Sequence[Sheet]) -> bool:
    """Whether a line runs from one ticket to another."""
    begin, end = _under(line.left, found), _under(line.right, found)
    return bool(begin and end and not begin & end)


def glimpse(photo: Photo) -> Glimpse:
    """Lines and sheets of a photo; letters that are small are read in the full picture."""
    gray = _gray(photo.image)
    found = _out_of_shadow(photo.image, closer.looked(photo.image, sheets.find(photo.image)))
    lettering = lines.find(photo.image)
    fine = gray
    if photo.scale < 1 and lines.mostly_small(lettering, LINES.fine):
        fine = _gray(photo.sharper().image)
    return Glimpse(photo.image, gray, lettering, found, fine, fine.shape[1] / gray.shape[1])


def _out_of_shadow(image: Picture, found: list[Sheet]) -> list[Sheet]:
    """The sheets of a picture, those that seem to be nothing looked at once more in even light: a ticket in a hard
    shadow is too dull to be told, so that nobody would be asked about it."""
    dull = [s for s in found if s.kinds.argmax() == 0 and not _may_be(s)]
    if not dull:
        return found
    lit = [s for s in closer.looked(closer.shadowless(image), dull) if _may_be(s)]
    return [s for s in found if not any(sheets.overlap(s.quad, other.quad) > SHEET.same for other in lit)] + lit


def _gray(image: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def read_tickets(photo: Photo, board: Board) -> list[TicketSeen]:
    """The tickets of this board in a photo, left to right, then top to bottom."""
    return tickets_in(glimpse(photo), photo, board)


def tickets_in(seen: Glimpse, photo: Photo, board: Board) -> list[TicketSeen]:
    """The tickets in a photo that was looked at."""
    known = titles.gazetteer(board)
    told = titles.read(seen.strip, seen.lines, known)
    named = titles.titles(told, known, seen.together)
    if _is_board(told, known) and not any(title.best >= TICKET.sure for title in named):
        return []
    for better in (titles.turned, titles.again):
        # Of a ticket that is told nothing more has to be known.
        done = [one for one in told if _settled(one.line, named, seen.sheets)]
        told = done + better(seen.strip, [one for one in told if one not in done], known)
        named = titles.titles(told, known, seen.together)
    usual = _like_others(seen, named, known, board)
    told = told + _clear(usual, known)
    named = titles.titles(told, known, seen.together)
    others = _others(seen, named)
    for look in (_near, _in_even_light, _longer):
        unsaid = [s for s in seen.sheets if _is_ticket(s) and not _said(s, named)]
        if unsaid:
            more = [line for line in lines.single(look(seen.image, unsaid, told)) if not _told(line, named)]
            fresh = titles.read(seen.strip, more, known)
            # Which way up longer ones read is known.
            if look is not _longer:
                fresh = titles.turned(seen.strip, fresh, known)
            told = told + titles.again(seen.strip, fresh, known, TITLE.later)
            named = titles.titles(told, known, seen.together)
    if _others(seen, named) and not others:
        # Now that a ticket is told, the rest may follow.
        usual = _like_others(seen, named, known, board)
        told = told + _clear(usual, known)
        named = titles.titles(told, known, seen.together)
    places = _places(named, seen)
    found = [_named(title, quad, told, board) for title, quad in zip(named, places, strict=True)]
    # A poor guess counts only where a ticket is in sight.
    found = [t for t in found if t.confidence >= TICKET.anywhere or _on_a_ticket(t, seen.sheets)]
    up = np.asarray(np.linalg.inv(photo.shrink), np.float64)
    read = [quad for _, quad in _others(seen, named)]
    tickets = [s for s in seen.sheets if _is_ticket(s) or _proven(s, usual, known) or _among(s, read)]
    silent = [s for s in tickets if not any(_holds(s.quad, t.line) for t in named)]
    gone = {(t.ticket.a, t.ticket.b) for t in found if t.sure and t.ticket}
    hinted = [t for s in silent if (t := _suggested(s, told, usual, known, board, gone)) is not None]
    there = [_unknown(s.quad) for s in silent if _among(s, read)]
    return in_order([_moved(t, up) for t in _single(found, hinted + _by_print(seen, found, board) + there)])


def _is_board(told: list[Read], known: Gazetteer) -> bool:
    """Whether a photo shows a board: many cities stand by themselves. No ticket is looked for among them."""
    clear = [one for one in told if one.clearly_one and one.letters >= TICKET.city_letters]
    return len({known.places[int(one.alone.argmax())] for one in clear}) >= TICKET.cities


def _like_others(seen: Glimpse, named: list[Title], known: Gazetteer, board: Board) -> list[Read]:
    """Names on tickets that say nothing, where the others of this photo have theirs; or where they fit best."""
    unsaid = [s for s in seen.sheets if _may_be(s) and not _said(s, named)]
    if not unsaid or not known.pairs:
        return []
    row = alike.told(_others(seen, named))
    # Without a list of tickets any two cities may fit a strip, and trying them takes long.
    if row is None and board.tickets:
        row = _explored(seen, unsaid, known)
    if row is None:
        return []
    best = []
    for sheet in unsaid:
        found = [line for by in ALIKE.moves for line in row.moved(by).on(sheet.quad)]
        best.append(max(titles.read(seen.strip, found, known), key=lambda one: titles.lift(one, known)))
    return titles.again(seen.strip, best, known, TITLE.later)


def _clear(usual: list[Read], known: Gazetteer) -> list[Read]:
    """Those that fit far better than chance: of several cuts the best was taken. Others only make suggestions."""
    return [one for one in usual if titles.lift(one, known) > ALIKE.clear]


def _others(seen: Glimpse, named: list[Title]) -> list[tuple[Line, Quad]]:
    """The names of tickets that are told, each with its ticket; those in two lines tell no row."""
    plain = [title for title in named if title.best >= TICKET.sure and len(title.lines) == 1]
    return [(t.line, s.quad) for t in plain for s in seen.sheets if _may_be(s) and _holds(s.quad, t.line)]


def _may_be(sheet: Sheet) -> bool:
    """Whether a sheet may be a ticket: names on it prove it."""
    return bool(np.exp(sheet.kinds[2]) >= ALIKE.may_be)


def _explored(seen: Glimpse, unsaid: list[Sheet], known: Gazetteer) -> Row | None:
    """Where names stand on tickets of which none is told yet, as a few of them show."""
    rows = alike.usual()
    some = sorted(unsaid, key=lambda s: -float(s.kinds[2]))[: ALIKE.explored]
    lifts: list[list[float]] = []
    for sheet in some:
        found = titles.read(seen.strip, [line for row in rows for line in row.on(sheet.quad)], known)
        gained = [titles.lift(one, known) for one in found]
        lifts.append([max(gained[2 * n : 2 * n + 2]) for n in range(len(rows))])
        if len(lifts) == 1:
            kept = np.argsort(lifts[0])[-ALIKE.edges :]
            rows, lifts = [rows[n] for n in kept], [[lifts[0][n] for n in kept]]
    return alike.likeliest(rows, list(zip(*lifts, strict=True)))


def _proven(sheet: Sheet, usual: list[Read], known: Gazetteer) -> bool:
    """Whether a sheet that may be a ticket has names where the others have them."""
    return any(_holds(sheet.quad, one.line) and titles.lift(one, known) > ALIKE.least for one in usual)


def _among(sheet: Sheet, others: Sequence[Quad]) -> bool:
    """Whether a sheet that may be a ticket is as large as tickets that are told: what lies among them is asked about,
    however dark it is."""
    size = cv2.contourArea(sheet.quad.astype(np.float32))
    sizes = [cv2.contourArea(quad.astype(np.float32)) / max(size, 1.0) for quad in others]
    return _may_be(sheet) and any(1 / TICKET.alike < ratio < TICKET.alike for ratio in sizes)


def _near(image: Picture, unsaid: list[Sheet], _: list[Read]) -> list[Line]:
    """Lines on some sheets, each looked at from straight above."""
    return [line for sheet in unsaid for line in lines.on(image, sheet.quad)]


def _in_even_light(image: Picture, unsaid: list[Sheet], told: list[Read]) -> list[Line]:
    """Lines that shadows and glare hid, on these sheets and anywhere else."""
    even = lines.evened(image)
    return [*lines.anywhere(even), *_near(even, unsaid, told)]


def _longer(_: Picture, unsaid: list[Sheet], told: list[Read]) -> list[Line]:
    """Lines on some sheets with more of their row: a shadow's edge or glare may have cut names off."""
    on = [one.line for sheet in unsaid for one in told if one.may_be_names and _holds(sheet.quad, one.line)]
    return [line.longer(by) for line in on for by in TICKET.longer]


def _said(sheet: Sheet, named: list[Title], least: float = TICKET.sure) -> bool:
    return any(title.best >= least and _holds(sheet.quad, title.line) for title in named)


def _settled(line: Line, named: list[Title], found: Sequence[Sheet]) -> bool:
    """Whether nothing more has to be known of a line: it stands on tickets only that are told already."""
    if _told(line, named):
        return True
    on = [s for s in found if _is_ticket(s) and _covers(s.quad, line.middle)]
    return bool(on) and all(_said(s, named, TICKET.settled) for s in on)


def _covers(quad: Quad, at: Quad) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(at[0]), float(at[1])), False) >= 0


def _told(line: Line, named: list[Title]) -> bool:
    """Whether a line is one that names a ticket beyond doubt."""
    sure = (one for title in named if title.best >= TICKET.settled for one in title.lines)
    return any(lines.common(line, one) > TITLE.same for one in sure)


def _suggested(
    sheet: Sheet, told: list[Read], usual: list[Read], known: Gazetteer, board: Board, gone: set[titles.Pair]
) -> TicketSeen | None:
    """A ticket whose names are no proof: what fits best of all that stands on it, perhaps one name, is suggested.

    `usual`: what stands where tickets of this photo have their names. `gone`: tickets that lie elsewhere; a game has
    each once.
    """
    on = [one for one in usual if _holds(sheet.quad, one.line)]
    on = on or [one for one in told if one.may_be_names and _holds(sheet.quad, one.line)]
    if not on or not board.tickets:
        return None
    scores = np.max([titles.hints(one, known) for one in on], axis=0)
    values = _points_on(sheet.quad, told)
    worth = {(t.a, t.b): t.points for t in board.tickets.values()}
    off = [TICKET.points_off if values and worth[p] not in values else 0.0 for p in known.pairs]
    scores = np.where([p in gone for p in known.pairs], -99.0, scores - np.array(off))
    odds = np.exp(scores - np.logaddexp.reduce(scores))
    order = np.argsort(-odds)[: 1 + TICKET.alternatives]
    if odds[order[0]] < TICKET.hinted:
        return None
    likely = tuple(_ticket(board, known.pairs[n], sheet.quad, told) for n in order)
    return TicketSeen(likely[0], float(odds[order[0]]) * TICKET.at_most, False, likely[1:], _corners(sheet.quad))


def _places(named: list[Title], seen: Glimpse) -> list[Quad]:
    """Where each title's ticket lies: on the sheet around it, each sheet once; else as other titles' tickets lie, or by
    the edges around it."""
    # One photo shows one print: its names stand near the upper edge of all, or near the lower.
    of_title = max((_on_sheets(named, seen, side) for side in (-1, 1, 0)), key=len)
    found = {n: outline.upright(seen.sheets[k].quad, named[n].line) for n, k in of_title.items()}
    others = [(named[n].line, found[n]) for n in of_title]
    for n, title in enumerate(named):
        if n not in of_title:
            like = outline.like(title.line, others)
            found[n] = outline.upright(outline.around(seen.gray, title.line), title.line) if like is None else like
    return [found[n] for n in range(len(named))]


def _on_sheets(named: list[Title], seen: Glimpse, side: int) -> dict[int, int]:
    """Which title stands on which sheet, each once: near its upper edge (-1), its lower (1), or anywhere (0)."""
    offers = sorted(
        (off, n, k)
        for n, title in enumerate(named)
        for k, s in enumerate(seen.sheets)
        if _holds(s.quad, title.line) and (off := _off_edge(s.quad, title.line, side)) < TICKET.off_edge
    )
    of_title: dict[int, int] = {}
    for _, n, k in offers:
        if n not in of_title and k not in of_title.values():
            of_title[n] = k
    return of_title


def _off_edge(quad: Quad, line: Line, side: int) -> float:
    """How far names are from an edge of a sheet: 0 on it, 1 in the middle; anywhere is nearly too far."""
    middle = quad.mean(0)
    half = max(float(np.abs((quad - middle) @ line.down).max()), 1e-6)
    return 1 - side * float((line.middle - middle) @ line.down) / half if side else 0.9 * TICKET.off_edge


def _holds(quad: Quad, line: Line) -> bool:
    """Whether a line lies on a sheet, but for a little that its corners may be off, and is no tiny part of it."""
    shape = quad.astype(np.float32)
    room = 0.5 * line.high
    ends = (line.left, line.right, line.middle)
    if any(cv2.pointPolygonTest(shape, (float(x), float(y)), True) < -room for x, y in ends):
        return False
    along, across = (quad[1] - quad[0]), (quad[3] - quad[0])
    lean = max(abs(float(line.way @ side)) / max(float(np.linalg.norm(side)), 1e-6) for side in (along, across))
    return lean > TICKET.lean and max(sheets.sides(quad)) < TICKET.longest * line.high


def _named(title: Title, quad: Quad, told: list[Read], board: Board) -> TicketSeen:
    """What a title says, with its points as a further witness."""
    odds = _with_points(title, quad, told, board)
    choices = [_ticket(board, pair, quad, told) for pair, _ in odds if _ > TICKET.worth_saying] or [
        _ticket(board, pair, quad, told) for pair, _ in odds[:1]
    ]
    confidence = odds[0][1]
    if not board.tickets:
        # Names alone don't tell the points.
        confidence = min(confidence, TICKET.no_points)
    sure = confidence >= TICKET.sure
    return TicketSeen(choices[0], confidence, sure, tuple(choices[1 : 1 + TICKET.alternatives]), _corners(quad))


def _with_points(title: Title, quad: Quad, told: list[Read], board: Board) -> list[tuple[titles.Pair, float]]:
    """The odds of a title once more: points that are read beside it speak for tickets that are worth as much."""
    values = _points_on(quad, told)
    if not values or not board.tickets:
        return list(title.odds)
    worth: dict[titles.Pair, set[int]] = {}
    for ticket in board.tickets.values():
        worth.setdefault((ticket.a, ticket.b), set()).update({ticket.points, ticket.revised or ticket.points})
    logs = {
        pair: np.log(odd + 1e-9) + max((values.get(v, -TICKET.points_off) for v in worth[pair]), default=0.0)
        for pair, odd in title.odds
    }
    total = np.logaddexp.reduce([*logs.values(), np.log(title.none + 1e-9)])
    ranked = sorted(logs.items(), key=lambda item: -item[1])
    return [(pair, float(np.exp(log - total))) for pair, log in ranked]


def _points_on(quad: Quad, told: list[Read]) -> dict[int, float]:
    """Numbers that stand on a ticket, and how well each fits; nothing if there is none that is clear."""
    shape = quad.astype(np.float32)
    on = [r for r in told if cv2.pointPolygonTest(shape, tuple(map(float, r.line.middle)), False) >= 0]
    for one in on:
        text = one.lattice.text
        if text.isdigit() and 1 <= len(text) <= 2 and one.lattice.clear > TICKET.clear_points:
            return {int(text): 0.0}
    return {}


def _ticket(board: Board, pair: titles.Pair, quad: Quad, told: list[Read]) -> Ticket:
    """The board's ticket of that pair; of several, the one whose points stand on it."""
    same = [t for t in board.tickets.values() if (t.a, t.b) == pair]
    values = _points_on(quad, told)
    if not same:
        a, b = sorted(pair)
        return Ticket(f"{a}--{b}", a, b, next(iter(values), 0))
    return next((t for t in same if t.points in values), same[0])


def _by_print(seen: Glimpse, named: list[TicketSeen], board: Board) -> list[TicketSeen]:
    """Sheets whose names say too little: what their print says; only that they are there, where none is known."""
    known = prints.prints(board.id)
    free = [_is_ticket(s) and not _surely(s.quad, named) for s in seen.sheets]
    if known is None:
        return [_unknown(s.quad) for s, want in zip(seen.sheets, free, strict=True) if want]
    told = prints.find(seen.image, seen.sheets, known, free)
    return [_known(one, board) for one in told if one is not None]


def _surely(quad: Quad, named: list[TicketSeen]) -> bool:
    return any(t.sure and sheets.overlap(np.array(t.quad), quad) > SHEET.same for t in named)


def _is_ticket(sheet: Sheet) -> bool:
    return bool(np.exp(sheet.kinds[2]) >= TICKET.surely_ticket)


def _unknown(quad: Quad) -> TicketSeen:
    return TicketSeen(None, 0.0, False, (), _corners(quad))


def _known(one: Known, board: Board) -> TicketSeen:
    if one.confidence < TICKET.no_guess:
        return _unknown(one.quad)
    pairs = [pair for pair, _ in one.odds[: 1 + TICKET.alternatives]]
    told = [next(t for t in board.tickets.values() if f"{t.a}--{t.b}" == pair) for pair in pairs]
    return TicketSeen(told[0], one.confidence, one.confidence >= TICKET.sure, tuple(told[1:]), _corners(one.quad))


def _corners(quad: Quad) -> Corners:
    return tuple((float(x), float(y)) for x, y in quad)


def _moved(ticket: TicketSeen, by: NDArray[np.float64]) -> TicketSeen:
    """The ticket as `by` takes it to other pixels."""
    corners = cv2.perspectiveTransform(np.array([ticket.quad], np.float64), by)[0]
    return TicketSeen(ticket.ticket, ticket.confidence, ticket.sure, ticket.alternatives, _corners(corners))


def _on_a_ticket(ticket: TicketSeen, found: list[Sheet]) -> bool:
    return any(_is_ticket(s) and sheets.overlap(np.array(ticket.quad), s.quad) >= SHEET.same for s in found)


def _single(named: Sequence[TicketSeen], printed: Sequence[TicketSeen]) -> list[TicketSeen]:
    """Each ticket once. Names that differ are different tickets, however little of one is in sight.

    What a print says counts where no names are sure; what both say is surer than either.
    """
    kept: list[TicketSeen] = []
    for ticket in sorted(named, key=lambda t: -t.confidence):
        near = (o for o in kept if not ticket.sure)
        apart = all(sheets.overlap(np.array(ticket.quad), np.array(o.quad)) < SHEET.same for o in near)
        # A game has each ticket once.
        if apart and not any(o.ticket == ticket.ticket for o in kept):
            kept.append(ticket)
    for ticket in sorted(printed, key=lambda t: -t.confidence):
        twin = next((n for n, o in enumerate(kept) if (o.sure or ticket.sure) and o.ticket == ticket.ticket), None)
        if twin is not None:
            best = max(kept[twin], ticket, key=lambda t: t.confidence)
            # A print that is sure tells better where it lies.
            kept[twin] = replace(best, quad=ticket.quad if ticket.sure else kept[twin].quad)
            continue
        at = [n for n, o in enumerate(kept) if sheets.overlap(np.array(ticket.quad), np.array(o.quad)) >= SHEET.same]
        if not at:
            if ticket.sure or not _part_of(ticket, kept):
                kept.append(ticket)
        elif not any(kept[n].sure for n in at):
            kept[at[0]] = _agreed(kept[at[0]], ticket)
    return kept


def _part_of(ticket: TicketSeen, kept: Sequence[TicketSeen]) -> bool:
    """Whether a sheet that says nothing sure is a piece of a ticket that is told, or no ticket beside those at all."""
    surely = [np.array(o.quad, np.float32) for o in kept if o.sure]
    if not surely:
        return False
    quad = np.array(ticket.quad, np.float32)
    area = cv2.contourArea(quad)
    usual = float(np.median([cv2.contourArea(o) for o in surely]))
    if not usual / TICKET.as_large < area < usual * TICKET.as_large:
        return True
    shared = [cv2.intersectConvexConvex(quad, o)[0] / max(min(area, cv2.contourArea(o)), 1e-6) for o in surely]
    return max(shared) > TICKET.part


def _agreed(named: TicketSeen, printed: TicketSeen) -> TicketSeen:
    """Names and print about the same ticket, neither of them sure."""
    if named.ticket is not None and named.ticket == printed.ticket:
        confidence = 1 - (1 - named.confidence) * (1 - printed.confidence)
        return replace(named, confidence=confidence, sure=confidence >= TICKET.sure)
    first, second = (named, printed) if named.confidence >= printed.confidence else (printed, named)
    others = tuple(dict.fromkeys(t for t in (*first.alternatives, *second.choices) if t != first.ticket))
    # Two witnesses that say different things make a question.
    confidence = first.confidence * (1 - second.confidence)
    return TicketSeen(first.ticket, confidence, confidence >= TICKET.sure, others[: TICKET.alternatives], first.quad)


def in_order(seen: list[TicketSeen]) -> list[TicketSeen]:
    return sorted(seen, key=lambda t: tuple(np.mean(t.quad, axis=0)))
