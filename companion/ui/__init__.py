"""The app: Kivy screens over plain Python models. Importing this only tells Kivy to keep quiet; `window.run` opens."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

# Before any screen loads OpenCV: what it solves, it solves with one thread.
import vision as vision

# Kivy reads these when it is first imported: no arguments of its own, no log files, no settings of its own.
os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_NO_CONFIG", "1")
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")
# Kivy's other windows end the whole program where there is no screen.
os.environ.setdefault("KIVY_WINDOW", "sdl2")
if "ANDROID_ARGUMENT" not in os.environ:
    os.environ.setdefault("KIVY_HOME", str(Path(tempfile.gettempdir()) / "companion-kivy"))
if not os.environ.get("COMPANION_DEBUG"):
    logging.getLogger("kivy").addHandler(logging.NullHandler())
    logging.getLogger("kivy").propagate = False
