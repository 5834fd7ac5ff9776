"""Starts a script as on a phone: the packed app comes first, and only packages that the phone has can be imported.

Started with -S, so that no installed copy of the app is on the path: `blocked.py SITE APP SCRIPT ARGUMENTS...`.
"""

import runpy
import sys
from collections.abc import Sequence
from types import ModuleType

# Import names of what buildozer.spec asks for and python-for-android brings.
PHONE = {
    "PIL", "arabic_reshaper", "bidi", "certifi", "chardet", "cv2", "filetype", "idna", "kivy", "numpy", "platformdirs",
    "pyzbar", "requests", "six", "urllib3",
}  # fmt: skip
APP = {"companion", "main", "maps", "vision"}


class Blocked:
    """Refuses everything else, and remembers what was asked for."""

    def __init__(self) -> None:
        self.refused: set[str] = set()

    def find_spec(self, name: str, path: Sequence[str] | None, _target: ModuleType | None = None) -> None:
        top = name.partition(".")[0]
        if path is None and top not in (PHONE | APP) and top not in sys.stdlib_module_names:
            self.refused.add(top)
            raise ModuleNotFoundError(f"{name} is not on a phone", name=name)


def main() -> None:
    site, app, script, *arguments = sys.argv[1:]
    sys.path[:] = [app, *sys.path, site]
    sys.meta_path.insert(0, Blocked())
    sys.argv = [script, app, *arguments]
    runpy.run_path(script, run_name="__main__")


main()
