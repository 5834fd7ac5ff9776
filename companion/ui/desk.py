"""The core of the app, without a widget: settings, words, the game that goes on, the camera, work beside the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any  # Any: JSON, settings by their names, what fills a sentence's gaps

from companion.lang import catalogue, say, system_language, tell
from companion.rules import Position, ScoreSheet
from companion.table.game import Game
from companion.table.history import History, PastGame, next_name, past_game
from companion.table.settings import home, load_settings, save_settings
from companion.table.unfinished import Unfinished
from companion.ui.camera import Camera, default_camera
from companion.ui.services import CameraReader, Maker, Reader, Shower, showing, watching
from companion.ui.system import System, default_system
from companion.ui.theme import LIGHT, LOOKS, Look
from companion.ui.voice import Player, Voice, default_voice
from companion.ui.work import Work
from maps import LOCOMOTIVES, Message, Trouble, WildCard

# In the journal of a game whose sheet is in the history: the name of that sheet (in older ones only true).
_COUNTED = "counted"
# The folder of the game to try things with.
_PRACTICE = "practice"


class Desk:
    """What every screen may ask for. It outlives all screens; what must outlive the app is on disk at once."""

    def __init__(
        self,
        folder: Path | None = None,
        camera: Camera | None = None,
        system: System | None = None,
        reader: Reader | None = None,
    ) -> None:
        self.folder = folder or home()
        self.settings = load_settings(self.folder)
        self.work = Work()
        self.history = History(self.folder / "history")
        self.unfinished = Unfinished(self.folder / "unfinished.json")
        self._scoring = Unfinished(self.folder / "scoring.json")
        self.camera = camera or default_camera(self.folder)
        self.system = system or default_system(self.folder)
        self.system.say = self.say
        self.reader: Reader = reader or CameraReader()
        self.watches: Maker = watching
        self.shows: Shower = showing
        # How what is said is heard: the app tells.
        self.plays: Player = lambda _: None
        self._voice: Voice | None = None
        self.clock: Callable[[], datetime] = datetime.now
        # Why settings could not be kept, until the player has heard of it.
        self.unsaved: Trouble | None = None
        # Whether a mouse does what fingers do on a phone: words say how a map is enlarged.
        self.mouse = False
        # How the system looks, once it was asked.
        self._system_look: str | None = None
        # Where pictures were last looked for.
        self.folder_of_pictures: Path | None = None
        # Files of games put aside that can't be read.
        self.damaged: tuple[str, ...] = ()
        self._game: Game | None = None
        self._practice: Game | None = None

    @property
    def voice(self) -> Voice:
        """What speaks here; found when it is first needed."""
        if self._voice is None:
            self._voice = default_voice(self.plays)
        return self._voice

    @voice.setter
    def voice(self, voice: Voice) -> None:
        self._voice = voice

    def hush(self) -> None:
        """Nothing more is said of what happened so far."""
        if self._voice is not None:
            self._voice.hush()

    @property
    def language(self) -> str:
        return self.settings.language or self.system.language or system_language()

    @property
    def look(self) -> Look:
        """The one that was chosen, else that of the system where it has one."""
        if self.settings.look in LOOKS:
            return LOOKS[self.settings.look]
        if self._system_look is None:
            self._system_look = self.system.look()
        return LOOKS.get(self._system_look, LIGHT)

    def system_looks(self, now: str) -> bool:
        """Takes note of how the system looks now; whether that changes how the app looks."""
        before = self.look
        self._system_look = now
        return self.look is not before

    def say(self, key: str, wild: WildCard = LOCOMOTIVES, /, **values: Any) -> str:
        """The app's own words: `app.` goes before the key. `wild`: what the board at hand calls its locomotives."""
        zoom = say("app.zoom.wheel" if self.mouse else "app.zoom.fingers", self.language)
        return unbroken(say(f"app.{key}", self.language, wild, **{"zoom": zoom, **values}))

    def tell(self, told: Message | Trouble, wild: WildCard = LOCOMOTIVES) -> str:
        """A message or trouble in the player's language."""
        return unbroken(tell(told.message if isinstance(told, Trouble) else told, self.language, wild))

    def word(self, name: str, wild: WildCard = LOCOMOTIVES) -> str:
        """A colour or card in the player's language, ready to stand alone; one that nobody knows stays as it is."""
        if f"words.{name}" not in catalogue(self.language):
            return capital(name)
        return capital(say(f"words.{name}", self.language, wild))

    def change(self, **changes: Any) -> None:
        """Changes settings and keeps them. A full disk stops nobody: they hold until the app is closed."""
        self.settings = replace(self.settings, **changes)
        try:
            save_settings(self.settings, self.folder)
        except Trouble as trouble:
            self.unsaved = trouble

    @property
    def game(self) -> Game | None:
        """The game that goes on, opened again if the app was closed meanwhile."""
        if self._game is None and self.settings.game:
            try:
                self._game = Game.open(self.folder / "games" / self.settings.game)
                self._game.clock = self.clock
            except Trouble:
                self.change(game="")
        return self._game

    def look_again(self) -> None:
        """Of a game that another window had open, whether it is free by now."""
        if self._game is not None and self._game.journal.closed:
            self._leave()

    def begin(self, make: Callable[[Path], Game]) -> Game:
        """Starts a game under a new name; it is the one that goes on from now."""
        games = self.folder / "games"
        name = next_name(self.clock(), (file.stem for file in games.glob("*.jsonl"))) + ".jsonl"
        game = make(games / name)
        self._leave()
        self._game = game
        game.clock = self.clock
        self.change(game=name)
        return self._game

    def practise(self, make: Callable[[Path], Game]) -> Game:
        """A game to try things with, beside those of this table; the one before it is gone."""
        if self._practice is not None:
            self._practice.close()
        path = self.folder / _PRACTICE / "game.jsonl"
        path.unlink(missing_ok=True)
        self._practice = make(path)
        return self._practice

    def is_practice(self, game: Game) -> bool:
        """Whether nobody wants to find it in the history."""
        return game.journal.path.parent == self.folder / _PRACTICE

    @property
    def scoring(self) -> Mapping[str, Any] | None:
        """A sheet that is being prepared: everything told so far."""
        return next((data for _, data in self._scoring.screens()), None)

    def keep_scoring(self, data: Mapping[str, Any] | None) -> None:
        """Keeps it, or forgets it."""
        self._scoring.keep([("finish", data)] if data is not None else [])

    def past(self, position: Position, sheet: ScoreSheet, first: str = "") -> PastGame:
        """A finished game as it would be kept in the history; `first`: who began, where that is known."""
        return past_game(position, sheet, self.clock(), self.history.ids(), first)

    def put_away(self, past: str) -> None:
        """The game is over and its sheet kept in the history: it can still be gone on with from there."""
        # On a full disk it is only listed as not finished.
        with suppress(Trouble):
            if self._game is not None:
                self._game.journal.append({_COUNTED: past})
        self._leave()
        self.change(game="")

    def aside(self) -> list[Game]:
        """Games that were begun and neither counted nor go on now, the newest first; `damaged` names other files."""
        found, damaged = [], []
        for file in sorted((self.folder / "games").glob("*.jsonl"), reverse=True):
            try:
                game = None if file.name == self.settings.game else Game.read(file)
            except Exception:
                # Whatever is wrong with one file, the others are listed.
                damaged.append(file.name)
                continue
            if game is not None and not _counted_as(game):
                found.append(game)
        self.damaged = tuple(damaged)
        return found

    def game_of(self, past: str) -> Game | None:
        """The game that a sheet of the history was counted from, None if it was not refereed here."""
        for file in sorted((self.folder / "games").glob("*.jsonl"), reverse=True):
            try:
                game = Game.read(file)
            except Trouble:
                continue
            if _counted_as(game) == past:
                return game
        return None

    def go_on(self, game: Game) -> None:
        """Goes on with a game that was put aside; the one that went on is put aside."""
        self._leave()
        self.change(game=game.journal.path.name)
        if _counted_as(game) and self.game is not None:
            self.game.journal.append({_COUNTED: False})

    def drop(self, game: Game) -> None:
        """Deletes a game that was put aside; Trouble if another window plays it, or it can't be deleted."""
        game.journal.delete()

    def _leave(self) -> None:
        """Another window may go on with the game."""
        if self._game is not None:
            self._game.close()
        self._game = None

    def close(self) -> None:
        self._leave()
        if self._practice is not None:
            self._practice.close()
        self.work.close()
        self.camera.close()
        if self._voice is not None:
            self._voice.close()


def _counted_as(game: Game) -> str:
    """The sheet that a game was last counted as; empty where it was not, or was gone on with since."""
    told = [line[_COUNTED] for line in game.journal.lines if line.get(_COUNTED) is not None]
    return str(told[-1]) if told and told[-1] else ""


def capital(text: str) -> str:
    """Words that stand alone begin with a capital letter.

    >>> capital("blue depot")
    'Blue depot'
    """
    return text[:1].upper() + text[1:]


def unbroken(text: str) -> str:
    """Keeps French signs on the line of the word before them, and cards with how many they are.

    >>> unbroken("Quel plateau ?") == "Quel plateau\u00a0?"
    True
    >>> unbroken("2 × red") == "2\u00a0×\u00a0red"
    True
    """
    return re.sub(" (?=[;:?!»×])|(?<=[«×]) ", "\u00a0", text)
