"""Scoring a finished board: who played, then each player's tickets and what no camera can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from kivy.uix.widget import Widget

from companion import words
from companion.rules import DEPOTS, MODULES, variants_of
from companion.ui.models.finish import Draft, FinishModel
from companion.ui.models.review import ReviewModel
from companion.ui.models.sheet import SheetModel
from companion.ui.models.snap import SnapModel
from companion.ui.models.ticket_review import Sighting, TicketReview
from companion.ui.models.tickets import TicketPicker
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.pages.review import ReviewTask
from companion.ui.widgets.base import (
    CAMERA,
    Column,
    Entry,
    Grid,
    Heading,
    IconTap,
    PartTitle,
    Quiet,
    Row,
    Tap,
    Text,
    Toggle,
)
from companion.ui.widgets.photo_view import PhotoView
from companion.ui.widgets.pieces import ColorTap, Swatch
from maps.board import Company
from vision.reading import Reading

# How much a ticket in question is enlarged: a hand of tickets fills the photo.
_TICKET_ZOOM = 2.5


class FinishPage(Page):
    """Before the photo it leads to the camera, after it it shows who played."""

    title_key = "home.score"
    snaps: ClassVar[Mapping[str, str]] = {"board": "snap"}
    model: FinishModel

    @classmethod
    def kept(cls, model: FinishModel) -> dict[str, Any]:
        return model.to_json()

    def reopen(self, name: str, data: Mapping[str, Any]) -> bool:
        if name == "review":
            self.model.review = ReviewModel.from_json(data)
            self.app.go(name, self._review(self.model.review, self._snap_model()))
        elif name == "finish-player" and self.model.drafts:
            self.app.go(name, self.model)
        else:
            return False
        return True

    def fill(self) -> None:
        self.app.keep()
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        if self.model.board is None:
            panel.add_widget(Text(text=self.say("finish.how")))
            panel.add_widget(tap(self.say("finish.snap"), self.snap, "primary", bold=True, sign=CAMERA))
        else:
            self._who(panel)

    def snap(self) -> None:
        self.app.go("snap", self._snap_model())

    def _snap_model(self) -> SnapModel:
        model = SnapModel(self.desk, "board", depots=DEPOTS in self.model.modules)
        model.done = lambda reading: self._seen(reading, model)
        return model

    def _seen(self, reading: Reading, snap: SnapModel) -> None:
        if snap.picture is not None:
            review = self.model.seen(reading, snap.picture)
            if review.items:
                self.app.replace("review", self._review(review, snap))
            else:
                self._reviewed(review)

    def _review(self, review: ReviewModel, snap: SnapModel) -> ReviewTask:
        return review, self._reviewed, lambda: self.app.replace("snap", snap)

    def _reviewed(self, _: ReviewModel) -> None:
        trouble = self.model.reviewed()
        self.app.leave()
        if trouble is not None:
            self.app.tell(trouble)

    def _who(self, panel: Column) -> None:
        model, language = self.model, self.desk.language
        if model.board is None or model.variant is None:
            return
        panel.add_widget(Heading(text=model.board.name(language)))
        fitting = variants_of(model.board.id)
        for variant in fitting if len(fitting) > 1 else ():
            kind = "chosen" if variant.id == model.variant.id else "button"
            panel.add_widget(tap(variant.name(language), partial(self._variant, variant), kind, halign="left"))
        panel.add_widget(PartTitle(text=self.say("new.players")))
        for draft in model.drafts:
            panel.add_widget(self._player(draft))
        for color in model.free_colors:
            name = self.say("finish.add", color=self.desk.word(color))
            panel.add_widget(ColorTap(color, name, partial(self._add, color)))
        for module in MODULES.values():
            text = two_lines(module.name(language), module.about(language))
            on = module.id in model.modules
            panel.add_widget(Toggle(text, on, partial(self._switch, module.id)))
        if model.depots_unseen:
            panel.add_widget(tap(self.say("finish.find-depots"), self._find_depots, "soft", sign=CAMERA))
        go = tap(self.say("new.next"), self._go, "primary", bold=True)
        go.disabled = not model.drafts
        self.ids.bottom.add_widget(go)

    def _player(self, draft: Draft) -> Row:
        row = Row()
        row.add_widget(Swatch(draft.color))
        name = Entry(text=draft.name)
        name.bind(text=lambda _, text: self._name(draft, text))
        row.add_widget(name)
        told = self.say("finish.seen", n=len(draft.told.get("routes", ())))
        row.add_widget(Quiet(text=told, size_hint_x=0.6, pos_hint={"center_y": 0.5}))
        if not draft.told.get("routes"):
            row.add_widget(IconTap("✕", f"remove-{draft.color}", lambda: self._remove(draft)))
        return row

    def _name(self, draft: Draft, text: str) -> None:
        draft.name = text.strip()
        self.app.keep()

    def _variant(self, variant: Any) -> None:
        self.model.variant = variant
        self.fill()

    def _switch(self, module: str, on: bool) -> None:
        self.model.switch(module, on)
        self.fill()

    def _find_depots(self) -> None:
        """Reads the photo once more: depots are looked for only where they are played."""
        snap = self._snap_model()
        self.app.go("snap", snap)
        if self.model.picture is not None:
            snap.load(self.model.picture)

    def _add(self, color: str) -> None:
        self.model.add(color)
        self.fill()

    def _remove(self, draft: Draft) -> None:
        self.model.remove(draft)
        self.fill()

    def _go(self) -> None:
        self.model.at = 0
        self.app.go("finish-player", self.model)


class FinishPlayerPage(Page):
    """One player's tickets, and what the camera can't know."""

    title_key = "finish.tickets"
    snaps: ClassVar[Mapping[str, str]] = {"tickets": "_snap"}
    model: FinishModel

    @classmethod
    def kept(cls, model: FinishModel) -> dict[str, Any]:
        return model.to_json()

    def reopen(self, name: str, data: Mapping[str, Any]) -> bool:
        if name == "ticket":
            self._pick(data["first"])
        elif name == "ticket-review":
            self.app.go(name, (TicketReview.from_json(data), self.model, self._take))
        else:
            return False
        return True

    def fill(self) -> None:
        self.app.keep()
        model, panel = self.model, self.ids.panel
        panel.clear_widgets()
        draft = model.draft
        head = Row()
        head.add_widget(Swatch(draft.color))
        head.add_widget(Heading(text=draft.name, pos_hint={"center_y": 0.5}))
        panel.add_widget(head)
        last = model.at + 1 == len(model.drafts)
        following = "" if last else model.drafts[model.at + 1].name
        self.ids.next.text = self.say("finish.count") if last else self.say("finish.next", player=following)
        self._tickets(panel, draft)
        for question in model.questions():
            asked: Callable[[Column, Draft], None] = getattr(self, f"_{question}")
            panel.add_widget(PartTitle(text=self.say(f"ask.{question}")))
            asked(panel, draft)
        if last and model.asks_neutral:
            panel.add_widget(PartTitle(text=self.say("ask.neutral")))
            self._share_numbers(panel, model.neutral)

    def _tickets(self, panel: Column, draft: Draft) -> None:
        position = self.model.position()
        player = next(p for p in position.players if p.color == draft.color)
        panel.add_widget(Heading(text=self.say("finish.tickets-of", n=len(player.tickets))))
        for i, ticket in enumerate(player.tickets):
            row = Row(spacing=0)
            row.add_widget(
                Text(text=words.ticket(position.board, ticket, self.desk.language), pos_hint={"center_y": 0.5})
            )
            row.add_widget(IconTap("✕", f"drop-{i}", partial(self._drop, draft, i)))
            panel.add_widget(row)
        panel.add_widget(tap(self.say("tickets.add"), self._pick, "soft", sign="✚"))
        panel.add_widget(tap(self.say("tickets.snap"), self._snap, sign=CAMERA))

    def _drop(self, draft: Draft, at: int) -> None:
        del draft.tickets[at]
        self.fill()

    def _pick(self, first: str = "") -> None:
        self.app.go("ticket", (self.model.picker(first), self._picked))

    def _picked(self, ticket: Any) -> None:
        self.model.draft.tickets.append(ticket)
        picker = self.model.picker()
        # Most players have more than one: the picker stays for the next.
        self.app.replace("ticket", (picker, self._picked))

    def _snap(self) -> None:
        """The tickets of the player at hand by photo; what is not sure is asked."""
        snap = SnapModel(self.desk, "tickets", board=self.model.position().board.id)
        snap.done = lambda seen: self._snapped(seen, snap)
        self.app.go("snap", snap)

    def _snapped(self, seen: list[Sighting], snap: SnapModel) -> None:
        if snap.picture is None:
            return
        review = self.model.tickets_seen(snap.picture, seen)
        if review.item is None:
            self._take(review)
        else:
            self.app.replace("ticket-review", (review, self.model, self._take))

    def _take(self, review: TicketReview) -> None:
        self.model.draft.tickets.extend(review.kept)
        self.app.leave()

    def _number(self, panel: Column, draft: Draft, key: str) -> None:
        value = draft.told.get(key)
        field = Entry(text="" if value is None else str(value), input_filter="int", hint_text=self.say(f"hint.{key}"))

        def told(_: Any, text: str) -> None:
            if text.isdecimal():
                draft.told[key] = int(text)
            else:
                draft.told.pop(key, None)
            self.app.keep()

        field.bind(text=told)
        panel.add_widget(field)

    def _marked_points(self, panel: Column, draft: Draft) -> None:
        self._number(panel, draft, "marked_points")

    def _grid(self, panel: Column, cols: int) -> Grid:
        grid = Grid(cols=cols)
        panel.add_widget(grid)
        return grid

    def _toggles(self, panel: Column, names: dict[Any, str], chosen: list[Any], cols: int) -> None:
        """Buttons that are in or out of a list."""
        grid = self._grid(panel, cols)
        for value, name in names.items():
            button = Tap(name, kind="chosen" if value in chosen else "button")
            button.bind(on_release=partial(self._toggle, chosen, value))
            grid.add_widget(button)
        # Short rows keep the width of long ones.
        for _ in range(cols - len(names)):
            grid.add_widget(Widget())

    def _toggle(self, chosen: list[Any], value: Any, button: Tap) -> None:
        chosen.remove(value) if value in chosen else chosen.append(value)
        button.kind = "chosen" if value in chosen else "button"
        self.app.keep()

    def _technologies(self, panel: Column, draft: Draft) -> None:
        position = self.model.position()
        ids = position.variant.technology_ids(position.board)
        names = {t: position.board.technologies[t].name(self.desk.language) for t in ids}
        self._toggles(panel, names, draft.told.setdefault("technologies", []), 3 if self.wide else 1)

    def _shares(self, panel: Column, draft: Draft) -> None:
        self._share_numbers(panel, draft.told.setdefault("shares", {}))

    def _share_numbers(self, panel: Column, held: dict[str, list[int]]) -> None:
        listed = Column()
        panel.add_widget(listed)
        every = self.model.position().board.companies.values()
        self.one_by_one([partial(self._company, listed, company, held) for company in every])

    def _company(self, into: Column, company: Company, held: dict[str, list[int]]) -> None:
        into.add_widget(Quiet(text=company.name))
        numbers = {n: str(n) for n in range(1, company.shares + 1)}
        self._toggles(into, numbers, held.setdefault(company.id, []), 10 if self.wide else 5)

    def _tourists(self, panel: Column, draft: Draft) -> None:
        board = self.model.position().board
        kinds = board.tourist_tokens.kinds if board.tourist_tokens else 0
        names = {str(k): str(k) for k in range(1, kinds + 1)}
        self._toggles(panel, names, draft.told.setdefault("tourists", []), 5)

    def _depots_left(self, panel: Column, draft: Draft) -> None:
        placed = [self.model.position().board.place_name(c, self.desk.language) for c in draft.told.get("depots", ())]
        if placed:
            panel.add_widget(Quiet(text=self.say("finish.depots", cities=placed)))
        numbers = range(self.model.depots_most(draft) + 1)
        # Up to four stand in one row on a phone too.
        grid = self._grid(panel, len(numbers) if self.wide or len(numbers) < 5 else 3)
        for n in numbers:
            kind = "chosen" if draft.told.get("depots_left") == n else "button"
            grid.add_widget(tap(str(n), partial(self._depots, draft, n), kind))

    def _depots(self, draft: Draft, n: int) -> None:
        draft.told["depots_left"] = n
        self.fill()

    def next(self) -> None:
        """On to the next player; a number that was left out is asked for once more."""
        untold = self.model.untold()
        if not untold:
            self._next()
            return
        names = [self.say(f"ask.{question}") for question in untold]
        answers = [(self.say("finish.tell-it"), None, "primary"), (self.say("finish.go-on"), self._next, "button")]
        self.app.ask(self.say("finish.untold", player=self.model.draft.name, what=names), answers)

    def _next(self) -> None:
        if self.model.next():
            self.app.show()
        else:
            self.model.count(self._counted, self.app.tell)

    def _counted(self, sheet: SheetModel) -> None:
        self.app.home()
        self.app.go("sheet", sheet)

    def left(self) -> bool:
        if self.model.back():
            self.app.show()
            return True
        return False


class TicketReviewPage(Page):
    """A ticket in the photo that is not sure, enlarged, with what it may be."""

    title_key = "tickets.snap"

    def __init__(self, app: Any, model: tuple[TicketReview, FinishModel, Callable[[TicketReview], Any]]) -> None:
        self.review, self.finish, self._done = model
        self._position = self.finish.position()
        super().__init__(app, model)

    @classmethod
    def kept(cls, model: tuple[TicketReview, Any, Any]) -> dict[str, Any]:
        return model[0].to_json()

    def fill(self) -> None:
        self.app.keep()
        review, board = self.review, self._position.board
        if not self.ids.photo.children:
            self.photo = PhotoView(self.desk.work, self.desk.look)
            self.photo.load(review.picture, board)
            self.ids.photo.add_widget(self.photo)
        panel: Column = self.ids.panel
        panel.clear_widgets()
        item = review.item
        if item is None:
            return
        self.photo.point_at(item.quad, _TICKET_ZOOM)
        panel.add_widget(Quiet(text=self.say("review.nth", n=review.at + 1, all=len(review.items))))
        panel.add_widget(Heading(text=self.say("tickets.unsure")))
        for i, ticket in enumerate(self._position.tickets[t] for t in item.choices):
            text = words.ticket(board, ticket, self.desk.language)
            panel.add_widget(tap(text, partial(self._answer, ticket.id), "soft" if i == 0 else "button"))
        panel.add_widget(tap(self.say("tickets.other"), self._pick))
        panel.add_widget(tap(self.say("tickets.none"), partial(self._answer, None)))

    def _pick(self) -> None:
        self.app.go("ticket", (self.finish.picker(), self._picked))

    def _picked(self, ticket: str) -> None:
        self.app.leave()
        page = self.app.page
        if isinstance(page, TicketReviewPage):
            page._answer(ticket)

    def _answer(self, ticket: str | None) -> None:
        self.review.answer(ticket)
        if self.review.item is None:
            self._done(self.review)
        else:
            self.fill()


class TicketPage(Page):
    """A ticket in two taps. `model`: the picker, and whom to tell."""

    title_key = "tickets.add"

    def __init__(self, app: Any, model: tuple[TicketPicker, Callable[[Any], Any]]) -> None:
        self.picker, self._done = model
        super().__init__(app, model)
        self.ids.search.bind(text=self._typed)

    @classmethod
    def kept(cls, model: tuple[TicketPicker, Any]) -> dict[str, Any]:
        return {"first": model[0].first}

    def fill(self) -> None:
        self.app.keep()
        picker, listed = self.picker, self.ids.listed
        listed.clear_widgets()
        board = picker.board
        asks_points = bool(picker.second) and not picker.known
        # Points are no cities: there is nothing to search for.
        self.ids.search.disabled, self.ids.search.opacity = asks_points, 0 if asks_points else 1
        if asks_points:
            self.ids.asked.text = self.say("tickets.points")
            for n in picker.points():
                listed.add_widget(tap(str(n), partial(self._done, picker.told(n))))
            return
        first = board.place_name(picker.first, self.desk.language) if picker.first else ""
        self.ids.asked.text = self.say("tickets.second", city=first) if first else self.say("tickets.first")
        for place, name in picker.places(self.desk.language):
            listed.add_widget(tap(name, partial(self._tap, place)))

    def _typed(self, _: Any, text: str) -> None:
        self.picker.text = text
        self.fill()

    def _tap(self, place: str) -> None:
        found = self.picker.tap(place)
        self.ids.search.text = ""
        if len(found) == 1:
            self._done(found[0].id)
        elif found:
            answers = [(self.say("points", n=t.points), partial(self._done, t.id), "button") for t in found]
            self.app.ask(self.say("tickets.which"), answers)
        else:
            self.fill()

    def left(self) -> bool:
        if self.picker.first:
            self.picker.reset()
            self.fill()
            return True
        return False


load_kv(__file__)
