"""Trains the finder of lettering, models/tickets/lines.onnx: `python -m models.training.lines`.

Made-up tickets on tables, seen by a phone from anywhere. For every fourth pixel the net tells whether the middle of a
line of letters runs there, which way it reads, and how high its letters are.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any  # Any: arrays of any kind of number

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models import checksums
from models.training import card_scenes, lettering, print_lines, ticket_sheets
from models.training.average import Average
from models.training.card_art import SHARED
from models.training.pack import coarse_noise, pack
from models.training.resume import resume
from models.training.ticket_sheets import Lettered

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
FOLDER = Path(__file__).resolve().parent.parent / "tickets"
SIZE, STRIDE = 320, 4
# Heights of letters in pixels that the net is to find; others are neither here nor there.
HEIGHTS = (5.0, 30.0)
# The net tells heights as powers of two of this, in pixels.
UNIT = 8.0
# Where glare leaves less than this of the contrast, nobody can tell whether there are letters.
BURNT = 0.2
SHARD = 256
# How often scenes show made-up tickets, titled cards, drawn tickets, cards without names, and real prints if they are
# asked for.
SHARES = {4: (0.42, 0.36, 0.14, 0.08), 5: (0.25, 0.22, 0.1, 0.06, 0.37)}


class Finder(nn.Module):
    """A picture in; at a quarter of its size: lettering or not, the reading direction, the height of letters."""

    def __init__(self) -> None:
        super().__init__()

        def block(a: int, b: int, stride: int = 1, dilate: int = 1) -> nn.Sequential:
            conv = nn.Conv2d(a, b, 3, stride=stride, padding=dilate, dilation=dilate, bias=False)
            return nn.Sequential(conv, nn.BatchNorm2d(b), nn.ReLU(inplace=True))

        self.one = nn.Sequential(block(3, 16, 2), block(16, 32, 2), block(32, 32))
        self.two = nn.Sequential(block(32, 64, 2), block(64, 64))
        self.three = nn.Sequential(block(64, 96, 2), block(96, 96), block(96, 96, dilate=2), block(96, 96, dilate=4))
        self.from_three = nn.Conv2d(96, 48, 1)
        self.from_two = nn.Conv2d(64, 48, 1)
        self.from_one = nn.Conv2d(32, 32, 1)
        self.mix_two = block(48, 32)
        self.mix_one = block(32, 32)
        self.out = nn.Conv2d(32, 4, 1)

    def forward(self, patches: Tensor) -> Tensor:
        one = self.one(patches)
        two = self.two(one)
        three = self.three(two)
        two = self.mix_two(self.from_two(two) + functional.interpolate(self.from_three(three), scale_factor=2.0))
        one = self.mix_one(self.from_one(one) + functional.interpolate(two, scale_factor=2.0))
        out: Tensor = self.out(one)
        return out


def _pool(
    make: Callable[[list[list[lettering.Font]], np.random.Generator], Lettered],
    groups: list[list[lettering.Font]],
    rng: np.random.Generator,
    count: int,
) -> list[Lettered]:
    made: list[Lettered] = []
    while len(made) < count:
        try:
            made.append(make(groups, rng))
        except (OSError, ValueError, cv2.error):
            continue
    return made


def _plain() -> list[Lettered]:
    """Cards without names."""
    found = []
    for path in sorted(SHARED.glob("prints/cards/*/*.jpg")):
        image = cv2.imread(str(path))
        if image is not None:
            found.append(Lettered(np.asarray(cv2.resize(image, (520, 330), interpolation=cv2.INTER_AREA)), []))
    return found


def scene(
    sheets: list[list[Lettered]], tables: list[Picture], rng: np.random.Generator
) -> tuple[Picture, Floats, Picture]:
    """A picture, what the net should tell, and where that counts (1)."""
    picture = _table(tables, rng)
    known = np.ones((SIZE, SIZE), np.uint8)
    lines: list[Floats] = []
    long = float(np.exp(rng.uniform(np.log(90), np.log(480))))
    spin = rng.uniform(0, 2 * np.pi)
    number = int(np.clip(round((SIZE / long) ** 2 * rng.uniform(0.3, 1.6)), 1, 9))
    kind = sheets[rng.choice(len(sheets), p=SHARES.get(len(sheets)))]
    for _ in range(number):
        if rng.random() < 0.2:
            kind = sheets[rng.integers(len(sheets))]
        sheet = kind[rng.integers(len(kind))]
        high, wide = sheet.picture.shape[:2]
        place = _place(
            wide, high, long * rng.uniform(0.9, 1.1), spin + rng.normal(0, 0.25 if rng.random() < 0.8 else 2), rng
        )
        scale = long / max(wide, high)
        art = sheet.picture
        if scale < 0.7:
            art = np.asarray(cv2.GaussianBlur(art, (0, 0), 0.4 / scale), np.uint8)
        mask = np.asarray(cv2.warpPerspective(np.full((high, wide), 255, np.uint8), place, (SIZE, SIZE)), np.uint8)
        soft = mask.astype(np.float32)[..., None] / 255
        if rng.random() < 0.5:
            shade = cv2.GaussianBlur(mask, (0, 0), 3).astype(np.float32)[..., None] / 255
            picture *= 1 - shade * rng.uniform(0.1, 0.5)
        picture += (cv2.warpPerspective(art, place, (SIZE, SIZE)).astype(np.float32) - picture) * soft
        lines = [line for line in lines if not _covered(line, mask, known)]
        known[mask > 127] = 0 if sheet.unknown is not None else 1
        for line in sheet.lines:
            corners = cv2.perspectiveTransform(line[None], place)[0]
            lines.append(corners)
            if sheet.unknown is not None:
                cv2.fillConvexPoly(known, _grown(corners, 1.8).astype(np.int32), 1)
    answer = _answer(lines, known)
    return card_scenes.light(picture, rng), answer, known


def _covered(line: Floats, mask: Picture, known: Picture) -> bool:
    """Whether a sheet lies over a part of the line; what is left of it is neither lettering nor not."""
    lane = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(lane, line.astype(np.int32), 1)
    covered = bool(lane.any() and (mask[lane > 0] > 127).mean() > 0.1)
    if covered:
        cv2.fillConvexPoly(known, _grown(line, 1.4).astype(np.int32), 0)
    return covered


def _grown(line: Floats, by: float) -> Floats:
    """The corners of a line with more room above and below."""
    top, bottom = (line[0] + line[1]) / 2, (line[2] + line[3]) / 2
    move = (bottom - top) * (by - 1) / 2
    return np.array([line[0] - move, line[1] - move, line[2] + move, line[3] + move], np.float32)


def _place(wide: int, high: int, long: float, turn: float, rng: np.random.Generator) -> Floats:
    """From a sheet's pixels to the picture's, seen from anywhere."""
    scale = long / max(wide, high)
    half = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)], np.float32) / 2 * scale
    lean = rng.uniform(0, 0.28, 2) * rng.choice([-1, 1], 2)
    depth = 1 + (half @ lean.astype(np.float32)) / long
    squeeze = np.array([1, rng.uniform(0.6, 1)], np.float32)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]], np.float32)
    tilt = rng.uniform(0, np.pi)
    way = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]], np.float32)
    corners = half @ spin.T
    corners = ((corners @ way) * squeeze) @ way.T / depth[:, None] + rng.uniform(0.0, 1.0, 2) * SIZE
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(box, corners.astype(np.float32)), np.float32)


def _table(tables: list[Picture], rng: np.random.Generator) -> Floats:
    if tables and rng.random() < 0.5:
        return card_scenes._crop(tables[rng.integers(len(tables))], rng, SIZE).astype(np.float32)
    camera, _ = card_scenes._camera(rng, SIZE)
    return card_scenes._drawn_table(rng, SIZE, camera).astype(np.float32)


def _answer(lines: list[Floats], known: Picture) -> Floats:
    """Lettering, direction, height for every cell; heights beyond what is asked for are made not to count."""
    cells = SIZE // STRIDE
    answer = np.zeros((4, cells, cells), np.float32)
    for line in lines:
        high = (np.linalg.norm(line[3] - line[0]) + np.linalg.norm(line[2] - line[1])) / 2
        along = (line[1] + line[2] - line[0] - line[3]) / 2
        long = float(np.linalg.norm(along))
        if not HEIGHTS[0] <= high <= HEIGHTS[1] or long < 2:
            cv2.fillConvexPoly(known, _grown(line, 1.4).astype(np.int32), 0)
            continue
        core = _grown(line, 0.5)
        lane = np.zeros((cells, cells), np.uint8)
        points = np.round((core / STRIDE - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(lane, points, 1, shift=4)
        ends = np.round(((core[[0, 1]] + core[[3, 2]]) / 2 / STRIDE - 0.5) * 16).astype(np.int32)
        cv2.line(lane, tuple(map(int, ends[0])), tuple(map(int, ends[1])), 1, 1, shift=4)
        here = lane > 0
        answer[0][here] = 1
        answer[1][here], answer[2][here] = along / long
        answer[3][here] = np.log2(high / UNIT)
    return answer


def draw(
    folder: Path, shards: int, held_out: bool, seed: int, prints: bool = False, without: str = "", only: str = ""
) -> None:
    """Draws shards of scenes into a folder; with real prints, perhaps without one of them or with one alone."""
    groups = lettering.families(held_out)
    folder.mkdir(parents=True, exist_ok=True)
    printed, plain = ticket_sheets.printed(), _plain()
    tables = card_scenes._bare_tables() if (SHARED / "photos" / "usa").is_dir() else []
    for n in range(shards):
        path = folder / f"{'judge' if held_out else 'train'}-{seed + n:04}.npz"
        if path.is_file():
            continue
        rng = np.random.default_rng((held_out, seed + n))
        real = print_lines.sheets(without, only) if prints else []
        tickets = _pool(ticket_sheets.made_up, groups, rng, 60)
        titled = _pool(ticket_sheets.titled, groups, rng, 60)
        sheets = [s for s in (tickets, titled, printed, plain, real) if s]
        rows = [scene(sheets, tables, rng) for _ in range(SHARD)]
        part = path.with_suffix(".part.npz")
        pictures, answers, known = (np.stack(column) for column in zip(*rows, strict=True))
        np.savez(part, pictures=pictures, answers=answers.astype(np.float16), known=known[:, 2::4, 2::4])
        part.rename(path)


def losses(scores: Tensor, answers: Tensor, known: Tensor) -> Tensor:
    """Whether lettering is there (cross entropy and overlap), and where it is, direction and height."""
    there, told = answers[:, 0], scores[:, 0]
    weight = known * (1 + 3 * there)
    crossed = (functional.binary_cross_entropy_with_logits(told, there, reduction="none") * weight).sum() / weight.sum()
    sure = told.sigmoid() * known
    common = 1 - (2 * (sure * there).sum() + 1) / ((sure**2).sum() + (there * known).sum() + 1)
    size = there.sum() + 1
    ways = ((scores[:, 1:3] - answers[:, 1:3]).abs().sum(1) * there).sum() / size
    heights = ((scores[:, 3] - answers[:, 3]).abs() * there).sum() / size
    return crossed + common + 0.5 * ways + 0.5 * heights


def net_input(pictures: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(pictures.transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1)


def shaken(
    pictures: Picture, answers: Floats, known: Picture, rng: np.random.Generator
) -> tuple[Picture, Floats, Picture]:
    """A batch once more, otherwise: turned by quarters, lower letters, in other light and by another camera."""
    pictures, answers, known = pictures.copy(), answers.copy(), known.copy()
    if rng.random() < 0.4:
        _lower(pictures, answers, known, rng)
    for n in range(len(pictures)):
        turns = int(rng.integers(4))
        pictures[n] = np.rot90(pictures[n], turns).copy()
        answers[n], known[n] = np.rot90(answers[n], turns, (1, 2)).copy(), np.rot90(known[n], turns).copy()
        for _ in range(turns):
            answers[n, 1], answers[n, 2] = answers[n, 2].copy(), -answers[n, 1]
        picture = pictures[n].astype(np.float32)
        if rng.random() < 0.08:
            picture = 255 - picture
        if rng.random() < 0.35:
            picture *= _shade(rng)
        if rng.random() < 0.3:
            left = _left_by_glare(rng)
            picture = 255 + (picture - 255) * left
            known[n] &= left[2::STRIDE, 2::STRIDE, 0] >= BURNT
        pictures[n] = _snapped(picture, rng)
    return pictures, answers, known


def _shade(rng: np.random.Generator) -> Floats:
    """How much light a hand, a head or the edge of something leaves; its core may be nearly black."""
    mask = np.zeros((SIZE, SIZE), np.uint8)
    corners = rng.uniform(-0.4, 1.4, (rng.integers(3, 7), 2)) * SIZE
    cv2.fillConvexPoly(mask, cv2.convexHull(corners.astype(np.int32)), 255)
    soft = cv2.GaussianBlur(mask, (0, 0), float(np.exp(rng.uniform(np.log(0.5), np.log(14))))).astype(np.float32) / 255
    return np.asarray(1 - soft * rng.uniform(0.4, 0.88), np.float32)[..., None]


def _left_by_glare(rng: np.random.Generator) -> Floats:
    """How much contrast a lamp's mirror leaves: a blotch, perhaps long, and a veil over everything."""
    y, x = np.mgrid[:SIZE, :SIZE].astype(np.float32) / SIZE
    turn = rng.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    at = rng.uniform(-0.2, 1.2, 2)
    middle = at[0] * np.cos(turn) + at[1] * np.sin(turn), at[1] * np.cos(turn) - at[0] * np.sin(turn)
    wide, high = np.exp(rng.uniform(np.log(0.06), np.log(0.8), 2))
    far = ((along - middle[0]) / wide) ** 2 + ((across - middle[1]) / high) ** 2
    left = 1 - rng.uniform(0.4, 1.0) * np.exp(-far) - (rng.uniform(0, 0.4) if rng.random() < 0.4 else 0.0)
    return np.asarray(np.clip(left, 0, 1), np.float32)[..., None]


def _snapped(picture: Floats, rng: np.random.Generator) -> Picture:
    """What a phone makes of it: exposure, softness or too much sharpness, grain, JPEG."""
    if rng.random() < 0.4:
        curved = np.clip(picture / 255, 0, 1) ** np.exp(rng.normal(0, 0.3))
        picture = np.asarray(255 * curved * rng.uniform(0.35, 1.1), np.float32)
    if rng.random() < 0.2:
        picture = picture[..., rng.permutation(3)]
    kind = rng.random()
    if kind < 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.2)), np.float32)
    elif kind < 0.45:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.6))
        picture = np.asarray(picture + (picture - soft) * rng.uniform(0.4, 2.0), np.float32)
    if rng.random() < 0.3:
        picture = picture + rng.standard_normal(picture.shape, np.float32) * np.float32(rng.uniform(2, 8))
    ready = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        packed = cv2.imencode(".jpg", ready, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 80))])[1]
        ready = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return ready


def _lower(pictures: Picture, answers: Floats, known: Picture, rng: np.random.Generator) -> None:
    """Some pictures of a batch become four of them at half their size: the same letters, lower."""
    fours = [rng.permutation(len(pictures))[:4] for _ in range(2)]
    made = [_four_in_one(pictures[four], answers[four], known[four]) for four in fours]
    for n, (picture, answer, counts) in zip(rng.permutation(len(pictures)), made, strict=False):
        pictures[n], answers[n], known[n] = picture, answer, counts


def _four_in_one(pictures: Picture, answers: Floats, known: Picture) -> tuple[Picture, Floats, Picture]:
    small = [np.asarray(cv2.resize(p, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8) for p in pictures]
    halves, counts = [], []
    for answer, here in zip(answers, known, strict=True):
        cells = answer.shape[1] // 2
        every = answer.reshape(4, cells, 2, cells, 2).transpose(0, 1, 3, 2, 4).reshape(4, cells, cells, 4)
        best = every[0].argmax(-1)
        half = np.take_along_axis(every, best[None, ..., None], 3)[..., 0]
        half[3] -= half[0]
        too_low = (half[0] > 0.5) & (UNIT * 2 ** half[3] < HEIGHTS[0])
        half[:, too_low] = 0
        counts.append(here.reshape(cells, 2, cells, 2).min((1, 3)) * ~too_low)
        halves.append(half)
    return _tiled(small), _tiled([h.transpose(1, 2, 0) for h in halves]).transpose(2, 0, 1), _tiled(counts)


def _tiled(four: list[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate([np.concatenate(four[:2], 1), np.concatenate(four[2:], 1)], 0)


def train(folder: Path, state: Path, minutes: float, rate: float, begin: Path | None) -> Finder:
    """Trains for some minutes, with a checkpoint every minute; the average of its weights is what is kept."""
    net: Finder = Finder().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    if begin is not None and begin.suffix == ".onnx":
        with np.load(min(folder.glob("train-*.npz"))) as data:
            resume(net, begin, net_input(data["pictures"][:24]))
    elif begin is not None and begin.is_file():
        net.load_state_dict(torch.load(begin)["net"])
    average: Average[Finder] = Average(net)
    print(json.dumps({"begin": judged(average.net, folder)}), flush=True)
    rng = np.random.default_rng(int(time.time()))
    # Processor time: what others do on the machine neither shortens nor lengthens it.
    start = last = time.process_time()
    told: list[float] = []
    seen = 0
    while True:
        paths = sorted(folder.glob("train-*.npz"))
        with np.load(paths[rng.integers(len(paths))]) as data:
            pictures, answers, known = data["pictures"], data["answers"].astype(np.float32), data["known"]
        for rows in np.split(rng.permutation(len(pictures)), len(pictures) // 8):
            done = (time.process_time() - start) / 60 / minutes
            if done >= 1:
                torch.save({"net": average.net.state_dict()}, state)
                return average.net
            for group in optimizer.param_groups:
                # A net that knows something forgets it when the first steps are long.
                group["lr"] = rate * min(1.0, seen / 4000 + 0.02) * (0.5 + 0.5 * np.cos(np.pi * done)) + rate * 0.01
            batch, wanted, counts = shaken(pictures[rows], answers[rows], known[rows], rng)
            with torch.autocast("cpu", torch.bfloat16):
                scores = net(net_input(batch).to(memory_format=torch.channels_last))
            loss = losses(scores.float(), torch.from_numpy(wanted), torch.from_numpy(counts).float())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimizer.step()
            average.tell(net)
            told.append(float(loss.detach()))
            seen += len(rows)
            if time.process_time() - last > 60:
                last = time.process_time()
                torch.save({"net": average.net.state_dict()}, state)
                row = {"minutes": round((last - start) / 60, 1), "seen": seen, "loss": round(float(np.mean(told)), 3)}
                print(json.dumps({**row, **judged(average.net, folder)}), flush=True)
                told = []


def judged(net: Finder, folder: Path) -> dict[str, float]:
    """On scenes with fonts never seen, as they are and in hard light: how well lettering is marked, directions told."""
    net.eval()
    with np.load(folder / "judge-0000.npz") as data:
        plain = data["pictures"][:48], data["answers"][:48].astype(np.float32), data["known"][:48]
    hard = shaken(*plain, np.random.default_rng(5))
    return {**_marked(net, *plain), **{f"hard {k}": v for k, v in _marked(net, *hard).items()}}


def _marked(net: Finder, pictures: Picture, answers: Floats, known: Picture) -> dict[str, float]:
    with torch.no_grad():
        scores = np.concatenate([net(net_input(pictures[k : k + 8])).numpy() for k in range(0, len(pictures), 8)])
    there, told = (answers[:, 0] > 0.5) & (known > 0), (scores[:, 0] > 0) & (known > 0)
    both = there & told
    agree = (scores[:, 1:3] * answers[:, 1:3]).sum(1)[both] > 0.8
    return {
        "recall": round(float(both.sum() / there.sum()), 3),
        "precision": round(float(both.sum() / max(told.sum(), 1)), 3),
        "direction": round(float(agree.mean()), 3),
    }


def write(net: Finder, path: Path) -> None:
    """The net as ONNX with its weights packed, and what it answers to a stored input."""
    net.eval()
    example = torch.from_numpy(coarse_noise((1, 3, 64, 64)).astype(np.float32))
    torch.onnx.export(
        nn.Sequential(net, nn.Flatten()).eval(),
        (example,),
        str(path),
        input_names=["patches"],
        output_names=["scores"],
        opset_version=13,
        dynamic_axes={"patches": {2: "high", 3: "wide"}, "scores": {1: "cells"}},
        dynamo=False,
    )
    pack(path)
    patches = coarse_noise((1, 3, 64, 64))
    loaded = cv2.dnn.readNetFromONNX(str(path))
    loaded.setInput(patches.astype(np.float32), "patches")
    scores = np.asarray(loaded.forward("scores"), np.float32).reshape(1, -1)
    np.savez_compressed(path.with_suffix(".test.npz"), patches=patches, scores=scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path.home() / ".cache" / "companion-lines")
    parser.add_argument(
        "--shards", type=int, default=12, help="so many shards of scenes are drawn, and again with prints"
    )
    parser.add_argument(
        "--minutes", type=float, default=35, help="of processor time on drawn scenes; half of it with real prints too"
    )
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--without", default="", help="a print that is left out to judge")
    parser.add_argument("--drawn-only", action="store_true", help="no real print at all: every print judges")
    parser.add_argument("--begin", type=Path, help="go on from this ONNX file or state")
    parser.add_argument("--out", type=Path, default=FOLDER)
    args = parser.parse_args()
    torch.set_num_threads(1)
    state, real = args.work / "state.pt", args.work / "with-prints"
    for folder in (args.work, real):
        draw(folder, 1, True, 0)
    draw(args.work, args.shards, False, 0)
    net = train(args.work, state, args.minutes, args.rate, args.begin)
    if not args.drawn_only:
        draw(real, args.shards, False, 100, True, args.without)
        net = train(real, real / "state.pt", args.minutes / 2, args.rate / 2, state)
    write(net, args.out / "lines.onnx")
    if args.out == FOLDER:
        checksums.write()


if __name__ == "__main__":
    main()
