"""Imports every module of the packed app and tells which there are, and which packages were refused on the way."""

import importlib
import json
import os
import sys
from pathlib import Path

os.environ["SDL_VIDEODRIVER"] = "offscreen"
app = Path(sys.argv[1])
from companion.ui.window import prepare, require  # noqa: E402

prepare()
require()
names = []
for file in sorted(app.rglob("*.pyc")):
    name = ".".join(file.relative_to(app).with_suffix("").parts).removesuffix(".__init__")
    if name in ("main", "sitecustomize"):
        continue
    module = importlib.import_module(name)
    if not str(module.__file__).startswith(str(app)):
        raise SystemExit(f"{name} comes from {module.__file__}")
    names.append(name)
refused = sorted(next(f for f in sys.meta_path if hasattr(f, "refused")).refused)
print(json.dumps({"imported": names, "refused": refused}))
