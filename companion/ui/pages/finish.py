"""Scoring a finished board: who played, then each player's tickets and what no camera can see."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.rules.variants import MODULES, variants_of
from companion.ui.models.finish import Draft, FinishModel
from companion.ui.models.review import ReviewModel
from companion.ui.models.sheet import SheetModel
from companion.ui.models.snap import SnapModel
from companion.ui.models.tickets import TicketPicker
from companion.ui.pages.page import Page, load_kv, tap, two_lines
from companion.ui.widgets.base import Column, Entry, Grid, Heading, IconTap, Quiet, Row, Text, Toggle
from companion.ui.widgets.pieces import ColorTap, Swatch
from vision.reading import Reading


class FinishPage(Page):
    """Before the photo it leads to the camera, after it it shows who played."""

    title_key = "home.score"
    model: FinishModel

    def fill(self) -> None:
        panel: Column = self.ids.panel
        panel.clear_widgets()
        self.ids.bottom.clear_widgets()
        if self.model.board is None:
            panel.add_widget(Text(text=self.say("finish.how")))
            panel.add_widget(tap(self.say("finish.snap"), self.snap, "primary", bold=True))
        else:
            self._who(panel)

    def snap(self) -> None:
        model = SnapModel(self.desk, "board")
        model.done = lambda reading: self._seen(reading, model)
        self.app.go("snap", model)

    def _seen(self, reading: Reading, snap: SnapModel) -> None:
        if snap.picture is not None:
            review = self.model.seen(reading, snap.picture)
            if review.items:
                self.app.replace("review", (review, self._reviewed, lambda: self.app.replace("snap", snap)))
            else:
                self._reviewed(review)

    def _reviewed(self, _: ReviewModel) -> None:
        self.model.reviewed()
        self.app.leave()

    def _who(self, panel: Column) -> None:
        model, language = self.model, self.desk.language
        if model.board is None or model.variant is None:
            return
        panel.add_widget(Heading(text=model.board.name(language)))
        fitting = variants_of(model.board.id)
        for variant in fitting if len(fitting) > 1 else ():
            kind = "chosen" if variant.id == model.variant.id else "button"
            panel.add_widget(tap(variant.name(language), partial(self._variant, variant), kind, halign="left"))
        panel.add_widget(Heading(text=self.say("new.players")))
        for draft in model.drafts:
            panel.add_widget(self._player(draft))
        for color in model.free_colors:
            name = self.say("finish.add", color=self.desk.word(color))
            panel.add_widget(ColorTap(color, name, partial(self._add, color)))
        for module in MODULES.values():
            text = two_lines(module.name(language), module.about(language))
            on = module.id in model.modules
            panel.add_widget(Toggle(text, on, partial(model.switch, module.id)))
        go = tap(self.say("new.next"), self._go, "primary", bold=True)
        go.disabled = not model.drafts
        self.ids.bottom.add_widget(go)

    def _player(self, draft: Draft) -> Row:
        row = Row()
        row.add_widget(Swatch(draft.color))
        name = Entry(text=draft.name)
        name.bind(text=lambda _, text: setattr(draft, "name", text.strip()))
        row.add_widget(name)
        told = self.say("finish.seen", n=len(draft.told.get("routes", ())))
        row.add_widget(Quiet(text=told, size_hint_x=0.6, pos_hint={"center_y": 0.5}))
        if not draft.told.get("routes"):
            row.add_widget(IconTap("✕", f"remove-{draft.color}", lambda: self._remove(draft)))
        return row

    def _variant(self, variant: Any) -> None:
        self.model.variant = variant
        self.fill()

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
    model: FinishModel

    def fill(self) -> None:
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
            panel.add_widget(Heading(text=self.say(f"ask.{question}")))
            asked(panel, draft)
        if last and model.asks_neutral:
            panel.add_widget(Heading(text=self.say("ask.neutral")))
            self._share_numbers(panel, model.neutral)

    def _tickets(self, panel: Column, draft: Draft) -> None:
        position = self.model.position()
        player = next(p for p in position.players if p.color == draft.color)
        panel.add_widget(Heading(text=self.say("finish.tickets-of", n=len(player.tickets))))
        for i, ticket in enumerate(player.tickets):
            a, b = (position.board.place_name(c, self.desk.language) for c in (ticket.a, ticket.b))
            row = Row()
            row.add_widget(Text(text=self.say("finish.ticket", a=a, b=b, n=ticket.points), pos_hint={"center_y": 0.5}))
            row.add_widget(IconTap("✕", f"drop-{i}", partial(self._drop, draft, i)))
            panel.add_widget(row)
        panel.add_widget(tap(self.say("tickets.add"), self._pick, "chosen"))
        panel.add_widget(tap(self.say("tickets.snap"), self._snap))

    def _drop(self, draft: Draft, at: int) -> None:
        del draft.tickets[at]
        self.fill()

    def _pick(self) -> None:
        self.app.go("ticket", (self.model.picker(), self._picked))

    def _picked(self, ticket: Any) -> None:
        self.model.draft.tickets.append(ticket)
        picker = self.model.picker()
        # Most players have more than one: the picker stays for the next.
        self.app.replace("ticket", (picker, self._picked))

    def _snap(self) -> None:
        board = self.model.position().board.id
        self.app.go("snap", SnapModel(self.desk, "tickets", self._snapped, board=board))

    def _snapped(self, tickets: list[str]) -> None:
        draft = self.model.draft
        known = self.model.position().tickets
        draft.tickets.extend(t for t in tickets if t in known and t not in draft.tickets)
        self.app.leave()

    def _number(self, panel: Column, draft: Draft, key: str) -> None:
        value = draft.told.get(key)
        field = Entry(text="" if value is None else str(value), input_filter="int", hint_text=self.say(f"hint.{key}"))

        def told(_: Any, text: str) -> None:
            if text:
                draft.told[key] = int(text)
            else:
                draft.told.pop(key, None)

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
            kind = "chosen" if value in chosen else "button"
            grid.add_widget(tap(name, partial(self._toggle, chosen, value), kind))

    def _toggle(self, chosen: list[Any], value: Any) -> None:
        chosen.remove(value) if value in chosen else chosen.append(value)
        self.fill()

    def _technologies(self, panel: Column, draft: Draft) -> None:
        position = self.model.position()
        ids = position.variant.technology_ids(position.board)
        names = {t: position.board.technologies[t].name(self.desk.language) for t in ids}
        self._toggles(panel, names, draft.told.setdefault("technologies", []), 3 if self.wide else 1)

    def _shares(self, panel: Column, draft: Draft) -> None:
        self._share_numbers(panel, draft.told.setdefault("shares", {}))

    def _share_numbers(self, panel: Column, held: dict[str, list[int]]) -> None:
        for company in self.model.position().board.companies.values():
            panel.add_widget(Quiet(text=company.name))
            numbers = {n: str(n) for n in range(1, company.shares + 1)}
            self._toggles(panel, numbers, held.setdefault(company.id, []), 10 if self.wide else 5)

    def _tourists(self, panel: Column, draft: Draft) -> None:
        board = self.model.position().board
        kinds = board.tourist_tokens.kinds if board.tourist_tokens else 0
        names = {str(k): str(k) for k in range(1, kinds + 1)}
        self._toggles(panel, names, draft.told.setdefault("tourists", []), 5)

    def _depots_left(self, panel: Column, draft: Draft) -> None:
        grid = self._grid(panel, 6)
        for n in range(self.model.depots_most() + 1):
            kind = "chosen" if draft.told.get("depots_left") == n else "button"
            grid.add_widget(tap(str(n), partial(self._depots, draft, n), kind))

    def _depots(self, draft: Draft, n: int) -> None:
        draft.told["depots_left"] = n
        self.fill()

    def next(self) -> None:
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


class TicketPage(Page):
    """A ticket in two taps. `model`: the picker, and whom to tell."""

    title_key = "tickets.add"

    def __init__(self, app: Any, model: tuple[TicketPicker, Callable[[Any], Any]]) -> None:
        self.picker, self._done = model
        super().__init__(app, model)
        self.ids.search.bind(text=self._typed)

    def fill(self) -> None:
        picker, listed = self.picker, self.ids.listed
        listed.clear_widgets()
        board = picker.board
        if picker.second and not picker.known:
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
