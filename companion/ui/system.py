"""What the system around the app does for it: its gallery, its share sheet, the room that its bars leave."""

from __future__ import annotations

import os
import webbrowser
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path

from maps import Trouble

# Left, top, right and bottom, in pixels.
Edges = tuple[float, float, float, float]
Picked = Callable[[Path | Trouble | None], None]


class System(ABC):
    """Each answer False: the system can't, the app shows a screen of its own. `language` empty: it doesn't say."""

    language = ""
    # The app's own words, for what the system shows in the app's name.
    say: Callable[[str], str] = staticmethod(str)
    # Whether the device can shake.
    shakes = False

    @abstractmethod
    def pick(self, kind: str, done: Picked) -> bool:
        """Lets a person choose a file of a kind (`image/*`); None if they changed their mind. Tells the main thread."""

    @abstractmethod
    def share(self, file: Path, kind: str, title: str) -> bool:
        """Offers a file to other apps."""

    def shake(self, milliseconds: int) -> None:
        """Lets the device shake for a moment, where it can."""
        del milliseconds

    def look(self) -> str:
        """How the system looks, `light` or `dark`; empty: it doesn't say."""
        return ""

    def open_link(self, address: str) -> bool:
        """Opens an address in the app that is meant for it; python-for-android has Python's way lead to the phone's."""
        return webbrowser.open(address)

    @abstractmethod
    def edges(self) -> Edges:
        """How much of the window lies below the system's bars."""


class Desktop(System):
    """Nothing but a window: the app's own screens do it all."""

    def pick(self, _kind: str, _done: Picked) -> bool:
        return False

    def share(self, _file: Path, _kind: str, _title: str) -> bool:
        return False

    def edges(self) -> Edges:
        return 0.0, 0.0, 0.0, 0.0


def on_android() -> bool:
    """python-for-android tells so."""
    return "ANDROID_ARGUMENT" in os.environ


def settle_in() -> None:
    """On a phone everything lies in the app's own folder, from where the file provider hands it out."""
    if on_android():
        os.environ.setdefault("COMPANION_HOME", str(Path(os.environ["ANDROID_PRIVATE"]) / "companion"))


def default_system(home: Path) -> System:
    """The phone's, or that of a desktop."""
    if not on_android():
        from companion.ui.desktop import DesktopSystem

        return DesktopSystem()
    from companion.ui.android.system import AndroidSystem

    return AndroidSystem(home)
