"""Every screen of the app in every state worth a look, by name: the pictures and the check of all texts use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any  # Any: what a .kv file lays has no types

import cv2

from companion.rules import DEPOTS, VARIANTS, Claim, Setup, read_action, score
from companion.table.game import Game
from companion.table.parcel import Parcel
from companion.table.watched import Watched
from companion.ui import demo
from companion.ui.camera import Frame, NoCamera
from companion.ui.desk import Desk
from companion.ui.models.coach import Coach
from companion.ui.models.dispute import Dispute
from companion.ui.models.enrol import EnrolModel
from companion.ui.models.finish import FinishModel
from companion.ui.models.forms import SingleCard
from companion.ui.models.new_game import NewGame
from companion.ui.models.passing import Sending
from companion.ui.models.review import ReviewModel
from companion.ui.models.rules import RulesModel
from companion.ui.models.sheet import Proof, SheetModel, scored
from companion.ui.models.snap import Purpose, SnapModel
from companion.ui.models.statistics import StatisticsModel
from companion.ui.models.table import TableModel
from companion.ui.models.ticket_review import Asked, TicketReview
from companion.ui.models.watch import Glimpse, RebuildModel, WatchModel
from companion.ui.pages.tasks import Browsing, Checking, Editing, Learning, Picking, Reviewing
from companion.ui.services import Seen
from companion.ui.stage import Stage
from companion.ui.work import Note
from maps import LOCOMOTIVE, Trouble, load
from vision.event import Event
from vision.reading import StationReading

# The ways of using the app, as `pages.guide` has them: widgets open the window, so it is not imported here.
WAYS = ("score", "watched", "claims", "turns", "dispute")
Show = Callable[[Stage], object]
_UNKNOWN_TICKETS = "europe-mega"


def screens(photos: Path) -> Iterator[tuple[str, Show]]:
    """Every screen by name, and how to bring it up."""
    picture = photos / "evening.jpg"
    yield from _home()
    yield from _new_game()
    yield from _table()
    yield from _watched()
    yield from _variants()
    yield from _camera(photos, picture)
    yield from _reviews(picture)
    yield from _finish(picture)
    yield from _sheets()
    yield from _history(photos)


def _home() -> Iterator[tuple[str, Show]]:
    yield "home", lambda s: s.app.home()
    yield "home-first", _first_time
    yield "home-scoring", _home_scoring
    yield "dispute", lambda s: s.app.go("dispute", Dispute(s.desk))
    yield "dispute-route", lambda s: _dispute(s, "")
    yield "dispute-tunnel", lambda s: _dispute(s, "red")
    yield "guide", lambda s: s.app.go("guide")
    for way in WAYS:
        yield f"way-{way}", partial(_way, way=way)
    yield "practice", lambda s: s.app.go("practice", Coach.new(s.desk))
    yield "practice-claim", partial(_practice, lessons=1)
    yield "practice-end", partial(_practice, lessons=9)
    yield "rules", lambda s: s.app.go("rules", RulesModel(s.desk, "europe"))
    yield "rules-open", lambda s: s.app.go("rules", _opened(s.desk, "united-kingdom-advanced", "technologies"))
    yield "settings", lambda s: s.app.go("settings")
    yield "boards", lambda s: s.app.go("boards")
    yield "board", lambda s: s.app.go("board", load("pennsylvania"))
    yield "board-high", lambda s: s.app.go("board", load("united-kingdom"))
    yield "trouble", lambda s: s.app.unexpected(ValueError("an example"))


def _way(stage: Stage, way: str) -> None:
    stage.app.go("guide")
    stage.app.go("way", way)


def _practice(stage: Stage, lessons: int) -> None:
    coach = Coach.new(stage.desk)
    coach.at = lessons
    stage.app.go("practice", coach)


def _opened(desk: Desk, variant: str, rule: str) -> RulesModel:
    model = RulesModel(desk, variant)
    model.open(rule)
    return model


def _home_scoring(stage: Stage) -> None:
    """A sheet that is being prepared waits on Home."""
    model = FinishModel(stage.desk)
    model.choose_board("usa")
    for color in ("blue", "red"):
        model.add(color)
    model.keep()
    stage.app.home()
    stage.desk.keep_scoring(None)


def _dispute(stage: Stage, laid: str) -> None:
    model = Dispute(stage.desk)
    model.ask("paris-zurich-gray")
    if laid:
        model.laid = laid
        for card in (laid, "blue", LOCOMOTIVE):
            model.turn(card)
    stage.app.go("dispute", model)


def _first_time(stage: Stage) -> None:
    game, stage.desk._game = stage.desk._game, None
    name = stage.desk.settings.game
    stage.desk.change(game="")
    stage.app.home()
    stage.desk._game = game
    stage.desk.change(game=name)


def _new_game() -> Iterator[tuple[str, Show]]:
    yield "variant", lambda s: s.app.go("variant", NewGame(s.desk))
    yield "variant-options", lambda s: _at_end(s, "variant", _chosen(s.desk, "asia"))
    yield "players", lambda s: s.app.go("players", NewGame(s.desk))
    yield "players-color", _players_color
    yield "players-problem", _players_problem
    yield "players-teams", lambda s: s.app.go("players", _chosen(s.desk, "asia"))


def _chosen(desk: Desk, variant: str) -> NewGame:
    model = NewGame(desk)
    model.choose(VARIANTS[variant])
    return model


def _at_end(stage: Stage, page: str, model: object) -> None:
    """Shows the lower end of a long screen."""
    from companion.ui.widgets.base import Sheet

    stage.app.go(page, model)
    stage.lay_out()
    sheet = next(w for w in stage.widgets() if isinstance(w, Sheet))
    sheet.scroll_y = 0 if sheet.children[0].height > sheet.height else 1


def _players_color(stage: Stage) -> None:
    stage.app.go("players", NewGame(stage.desk))
    page: Any = stage.app.page
    page._pick(1)


def _players_problem(stage: Stage) -> None:
    model = NewGame(stage.desk)
    model.name(1, model.told_name(0))
    stage.app.go("players", model)


def _table() -> Iterator[tuple[str, Show]]:
    yield "table", _model(_nothing)
    yield "table-hint", _with_hint
    yield "table-notice", _model(lambda m: m.done(m.entry_words(m.game.entries[-1]) + " " + _points(m, 7)))
    yield "table-last-round", lambda s: _show(s, _last_round(s.desk))
    yield "table-over", lambda s: _show(s, _over(s.desk))
    yield "menu", lambda s: s.app.go("menu", s.app.table_model())
    yield "table-end-ask", lambda s: _after(lambda t: t.app.go("menu", t.app.table_model()), s, "_ask_end")
    yield "claim", _model(lambda m: m.offer(["roma-venezia-black"]))
    yield "claim-colors", _model(lambda m: m.offer(["marseille-paris-gray"]))
    yield "claim-refused", _model(lambda m: m.offer(["berlin-wien-green"]))
    yield "claim-taken", _model(_taken)
    yield "opening-tickets", lambda s: _show(s, _fresh(s.desk, "turns"))
    yield "claims-only", lambda s: _show(s, _fresh(s.desk, "claims"))
    yield "claims-who", _claims_who
    yield "claim-rule", _claim_rule
    yield "claim-anyway", _claim_anyway
    yield "claim-search", _model(lambda m: m.start("claim"))
    yield "claim-found", _claim_found
    yield "claim-which", _model(lambda m: m.pick_city("paris"))
    yield "claim-photo", _model(_photographed)
    yield "tunnel", _model(partial(_tunnel, turned=2))
    yield "tunnel-photo", _model(_turned_unsure)
    yield "tunnel-extra", _model(partial(_tunnel, turned=3))
    for kind in ("draw-cards", "draw-tickets", "station"):
        yield kind, _model(partial(TableModel.start, kind=kind))
    yield "station-pay", _model(lambda m: m.start("station").set("city", "roma"))
    yield "log", lambda s: s.app.go("log", s.app.table_model())
    yield "log-strike", _log_strike
    yield "log-accepted", _log_accepted


def _watched() -> Iterator[tuple[str, Show]]:
    yield "watch-stand", lambda s: _watch(s, 0)
    yield "watch", lambda s: _watch(s, 4)
    yield "watch-refused", lambda s: _watch(s, 5)
    yield "watch-wrong", lambda s: _watch(s, 3, wrong=True)
    yield "watch-tunnel", lambda s: _watch(s, 1)
    yield "watch-tunnel-read", lambda s: _watch(s, 1, cards=("red", "red", "locomotive"))
    yield "watch-tunnel-tell", lambda s: _after(lambda t: _watch(t, 1, cards=("red", "red", "blue")), s, "_tell_cards")
    yield "watch-unsure", _watch_unsure
    yield "watch-far", lambda s: _after(lambda t: _watch(t, 0, far=True), s, "fill")
    yield "watch-over", lambda s: _watch(s, 4, ending="cleared")
    yield "watch-keeping", lambda s: _after(lambda t: _watch(t, 4), s, "change_keeping")
    yield "rebuild", _rebuild


class _Watching(WatchModel):
    """The camera shows nothing: what is to be seen was told before."""

    def look(self, _frame: Frame, /) -> Glimpse:
        return Glimpse((), False, False)


class _Rebuilding(RebuildModel):
    def look(self, _frame: Frame, /) -> Glimpse:
        return Glimpse((), False, False)


# What is laid before the camera, place and colour: a tunnel, a double route, at last a second track of it.
_LAID = (
    ("paris-zurich-gray", "red"), ("bucuresti-kyiv-gray", "blue"), ("frankfurt-paris-white", "green"),
    ("roma", "red"), ("frankfurt-paris-orange", "green"),
)  # fmt: skip


def _watch(
    stage: Stage, events: int, wrong: bool = False, cards: tuple[str, ...] = (), ending: str = "", far: bool = False
) -> None:
    """A watched table after so many events; before the first the board is not found yet."""
    model = _Watching(stage.desk, _fresh(stage.desk, "claims").game)
    told = [Event(1.0, "claim" if "-" in place else "station", place, color) for place, color in _LAID[:events]]
    if told:
        model.hear(Glimpse((), True, True, tuple(told), cards))
    model.ending, model.far, model.locked = ending, far, model.locked or far
    model.choosing = model.latest if wrong else None
    stage.app.go("watch", model)


def _watch_unsure(stage: Stage) -> None:
    """What lay there at the start is not all sure."""
    _watch(stage, 0, far=True)
    model = stage.app.page.model if stage.app.page is not None else None
    if isinstance(model, WatchModel):
        model.far = False
        model.watched.begin(dict(_LAID[:2]))
        model.unsure = [model.watched.perhaps(*laid) for laid in _LAID[1:3]]
        stage.app.refresh()


def _rebuild(stage: Stage) -> None:
    game = _fresh(stage.desk, "claims").game
    watched = Watched(game)
    watched.begin(dict(_LAID[:4]))
    model = _Rebuilding(stage.desk, game)
    model.locked = True
    model.seen = {"paris-zurich-gray": "red", "bucuresti-kyiv-gray": "red", "berlin-wien-green": "blue"}
    stage.app.go("rebuild", model)


def _with_hint(stage: Stage) -> None:
    """The first time somebody is here."""
    stage.desk.change(hints=())
    _show(stage, stage.app.table_model())
    stage.desk.change(hints=demo.HINTS)


def _taken(model: TableModel) -> None:
    """A route that somebody holds: nobody accepts that, but it can be corrected whose it is."""
    model.start("claim").set("route", next(iter(model.position.owners)))


def _fresh(desk: Desk, keeping: str) -> TableModel:
    """A game that has just begun."""
    setting = NewGame(desk)
    folder = desk.folder / "other"
    path = folder / f"fresh-{len(list(folder.glob('*.jsonl')))}.jsonl"
    turns = keeping == "turns"
    return TableModel(desk, Game.new(path, "europe", setting.players(), setup=Setup(turns=turns, opening=turns)))


def _claims_who(stage: Stage) -> None:
    model = _fresh(stage.desk, "claims")
    model.offer(["roma-venezia-black"])
    _show(stage, model)


def _nothing(_: TableModel) -> None:
    return


def _nothing_more() -> None:
    return


def _model(change: Callable[[TableModel], object]) -> Show:
    """The table of the game that goes on, after something was done there."""

    def show(stage: Stage) -> None:
        model = stage.app.table_model()
        change(model)
        _show(stage, model)

    return show


def _show(stage: Stage, model: TableModel) -> None:
    stage.app.go("table", model)


def _after(show: Show, stage: Stage, call: str, *told: object) -> None:
    """Brings up a screen and does there what a button would do."""
    show(stage)
    getattr(stage.app.page, call)(*told)


def _points(model: TableModel, n: int) -> str:
    return model.desk.say("table.scored", n=n)


def _last_round(desk: Desk) -> TableModel:
    order = [routes[i] for i in range(14) for routes in demo.CLAIMED.values()]
    return TableModel(desk, demo.begun(desk, "europe", *order))


def _over(desk: Desk) -> TableModel:
    model = _last_round(desk)
    while not model.over:
        told = {"action": "draw-cards", "player": model.position.turn, "cards": [{"from": "deck"}] * 2}
        model.game.do(read_action(told, model.position))
    return model


def _claim_rule(stage: Stage) -> None:
    _model(lambda m: m.offer(["berlin-wien-green"]))(stage)
    stage.app.go("rules", RulesModel(stage.desk, "europe", "tunnel"))


def _claim_anyway(stage: Stage) -> None:
    _model(lambda m: m.offer(["berlin-wien-green"]))(stage)
    words = stage.desk.say
    answers: list[tuple[str, Callable[[], object] | None, str]] = [
        (words("verdict.accept"), None, "bad"),
        (words("cancel"), None, "button"),
    ]
    stage.app.ask(words("verdict.accept-ask"), answers)


def _claim_found(stage: Stage) -> None:
    from companion.ui.widgets.base import Entry

    _model(lambda m: m.start("claim"))(stage)
    next(w for w in stage.widgets() if isinstance(w, Entry)).text = "wien"


def _photographed(model: TableModel) -> None:
    model.offer(["marseille-paris-gray"])
    if model.form is not None:
        white, loco = SingleCard("white", 0.99), SingleCard(LOCOMOTIVE, 0.98)
        model.form.show_cards([white, SingleCard("yellow", 0.62, doubtful=True), loco, white])


def _turned_unsure(model: TableModel) -> None:
    """Cards of a tunnel by photo, one of them not sure."""
    _tunnel(model, turned=0)
    if model.form is not None:
        unsure = SingleCard("orange", 0.55, doubtful=True)
        model.form.show_cards([SingleCard("red", 0.99), unsure, SingleCard(LOCOMOTIVE, 0.97)])


def _tunnel(model: TableModel, turned: int) -> None:
    model.offer(["paris-zurich-gray"])
    form = model.form
    if form is not None:
        form.lay("red")
        form.go_on()
        for card in ("red", "blue", "locomotive")[:turned]:
            form.turn(card)
        if turned == form.turn_up:
            form.go_on()


def _log_strike(stage: Stage) -> None:
    stage.app.go("log", stage.app.table_model())
    page: Any = stage.app.page
    page._ask(page.model.log[0])


def _log_accepted(stage: Stage) -> None:
    """Wagons laid without their cards: the table let it pass, and the rule opens from the log."""
    model = _fresh(stage.desk, "turns")
    demo.deal(model.game)
    model.game.do(Claim(model.position.turn, "amsterdam-essen-yellow", {"red": 1}), accept=True)
    stage.app.go("log", model)


def _rack(desk: Desk) -> TableModel:
    """Opening tickets of a team: one of them goes on the rack."""
    model = TableModel(desk, demo.begun(desk, "asia", dealt=()))
    model.ask_next()
    if model.form is not None:
        model.form.go_on()
    return model


def _variants() -> Iterator[tuple[str, Show]]:
    """What only some variants have: teams, technologies, shares, tokens, depots."""
    yield "asia-table", lambda s: _show(s, _other(s.desk, "asia"))
    yield "asia-rack", lambda s: _show(s, _rack(s.desk))
    yield "asia-reveal", lambda s: _show(s, _other(s.desk, "asia", kind="reveal-tickets"))
    yield "asia-where", lambda s: _after(lambda s: _show(s, _other(s.desk, "asia", kind="draw-cards")), s, "confirm")
    uk = "united-kingdom-advanced"
    yield "uk-table", lambda s: _show(s, _other(s.desk, uk))
    yield "uk-technology", lambda s: _show(s, _other(s.desk, uk, kind="technology"))
    yield "uk-pay", lambda s: _show(s, _set(_other(s.desk, uk, kind="technology"), "technology", "booster"))
    lands = ("pennsylvania", "albany-new-york-blue")
    yield "pennsylvania-table", lambda s: _show(s, _other(s.desk, *lands))
    yield "pennsylvania-share", lambda s: _show(s, _other(s.desk, *lands, kind="share"))
    city = ("san-francisco", "alcatraz-fort-mason-black")
    dealt = partial(demo.begun, variant="san-francisco", dealt=("draw-tickets",))
    yield "lay-tokens", lambda s: _show(s, TableModel(s.desk, dealt(s.desk)))
    yield "tourist", lambda s: _show(s, _other(s.desk, *city, kind="tourist"))
    yield "ferry-card", lambda s: _show(s, _ferry(s.desk))
    yield "ferry-card-drawn", lambda s: _show(s, _ferry_drawn(s.desk))
    depots = partial(_other, modules=(DEPOTS,))
    yield "depots-table", lambda s: _show(s, depots(s.desk, "europe"))
    yield "depot", lambda s: _show(s, depots(s.desk, "europe", kind="depot"))
    draws: Show = lambda s: _show(s, depots(s.desk, "europe", kind="draw-cards"))  # noqa: E731
    yield "depots-draw", lambda s: _after(draws, s, "confirm")


def _other(desk: Desk, variant: str, *claimed: str, kind: str = "", modules: tuple[str, ...] = ()) -> TableModel:
    model = TableModel(desk, demo.begun(desk, variant, *claimed, modules=modules))
    if kind:
        model.start(kind)
    return model


def _ferry(desk: Desk) -> TableModel:
    """A board with another name for its locomotives: one is due and none was laid."""
    model = _other(desk, "san-francisco")
    model.offer(["alcatraz-fort-mason-black"])
    if model.form is not None:
        model.form.show_cards([SingleCard("black", 0.99), SingleCard("black", 0.71, doubtful=True)])
    return model


def _ferry_drawn(desk: Desk) -> TableModel:
    model = _other(desk, "san-francisco", kind="draw-cards")
    if model.form is not None:
        model.form.data["cards"] = [{"from": "deck"}, {"from": "table", "card": LOCOMOTIVE}]
    return model


def _set(model: TableModel, field: str, value: object) -> TableModel:
    if model.form is not None:
        model.form.set(field, value)
    return model


def _camera(photos: Path, picture: Path) -> Iterator[tuple[str, Show]]:
    yield "snap", lambda s: _live(s, picture, None)
    yield "snap-outline", lambda s: _live(s, picture, steady=False)
    yield "snap-steady", lambda s: _live(s, picture, steady=True)
    yield "snap-working", lambda s: _snapping(s, state="working", share=0.4, picture=picture)
    yield "snap-failed", lambda s: _failed(s, picture, Trouble("no-board", file=picture.name))
    yield "snap-by-finger", lambda s: _failed(s, picture, Trouble("enrol-needs-corners", board="Europe"), "enrol")
    for purpose in ("cards", "tickets", "enrol", "box", "game"):
        yield f"snap-{purpose}", partial(_live, picture=picture, steady=None, purpose=purpose)
    yield "snap-no-camera", _no_camera
    yield "codes", lambda s: s.app.go("codes", Sending(s.desk, Parcel.of(s.app.table_model().game)))
    yield "gallery", lambda s: s.app.go("gallery", Browsing(photos, print))
    yield "gallery-empty", lambda s: s.app.go("gallery", Browsing(s.desk.folder / "history" / "none", print))
    yield "enrol", lambda s: s.app.go("enrol", Learning(EnrolModel(s.desk, "europe", picture), print))
    yield "enrol-tapped", lambda s: _enrolling(s, picture)


def _snapping(stage: Stage, purpose: Purpose = "board", **changes: object) -> Any:
    model = SnapModel(stage.desk, purpose, board="europe")
    for name, value in changes.items():
        setattr(model, name, value)
    stage.app.go("snap", model)
    page: Any = stage.app.page
    page._follows = False
    return page


def _live(stage: Stage, picture: Path, steady: bool | None, purpose: Purpose = "board") -> None:
    """The live view; the board's outline where it was found."""
    from companion.ui.widgets.photo_view import shrunk

    page = _snapping(stage, purpose, shoot=lambda: None)
    page._asking = True
    stage.frames(2)
    seen = None if steady is None else Seen(demo.CORNERS, steady)
    page._frame(Note("frame", "done", (shrunk(cv2.imread(str(picture)), 960), seen)))
    page._asking = True


def _failed(stage: Stage, picture: Path, trouble: Trouble, purpose: Purpose = "board") -> None:
    _live(stage, picture, None, purpose)
    page: Any = stage.app.page
    page.model.picture = picture
    page.model._failed(trouble)


def _no_camera(stage: Stage) -> None:
    camera, stage.desk.camera = stage.desk.camera, NoCamera()
    stage.app.go("snap", SnapModel(stage.desk, "board"))
    stage.desk.camera = camera


def _enrolling(stage: Stage, picture: Path) -> None:
    model = EnrolModel(stage.desk, "europe", picture)
    model.taps.extend(demo.CORNERS[:3])
    stage.app.go("enrol", Learning(model, print))
    stage.settle()
    stage.app.refresh()


def _reviews(picture: Path) -> Iterator[tuple[str, Show]]:
    for at, name in enumerate(("review-conflict", "review-vanished", "review", "review-new")):
        yield name, partial(_review, picture=picture, answered=at)
    yield "review-change", partial(_changing, picture=picture)
    yield "review-all", partial(_review, picture=picture, answered=1, alone=True)
    for at, name in enumerate(("review-depot", "review-depots")):
        yield name, partial(_depots_review, picture=picture, answered=3 * at)


def _review(stage: Stage, picture: Path, answered: int, alone: bool = False) -> None:
    review = ReviewModel(demo.reading(picture), picture, None if alone else stage.app.table_model().position)
    for _ in range(answered):
        if review.item is not None:
            review.answer(review.item.known or review.item.seen)
    stage.app.go("review", Reviewing(review, print, _nothing_more))


def _depots_review(stage: Stage, picture: Path, answered: int) -> None:
    """Where depots are played, each building is looked at."""
    depots = {"madrid": StationReading("blue", 0.9), "wien": StationReading("green", 0.7)}
    reading = replace(demo.reading(picture), depots=depots, doubtful=("zurich", *depots))
    review = ReviewModel(reading, picture)
    review.at = 1
    for _ in range(answered):
        if review.item is not None:
            review.answer(review.item.seen)
    stage.app.go("review", Reviewing(review, print, _nothing_more))


def _changing(stage: Stage, picture: Path) -> None:
    _review(stage, picture, answered=3)
    page: Any = stage.app.page
    page._changing = "venezia-zagrab-gray"
    page.fill()


def _finish(picture: Path) -> Iterator[tuple[str, Show]]:
    yield "finish", lambda s: s.app.go("finish", FinishModel(s.desk))
    yield "finish-players", lambda s: s.app.go("finish", _finished(s.desk, picture))
    yield "finish-find-depots", lambda s: _at_end(s, "finish", _finished(s.desk, picture, DEPOTS))
    yield "finish-tickets", lambda s: s.app.go("finish-player", _finished(s.desk, picture))
    yield "finish-sum", _only_sum
    yield "edit", lambda s: _edit(s, picture, "")
    yield "edit-whose", lambda s: _edit(s, picture, "roma-venezia-black")
    yield "ticket", lambda s: _ticket(s, picture)
    yield "ticket-second", lambda s: _ticket(s, picture, "athina")
    yield "ticket-points", lambda s: _unknown_ticket(s)
    for variant in ("united-kingdom-advanced", "pennsylvania", "san-francisco"):
        yield f"ask-{variant}", partial(_asked, variant=variant)
    yield "ticket-review", partial(_ticket_review, picture=picture)
    technology = Asked(("booster", "propellers", "diesel-power"), SHEET, "technology")
    yield "technology-review", lambda s: _paper_review(s, picture, "united-kingdom-advanced", technology)
    share = Asked(("erie-lackawanna", "reading"), SHEET, "share")
    yield "share-review", lambda s: _paper_review(s, picture, "pennsylvania", share)
    yield "share-number", lambda s: _paper_review(s, picture, "pennsylvania", replace(share, sure=True))
    yield "ask-untold", lambda s: _after(partial(_asked, variant="united-kingdom"), s, "next")
    yield "ask-neutral", lambda s: _at_end(s, "finish-player", _last_player(s.desk, "pennsylvania"))
    yield "ask-depots", lambda s: _at_end(s, "finish-player", _with_depots(s.desk))


def _finished(desk: Desk, picture: Path, *modules: str) -> FinishModel:
    model = FinishModel(desk)
    model.seen(demo.reading(picture), picture)
    model.reviewed()
    model.modules.update(modules)
    model.drafts[0].tickets.extend(demo.TICKETS["blue"][:3])
    return model


def _only_sum(stage: Stage) -> None:
    model = _players_of(stage.desk, "usa-mega")
    model.draft.told.update(ticket_points=34)
    stage.app.go("finish-player", model)


def _edit(stage: Stage, picture: Path, route: str) -> None:
    edit = _finished(stage.desk, picture).edit()
    edit.at = route
    stage.app.go("edit", Editing(edit, _nothing_more))


def _ticket(stage: Stage, picture: Path, first: str = "") -> None:
    model = _finished(stage.desk, picture)
    picker = model.picker()
    if first:
        picker.tap(first)
    stage.app.go("ticket", Picking(picker, print, model, next=_nothing_more))


# Where a sheet lies in the photo of a question.
SHEET = ((300.0, 300.0), (700.0, 300.0), (700.0, 560.0), (300.0, 560.0))


def _ticket_review(stage: Stage, picture: Path) -> None:
    review = TicketReview(picture, (), [Asked(("athina--edinburgh", "berlin--roma"), SHEET)])
    stage.app.go("ticket-review", Checking(review, _finished(stage.desk, picture), print))


def _paper_review(stage: Stage, picture: Path, variant: str, asked: Asked) -> None:
    """A technology card or a share that the photo does not tell surely."""
    review = TicketReview(picture, (), [asked])
    stage.app.go("ticket-review", Checking(review, _players_of(stage.desk, variant), print))


def _unknown_ticket(stage: Stage) -> None:
    """A board whose tickets nobody knows asks for the points as well."""
    model = _players_of(stage.desk, "asia")
    picker = model.picker()
    cities = [place for place, _ in picker.places(stage.desk.language)]
    picker.first, picker.second = cities[0], cities[1]
    stage.app.go("ticket", Picking(picker, print, model, next=_nothing_more))


def _players_of(desk: Desk, variant: str) -> FinishModel:
    model = FinishModel(desk)
    model.variant = VARIANTS[variant]
    model.board = load(model.variant.board)
    for color in model.board.wagon_colors[:2]:
        model.add(color)
    return model


def _asked(stage: Stage, variant: str) -> None:
    stage.app.go("finish-player", _players_of(stage.desk, variant))


def _last_player(desk: Desk, variant: str) -> FinishModel:
    model = _players_of(desk, variant)
    model.at = 1
    return model


def _with_depots(desk: Desk) -> FinishModel:
    model = _last_player(desk, "europe")
    model.modules.add(DEPOTS)
    model.draft.told["depots"] = ["madrid", "wien"]
    return model


def _sheets() -> Iterator[tuple[str, Show]]:
    yield "sheet-revealing", lambda s: s.app.go("sheet", _sheet(s.desk, 2))
    yield "sheet", lambda s: s.app.go("sheet", _sheet(s.desk, 99))
    yield "sheet-kept", lambda s: s.app.go("sheet", _kept_sheet(s.desk))
    yield "sheet-share", lambda s: _after(lambda t: t.app.go("sheet", _kept_sheet(t.desk)), s, "_share")
    yield "sheet-bgstats", lambda s: _after(lambda t: t.app.go("sheet", _kept_sheet(t.desk)), s, "_bgstats")
    yield "sheet-shared", _shared
    for line, who in (("routes", 3), ("tickets", 1), ("stations", 1), ("longest_path", 3)):
        yield f"evidence-{line.replace('_', '-')}", partial(_evidence, line=line, who=who)


def _sheet(desk: Desk, shown: int) -> SheetModel:
    position = demo.position()
    model = SheetModel(desk, position, score(position))
    for _ in range(shown):
        model.reveal()
    return model


def _kept_sheet(desk: Desk) -> SheetModel:
    """A sheet of the history."""
    past = desk.history.games()[0]
    model = SheetModel(desk, *scored(past), past=past)
    model.reveal_all()
    return model


def _shared(stage: Stage) -> None:
    stage.app.go("sheet", _sheet(stage.desk, 99))
    folder = stage.desk.folder / "shared"
    page: Any = stage.app.page
    page._shared(
        Note("share", "done", (0, folder / "europe-20260501-203000.png", folder / "europe-20260501-203000.html"))
    )


def _evidence(stage: Stage, line: str, who: int) -> None:
    model = _sheet(stage.desk, 99)
    stage.app.go("evidence", Proof(model, line, model.sheet.players[who]))
    page: Any = stage.app.page
    if page.chosen is None:
        page._choose(page.found[-1 if line == "stations" else 0])


def _history(photos: Path) -> Iterator[tuple[str, Show]]:
    yield "history", lambda s: s.app.go("history")
    yield "history-board", lambda s: s.app.go("history", "usa")
    yield "history-games", lambda s: _at_end(s, "history", None)
    yield "history-none", _no_history
    yield "player", lambda s: _player(s, "Ada")
    yield "player-more", lambda s: _player(s, "ada", at_end=True)
    yield "player-script", lambda s: _player(s, demo.GUESTS[1].name)
    yield "history-delete", lambda s: _after(_historic, s, "_ask_delete", s.desk.history.games()[0])
    yield "history-exported", lambda s: _after(_historic, s, "_export", "json")
    yield "history-files", lambda s: s.app.go("files", Browsing(photos, print))
    yield "history-import-failed", lambda s: s.app.tell(Trouble("not-a-history", file="evening.json"))


def _player(stage: Stage, name: str, at_end: bool = False) -> None:
    from companion.ui.pages.player import Who

    every = StatisticsModel(stage.desk, stage.desk.history.games())
    # As the history has it: counted before, beside the screen.
    every.player(name)
    who = Who(every, name)
    if at_end:
        _at_end(stage, "player", who)
    else:
        stage.app.go("player", who)


def _historic(stage: Stage) -> None:
    stage.app.go("history")


def _no_history(stage: Stage) -> None:
    from companion.table.history import History

    kept, stage.desk.history = stage.desk.history, History(stage.desk.folder / "none")
    stage.app.go("history")
    stage.desk.history = kept
