"""Renders photos of cards with exact truth, to train and to judge on: `card_renders.py --out DIR --count 50`.

Needs Blender as a Python module, in an environment of its own, and the render tool beside the project, whose tables,
and rendering are used here; cards, layouts, papers, light and the phone are made here.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import random
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any  # Any: Blender has no types; and JSON

import cv2
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from models.training import card_scenes
from models.training.card_art import SHARED, Picture
from models.training.card_layouts import THICK, Laid, Layout
from models.training.card_scenes import LONG
from models.training.pictures import picture

TABLES = ("wood", "wood", "stripes", "stripes", "cloth", "cloth", "laminate", "stone", "checks", "checks", "carpet",
          "parquet", "tiles", "marble")  # fmt: skip
# A picture shows editions of one half only, so that nets that never saw the other half can be judged on it.
HALVES = (
    ("classic", "germany", "germany-print", "usa-older"),
    ("nordic", "united-kingdom", "united-kingdom-print", "pennsylvania"),
)
Range = tuple[float, float]


@dataclass(frozen=True)
class Lamp:
    """A lamp or window: how far off and how high it is, its size (units of 10 cm), power and colour, all at random.

    A mirrored one is where its image lies on the cards; one that is `behind` often stands right behind the phone, which
    then throws its shadow on the cards.
    """

    away: Range
    above: Range
    wide: Range
    power: Range
    kelvin: Range
    high: Range | None = None
    mirrored: bool = False
    behind: float = 0.0


@dataclass(frozen=True)
class Room:
    """The light that comes from everywhere, and the lamps."""

    ambient: Range
    kelvin: Range
    lamps: tuple[Lamp, ...]


WARM, COLD = (2600.0, 3600.0), (5200.0, 7800.0)
CEILING = Lamp((2, 9), (14, 18), (3, 9), (3000, 3000), (2900, 5000))
WINDOW = Lamp((11, 20), (7, 12), (8, 12), (3000, 5200), COLD, high=(9, 14))
TABLE_LAMP = Lamp((2.5, 8), (6.5, 12), (1, 3), (900, 1500), WARM)
BULB = Lamp((5, 13), (8, 15), (0.15, 0.6), (3200, 3200), (2800, 6000), behind=0.5)
SPOT = Lamp((0, 9), (12, 16), (0.3, 0.6), (600, 1300), WARM)
MIRRORED = Lamp((9, 16), (0, 0), (0.8, 2.6), (2000, 4200), (2800, 5000), mirrored=True)
LONG_MIRRORED = Lamp((9, 16), (0, 0), (0.3, 0.8), (2000, 4200), (2200, 3000), high=(5, 12), mirrored=True)
ROOMS = {
    "ceiling": Room((0.35, 0.7), (3200, 5200), (CEILING,)),
    "lamp": Room((0.08, 0.3), WARM, (TABLE_LAMP,)),
    "window": Room((0.2, 0.5), COLD, (WINDOW,)),
    "hard": Room((0.1, 0.35), (3500, 6500), (BULB,)),
    "mixed": Room((0.2, 0.4), (4500, 4500), (WINDOW, TABLE_LAMP)),
    "glare": Room((0.15, 0.4), (3200, 5000), (MIRRORED,)),
    "spots": Room((0.12, 0.35), (2900, 3800), (SPOT, SPOT, SPOT, SPOT)),
    "evening": Room((0.07, 0.22), (2300, 3000), (LONG_MIRRORED,)),
}
# Hard shadows are what reads worst.
LIGHTS = (*ROOMS, "hard")


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("render", SHARED / "tools" / "render.py")
    assert spec is not None
    assert spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    return tool


class Stage:
    """The table, its light and the camera in Blender."""

    def __init__(self, tool: Any, rng: random.Random, folder: Path) -> None:
        self.tool, self.rng, self.folder = tool, rng, folder
        self.b = tool.B()
        self.u = tool.U
        # How dull the sheets are, and where a corner is seen: told with the light and the camera.
        self.roughness = 0.4
        self.project: Callable[[tuple[float, float, float]], tuple[float, float]]

    def table(self, kind: str) -> None:
        b, rng, tool = self.b, self.rng, self.tool
        cloth = kind in ("checks", "cloth", "stripes", "carpet")
        path = self.folder / "table.png"
        (tool.cloth_texture if cloth else tool.hard_texture)(kind, rng, str(path))
        if cloth and rng.random() < 0.7:
            self._dyed(path)
        mesh = b.bpy.data.meshes.new("table")
        r = 14
        mesh.from_pydata([(-r, -r, 0), (r, -r, 0), (r, r, 0), (-r, r, 0)], [], [(0, 1, 2, 3)])
        material, nodes, links, shader = b.mat("table")
        where, mapping = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeMapping")
        links.new(where.outputs["Object"], mapping.inputs["Vector"])
        mapping.inputs["Rotation"].default_value[2] = rng.choice([0, 1.5708, rng.uniform(0, 3.14), rng.gauss(0, 0.15)])
        mapping.inputs["Location"].default_value = (rng.uniform(0, 9), rng.uniform(0, 9), 0)
        image = b.image(nodes, str(path), "Linear", "REPEAT" if cloth else "MIRROR")
        across = rng.uniform(3, 5) if kind == "carpet" else rng.uniform(0.6, 2.0) if cloth else rng.uniform(7, 14)
        mapping.inputs["Scale"].default_value = (1 / across, 1 / across, 1)
        links.new(mapping.outputs[0], image.inputs["Vector"])
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
        shader.inputs["Roughness"].default_value = 0.95 if cloth else rng.uniform(0.15, 0.6)
        if cloth:
            shader.inputs["Specular IOR Level"].default_value = 0.1
        b.obj("table", mesh, material)

    def _dyed(self, path: Path) -> None:
        """The same cloth in other colours."""
        cloth = picture(path).astype(np.float32) / 255
        dark, light = (np.array([self.rng.uniform(0, 1) ** 1.3 for _ in range(3)]) for _ in range(2))
        # Mostly quiet colours, at times loud ones.
        loud = self.rng.choice([0.2, 0.4, 0.4, 1.0])
        dark, light = (c.mean() + (c - c.mean()) * loud for c in (dark, light))
        share = cloth.mean(2, keepdims=True)
        share = np.clip((share - share.min()) / max(float(share.max() - share.min()), 0.05), 0, 1)
        grain = cloth.mean(2, keepdims=True) - cv2.GaussianBlur(cloth.mean(2), (0, 0), 3)[..., None]
        dyed = dark * (1 - share) + light * share + grain
        cv2.imwrite(str(path), np.clip(dyed * 255, 0, 255).astype(np.uint8))

    def sheet(self, n: int, laid: Laid) -> None:
        """A card with rounded corners, bent along its length."""
        b, u = self.b, self.u
        path = self.folder / f"sheet{n}.png"
        cv2.imwrite(str(path), laid.picture)
        r = 0.04 * max(laid.wide, laid.high) if laid.rounded else 0.0
        at = [0.0, *(r * (1 - math.cos(math.radians(t))) for t in (30, 60, 90))] if r else [0.0]
        steps = at + [laid.wide * k / 8 for k in range(1, 8)] + [laid.wide - v for v in reversed(at)]
        steps = sorted(set(steps))
        top, points = [], []
        for x in steps:
            from_end = min(x, laid.wide - x)
            inset = r - math.sqrt(max(r * r - (r - from_end) ** 2, 0)) if from_end < r else 0.0
            z = laid.bend * (2 * x / laid.wide - 1) ** 2
            for y in (inset, laid.high - inset):
                points.append((x - laid.wide / 2, y - laid.high / 2, z))
                top.append((x / laid.wide, y / laid.high))
        count = len(points)
        mesh = b.bpy.data.meshes.new("card")
        low = [(x, y, z - THICK) for x, y, z in points]
        columns = len(steps)
        faces = [(2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1) for k in range(columns - 1)]
        rim = [2 * k for k in range(columns)] + [2 * k + 1 for k in reversed(range(columns))]
        sides = [(a, a + count, c + count, c) for a, c in zip(rim, rim[1:] + rim[:1], strict=True)]
        mesh.from_pydata([(x * u, y * u, z * u) for x, y, z in points + low], [], faces + sides)
        uv = mesh.uv_layers.new(name="uv")
        for number, polygon in enumerate(mesh.polygons):
            polygon.material_index = 0 if number < len(faces) else 1
            for loop in polygon.loop_indices:
                uv.data[loop].uv = top[mesh.loops[loop].vertex_index % count]
        material, nodes, links, shader = b.mat(f"sheet{n}")
        image = b.image(nodes, str(path), "Linear", "EXTEND")
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
        shader.inputs["Roughness"].default_value = self.roughness
        mesh.materials.append(material)
        mesh.materials.append(b.simple(f"rim{n}", (225, 222, 214), 0.8))
        o = b.bpy.data.objects.new("card", mesh)
        b.scene.collection.objects.link(o)
        o.location = (laid.x * u, laid.y * u, laid.z * u)
        o.rotation_mode = "QUATERNION"
        o.rotation_quaternion = b.mu.Quaternion((0, 0, 1), laid.turn)

    def board(self, picture: Picture, reach: float) -> None:
        """A board that reaches into the picture from one side."""
        wide, high = card_scenes.BOARD_MM
        way = self.rng.uniform(0, 2 * math.pi)
        away = reach + high / 2
        turn = way + math.pi / 2 + self.rng.choice([0, math.pi]) + self.rng.gauss(0, 0.2)
        self.sheet(990, Laid(picture, away * math.cos(way), away * math.sin(way), turn, wide, high, "board",
                             z=2.4, rounded=False))  # fmt: skip

    def things(self, reach: float) -> None:
        """Wagons, coins, cups and pens, clear of the cards."""
        b, rng, u = self.b, self.rng, self.u
        for n in range(rng.choice([0, 1, 1, 2, 3])):
            way, away = rng.uniform(0, 2 * math.pi), reach + rng.uniform(15, 90)
            x, y = away * math.cos(way) * u, away * math.sin(way) * u
            kind = rng.choice(["wagons", "coin", "cup", "pen", "station"])
            color = [rng.uniform(10, 240) for _ in range(3)]
            plain = b.simple(f"thing{n}", color, rng.uniform(0.2, 0.6))
            if kind == "wagons":
                paint = b.plastic(rng.choice(self.tool.COLOURS), rng, "standard")
                mesh = b.wagon(rng.choice(["clerestory", "boxcar"]))
                for _ in range(rng.randint(1, 5)):
                    spin = b.mu.Quaternion((0, 0, 1), rng.uniform(0, 6.28))
                    b.obj("wagon", mesh, paint, (x + rng.gauss(0, 0.2), y + rng.gauss(0, 0.2), 0), spin)
            elif kind == "station":
                b.obj("station", b.station(), plain, (x, y, 0))
            else:
                shape = b.bmesh.new()
                if kind == "coin":
                    b.cyl(shape, rng.uniform(8, 13), 2, (0, 0, 1), seg=36)
                elif kind == "pen":
                    b.cyl(shape, 4, 140, (0, 0, 4), "X", seg=18)
                else:
                    b.cyl(shape, rng.uniform(30, 40), rng.uniform(70, 110), (0, 0, 45), seg=40)
                    x, y = x * 1.25, y * 1.25
                spin = b.mu.Quaternion((0, 0, 1), rng.uniform(0, 6.28))
                b.obj("thing", b.done(shape, "thing", True), plain, (x, y, 0), spin)

    def camera(self, laid: list[Laid], size: tuple[int, int]) -> dict[str, Any]:
        """The nearest camera from a chosen side that shows all of the cards, or a little nearer or farther."""
        rng, vector, matrix = self.rng, self.b.mu.Vector, self.b.mu.Matrix
        tilt = math.radians(rng.choice([rng.uniform(0, 14), rng.uniform(5, 28), rng.uniform(15, 42)]))
        azimuth, roll = math.radians(rng.gauss(0, 8)), math.radians(rng.gauss(0, 4))
        focal = rng.uniform(24, 28) / 43.27 * math.hypot(*size)
        out = vector((math.sin(tilt) * math.sin(azimuth), -math.sin(tilt) * math.cos(azimuth), math.cos(tilt)))
        right = (-out).cross(vector((-math.sin(azimuth), math.cos(azimuth), 0))).normalized()
        up = right.cross(-out).normalized()
        right, up = right * math.cos(roll) + up * math.sin(roll), up * math.cos(roll) - right * math.sin(roll)
        axes = matrix((right, up, out))
        points = [vector(c) * self.u for card in laid for c in card.corners()] or [
            vector((-1, -0.7, 0)),
            vector((1, 0.7, 0)),
        ]
        target = sum(points, vector((0, 0, 0))) / len(points)
        margin = rng.uniform(0.02, 0.16)

        def project(p: Any, eye: Any) -> tuple[float, float]:
            c = axes @ (p - eye)
            return size[0] / 2 + focal * c.x / -c.z, size[1] / 2 - focal * c.y / -c.z

        away = 1.5
        while away < 7:
            eye = target + out * away
            for _ in range(3):
                seen = [project(p, eye) for p in points]
                x = (min(s[0] for s in seen) + max(s[0] for s in seen)) / 2 - size[0] / 2
                y = (min(s[1] for s in seen) + max(s[1] for s in seen)) / 2 - size[1] / 2
                target = target + (right * x - up * y) * (away / focal) * 0.8
                eye = target + out * away
            seen = [project(p, eye) for p in points]
            if all(margin * s < v < (1 - margin) * s for p in seen for v, s in zip(p, size, strict=True)):
                break
            away *= 1.02
        # Cards shorter than a ninth of the picture are too small to read.
        longest = max((card.wide for card in laid), default=LONG) * self.u
        farthest = max(focal * longest / (max(size) * 0.115), away)
        away = min(away * rng.choice([1, 1, rng.uniform(1, 1.3), rng.uniform(1.2, 1.7)]), farthest)
        off = (right * rng.gauss(0, 0.06) + up * rng.gauss(0, 0.05)) * away * (0.4 if away < 2.6 else 1)
        eye = target + out * away + off
        camera = self.b.bpy.data.cameras.new("camera")
        camera.sensor_fit, camera.sensor_width, camera.lens = "HORIZONTAL", 36, focal / size[0] * 36
        camera.clip_start, camera.clip_end = 0.1, 200
        o = self.b.bpy.data.objects.new("camera", camera)
        self.b.scene.collection.objects.link(o)
        place = axes.transposed().to_4x4()
        place.translation = eye
        o.matrix_world = place
        self.b.scene.camera = o
        self.eye, self.out, self.right, self.up, self.target = eye, out, right, up, target
        self.project = lambda p: project(vector(p) * self.u, eye)
        return {"tilt": round(math.degrees(tilt), 1), "distance_cm": round(away * 10, 1)}

    def light(self, room: Room) -> None:
        """The room's own light, uneven, and its lamps."""
        b, rng, tool = self.b, self.rng, self.tool
        for lamp in room.lamps:
            self._lamp(lamp)
        world = b.bpy.data.worlds.new("room")
        b.scene.world = world
        world.use_nodes = True
        nodes, links = world.node_tree.nodes, world.node_tree.links
        tool.room_texture(rng, str(self.folder / "room.png"))
        picture = nodes.new("ShaderNodeTexEnvironment")
        picture.image = b.bpy.data.images.load(str(self.folder / "room.png"))
        mix = nodes.new("ShaderNodeMix")
        mix.data_type, mix.blend_type = "RGBA", "MULTIPLY"
        mix.inputs[0].default_value = 1
        mix.inputs[6].default_value = (*tool.kelvin(rng.uniform(*room.kelvin)), 1)
        links.new(picture.outputs["Color"], mix.inputs[7])
        links.new(mix.outputs[2], nodes["Background"].inputs["Color"])
        nodes["Background"].inputs["Strength"].default_value = rng.uniform(*room.ambient) * 8
        world.cycles.sampling_method = "MANUAL"
        world.cycles.sample_map_resolution = 64

    def _lamp(self, lamp: Lamp) -> None:
        b, rng, vector = self.b, self.rng, self.b.mu.Vector
        light = b.bpy.data.lights.new("lamp", "AREA")
        light.shape, light.size = ("RECTANGLE" if lamp.high else "DISK"), rng.uniform(*lamp.wide)
        if lamp.high:
            light.size_y = rng.uniform(*lamp.high)
        light.color, light.energy = self.tool.kelvin(rng.uniform(*lamp.kelvin)), rng.uniform(*lamp.power)
        o = b.bpy.data.objects.new("lamp", light)
        b.scene.collection.objects.link(o)
        away, way = rng.uniform(*lamp.away), rng.uniform(0, 2 * math.pi)
        o.location = (away * math.cos(way), away * math.sin(way), rng.uniform(*lamp.above))
        spot = self.target + vector((rng.gauss(0, 0.6), rng.gauss(0, 0.4), 0))
        if lamp.mirrored:
            spot.z = 0
            into = (spot - self.eye).normalized()
            o.location = spot + vector((into.x, into.y, -into.z)) * away
        elif rng.random() < lamp.behind:
            o.location = self.eye + (self.eye - spot).normalized() * away
        o.rotation_mode = "QUATERNION"
        o.rotation_quaternion = (spot - o.location).to_track_quat("-Z", "Y")
        o.visible_camera = False

    def person(self) -> None:
        """The photographer's head, hands and phone: unseen, but they take light away and mirror in the cards."""
        b, rng, vector = self.b, self.rng, self.b.mu.Vector
        eye = self.eye / self.u
        shape = b.bmesh.new()
        b.box(shape, 155, 75, 0, 8)
        phone = b.obj("phone", b.done(shape, "phone"), b.simple("phone", (20, 20, 22), 0.4))
        place = b.mu.Matrix((self.right, self.up, self.out)).transposed().to_4x4()
        place.translation = (
            self.eye + self.right * rng.uniform(-0.6, 0.6) + self.up * rng.uniform(-0.25, 0.25) + self.out * 0.06
        )
        phone.matrix_world = place
        toward = vector((self.out.x, self.out.y, 0))
        toward = toward.normalized() if toward.length > 0.05 else vector((0, -1, 0))
        side = vector((-toward.y, toward.x, 0))
        head = eye + toward * rng.uniform(90, 180) + vector((0, 0, rng.uniform(130, 240)))
        neck = head + toward * 110 + vector((0, 0, -150))
        shape = b.bmesh.new()
        b.capsule(shape, head, head + vector((0, 0, 70)), 88)
        b.capsule(shape, neck - side * 170, neck + side * 170, 70)
        for s in (-1, 1):
            b.capsule(shape, neck + side * s * 180, eye + side * s * 85 + toward * 15, 42, 30)
        body = b.obj("body", b.done(shape, "body", True), b.simple("body", (60, 64, 76), 0.9))
        for o in (phone, body):
            o.visible_camera = False


def photo(tool: Any, args: argparse.Namespace, seed: int, boards: list[Picture], out: Path) -> dict[str, Any]:
    """One rendered photo with its truth."""
    rng = random.Random(f"cards/{seed}")
    kinds = {"tunnel": 3, "face-up": 3, "claim": 5, "hand": 7, "loose": 3, "tickets": 3, "none": 2}
    kind = args.kind or rng.choices(list(kinds), list(kinds.values()))[0]
    editions = rng.choice(HALVES)
    layout = Layout(rng, editions, args.made_up)
    layout.make(kind)
    size = (args.width, args.width * 3 // 4)
    if rng.random() < 0.2:
        size = size[::-1]
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(tool, rng, Path(folder))
        light = rng.choice(LIGHTS)
        stage.roughness = rng.uniform(0.17, 0.3) if light in ("glare", "evening") else rng.uniform(0.28, 0.6)
        table = rng.choice(TABLES)
        stage.table(table)
        pose = stage.camera(layout.seen, size)
        # What lies under a board or a foot of paper is not to be seen: the board keeps clear of the cards.
        reach = max([math.hypot(x, y) for c in layout.seen for x, y, _ in c.corners()], default=60.0)
        if rng.random() < 0.3:
            stage.board(boards[rng.randrange(len(boards))], reach + rng.uniform(5, 60))
        for n, laid in enumerate(layout.laid):
            stage.sheet(n, laid)
        stage.things(reach)
        stage.light(ROOMS[light])
        if person := rng.random() < 0.6:
            stage.person()
        for laid in layout.laid:
            laid.quad = [[round(v, 2) for v in stage.project(c)] for c in laid.corners()]
        seen = [s.quad for s in layout.seen] or [[[0, 0], [size[0], 0], list(size), [0, size[1]]]]
        hull = np.asarray(cv2.convexHull(np.array(seen, np.float32).reshape(-1, 2)), np.float32).reshape(-1, 2)
        truth: dict[str, Any] = {
            "photo": f"{kind}-{layout.edition or 'none'}-{seed:05d}.jpg", "kind": kind,
            "edition": layout.edition or None,
            "size": list(size), "light": {"kind": light}, "table": table, "pose": pose,
            "editions": editions, "person": person, "seed": seed,
        }  # fmt: skip
        truth["sheets"] = [{"kind": s.kind, "name": s.name, "quad": s.quad} for s in layout.laid]
        shown = visible([s["quad"] for s in truth["sheets"]], size)
        for sheet, part in zip(truth["sheets"], shown, strict=True):
            sheet["visible"] = part
        truth["cards"] = [
            {"color": s["name"], "quad": s["quad"], "visible": s["visible"]}
            for s in truth["sheets"]
            if s["kind"] == "card"
        ]
        truth["tickets"] = [
            {"id": s["name"], "quad": s["quad"], "visible": s["visible"]}
            for s in truth["sheets"]
            if s["kind"] == "ticket"
        ]
        truth["board"] = layout.edition if kind == "tickets" else None
        settings = argparse.Namespace(samples=args.samples, seed=seed, threads=args.threads)
        picture = tool.render(stage.b, size, settings, folder)
    ready = develop(picture, hull, rng)
    cv2.imwrite(str(out / truth["photo"]), ready, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(78, 92)])
    (out / truth["photo"]).with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
    return truth


def develop(linear: NDArray[np.float32], hull: NDArray[np.float32], rng: random.Random) -> Picture:
    """What a phone makes of the light: exposure and white balance by what it looks at, tone curve, blur, noise."""
    high, wide = linear.shape[:2]
    image = np.clip(np.nan_to_num(linear[..., ::-1], nan=0, posinf=50), 0, 50)
    weight = np.full((high, wide), rng.choice([0.02, 0.06, 0.16]), np.float32)
    cv2.fillConvexPoly(weight, np.round(hull).astype(np.int32), 1.0)
    weight /= weight.sum()
    mean = (np.minimum(image, np.percentile(image, 97)) * weight[..., None]).sum((0, 1))
    image *= (mean.mean() / mean) ** rng.uniform(0.4, 0.95) * np.array(
        [rng.uniform(0.9, 1.02), 1, rng.uniform(1, 1.06)]
    )
    image *= rng.uniform(0.24, 0.44) / float((np.minimum(image.mean(2), np.percentile(image, 97)) * weight).sum())
    image = image.astype(np.float32)
    if rng.random() < 0.6:
        soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.2, 1.1) * wide / 1600 + 0.15)
        image = np.asarray(soft, np.float32)
    if rng.random() < 0.25:
        image = _moved(image, rng.uniform(1, 4) * wide / 1600 + 1, rng.uniform(0, math.pi))
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 1, image.shape).astype(np.float32)
    image += noise * np.sqrt(image + 0.02) * rng.choice([rng.uniform(0.002, 0.006), rng.uniform(0.005, 0.02)])
    image = np.clip(image, 0, None)
    # A soft shoulder instead of plain white, then the curve of a screen.
    image = np.where(image < 0.6, image, 0.6 + 0.4 * (1 - np.exp(-(image - 0.6) / 0.4)))
    image = np.where(image <= 0.0031308, image * 12.92, 1.055 * np.power(np.maximum(image, 1e-8), 1 / 2.4) - 0.055)
    contrast, color, sharp = rng.uniform(0.1, 0.55), rng.uniform(0.9, 1.2), rng.uniform(0.2, 0.9)
    image = image * (1 - contrast) + contrast * image * image * (3 - 2 * image)
    gray = image.mean(2, keepdims=True)
    image = (gray + (image - gray) * color).astype(np.float32)
    image += sharp * (image - cv2.GaussianBlur(image, (0, 0), 1.0))
    return np.asarray(np.clip(image * 255, 0, 255).round(), np.uint8)


def _moved(image: NDArray[np.float32], by: float, way: float) -> NDArray[np.float32]:
    """The picture of a hand that shook."""
    high, wide = image.shape[:2]
    steps = [(t - 0.5) * by for t in np.linspace(0, 1, 5)]
    shifts = [np.array([[1, 0, t * math.cos(way)], [0, 1, t * math.sin(way)]], np.float32) for t in steps]
    seen = [cv2.warpAffine(image, m, (wide, high), borderMode=cv2.BORDER_REPLICATE) for m in shifts]
    return np.asarray(np.mean(np.asarray(seen, np.float32), axis=0), np.float32)


def visible(quads: list[list[list[float]]], size: tuple[int, int]) -> list[float]:
    """How much of each sheet is in sight: later ones lie on earlier ones, and the picture cuts some off."""
    owner = np.zeros((size[1], size[0]), np.uint8)
    for n, quad in enumerate(quads, 1):
        cv2.fillConvexPoly(owner, np.round(np.array(quad)).astype(np.int32), n)
    areas = [max(cv2.contourArea(np.array(quad, np.float32)), 1.0) for quad in quads]
    return [round(min(np.count_nonzero(owner == n) / area, 1.0), 3) for n, area in enumerate(areas, 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--width", type=int, default=896)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--made-up", type=float, default=0.5, help="how many of the decks are made up")
    parser.add_argument("--kind")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    tool, boards = _tool(), card_scenes._boards()
    for seed in range(args.seed, args.seed + args.count):
        truth = photo(tool, args, seed, boards, args.out)
        print(truth["photo"], truth["light"]["kind"], truth["table"], len(truth["cards"]), flush=True)


if __name__ == "__main__":
    main()
