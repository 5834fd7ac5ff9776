"""What the app remembers between games: language, look, and who played last. One small JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any  # Any: JSON

from maps import LANGUAGES, Trouble, user_folder
from maps.disk import write_whole

# How large words can be made.
TEXT_SIZES = (1.0, 1.2, 1.4, 1.6)


@dataclass(frozen=True)
class Seat:
    """Who sits there: a name and a wagon colour; in teams partners share the colour."""

    name: str = ""
    color: str = ""


@dataclass(frozen=True)
class Settings:
    """`language` empty, `look` "system": as the system has it. `record`: each snap is kept with its corrected truth."""

    language: str = ""
    look: str = "system"
    record: bool = False
    seats: tuple[Seat, ...] = ()
    variant: str = "europe"
    modules: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    # How a game is kept: "claims" tells only what is laid on the board, "turns" every turn with its cards.
    keeping: str = "turns"
    # What a watched game says: aloud, by a sound, in large letters.
    watch_voice: bool = True
    watch_sound: bool = True
    watch_picture: bool = True
    # Hints that somebody has read and put away.
    hints: tuple[str, ...] = ()
    # The journal of the game that goes on, as a file name.
    game: str = ""
    # How large words are, as a share of what the system has; and what moves, sounds and shakes.
    text: float = 1.0
    motion: bool = True
    sound: bool = True
    vibration: bool = True


def home() -> Path:
    """Where games, settings and recordings lie; `COMPANION_HOME` moves it."""
    return user_folder().parent


def load_settings(folder: Path | None = None) -> Settings:
    """What was kept; anything that can't be read is as on the first day."""
    try:
        data = json.loads(_file(folder).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Settings()
    return _read(data) if isinstance(data, dict) else Settings()


def _read(data: dict[str, Any]) -> Settings:
    known: dict[str, Any] = {}
    for f in fields(Settings):
        value = data.get(f.name)
        if f.name == "seats" and isinstance(value, list):
            rows = [s for s in value if isinstance(s, dict)]
            known["seats"] = tuple(Seat(str(s.get("name", "")), str(s.get("color", ""))) for s in rows)
        elif isinstance(f.default, tuple) and isinstance(value, list):
            known[f.name] = tuple(str(v) for v in value)
        elif type(value) is type(f.default):
            known[f.name] = value
    settings = Settings(**known)
    if settings.text not in TEXT_SIZES:
        settings = replace(settings, text=1.0)
    return settings if settings.language in ("", *LANGUAGES) else replace(settings, language="")


def save_settings(settings: Settings, folder: Path | None = None) -> None:
    """Keeps them; Trouble if they can't be written, and the old ones stay."""
    file = _file(folder)
    try:
        write_whole(file, json.dumps(asdict(settings), indent=1))
    except OSError as error:
        raise Trouble("settings-not-written", file=str(file), reason=error.strerror or str(error)) from error


def _file(folder: Path | None) -> Path:
    return (folder or home()) / "settings.json"
