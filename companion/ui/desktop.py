"""What a desktop does for the app: its own window to choose a file, the program that shows one, the clipboard."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: crossfiledialog has no types

from kivy.clock import Clock

from companion.ui.camera import PICTURES
from companion.ui.system import Desktop, Picked
from maps import Trouble

# Endings by kind of file.
_ENDINGS = {"image/*": PICTURES, "application/json": (".json", ".csv")}


class DesktopSystem(Desktop):
    """`still`: nobody sits there, as in tests: no window of the system opens.

    `chooser` is crossfiledialog where it finds something to ask (zenity, kdialog, Windows, macOS); its calls wait for a
    person, so they run in a thread of their own.
    """

    def __init__(self, chooser: Any = None) -> None:
        self.still = False
        self._chooser = chooser
        self._folders: dict[str, Path] = {}

    def pick(self, kind: str, done: Picked) -> bool:
        chooser = self._chooser or (None if self.still else _chooser())
        if chooser is None:
            return False
        # Cameras write their endings in capitals too, and GTK's window tells them apart.
        endings = [f"*{written}" for e in _ENDINGS.get(kind, ()) for written in (e, e.upper())]
        title = self.say("desktop.choose-photo" if kind.startswith("image/") else "desktop.choose-file")
        # Where the last one was found the next one may be.
        folder = str(self._folders.get(kind) or _start(kind))

        def ask() -> None:
            found: Path | Trouble | None
            try:
                told = chooser.open_file(title=title, start_dir=folder, filter=endings or None)
                found = Path(told) if told else None
            except Exception:
                # Whatever the system's window stumbled over: nothing was chosen, our own screen is still there.
                found = None
            _later(lambda: self._picked(kind, found, done))

        threading.Thread(target=ask, name="file dialog", daemon=True).start()
        return True

    def _picked(self, kind: str, found: Path | None, done: Picked) -> None:
        if found is not None:
            self._folders[kind] = found.parent
        done(found)

    def share(self, file: Path, _kind: str, _title: str) -> bool:
        """Opens it with the program that the desktop has for it."""
        return not self.still and _open(file)

    def look(self) -> str:
        """Asked of darkdetect, which the phone has not: loaded only when it is needed."""
        if self.still:
            return ""
        try:
            import darkdetect
        except ImportError:
            return ""
        return str(darkdetect.theme() or "").lower()

    def open_link(self, address: str) -> bool:
        return not self.still and super().open_link(address)


def _start(kind: str) -> Path:
    from companion.ui.pages.snap import gallery_folder

    return gallery_folder() if kind.startswith("image/") else Path.home()


def _chooser() -> Any:
    """None where the system has no window for it."""
    try:
        import crossfiledialog
    except Exception:
        # It raises when it is loaded where it finds neither zenity nor kdialog.
        return None
    return crossfiledialog


def _open(file: Path) -> bool:
    if sys.platform == "win32":
        os.startfile(file)  # noqa: S606 a picture or page that we have just written
        return True
    program = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if program is None:
        return False
    subprocess.Popen([program, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return True


def _later(do: Callable[[], object]) -> None:
    """Soon, on the main thread."""
    Clock.schedule_once(lambda _: do(), 0)
