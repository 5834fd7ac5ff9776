"""What Android has of the Java that the app reaches: a file of facts, made from a description of the platform.

`python -m package.platform TYPES [NAME ...]` writes `platform.json` anew from the npm package
@nativescript/types-android, unpacked in TYPES (`npm pack`, then untar), with NAMEs added: `CLASS` or `CLASS.MEMBER`, as
in `android.speech.tts.TextToSpeech.speak`; `CLASS.new` is the constructor. Only what is asked for is kept.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any  # Any: JSON

FACTS = Path(__file__).with_name("platform.json")
# The oldest API that the description knows: what has no `since` was there before.
OLDEST = 21
NEWEST = 37
MERGED = "android-platform-21-37-merged.d.ts"
NOW = f"android-platform-{NEWEST}.d.ts"
_ANDROIDX = "androidx-32.d.ts"

_SINCE = re.compile(r"@since (\d+)")
_DEPRECATED = re.compile(r"@deprecated(?: Deprecated in API (\d+))?")
_ROOM = re.compile(r"^(?:declare|export) module ([\w.]+) \{$")
_CLASS = re.compile(r"^export (?:abstract )?(?:class|interface) (\w+)(?:<.*?>)?(?: extends ([\w.]+))?(?:<.*>)?.*\{$")
_FIELD = re.compile(r"^public (static )?(?:readonly )?(\w+): (.*);$")
_METHOD = re.compile(r"^public (static )?(\w+)(?:<.*?>)?\((.*)\)(?:: .*)?;$")


@dataclass
class Member:
    """A field or a method: since when and until when, by number of arguments (None for a field)."""

    forms: dict[int | None, tuple[int, int | None]] = field(default_factory=dict)
    value: object = None

    def add(self, arguments: int | None, since: int, deprecated: int | None) -> None:
        """One more overload; of those with as many arguments the one that lasts counts."""
        before = self.forms.get(arguments)
        if before is None or (before[1] is not None and deprecated is None):
            self.forms[arguments] = (since, deprecated)
        elif (before[1] is None) == (deprecated is None):
            self.forms[arguments] = (min(before[0], since), deprecated)

    def to_json(self) -> dict[str, Any]:
        """`since` by number of arguments, or plainly for a field."""
        ended = {str(n): d for n, (_, d) in self.forms.items() if n is not None and d is not None}
        if None in self.forms:
            since, deprecated = self.forms[None]
            told = {"since": since, "value": self.value, "deprecated": deprecated}
        else:
            told = {"arguments": {str(n): self.forms[n][0] for n in sorted(self.forms, key=str)}, "deprecated": ended}
        return {name: value for name, value in told.items() if value not in (None, {})}


@dataclass
class Class:
    """A class or an interface; only interfaces can be implemented from Python."""

    parent: str | None
    since: int
    deprecated: int | None
    interface: bool = False
    members: dict[str, Member] = field(default_factory=dict)


def read(path: Path) -> dict[str, Class]:
    """Every class of a description, by its Java name (`android.os.Build$VERSION`)."""
    found: dict[str, Class] = {}
    # What encloses a line: its module or class, and what stands open besides.
    rooms: list[tuple[str, Class | None]] = []
    said, comment = "", False
    with path.open(encoding="utf-8") as file:
        for raw in file:
            line = raw.strip()
            if comment or line.startswith("/**"):
                said += line
                comment = not line.endswith("*/")
                continue
            made = _opened(line, rooms, found, said)
            if made is not None:
                rooms.append(made)
            elif line.endswith("{"):
                rooms.append(("", None))
                _implemented(line, rooms)
            elif line.startswith("}") and rooms:
                rooms.pop()
            elif rooms and rooms[-1][1] is not None:
                _member(line, rooms[-1][1], said)
            said = ""
    return found


def _opened(
    line: str, rooms: list[tuple[str, Class | None]], found: dict[str, Class], said: str
) -> tuple[str, Class | None] | None:
    outer = ".".join(name for name, _ in rooms if name)
    room = _ROOM.match(line)
    if room:
        return room[1], None
    told = _CLASS.match(line)
    if not told:
        return None
    name = f"{outer}.{told[1]}"
    # A module named as a class holds the classes inside it.
    for cut in range(len(name.split(".")) - 1, 0, -1):
        head, tail = ".".join(name.split(".")[:cut]), name.split(".")[cut:]
        if head in found:
            name = "$".join([head, *tail])
            break
    parent = told[2].removeprefix("globalAndroid.") if told[2] else None
    if parent and told[2].startswith("globalAndroid."):
        parent = f"android.{parent}"
    mine = Class(parent, _since(said), _deprecated(said))
    found[name.replace("$", ".")] = found[name] = mine
    return "", mine


def _implemented(line: str, rooms: list[tuple[str, Class | None]]) -> None:
    """Interfaces have a constructor that takes what implements them."""
    owner = rooms[-2][1] if len(rooms) > 1 else None
    if owner is not None and line.startswith("public constructor(implementation:"):
        owner.interface = True


def _member(line: str, owner: Class, said: str) -> None:
    form: int | None
    told = _METHOD.match(line)
    if told:
        name = "new" if told[2] == "constructor" else told[2]
        mine, form = owner.members.setdefault(name, Member()), _count(told[3])
    else:
        told = _FIELD.match(line)
        if not told or told[2] == "class":
            return
        mine, form = owner.members.setdefault(told[2], Member()), None
        mine.value = _value(told[3])
    mine.add(form, max(_since(said), owner.since), _deprecated(said))


def _since(said: str) -> int:
    told = _SINCE.search(said)
    return int(told[1]) if told else OLDEST


def _deprecated(said: str) -> int | None:
    told = _DEPRECATED.search(said)
    return None if told is None else int(told[1] or OLDEST)


def _count(arguments: str) -> int:
    """How many arguments, without commas inside brackets."""
    depth, many = 0, 1 if arguments.strip() else 0
    for sign in arguments:
        depth += (sign in "<({[") - (sign in ">)}]")
        many += sign == "," and depth == 0
    return many


def _value(told: str) -> Any:
    """A constant's value where the description tells it; None for a field of some type."""
    try:
        return json.loads(told)
    except ValueError:
        return None


def lineage(name: str, classes: dict[str, Class]) -> Iterator[tuple[str, Class]]:
    """A class and what it inherits from."""
    at: str | None = name
    while at is not None and at in classes:
        yield at, classes[at]
        at = classes[at].parent


def facts(wanted: Iterable[str], folder: Path) -> dict[str, Any]:
    """What the description says of each wanted class and member; ValueError names what it doesn't have."""
    types = folder / "lib" / "android"
    classes = {**read(types / _ANDROIDX), **read(types / MERGED)}
    now = {**read(types / _ANDROIDX), **read(types / NOW)}
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    told: dict[str, Any] = {}
    for name in sorted(set(wanted)):
        java, member = _split(name, classes)
        own = classes[java]
        entry = told.setdefault(java, {"since": own.since, "interface": own.interface, "members": {}})
        if own.deprecated is not None:
            entry["deprecated"] = own.deprecated
        if java not in now:
            entry["gone"] = NEWEST
        if member is None:
            continue
        mine = next((c.members[member] for _, c in lineage(java, classes) if member in c.members), None)
        if mine is None:
            raise ValueError(f"{java} has no {member}")
        entry["members"][member] = mine.to_json()
        if not any(member in c.members for _, c in lineage(java, now)):
            entry["members"][member]["gone"] = NEWEST
    return {"source": f"@nativescript/types-android {version}", "classes": told}


def _split(name: str, classes: dict[str, Class]) -> tuple[str, str | None]:
    if name in classes:
        return name, None
    java, _, member = name.rpartition(".")
    if java not in classes:
        raise ValueError(f"Android has no class {java or name}")
    return java, member


def names(told: dict[str, Any]) -> list[str]:
    """The classes and members that a file of facts tells of."""
    classes = told["classes"]
    return [*classes, *(f"{java}.{m}" for java, mine in classes.items() for m in mine["members"])]


def main(arguments: list[str]) -> int:
    known = json.loads(FACTS.read_text(encoding="utf-8")) if FACTS.exists() else {"classes": {}}
    try:
        told = facts([*names(known), *arguments[1:]], Path(arguments[0]))
    except ValueError as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    FACTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(
        f"{FACTS.name}: {len(told['classes'])} classes, {len(names(told)) - len(told['classes'])} members\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
