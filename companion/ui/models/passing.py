"""A game from phone to phone: its codes one after the other on this screen, and codes scanned from another one."""

from __future__ import annotations

from companion.table.parcel import Parcel
from companion.ui import services
from companion.ui.desk import Desk
from maps import Trouble

# More numbers of missing codes nobody reads.
_NAMED = 4


class Sending:
    """The codes of a game; they go round until the other phone has them all."""

    def __init__(self, desk: Desk, parcel: Parcel) -> None:
        self.desk = desk
        self.codes = services.pack(parcel.pack())
        self.at = 0

    def turn(self, step: int = 1) -> None:
        self.at = (self.at + step) % len(self.codes)

    @property
    def number(self) -> str:
        return self.desk.say("codes.nth", n=self.at + 1, all=len(self.codes))


class Receiving:
    """Codes as they are scanned, in any order and as often as they come. `told` says how far it is."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.texts: list[str] = []
        self.told = ""

    def see(self, texts: list[str]) -> Parcel | None:
        """Takes in what a picture holds; the game as soon as its last code is there."""
        for text in texts:
            self._take(text)
        if not self.texts or services.missing_codes(self.texts):
            return None
        try:
            return Parcel.unpack(services.unpack(self.texts))
        except Trouble as trouble:
            # Something in it was read wrongly, nobody knows what: all codes are scanned again.
            self.texts, self.told = [], self.desk.tell(trouble)
            return None

    def _take(self, text: str) -> None:
        part = services.code_part(text)
        first = services.code_part(self.texts[0]) if self.texts else None
        if part is None:
            self.told = self.desk.say("codes.stranger")
        elif first is not None and part.check != first.check:
            self.told = self.desk.say("codes.other-game", n=len(self.texts), all=first.of)
        else:
            if text not in self.texts:
                self.texts.append(text)
            left = services.missing_codes(self.texts)
            numbers = [str(n) for n in left[:_NAMED]]
            key = "codes.missing" if len(left) <= _NAMED else "codes.many-missing"
            self.told = self.desk.say(key, n=len(self.texts), all=part.of, numbers=numbers)
