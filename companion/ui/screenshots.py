"""Every screen as a picture: a made-up game in the middle and at its end, shown in all sizes and both languages."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

from companion.rules.position import Position
from companion.rules.scoring import score
from companion.rules.variants import VARIANTS
from companion.table.history import past_game
from companion.table.settings import Seat
from companion.ui.camera import FolderCamera, NoCamera
from companion.ui.desk import Desk
from companion.ui.models.enrol import EnrolModel
from companion.ui.models.finish import FinishModel
from companion.ui.models.new_game import NewGame
from companion.ui.models.review import ReviewModel, take_over
from companion.ui.models.sheet import SheetModel
from companion.ui.models.snap import SnapModel
from companion.ui.stage import Stage
from maps import LANGUAGES, load
from maps.drawing import LIGHT, scene, to_image
from vision.reading import Reading, RouteReading, StationReading

# Upright phone, on its side, the narrowest phone, a desktop.
SIZES = {"portrait": (360, 780), "landscape": (780, 360), "narrow": (320, 640), "desktop": (1100, 760)}
SEATS = (Seat("Ada", "blue"), Seat("Maximilienne", "red"), Seat("Bo", "green"), Seat("Chidi", "yellow"))
OWNERS = {
    "amsterdam-essen-yellow": "blue",
    "berlin-essen-blue": "blue",
    "brest-dieppe-orange": "red",
    "brest-pamplona-pink": "red",
    "berlin-wien-green": "green",
    "athina-sofia-pink": "yellow",
}
STATIONS = {"roma": "red"}
_WHEN = datetime(2026, 5, 1, 20, 30)  # noqa: DTZ001 the clock on the wall of whoever plays

Show = Callable[[Stage], None]


def demo_reading(picture: Path) -> Reading:
    """What a reader would say about the picture of the made-up game, with two routes to look at."""
    board = load("europe")
    width = 1200.0
    height = width / board.geometry.aspect
    routes = {r.id: RouteReading(OWNERS.get(r.id), 0.98, (OWNERS.get(r.id),) * r.length) for r in board.routes.values()}
    doubtful = ("berlin-wien-green", "athina-sofia-pink")
    return Reading(
        picture.name, "europe", ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height)), MappingProxyType(routes),
        MappingProxyType({c: StationReading(color, 0.97) for c, color in STATIONS.items()}), doubtful,
    )  # fmt: skip


def draw_demo(picture: Path) -> None:
    """The made-up game as a photo."""
    drawn = scene(load("europe"), theme=LIGHT, owners=OWNERS, stations=STATIONS, decorated=True)
    to_image(drawn, 1200).convert("RGB").save(picture, quality=88)


def demo_desk(folder: Path, language: str) -> Desk:
    """A desk with a game going on and two in the history."""
    photos = folder / "photos"
    photos.mkdir(parents=True, exist_ok=True)
    picture = photos / "board.jpg"
    if not picture.exists():
        draw_demo(picture)
    desk = Desk(folder / language, FolderCamera(photos))
    desk.clock = lambda: _WHEN
    desk.change(language=language, seats=SEATS, variant="europe")
    game = NewGame(desk).begin()
    take_over(game, ReviewModel(demo_reading(picture), picture, game.position))
    position = demo_position()
    desk.history.keep(past_game(position, score(position), _WHEN))
    return desk


def demo_position() -> Position:
    """The made-up game at its end, with tickets done and missed."""
    players = []
    for seat in SEATS:
        routes = [r for r, c in OWNERS.items() if c == seat.color]
        stations = [city for city, c in STATIONS.items() if c == seat.color]
        players.append({"name": seat.name, "color": seat.color, "routes": routes, "stations": stations, "tickets": []})
    position = Position.from_json({"variant": "europe", "players": players})
    tickets = list(position.tickets)
    for i, player in enumerate(players):
        player["tickets"] = tickets[2 * i : 2 * i + 2]
    return Position.from_json({"variant": "europe", "players": players})


def screens(photos: Path) -> Iterator[tuple[str, Show]]:
    """Every screen by name, and how to bring it up."""
    picture = photos / "board.jpg"
    yield "home", lambda s: s.app.home()
    yield "settings", lambda s: s.app.go("settings")
    yield "boards", lambda s: s.app.go("boards")
    yield "board", lambda s: s.app.go("board", load("pennsylvania"))
    yield "variant", lambda s: s.app.go("variant", NewGame(s.desk))
    yield "players", lambda s: s.app.go("players", NewGame(s.desk))
    yield "players-teams", lambda s: s.app.go("players", _teams(s.desk))
    yield "table", lambda s: s.app.go("table", s.app.table_model())
    yield "claim", lambda s: _claim(s, "budapest-wien-red")
    yield "claim-refused", lambda s: _claim(s, "amsterdam-essen-yellow")
    yield "claim-search", lambda s: _form(s, "claim")
    yield "claim-which", lambda s: _which(s)
    yield "tunnel", lambda s: _tunnel(s, turned=False)
    yield "tunnel-extra", lambda s: _tunnel(s, turned=True)
    yield "draw-cards", lambda s: _form(s, "draw-cards")
    yield "draw-tickets", lambda s: _form(s, "draw-tickets")
    yield "station", lambda s: _form(s, "station")
    yield "rule", lambda s: s.app.tell(s.desk.say("rule.tunnel"))
    yield "log", lambda s: s.app.go("log", s.app.table_model())
    yield "snap", lambda s: s.app.go("snap", SnapModel(s.desk, "board"))
    yield "snap-no-camera", lambda s: _no_camera(s)
    yield "gallery", lambda s: s.app.go("gallery", (photos, print))
    yield "enrol", lambda s: s.app.go("enrol", (EnrolModel(s.desk, "europe", picture), print))
    yield "review", lambda s: _review(s, picture, answered=False)
    yield "review-all", lambda s: _review(s, picture, answered=True)
    yield "finish", lambda s: s.app.go("finish", FinishModel(s.desk))
    yield "finish-players", lambda s: s.app.go("finish", _finish(s.desk, picture))
    yield "finish-tickets", lambda s: s.app.go("finish-player", _finish(s.desk, picture))
    yield "ticket", lambda s: s.app.go("ticket", (_finish(s.desk, picture).picker(), print))
    yield "ask-united-kingdom", lambda s: s.app.go("finish-player", _other(s.desk, "united-kingdom-advanced"))
    yield "ask-pennsylvania", lambda s: s.app.go("finish-player", _other(s.desk, "pennsylvania"))
    yield "ask-san-francisco", lambda s: s.app.go("finish-player", _other(s.desk, "san-francisco"))
    yield "sheet-revealing", lambda s: s.app.go("sheet", _sheet(s.desk, 2))
    yield "sheet", lambda s: s.app.go("sheet", _sheet(s.desk, 99))
    yield "evidence", lambda s: _evidence(s)
    yield "history", lambda s: s.app.go("history")


def _teams(desk: Desk) -> NewGame:
    model = NewGame(desk)
    model.choose(VARIANTS["asia"])
    return model


def _form(stage: Stage, kind: str) -> None:
    model = stage.app.table_model()
    model.start(kind)
    stage.app.go("table", model)


def _claim(stage: Stage, route: str) -> None:
    model = stage.app.table_model()
    model.offer([route])
    stage.app.go("table", model)


def _which(stage: Stage) -> None:
    model = stage.app.table_model()
    model.pick_city("paris")
    stage.app.go("table", model)


def _tunnel(stage: Stage, turned: bool) -> None:
    model = stage.app.table_model()
    model.offer(["paris-zurich-gray"])
    form = model.form
    if form is not None:
        form.lay("red")
        form.go_on()
        form.turned = ["red", "blue"]
        if turned:
            form.turned.append("locomotive")
            form.go_on()
    stage.app.go("table", model)


def _no_camera(stage: Stage) -> None:
    camera, stage.desk.camera = stage.desk.camera, NoCamera()
    stage.app.go("snap", SnapModel(stage.desk, "board"))
    stage.desk.camera = camera


def _review(stage: Stage, picture: Path, answered: bool) -> None:
    review = ReviewModel(demo_reading(picture), picture)
    while answered and review.item is not None:
        review.answer(review.item.seen)
    stage.app.go("review", (review, print, print))


def _finish(desk: Desk, picture: Path) -> FinishModel:
    model = FinishModel(desk)
    model.seen(demo_reading(picture), picture)
    model.reviewed()
    position = demo_position()
    model.drafts[0].tickets.extend(list(position.tickets)[:3])
    return model


def _other(desk: Desk, variant: str) -> FinishModel:
    model = FinishModel(desk)
    model.variant = VARIANTS[variant]
    model.board = load(model.variant.board)
    for color in model.board.wagon_colors[:2]:
        model.add(color)
    return model


def _sheet(desk: Desk, shown: int) -> SheetModel:
    position = demo_position()
    model = SheetModel(desk, position, score(position))
    for _ in range(shown):
        model.reveal()
    return model


def _evidence(stage: Stage) -> None:
    model = _sheet(stage.desk, 99)
    stage.app.go("evidence", (model, "tickets", model.sheet.players[0]))


def take(out: Path, tell: Callable[[str], None]) -> list[Path]:
    """Makes all pictures; their files."""
    out.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    with tempfile.TemporaryDirectory() as home:
        for language in LANGUAGES:
            desk = demo_desk(Path(home), language)
            stage = Stage(desk, *SIZES["portrait"])
            for size, (width, height) in SIZES.items():
                stage.resize(width, height)
                for look in ("light", "dark") if size == "portrait" else ("light",):
                    desk.change(look=look)
                    stage.app.restyle()
                    for name, path in _each(stage, Path(home) / "photos", out, f"{size}-{look}-{language}"):
                        tell(name)
                        made.append(path)
            stage.close()
    return made


def _each(stage: Stage, photos: Path, out: Path, ending: str) -> Iterator[tuple[str, Path]]:
    for name, show in screens(photos):
        stage.app.answer()
        stage.app.home()
        show(stage)
        stage.settle()
        path = out / f"{name}-{ending}.png"
        stage.picture(path)
        yield path.name, path
