"""A made-up game of Europe, in the middle and at its end, with a photo of it: for pictures of the screens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np

from companion.rules import VARIANTS, Claim, Position, claim_price, offers, score, ways_in_principle
from companion.table.game import Game
from companion.table.history import past_game
from companion.table.settings import Seat
from companion.ui.camera import FolderCamera
from companion.ui.desk import Desk
from companion.ui.models.new_game import NewGame
from maps import load
from maps.drawing import LIGHT, scene, to_image
from vision.reading import Reading, RouteReading, StationReading

# Hints that everybody has read.
HINTS = ("table", "claims", "sheet", "picker")
SEATS = (Seat("Ada", "blue"), Seat("Maximilienne", "red"), Seat("Bo", "green"), Seat("Chidi", "yellow"))
# Somebody whose name is written in other letters, and from right to left.
GUESTS = (SEATS[0], Seat("שרה", "black"), SEATS[2])
# Each player's routes in the order in which they were claimed.
CLAIMED = {
    "blue": (
        "barcelona-madrid-yellow", "barcelona-marseille-gray", "marseille-zurich-pink", "berlin-warszawa-pink",
        "warszawa-wien-blue", "wien-zagrab-gray", "venezia-zagrab-gray", "roma-venezia-black", "bruxelles-dieppe-green",
        "bruxelles-paris-red", "marseille-paris-gray", "amsterdam-bruxelles-black", "barcelona-pamplona-gray",
        "munchen-zurich-yellow",
    ),
    "red": (
        "athina-sarajevo-green", "budapest-sarajevo-pink", "budapest-wien-red", "munchen-wien-orange",
        "frankfurt-munchen-pink", "amsterdam-frankfurt-white", "amsterdam-london-gray", "edinburgh-london-black",
        "brest-dieppe-orange", "dieppe-london-gray", "munchen-venezia-blue", "dieppe-paris-pink",
        "amsterdam-essen-yellow", "essen-kobenhavn-gray-2",
    ),
    "green": (
        "erzurum-sevastopol-gray", "bucuresti-sevastopol-white", "bucuresti-budapest-gray", "budapest-wien-white",
        "berlin-wien-green", "berlin-essen-blue", "essen-kobenhavn-gray", "bucuresti-kyiv-gray", "kyiv-wilno-gray",
        "riga-wilno-green", "sarajevo-zagrab-red", "budapest-zagrab-orange", "kobenhavn-stockholm-white",
        "bucuresti-sofia-gray",
    ),
    "yellow": (
        "brest-paris-black", "frankfurt-paris-orange", "berlin-frankfurt-black", "berlin-danzig-gray",
        "danzig-riga-black", "petrograd-riga-gray", "essen-frankfurt-green", "danzig-warszawa-gray",
        "kyiv-warszawa-gray", "moskva-petrograd-white", "kharkov-moskva-gray", "erzurum-sochi-red",
        "rostov-sochi-gray", "kharkov-rostov-green", "moskva-smolensk-orange",
    ),
}  # fmt: skip
TICKETS = {
    "blue": ("madrid--zurich", "berlin--roma", "dieppe--madrid", "amsterdam--pamplona", "danzig--lisboa"),
    "red": ("athina--edinburgh", "brest--venezia", "paris--wien", "budapest--zurich", "brindisi--zagrab"),
    "green": ("erzurum--kobenhavn", "bucuresti--riga", "sarajevo--sevastopol", "stockholm--wien"),
    "yellow": ("brest--petrograd", "essen--kyiv", "berlin--moskva", "rostov--smolensk"),
}
STATIONS = {"zurich": "red", "lisboa": "blue"}
WHEN = datetime(2026, 5, 1, 20, 30)  # noqa: DTZ001 the clock on the wall of whoever plays
# How far the game has come when it is continued, and how far when the board is photographed next.
_ROUNDS = 6
# The photo and where the board's corners lie in it, in pixels.
_PHOTO = (1400, 1050)
CORNERS = ((150.0, 130.0), (1270.0, 105.0), (1345.0, 915.0), (60.0, 935.0))
_TABLE = (84, 112, 142)


def owners(rounds: int) -> dict[str, str]:
    """Who holds what after so many rounds."""
    return {route: color for color, routes in CLAIMED.items() for route in routes[:rounds]}


def _lying() -> dict[str, str]:
    """The game one round later, with a wagon of the wrong colour and a route cleared by mistake."""
    lying = {**owners(_ROUNDS + 1), "budapest-wien-red": "blue"}
    del lying["berlin-danzig-gray"]
    return lying


def draw_photo(picture: Path) -> None:
    """The board on a table, seen a little from the side."""
    drawn = scene(load("europe"), theme=LIGHT, owners=_lying(), stations={"zurich": "red"}, decorated=True)
    board = np.asarray(to_image(drawn, _PHOTO[0]).convert("RGB"))[:, :, ::-1]
    height, width = board.shape[:2]
    edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    matrix = cv2.getPerspectiveTransform(edges, np.array(CORNERS, np.float32))
    lying = cv2.warpPerspective(board, matrix, _PHOTO, flags=cv2.INTER_AREA, borderValue=_TABLE)
    cv2.imwrite(str(picture), lying, [cv2.IMWRITE_JPEG_QUALITY, 88])


def reading(picture: Path) -> Reading:
    """What a reader would say about the photo: one route to look at, one that vanished, one in another colour."""
    seen, board = _lying(), load("europe")
    routes = {r.id: RouteReading(seen.get(r.id), 0.98, (seen.get(r.id),) * r.length) for r in board.routes.values()}
    return Reading(
        picture.name, "europe", CORNERS, MappingProxyType(routes),
        MappingProxyType({"zurich": StationReading("red", 0.97)}), ("amsterdam-london-gray",),
    )  # fmt: skip


def desk(folder: Path, language: str) -> Desk:
    """A desk with a game going on and some in the history."""
    photos = folder / "photos"
    photos.mkdir(parents=True, exist_ok=True)
    picture = photos / "evening.jpg"
    if not picture.exists():
        draw_photo(picture)
    made = Desk(folder / language, FolderCamera(photos))
    made.clock = lambda: WHEN
    made.change(language=language, seats=SEATS, variant="europe", hints=HINTS)
    game = NewGame(made).begin()
    deal(game)
    for i in range(_ROUNDS):
        for routes in CLAIMED.values():
            claim(game, routes[i])
    claim(game, CLAIMED["blue"][_ROUNDS])
    for day, evening in _evenings():
        first = evening.players[day % len(evening.players)].name
        made.history.keep(past_game(evening, score(evening), WHEN - timedelta(days=day), first=first))
    return made


def _evenings() -> Iterator[tuple[int, Position]]:
    """Games of the last weeks, the latest first: how many days ago, and how they ended."""
    for day in (0, 9, 30, 37, 44, 51):
        yield day, position(day % len(SEATS))
    for day in (2, 16, 33):
        yield day, usa(GUESTS if day == 33 else SEATS[:3], day // 16)


def position(turned: int = 0) -> Position:
    """The made-up game at its end, with tickets done and missed, and a station that was worth its price.

    `turned`: so many seats further, for another evening.
    """
    names = [seat.name for seat in SEATS[turned:] + SEATS[:turned]]
    players = [
        {
            "name": name,
            "color": seat.color,
            "routes": list(CLAIMED[seat.color]),
            "stations": [city for city, color in STATIONS.items() if color == seat.color],
            "tickets": list(TICKETS[seat.color])[turned:],
        }
        for seat, name in zip(SEATS, names, strict=True)
    ]
    return Position.from_json({"variant": "europe", "players": players})


def usa(seats: Sequence[Seat], turned: int = 0) -> Position:
    """Another evening, on another board."""
    routes = sorted(load("usa").routes)
    held = [routes[(i + turned) % len(seats) : 36 : 4] for i in range(len(seats))]
    players = [{"name": s.name, "color": s.color, "routes": r} for s, r in zip(seats, held, strict=True)]
    return Position.from_json({"variant": "usa", "players": players})


def begun(
    desk: Desk, variant: str, *claimed: str, modules: tuple[str, ...] = (), dealt: tuple[str, ...] | None = None
) -> Game:
    """A game of another variant beside the one that goes on, with some routes claimed in turn.

    `dealt`: what of the set-up is told already, all of it unless something else is said.
    """
    setting = NewGame(desk)
    setting.choose(VARIANTS[variant])
    folder = desk.folder / "other"
    path = folder / f"{len(list(folder.glob('*.jsonl')))}.jsonl"
    game = Game.new(path, variant, setting.players(), modules, {}, setting.setup)
    deal(game, dealt)
    for route in claimed:
        claim(game, route)
    return game


def deal(game: Game, kinds: tuple[str, ...] | None = None) -> None:
    """Everything that must be told before the first turn (or these kinds of it), in the plainest way."""
    while True:
        offer = next((o for o in offers(game.position) if o.required and not o.follow_up), None)
        if offer is None or (kinds is not None and offer.kind not in kinds):
            return
        told: dict[str, object] = {}
        while (question := offer.question(told)) is not None:
            told[question.field] = question.choices[0] if question.choices else None
        game.do(offer.complete(told))


def claim(game: Game, route_id: str) -> None:
    """Whoever is to play claims a route, in the plainest way."""
    position = game.position
    route = position.board.routes[route_id]
    player = position.entry(position.turn)
    cards = next(ways_in_principle(claim_price(position, player, route)), {})
    action = Claim(position.turn, route_id, cards, () if route.kind == "tunnel" else None)
    game.do(action, accept=not game.judge(action).complete)
