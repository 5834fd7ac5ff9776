"""What the camera saw: the answer of `vision`, and the only thing that the table knows of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any  # Any: JSON

from maps import Trouble

Corner = tuple[float, float]
# What stands before the colour of a depot, where stations and depots are told together.
DEPOT = "depot-"


@dataclass(frozen=True, slots=True)
class RouteReading:
    """Who holds a route (None: nobody), how sure that is, and what lies on each space from a to b."""

    color: str | None
    confidence: float
    spaces: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class StationReading:
    """Whose station or depot stands in a city, and how sure that is."""

    color: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Stray:
    """Wagons that lie beside the track they are counted on, and where: board coordinates, 0..1 over the whole print."""

    route: str
    color: str
    at: tuple[Corner, ...]


@dataclass(frozen=True)
class Reading:
    """The state of one board in one photo. `doubtful` are the routes and cities that a person should look at.

    `found_by`: what told the board's place, its "print" or corner "stickers" where the print can't be recognised.
    `strays`: wagons that were put back on their track; `covered`: routes over which something lies, so that nobody can
    tell; `borrowed`: stations that stand on a track (by route) and not in a city. All of these are doubtful, too.
    `other_print`: the board is hardly recognised, as an edition with another print is; its owner should enrol it.
    """

    photo: str
    board: str
    corners: tuple[Corner, ...]
    routes: Mapping[str, RouteReading]
    stations: Mapping[str, StationReading] = field(default_factory=lambda: MappingProxyType({}))
    doubtful: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    depots: Mapping[str, StationReading] = field(default_factory=lambda: MappingProxyType({}))
    found_by: str = "print"
    strays: tuple[Stray, ...] = ()
    covered: tuple[str, ...] = ()
    borrowed: Mapping[str, StationReading] = field(default_factory=lambda: MappingProxyType({}))
    other_print: bool = False

    @property
    def taken(self) -> dict[str, str]:
        """The routes that somebody holds."""
        return {route: r.color for route, r in self.routes.items() if r.color is not None}

    @property
    def buildings(self) -> dict[str, str]:
        """What stands in each city: a station by its colour, a depot as `depot-red`."""
        stations = {city: s.color for city, s in self.stations.items()}
        return {**stations, **{city: f"{DEPOT}{d.color}" for city, d in self.depots.items()}}

    def to_json(self) -> dict[str, Any]:
        """The document that `companion read --json` prints."""
        return {
            "photo": self.photo,
            "board": self.board,
            "corners": [[round(x, 1), round(y, 1)] for x, y in self.corners],
            "routes": {
                route: {"color": r.color, "confidence": round(r.confidence, 4), "spaces": list(r.spaces)}
                for route, r in self.routes.items()
            },
            "stations": _buildings_json(self.stations),
            **({"depots": _buildings_json(self.depots)} if self.depots else {}),
            "doubtful": list(self.doubtful),
            "seconds": {stage: round(value, 3) for stage, value in self.seconds.items()},
            **({} if self.found_by == "print" else {"found_by": self.found_by}),
            **({"moved": _strays_json(self.strays)} if self.strays else {}),
            **({"covered": list(self.covered)} if self.covered else {}),
            **({"other_print": True} if self.other_print else {}),
            **({"stations_on_tracks": _buildings_json(self.borrowed)} if self.borrowed else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """The reading that such a document tells. Trouble, if it is none."""
        try:
            return cls(
                str(data["photo"]),
                str(data["board"]),
                tuple((float(x), float(y)) for x, y in data["corners"]),
                MappingProxyType(
                    {
                        str(route): RouteReading(r["color"], float(r["confidence"]), tuple(r["spaces"]))
                        for route, r in data["routes"].items()
                    }
                ),
                _buildings(data.get("stations", {})),
                tuple(str(name) for name in data.get("doubtful", ())),
                MappingProxyType({str(k): float(v) for k, v in data.get("seconds", {}).items()}),
                _buildings(data.get("depots", {})),
                str(data.get("found_by", "print")),
                tuple(
                    Stray(str(route), str(s["color"]), tuple((float(x), float(y)) for x, y in s["from"]))
                    for route, s in data.get("moved", {}).items()
                ),
                tuple(str(name) for name in data.get("covered", ())),
                _buildings(data.get("stations_on_tracks", {})),
                bool(data.get("other_print", False)),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Trouble("not-a-reading", reason=str(error)) from None


def _strays_json(strays: tuple[Stray, ...]) -> dict[str, Any]:
    return {s.route: {"color": s.color, "from": [[round(x, 4), round(y, 4)] for x, y in s.at]} for s in strays}


def _buildings_json(buildings: Mapping[str, StationReading]) -> dict[str, Any]:
    return {city: {"color": b.color, "confidence": round(b.confidence, 4)} for city, b in buildings.items()}


def _buildings(data: Mapping[str, Any]) -> Mapping[str, StationReading]:
    return MappingProxyType(
        {str(city): StationReading(str(b["color"]), float(b["confidence"])) for city, b in data.items()}
    )


def technology_name(technology: str) -> str:
    """How an evaluation names a technology card."""
    return f"technology {technology}"


def share_name(company: str, number: int | None) -> str:
    """How an evaluation names a share; one whose number nobody could read has none."""
    return f"share {company} {number or '?'}"
