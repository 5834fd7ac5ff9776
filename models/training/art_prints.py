"""Boards whose print was measured, as their digital pictures have them: prints of their own, which renders can show.

A net that knows one print of a board takes bare tracks of another for wagons. Here are the places of all spaces in the
art, in the coordinates of the printed board, and the art's colours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any  # Any: JSON

import cv2
import numpy as np

import maps
from maps import Board
from maps.board import Space
from models.training.card_art import SHARED
from models.training.pictures import picture
from vision import light, spaces
from vision.arrays import Matrix, Points


@dataclass(frozen=True, eq=False)
class ArtPrint:
    """A board in its art: `corners` of the art in board coordinates, and how the art looks in even light."""

    board: Board
    corners: Points
    reference: light.Reference


@lru_cache(maxsize=8)
def art_print(board_id: str) -> ArtPrint:
    """The art of a board whose print was measured."""
    facts = json.loads((SHARED / "facts" / f"{board_id}.json").read_text(encoding="utf-8"))
    board, (wide, high), to_board = maps.load(board_id), _size(facts), _to_board(facts)

    def moved(places: list[tuple[float, float]]) -> Points:
        points = cv2.perspectiveTransform(np.array(places, np.float64).reshape(-1, 1, 2), to_board)
        return np.asarray(points.reshape(-1, 2), np.float64)

    told = {city["id"]: city for city in facts["cities"] if city.get("x") is not None}
    cities = {
        c.id: replace(c, x=float(at[0]), y=float(at[1]))
        for c in board.cities.values()
        for at in (moved([(told[c.id]["x"], told[c.id]["y"])])[0] if c.id in told else (c.x, c.y),)
    }
    drawn = {r["id"]: r["spaces"] for r in facts["routes"]}
    routes = {}
    for route in board.routes.values():
        places = moved([(s["x"], s["y"]) for s in drawn[route.id]])
        # The angles of the print hold for the art, whose spaces lie in the same order.
        own = [Space(float(x), float(y), s.angle) for (x, y), s in zip(places, route.spaces, strict=True)]
        routes[route.id] = replace(route, spaces=tuple(own))
    art = replace(board, cities=MappingProxyType(cities), routes=MappingProxyType(routes))
    corners = moved([(0, 0), (wide, 0), (wide, high), (0, high)])
    image = picture(SHARED / "art" / "boards" / f"{board_id}.webp")
    scale = np.diag([image.shape[1] / wide, image.shape[0] / high, 1.0])
    to_picture = spaces.by_homography(scale @ np.linalg.inv(to_board))
    return ArtPrint(art, corners, light.reference_of(image, to_picture, spaces.layout(art)))


def _size(facts: Mapping[str, Any]) -> tuple[float, float]:
    return facts["frame"]["width"], facts["frame"]["height"]


def _to_board(facts: Mapping[str, Any]) -> Matrix:
    """Pixels of the art to 0..1 over the printed board."""
    extra = facts["extra"]
    if "physical_board" in extra:
        return np.array(extra["physical_board"]["art_to_board"], np.float64)
    whole = extra["printed_board"]
    scale = np.diag([1 / whole["frame"]["width"], 1 / whole["frame"]["height"], 1.0])
    return np.asarray(scale @ np.array(whole["from_frame_homography"], np.float64))
