"""The panel of one action: the field that is asked, the referee's word, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from kivy.metrics import dp, sp

from companion import words
from companion.ui.models.forms import Form, Verdict, try_verdict
from companion.ui.pages.page import in_parts, tap, two_lines
from companion.ui.pages.rules import show_rule
from companion.ui.widgets.base import (
    CAMERA,
    Brief,
    Column,
    Entry,
    Foot,
    Grid,
    Heading,
    IconTap,
    Panel,
    Quiet,
    Row,
    Text,
)
from companion.ui.widgets.pieces import CardSlot, ColorTap, Swatch
from maps import LOCOMOTIVE, Trouble, message

if TYPE_CHECKING:
    from kivy.uix.widget import Widget

    from companion.ui.pages.table import TablePage

_CHOICES = ("warehouse", "to", "neutral", "rack")
# Card slots side by side; more stand in further rows.
_SLOTS_A_ROW = 8


class FormPanel(Column):
    """Made anew after every tap. The referee's word stands in `bottom`, always in sight."""

    # Reasons and the like; where the buttons below them stay in their place, long ones are scrolled.
    _said: Column | None = None

    def __init__(self, page: TablePage, form: Form, bottom: Column) -> None:
        super().__init__()
        self.page, self.form, self.desk, self.bottom = page, form, page.desk, bottom
        self.say, self.tell, self.word = page.say, page.tell, page.word
        who = form.player if page.model.keeps_turns else ""
        title = self.say(f"ask.opening.{form.kind}") if form.required else self.say(f"do.{form.kind}")
        # Where words are large, the cards need the room.
        kind = Text if page.tight else Heading
        self.add_widget(kind(text=f"{title} · {who}" if who else title, bold=True))
        if form.candidates and not form.need:
            self._routes(form.candidates, "form.which")
        elif form.held:
            name = words.route(form.position.board, form.data["route"], self.desk.language)
            self.add_widget(Text(text=name, bold=True))
            self._taken()
        elif not page.model.keeps_turns and form.asks in ("cards", "route", "city") and self._placed():
            self._who()
        else:
            self._shown.get(form.asks, self._choice)()
        if form.optional:
            self.add_widget(tap(self.say(f"no.{form.kind}"), page.decline))
        elif not form.required:
            self.add_widget(tap(self.say("cancel"), page.cancel))
        if form.candidates or form.held or (form.required and form.asks == "kept"):
            return
        if page.model.keeps_turns or form.optional or form.required or form.refused:
            self._verdict()

    @property
    def _shown(self) -> Mapping[str, Callable[[], None]]:
        """How each field is asked; what the referee asks for besides is a choice."""
        return {
            "ready": self._ready,
            "route": self._route,
            "city": self._city,
            "technology": self._technology,
            "cards": self._cards,
            "extra": self._extra,
            "revealed": self._revealed,
            "draw": self._draw,
            "kept": self._kept,
            "tickets": self._tickets,
            "company": self._company,
            "token": self._token,
            "owner": self._owner,
        }

    def _placed(self) -> bool:
        """Whether it is told where something was laid."""
        return bool(self.form.data.get("route") or (self.form.data.get("city") and self.form.kind != "claim"))

    def _who(self) -> None:
        """Only what is laid is told: whose is it? One tap, and it is recorded."""
        model, form = self.page.model, self.form
        name = str(form.data.get("route") or form.data["city"])
        self.add_widget(Text(text=words.spot(model.board, name, self.desk.language), bold=True))
        self.add_widget(Text(text=self.say("form.who")))
        grid = [ColorTap(r.color, r.name, partial(self.page.claim_for, self._seat(r.name))) for r in model.rows]
        self.grid(self.page.columns(2), grid)

    def _seat(self, name: str) -> str:
        player = self.form.position.player(name)
        return player.members[0] if player is not None and player.members else name

    def _taken(self) -> None:
        """Two players can't lie on the same spaces: the record may be wrong, the board can't."""
        self.add_widget(Text(text=self.say("form.taken", player=self.form.taken_by)))
        self.add_widget(Quiet(text=self.say("form.correct-owner")))
        rows = [r for r in self.page.model.rows if r.name != self.form.taken_by]
        taps = [ColorTap(r.color, r.name, partial(self.page.correct_owner, self._seat(r.name))) for r in rows]
        nobody = tap(self.say("form.nobody"), partial(self.page.correct_owner, None), halign="left")
        self.grid(self.page.columns(2), [*taps, nobody])

    def grid(self, cols: int, widgets: Iterable[object]) -> None:
        every = list(widgets)
        self.add_widget(Grid(*every, cols=min(cols, len(every))))

    def set(self, field: str, value: object) -> None:
        self.form.set(field, value)
        self.page.fill()

    def _quick(self, **told: object) -> None:
        """The one thing that such an action tells: if the referee agrees, it is done with this tap."""
        for field, value in told.items():
            self.form.set(field, value)
        verdict = try_verdict(self.form)
        if isinstance(verdict, Verdict) and verdict.legal:
            self.page.confirm()
        else:
            self.page.fill()

    def _do(self, change: Callable[[], object]) -> None:
        change()
        self.page.fill()

    def _ready(self) -> None:
        self.add_widget(Text(text=self.say(f"form.{self.form.kind}")))

    def _route(self) -> None:
        self.add_widget(Text(text=self.say("form.tap-route")))
        search = Entry(hint_text=self.say("form.search"))
        found = Column()
        search.bind(text=lambda _, text: self._found(found, text), on_text_validate=lambda _: _only(found))
        self.add_widget(search)
        self.add_widget(found)

    def _found(self, into: Column, text: str) -> None:
        into.clear_widgets()
        for route in self.page.model.search(text) if text.strip() else ():
            into.add_widget(self._route_tap(route.id))

    def _route_tap(self, route: str, n: int = 0) -> ColorTap:
        """A route with its colour, and its number on the map: of two parallel tracks each can be told apart."""
        color, name = self.page.model.board.routes[route].color, self.page.model.route_name(route)
        return ColorTap(color, f"{n}. {name}" if n else name, lambda: self.set("route", route), card=True)

    def _routes(self, routes: Iterable[str], key: str) -> None:
        self.add_widget(Text(text=self.say(key)))
        for n, route in enumerate(routes, start=1):
            self.add_widget(self._route_tap(route, n))

    def _city(self) -> None:
        if self.form.kind == "lay-tokens":
            self.add_widget(Text(text=self.say("form.lay-tokens", player=self.form.player, n=self.form.pile_to_lay)))
        self.add_widget(Text(text=self.say("form.tap-city")))
        search = Entry(hint_text=self.say("form.search"))
        found = Column()

        def narrow(_: object, text: str) -> None:
            found.clear_widgets()
            for city in self.page.model.board.find_cities(text)[:6]:
                name = city.label(self.desk.language)
                found.add_widget(tap(name, partial(self.set, "city", city.id), halign="left"))

        search.bind(text=narrow, on_text_validate=lambda _: _only(found))
        self.add_widget(search)
        self.add_widget(found)
        city = self.form.data.get("city")
        if city:
            self.add_widget(Heading(text=self.page.model.board.cities[city].label(self.desk.language)))

    def _technology(self) -> None:
        for ware in self.form.wares(self.desk.language):
            price = self.say("form.technology", n=ware.price, left=ware.left)
            text = two_lines(in_parts(ware.name, *price.split(" · ")), ware.about)
            self.add_widget(tap(text, partial(self.set, "technology", ware.id), halign="left"))

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
        """Slots that never move, the cards below them; what a photo told comes after both."""
        form = self.form
        self.add_widget(Quiet(text=self.say("form.laid" if form.pile else "form.lay")))
        laid = [card for card, n in form.pile.items() for _ in range(n)]
        self._slots(laid, lambda at: form.unlay(laid[at]))
        self.grid(2 if self.page.tight else 3, [self._card(c, partial(self._lay, c)) for c in form.payable()])
        self.add_widget(tap(self.say("form.snap-cards"), self.page.snap_cards, sign=CAMERA))
        self._seen_by_camera()

    def _lay(self, card: str) -> None:
        """A price of one card, of which the table said the rest: it is paid with this tap."""
        price = self.form.price()
        self.form.lay(card)
        if self.form.kind == "station" and price is not None and price.cards == 1 and self.form.pile:
            verdict = try_verdict(self.form)
            if isinstance(verdict, Verdict) and verdict.complete:
                self.page.confirm()

    def _seen_by_camera(self) -> None:
        if self.form.singles:
            self.add_widget(Quiet(text=self.say("form.shown")))
            self.grid(2, [self._single(i) for i in range(len(self.form.singles))])
            self._doubts()

    def _slots(self, cards: list[str], take_back: Callable[[int], None]) -> None:
        """One place for each card: filled from the left, tapped to take it back."""
        n = max(self.form.slots, len(cards))
        slots = Grid(cols=min(n, _SLOTS_A_ROW) or 1, spacing=dp(4))
        for i in range(n):
            card = cards[i] if i < len(cards) else ""
            slots.add_widget(CardSlot(card, partial(self._do, partial(take_back, i)) if card else None))
        self.add_widget(slots)

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
            self._add_said(Text(text=self.say("form.doubtful", n=n)))
            self.add_widget(tap(self.say("form.agree", n=n), partial(self._do, self.form.agree), "soft", sign="✓"))

    def _card(self, card: str, do: Callable[[], object], n: int = 0) -> ColorTap:
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
        self.add_widget(Quiet(text=self.say("form.turn-up", n=wanted)))
        self._slots(form.turned, form.drop)
        every = (*form.position.board.cards.colors, LOCOMOTIVE)
        self.grid(2 if self.page.tight else 3, [self._card(c, partial(form.turn, c)) for c in every])
        self.add_widget(tap(self.say("form.snap-cards"), self.page.snap_cards, sign=CAMERA))
        for i, turned in enumerate(form.counted):
            self.add_widget(self._single(i, self.tell(turned.why)))
        self._doubts()
        if left < 0:
            self._box("bad", self.say("form.too-many", n=len(form.turned), wanted=wanted))
        elif left:
            self.add_widget(tap(self.say("form.no-more"), self.page.confirm))
        else:
            self._box("soft", self._more())
            self.bottom.add_widget(tap(self.say("form.go-on"), self.page.confirm, "primary", bold=True))

    def _draw(self) -> None:
        """Slots for the cards of a turn; once they are full, and the referee agrees, the turn is told."""
        form = self.form
        cards: list[dict[str, str]] = form.data["cards"]
        self.add_widget(Quiet(text=self.say("form.drawn")))
        shown = [card["card"] if card["from"] == "table" else "deck" for card in cards]
        self._slots(shown, form.undraw)
        every = (*form.position.board.cards.colors, LOCOMOTIVE)
        taps = [self._card(c, partial(self._drawn, c)) for c in every]
        self.grid(2 if self.page.tight else 3, taps)
        self.add_widget(tap(self.say("form.from-deck"), lambda: self._drawn(None), sign="▮"))

    def _drawn(self, card: str | None) -> None:
        self.form.draw(card)
        verdict = try_verdict(self.form)
        if self.form.draw_done and isinstance(verdict, Verdict) and verdict.legal:
            self.page.confirm()
        else:
            self.page.fill()

    def _kept(self) -> None:
        form = self.form
        self.add_widget(Text(text=self.say("form.kept", n=form.data["drawn"])))
        row = Row()
        for n in form.kept_choices():
            chosen = n == form.data["kept"] and not form.required
            do = partial(self._quick, kept=n) if form.required else partial(self.set, "kept", n)
            row.add_widget(tap(str(n), do, "chosen" if chosen else "button"))
        self.add_widget(row)

    def _tickets(self) -> None:
        self.add_widget(Text(text=self.say("form.reveal")))
        for ticket in self.form.revealed_tickets():
            told = words.ticket(self.form.position.board, ticket, self.desk.language)
            self.add_widget(Text(text="• " + told))
        self.add_widget(tap(self.say("tickets.add"), self.page.pick_ticket))

    def _company(self) -> None:
        board = self.form.position.board
        offered = self.form.options("company") or board.routes[self.form.data["route"]].companies
        for company in offered:
            name = board.companies[company].name
            self.add_widget(tap(name, partial(self._quick, company=company), halign="left"))

    def _token(self) -> None:
        for place, kinds in self.form.tokens().items():
            name = words.place(self.form.position.board, place, self.desk.language)
            piles = [(kind, self.form.pile_of(kind)) for kind in kinds]
            if all(pile == place for _, pile in piles):
                # Every kind has its pile: the place says all.
                for kind in kinds:
                    self.add_widget(tap(name, partial(self._quick, kind=kind, place=place), halign="left"))
                continue
            self.add_widget(Text(text=self.say("form.token", place=name)))
            self.grid(4, [tap(kind, partial(self._quick, kind=kind, place=place)) for kind in kinds])

    def _owner(self) -> None:
        every = [p.name for p in self.form.position.players]
        for owner in self.form.options("owner") or every:
            self.add_widget(tap(owner, partial(self._quick, owner=owner)))

    def _choice(self) -> None:
        """Something the referee asked for, with its choices; or a question of a part that has no picture of its own."""
        need = self.form.need
        if not need:
            for choice in self.form.choices:
                self.add_widget(
                    tap(self._named(choice), partial(self._quick, **{self.form.json_name(self.form.asks): choice}))
                )
            return
        self.add_widget(Text(text=self.say(f"need.{need}"), bold=True))
        told = self.form.verdict().needs.get(need, ())
        if need == "rack":
            # Which ticket it is stays between the partners.
            self.add_widget(tap(self.say("need.rack-there"), partial(self._answer, told), "primary", bold=True))
        for choice in told if isinstance(told, list) else ():
            name = self.say(f"stack.{choice}") if need == "to" else choice
            companies = self.form.position.board.companies
            name = companies[choice].name if choice in companies else name
            self.add_widget(tap(name, partial(self._answer, choice)))

    def _named(self, choice: object) -> str:
        """A route, place, company, card or player as players say it."""
        board, name = self.form.position.board, str(choice)
        if name in board.routes or name in board.cities:
            return words.spot(board, name, self.desk.language)
        if name in board.companies:
            return board.companies[name].name
        return self.word(name) if name in (*board.cards.colors, LOCOMOTIVE) else name

    def _answer(self, value: object) -> None:
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
            # Not where "go on" was a moment ago: above, among the cards.
            self.add_widget(tap(self.say("form.give-up"), self.page.give_up))

    def _box(self, kind: str, text: str) -> Panel:
        box = Panel(kind=kind)
        box.add_widget(Text(text=text, ink_of=kind, bold=True))
        self._add_said(box)
        return box

    def _add_said(self, widget: Widget) -> None:
        if self._said is None:
            self._said = Column()
            self.bottom.add_widget(Brief(self._said) if isinstance(self.bottom, Foot) else self._said)
        self._said.add_widget(widget)

    def _yes(self, verdict: Verdict) -> None:
        text = self.say("verdict.yes")
        if verdict.points:
            text += " " + self.say("table.scored", n=verdict.points)
        self._box("good", text)
        for trust in verdict.trust:
            self._add_said(Quiet(text=self.tell(message("verdict.on-trust", what=trust))))
        self.bottom.add_widget(tap(self.say(f"confirm.{self.form.kind}"), self.page.confirm, "primary", bold=True))

    def _no(self, verdict: Verdict) -> None:
        self.page.refused(self.form)
        for reason in verdict.reasons:
            box = self._box("bad", self.tell(reason.message))
            box.add_widget(tap(self.say("verdict.rule"), partial(self._show_rule, reason.rule.id), "panel"))
        self.bottom.add_widget(tap(self.say("verdict.accept"), self._accept))

    def _show_rule(self, rule: str) -> None:
        show_rule(self.page, self.page.model.game, rule)

    def _accept(self) -> None:
        answers = [
            (self.say("verdict.accept"), lambda: self.page.confirm(accept=True), "bad"),
            (self.say("cancel"), None, "primary"),
        ]
        self.page.app.ask(self.say("verdict.accept-ask"), answers)


def _only(found: Column) -> None:
    """Enter takes the only answer that is left."""
    if len(found.children) == 1:
        found.children[0].dispatch("on_release")
