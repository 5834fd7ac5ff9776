"""The panel of one action: the field that is asked, the referee's word, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.metrics import dp, sp

from companion import words
from companion.rules import Rule, Verdict, find_ticket, on_sale, running
from companion.ui.models.forms import Form, try_verdict
from companion.ui.pages.page import tap, two_lines
from companion.ui.widgets.base import CAMERA, Column, Entry, Grid, Heading, IconTap, Panel, Quiet, Row, Text, Toggle
from companion.ui.widgets.pieces import ColorTap, Swatch
from maps import LOCOMOTIVE, Ticket, Trouble, message

if TYPE_CHECKING:
    from companion.ui.pages.table import TablePage

_CHOICES = ("warehouse", "to", "neutral", "rack")


class FormPanel(Column):
    """Made anew after every tap. The referee's word stands in `bottom`, always in sight."""

    def __init__(self, page: TablePage, form: Form, bottom: Column) -> None:
        super().__init__()
        self.page, self.form, self.desk, self.bottom = page, form, page.desk, bottom
        self.say, self.tell, self.word = page.say, page.tell, page.word
        self.add_widget(Heading(text=f"{self.say(f'do.{form.kind}')} · {form.player}"))
        asks = form.asks
        if form.candidates and not form.need:
            self._routes(form.candidates, "form.which")
        else:
            shown: Callable[[], None] = getattr(self, f"_{asks.replace('-', '_')}", self._choice)
            shown()
        self.add_widget(tap(self.say("cancel"), page.cancel))
        if not form.candidates:
            self._verdict()

    def grid(self, cols: int, widgets: Iterable[Any]) -> None:
        every = list(widgets)
        self.add_widget(Grid(*every, cols=min(cols, len(every))))

    def set(self, field: str, value: Any) -> None:
        self.form.set(field, value)
        self.page.fill()

    def _quick(self, **told: str) -> None:
        """The one thing that such an action tells: if the referee agrees, it is done with this tap."""
        for field, value in told.items():
            self.form.set(field, value)
        verdict = try_verdict(self.form)
        if isinstance(verdict, Verdict) and verdict.legal and not self.form.other_cards:
            self.page.confirm()
        else:
            self.page.fill()

    def _do(self, change: Callable[[], Any]) -> None:
        change()
        self.page.fill()

    def _ready(self) -> None:
        self.add_widget(Text(text=self.say(f"form.{self.form.kind}")))

    def _route(self) -> None:
        self.add_widget(Text(text=self.say("form.tap-route")))
        search = Entry(hint_text=self.say("form.search"))
        found = Column()
        search.bind(text=lambda _, text: self._found(found, text))
        self.add_widget(search)
        self.add_widget(found)

    def _found(self, into: Column, text: str) -> None:
        into.clear_widgets()
        for route in self.page.model.search(text) if text.strip() else ():
            into.add_widget(self._route_tap(route.id))

    def _route_tap(self, route: str) -> Any:
        return tap(self.page.model.route_name(route), lambda: self.set("route", route), halign="left")

    def _routes(self, routes: Iterable[str], key: str) -> None:
        self.add_widget(Text(text=self.say(key)))
        for route in routes:
            self.add_widget(self._route_tap(route))

    def _city(self) -> None:
        self.add_widget(Text(text=self.say("form.tap-city")))
        search = Entry(hint_text=self.say("form.search"))
        found = Column()

        def narrow(_: Any, text: str) -> None:
            found.clear_widgets()
            for city in self.page.model.board.find_cities(text)[:6]:
                name = city.label(self.desk.language)
                found.add_widget(tap(name, partial(self.set, "city", city.id), halign="left"))

        search.bind(text=narrow)
        self.add_widget(search)
        self.add_widget(found)
        city = self.form.data.get("city")
        if city:
            self.add_widget(Heading(text=self.page.model.board.cities[city].label(self.desk.language)))

    def _technology(self) -> None:
        position = self.form.position
        for tech in position.variant.technology_ids(position.board):
            card = position.board.technologies[tech]
            about = self.say("form.technology", n=card.locomotives, left=on_sale(position, tech))
            text = two_lines(card.name(self.desk.language), about)
            self.add_widget(tap(text, partial(self._quick, technology=tech), halign="left"))
        switch = partial(setattr, self.form, "other_cards")
        self.add_widget(Toggle(self.say("form.other-cards"), self.form.other_cards, switch))

    def _cards(self) -> None:
        """What is paid: taps lay cards, taps on laid cards take them back."""
        form, board = self.form, self.form.position.board
        for field in ("route", "city", "technology"):
            value = form.data.get(field)
            if field == "route" and value:
                self.add_widget(Text(text=self.page.model.route_name(value), bold=True))
            elif field == "city" and value:
                self.add_widget(Text(text=board.cities[value].label(self.desk.language), bold=True))
            elif value:
                self.add_widget(Text(text=board.technologies[value].name(self.desk.language), bold=True))
        self._pile()

    def _extra(self) -> None:
        for turned in self.form.counted:
            why = Quiet(text=self.tell(turned.why), pos_hint={"center_y": 0.5})
            self.add_widget(Row(Swatch(turned.card, card=True), why))
        self.add_widget(Text(text=self.say("form.extra", more=self._more()), bold=True))
        self._pile()

    def _more(self) -> str:
        """What the turned-up cards ask for, in words."""
        n, color = self.form.due, self.form.paid_color
        if not n:
            return self.say("form.no-extra")
        if color is None:
            return self.say("form.more-locomotives", n=n)
        return self.say("form.more-of", n=n, color=message(f"words.{color}"))

    def _pile(self) -> None:
        form = self.form
        pile = form.pile
        if form.singles:
            self.add_widget(Quiet(text=self.say("form.shown")))
            self.grid(2, [self._single(i) for i in range(len(form.singles))])
            self._doubts()
        elif pile:
            self.add_widget(Quiet(text=self.say("form.laid")))
            self.grid(min(2, len(pile)), [self._card(c, partial(form.unlay, c), n) for c, n in pile.items()])
        else:
            self.add_widget(Quiet(text=self.say("form.lay")))
        self.add_widget(tap(self.say("form.snap-cards"), self.page.snap_cards, sign=CAMERA))
        self.add_widget(Quiet(text=self.say("form.also" if form.singles else "form.cards")))
        self.grid(3, [self._card(c, partial(form.lay, c)) for c in form.payable()])

    def _single(self, at: int, about: str = "") -> Row:
        """A card as it lies there: a tap makes it the next likely one, the cross takes it away."""
        card = self.form.singles[at]
        found = self._card(card.color, partial(self.form.change, at))
        found.kind = "soft"
        if card.doubtful:
            found.doubt(self.desk.look)
            about = self._sure(round(100 * card.confidence), about)
        if about:
            found.text = two_lines(found.text, about)
        gone = IconTap("✕", f"drop-{at}", lambda: self._do(partial(self.form.drop, at)))
        return Row(found, gone, spacing=0)

    def _sure(self, percent: int, about: str) -> str:
        """How sure a card is; in words where there is room for them."""
        return f"{self.say('form.sure', n=percent)} · {about}" if about else f"{percent}\u00a0%"

    def _doubts(self) -> None:
        """Told beside the referee's word; the button stands below the cards, so that they stay where they are."""
        n = self.form.doubts
        if n:
            self.bottom.add_widget(Text(text=self.say("form.doubtful", n=n)))
            self.add_widget(tap(self.say("form.agree", n=n), partial(self._do, self.form.agree), "soft", sign="✓"))

    def _card(self, card: str, do: Callable[[], Any], n: int = 0) -> ColorTap:
        word = self.say("loco") if card == LOCOMOTIVE else self.word(card)
        text = f"[b]{n} ×[/b] {word}" if n else word
        found = ColorTap(card, text, lambda: self._do(do), card=True, kind="soft" if n else "button")
        # Three of them stand side by side on the narrowest phone.
        found.inset, found.spacing = 5, dp(5)
        found.label.font_size = sp(13)
        return found

    def _revealed(self) -> None:
        form = self.form
        wanted = form.turn_up
        left = wanted - len(form.turned)
        if not form.turned:
            self.add_widget(Text(text=self.say("form.turn-up", n=wanted), bold=True))
        else:
            self.add_widget(Quiet(text=self.say("form.turned")))
            for i, turned in enumerate(form.counted):
                self.add_widget(self._single(i, self.tell(turned.why)))
            self._doubts()
        if left < 0:
            self._box("bad", self.say("form.too-many", n=len(form.turned), wanted=wanted))
        elif left:
            self.add_widget(tap(self.say("form.snap-cards"), self.page.snap_cards, sign=CAMERA))
            every = (*form.position.board.cards.colors, LOCOMOTIVE)
            self.grid(3, [self._card(c, partial(form.turn, c)) for c in every])
            self.add_widget(tap(self.say("form.no-more"), self.page.confirm))
        else:
            self._box("soft", self._more())
            self.bottom.add_widget(tap(self.say("form.go-on"), self.page.confirm, "primary", bold=True))
            self.add_widget(tap(self.say("form.snap-cards"), self.page.snap_cards, sign=CAMERA))

    def _draw(self) -> None:
        form = self.form
        cards: list[dict[str, str]] = form.data["cards"]

        def add(card: dict[str, str]) -> None:
            form.data["cards"] = [*cards, card]

        def drop(at: int) -> None:
            form.data["cards"] = [c for i, c in enumerate(cards) if i != at]

        self.add_widget(Quiet(text=self.say("form.drawn")))
        for i, card in enumerate(cards):
            word = self.word(card["card"]) if card["from"] == "table" else ""
            text = self.say("form.from-table", card=word) if word else self.say("form.from-deck")
            self.add_widget(tap(text, partial(self._do, partial(drop, i)), "soft"))
        self.add_widget(Quiet(text=self.say("form.draw-more")))
        self.add_widget(tap(self.say("form.from-deck"), lambda: self._do(lambda: add({"from": "deck"}))))
        every = (*form.position.board.cards.colors, LOCOMOTIVE)
        self.grid(3, [self._card(c, partial(add, {"from": "table", "card": c})) for c in every])

    def _kept(self) -> None:
        form = self.form
        self.add_widget(Text(text=self.say("form.kept", n=form.data["drawn"])))
        row = Row()
        for n in range(1, form.data["drawn"] + 1):
            chosen = n == form.data["kept"]
            row.add_widget(tap(str(n), partial(self.set, "kept", n), "chosen" if chosen else "button"))
        self.add_widget(row)

    def _tickets(self) -> None:
        self.add_widget(Text(text=self.say("form.reveal")))
        position = self.form.position
        for told in self.form.data["tickets"]:
            ticket = find_ticket(told, position.board, position.variant, position.tickets)
            if isinstance(ticket, Ticket):
                self.add_widget(Text(text="• " + words.ticket(position.board, ticket, self.desk.language)))
        self.add_widget(tap(self.say("tickets.add"), self.page.pick_ticket))

    def _company(self) -> None:
        board = self.form.position.board
        for company in board.routes[self.form.data["route"]].companies:
            name = board.companies[company].name
            self.add_widget(tap(name, partial(self._quick, company=company), halign="left"))

    def _token(self) -> None:
        position = self.form.position
        tokens = running(position).tokens or {}
        kinds = position.board.tourist_tokens.kinds if position.board.tourist_tokens else 0
        for place in position.board.routes[self.form.data["route"]].ends:
            name = position.board.cities[place].label(self.desk.language)
            self.add_widget(Text(text=self.say("form.token", place=name)))
            offered = list(tokens.get(place, {})) or [str(k) for k in range(1, kinds + 1)]
            self.grid(4, [tap(kind, partial(self._quick, kind=kind, place=place)) for kind in offered])

    def _owner(self) -> None:
        for player in self.form.position.players:
            self.add_widget(tap(player.name, partial(self._quick, owner=player.name)))

    def _choice(self) -> None:
        """Something the referee asked for, with its choices."""
        need = self.form.need
        self.add_widget(Text(text=self.say(f"need.{need}"), bold=True))
        told = self.form.verdict().needs.get(need, ())
        for choice in told if isinstance(told, list) else ():
            name = self.say(f"stack.{choice}") if need == "to" else choice
            companies = self.form.position.board.companies
            name = companies[choice].name if choice in companies else name
            self.add_widget(tap(name, partial(self._answer, choice)))

    def _answer(self, value: Any) -> None:
        self.form.answer_need(value)
        self.page.confirm()

    def _verdict(self) -> None:
        """Green with the points, or red with the reason; the rule is behind a tap."""
        if self.form.need in _CHOICES:
            return
        told = try_verdict(self.form)
        if told is None:
            return
        if isinstance(told, Trouble):
            self._box("bad", self.tell(told))
        elif told.legal:
            self._yes(told)
        else:
            self._no(told)
        if self.form.need == "extra":
            self.bottom.add_widget(tap(self.say("form.give-up"), self.page.give_up))

    def _box(self, kind: str, text: str) -> Panel:
        box = Panel(kind=kind)
        box.add_widget(Text(text=text, ink_of=kind, bold=True))
        self.bottom.add_widget(box)
        return box

    def _yes(self, verdict: Verdict) -> None:
        text = self.say("verdict.yes")
        if verdict.points:
            text += " " + self.say("table.scored", n=verdict.points)
        self._box("good", text)
        for trust in verdict.trust:
            self.bottom.add_widget(Quiet(text=self.tell(message("verdict.on-trust", what=trust))))
        self.bottom.add_widget(tap(self.say(f"confirm.{self.form.kind}"), self.page.confirm, "primary", bold=True))

    def _no(self, verdict: Verdict) -> None:
        for reason in verdict.reasons:
            box = self._box("bad", self.tell(reason.message))
            box.add_widget(tap(self.say("verdict.rule"), partial(self._show_rule, reason.rule), "panel"))
        self.bottom.add_widget(tap(self.say("verdict.accept"), self._accept))

    def _show_rule(self, rule: str) -> None:
        told = [self.say(f"rule.{key}") for key in rule_keys(rule)]
        self.page.app.tell("\n\n".join(told))

    def _accept(self) -> None:
        answers = [
            (self.say("verdict.accept"), lambda: self.page.confirm(accept=True), "bad"),
            (self.say("cancel"), None, "button"),
        ]
        self.page.app.ask(self.say("verdict.accept-ask"), answers)


def rule_keys(rule: str) -> list[str]:
    """The catalogue's names of what stands under a heading of the rules.

    >>> rule_keys(Rule.TUNNEL)
    ['tunnel']
    """
    return [name.lower().replace("_", "-") for name, heading in vars(Rule).items() if heading == rule]
