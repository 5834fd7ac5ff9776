"""Turn the collected facts about the boards into the folders of maps/. Used once: maps/ is the source from then on.

    python3 tools/import_facts.py ../shared/facts maps
"""

from __future__ import annotations

import json
import math
import re
import sys
from pathlib import Path
from typing import Any

CARD_COLORS = ["blue", "pink", "orange", "white", "green", "yellow", "black", "red"]
WAGON_COLORS = ["blue", "red", "green", "yellow", "black"]

# English and French names where they differ from what the board prints: id -> (English, French).
NAMES: dict[str, dict[str, tuple[str, str]]] = {
    "usa": {
        "montreal": ("Montreal", "Montréal"),
        "new-orleans": ("New Orleans", "La Nouvelle-Orléans"),
        "saint-louis": ("Saint Louis", "Saint-Louis"),
        "sault-st-marie": ("Sault Ste. Marie", "Sault-Sainte-Marie"),
        "san-francisco": ("San Francisco", "San Francisco"),
    },
    "europe": {
        "angora": ("Angora", "Angora"),
        "athina": ("Athens", "Athènes"),
        "barcelona": ("Barcelona", "Barcelone"),
        "bruxelles": ("Brussels", "Bruxelles"),
        "bucuresti": ("Bucharest", "Bucarest"),
        "cadiz": ("Cadiz", "Cadix"),
        "danzig": ("Danzig", "Dantzig"),
        "edinburgh": ("Edinburgh", "Édimbourg"),
        "erzurum": ("Erzurum", "Erzurum"),
        "frankfurt": ("Frankfurt", "Francfort"),
        "kharkov": ("Kharkov", "Kharkov"),
        "kobenhavn": ("Copenhagen", "Copenhague"),
        "kyiv": ("Kyiv", "Kiev"),
        "lisboa": ("Lisbon", "Lisbonne"),
        "london": ("London", "Londres"),
        "moskva": ("Moscow", "Moscou"),
        "munchen": ("Munich", "Munich"),
        "palermo": ("Palermo", "Palerme"),
        "pamplona": ("Pamplona", "Pampelune"),
        "roma": ("Rome", "Rome"),
        "sevastopol": ("Sevastopol", "Sébastopol"),
        "smyrna": ("Smyrna", "Smyrne"),
        "sochi": ("Sochi", "Sotchi"),
        "venezia": ("Venice", "Venise"),
        "warszawa": ("Warsaw", "Varsovie"),
        "wien": ("Vienna", "Vienne"),
        "wilno": ("Vilnius", "Vilnius"),
        "zagrab": ("Zagreb", "Zagreb"),
        "zurich": ("Zurich", "Zurich"),
    },
    "asia": {
        "junction-west": ("Western junction", "Jonction ouest"),
        "junction-south": ("Southern junction", "Jonction sud"),
        "junction-east": ("Eastern junction", "Jonction est"),
        "kabul": ("Kabul", "Kaboul"),
        "kashgar": ("Kashgar", "Kachgar"),
        "ulan-bator": ("Ulan Bator", "Oulan-Bator"),
        "peking": ("Peking", "Pékin"),
        "mukden": ("Mukden", "Moukden"),
        "kathmandu": ("Kathmandu", "Katmandou"),
        "lhasa": ("Lhasa", "Lhassa"),
        "rangoon": ("Rangoon", "Rangoun"),
        "xian": ("Xi'an", "Xi'an"),
    },
    "legendary-asia": {
        "astrakhan": ("Astrakhan", "Astrakan"),
        "baghdad": ("Baghdad", "Bagdad"),
        "chita": ("Chita", "Tchita"),
        "irkutsk": ("Irkutsk", "Irkoutsk"),
        "kathmandu": ("Kathmandu", "Katmandou"),
        "khabarovsk": ("Khabarovsk", "Khabarovsk"),
        "krasnoyarsk": ("Krasnoyarsk", "Krasnoïarsk"),
        "lhasa": ("Lhasa", "Lhassa"),
        "macau": ("Macau", "Macao"),
        "mecca": ("Mecca", "La Mecque"),
        "moscow": ("Moscow", "Moscou"),
        "peking": ("Peking", "Pékin"),
        "rangoon": ("Rangoon", "Rangoun"),
        "saigon": ("Saigon", "Saïgon"),
        "samarkand": ("Samarkand", "Samarcande"),
        "seoul": ("Seoul", "Séoul"),
        "singapore": ("Singapore", "Singapour"),
        "tbilisi": ("Tbilisi", "Tbilissi"),
        "tehran": ("Tehran", "Téhéran"),
        "ulan-bator": ("Ulan Bator", "Oulan-Bator"),
    },
    "united-kingdom": {
        "dover": ("Dover", "Douvres"),
        "edinburgh": ("Edinburgh", "Édimbourg"),
        "london": ("London", "Londres"),
        "france": ("France", "France"),
    },
    "pennsylvania": {
        "philadelphia": ("Philadelphia", "Philadelphie"),
        "pittsburg": ("Pittsburgh", "Pittsburgh"),
        "lewiston": ("Lewistown", "Lewistown"),
        "dubois": ("DuBois", "DuBois"),
        "ontario-east": ("Ontario (east)", "Ontario (est)"),
        "ontario-west": ("Ontario (west)", "Ontario (ouest)"),
    },
    "san-francisco": {
        "mission-district": ("Mission District", "Quartier de Mission"),
        "japanese-gardens": ("Japanese Gardens", "Jardin japonais"),
        "the-castro": ("The Castro", "Castro"),
        "the-embarcadero": ("The Embarcadero", "Embarcadero"),
        "haight-ashbury": ("Haight Ashbury", "Haight-Ashbury"),
        "palace-of-fine-arts": ("Palace of Fine Arts", "Palais des Beaux-Arts"),
    },
}

EDITIONS: dict[str, tuple[str, str]] = {
    "usa": ("measured", "classic edition (2004 print), measured on seven photos of one copy; the 10th-anniversary print was not seen"),
    "europe": ("measured", "classic edition, measured on one photo cropped to the board's edge, right to about 0.2 % of the width"),
    "united-kingdom": ("measured", "2015 print, measured on one flat picture of the whole board; later prints were not seen"),
    "legendary-asia": ("estimated", "digital picture of the map area; the score track around it is estimated from other boards of the series"),
    "pennsylvania": ("estimated", "digital picture of the map area; the score track around it is estimated from other boards of the series"),
    "asia": ("schematic", "city positions of one transcription of a board picture; spaces are laid on straight lines between cities"),
    "san-francisco": ("schematic", "hand-made layout by the author of the only source; it does not follow the print"),
}

STAGES: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "usa": ("stable", []),
    "europe": ("stable", []),
    "united-kingdom": ("stable", []),
    "legendary-asia": (
        "stable",
        [("Positions were measured on a digital picture: snap your own empty board once for the best reading.",
          "Les positions viennent d'une image numérique : photographiez une fois votre plateau vide pour une meilleure lecture.")],
    ),
    "pennsylvania": (
        "stable",
        [("Positions were measured on a digital picture: snap your own empty board once for the best reading.",
          "Les positions viennent d'une image numérique : photographiez une fois votre plateau vide pour une meilleure lecture."),
         ("No points table was seen for this board; 18 points for 7 spaces is the value of the series.",
          "Aucun barème n'a été vu pour ce plateau ; 18 points pour 7 cases est la valeur de la série.")],
    ),
    "asia": (
        "beta",
        [("The 60 tickets are unknown: a ticket is told by its two cities and its value.",
          "Les 60 cartes Destination sont inconnues : une carte se saisit par ses deux villes et sa valeur."),
         ("Routes, colours, tunnels and their draw numbers rest on one source: compare with your board.",
          "Routes, couleurs, tunnels et leur nombre de cartes viennent d'une seule source : comparez avec votre plateau."),
         ("Spaces were not measured: enrol your own board by tapping its cities.",
          "Les cases n'ont pas été mesurées : enregistrez votre plateau en touchant ses villes."),
         ("The points table was not seen; the values of the series are used.",
          "Le barème n'a pas été vu ; les valeurs de la série sont utilisées.")],
    ),
    "san-francisco": (
        "beta",
        [("Routes, colours and tickets rest on one source: compare with your board.",
          "Routes, couleurs et cartes Destination viennent d'une seule source : comparez avec votre plateau."),
         ("The points table is presumed: the values of the series.",
          "Le barème est présumé : les valeurs de la série."),
         ("Which routes are ferries is presumed from the water they cross.",
          "Les routes de ferry sont présumées d'après l'eau qu'elles traversent."),
         ("The layout is a sketch: enrol your own board by tapping its places.",
          "Le tracé est un croquis : enregistrez votre plateau en touchant ses lieux.")],
    ),
}

SOURCES: dict[str, list[str]] = {
    "usa": [
        "Cities, routes and tickets: the implementation on Board Game Arena, compared with three other public lists.",
        "Colours and lengths of all 100 tracks and all positions: measured on photos of a classic board.",
        "1910, Mystery Train and revised ticket values: pictures of the cards, and the counts of the printed rules.",
    ],
    "europe": [
        "Cities, routes, ferries, tunnels and tickets: the implementation on Board Game Arena, compared with four other public lists.",
        "Positions: measured on a photo of an empty board.",
        "Europa 1912 tickets: pictures of the cards and one other public list; the decks 'expanded' and 'mega' rest on one source.",
    ],
    "united-kingdom": [
        "Cities, routes, tickets and technologies: three public lists and the printed rules.",
        "All 274 spaces: compared by colour and symbol with a picture of the printed board.",
    ],
    "legendary-asia": [
        "Cities, routes and tickets: the implementation on Board Game Arena, corrected by two other public lists and pictures of the board.",
    ],
    "pennsylvania": [
        "Cities, routes, companies and tickets: the implementation on Board Game Arena, corrected by two other public lists and pictures of the board.",
        "Shares and their values: scans of the nine share cards and the printed rules.",
    ],
    "asia": [
        "Cities, routes, lengths, colours, tunnels: one public transcription of a picture of the board.",
        "Numbers of the team game: the printed rules in French and in English.",
    ],
    "san-francisco": [
        "Places, routes and tickets: one public transcription.",
        "Cards, tokens and numbers: the printed rules; colours of the cable cars: reviews.",
    ],
}

PLAYERS = {
    "usa": [2, 3, 4, 5], "europe": [2, 3, 4, 5], "legendary-asia": [2, 3, 4, 5], "pennsylvania": [2, 3, 4, 5],
    "united-kingdom": [2, 3, 4], "san-francisco": [2, 3, 4], "asia": [4, 6],
}

DECKS: dict[str, dict[str, tuple[str, str]]] = {
    "usa": {
        "base": ("First game", "Premier jeu"), "1910": ("1910", "1910"), "mystery": ("Mystery Train", "Mystery Train"),
        "mega": ("Mega game", "Méga jeu"), "big-cities": ("Big Cities", "Grandes villes"),
    },
    "europe": {
        "regular": ("Regular", "Ordinaires"), "long": ("Long", "Longues"), "1912": ("Europa 1912", "Europa 1912"),
        "1912-long": ("Europa 1912, long", "Europa 1912, longues"), "expanded": ("Europe Expanded", "Europe étendue"),
        "mega": ("Mega Europe", "Méga Europe"), "big-cities": ("Big Cities of Europe", "Grandes villes d'Europe"),
    },
    "legendary-asia": {"regular": ("Regular", "Ordinaires"), "long": ("Long", "Longues")},
    "united-kingdom": {"regular": ("Regular", "Ordinaires")},
    "pennsylvania": {"regular": ("Regular", "Ordinaires")},
    "san-francisco": {"regular": ("Regular", "Ordinaires")},
    "asia": {},
}

# What a technology changes, in the words that the rules use; what it allows stands with each route.
EFFECTS: dict[str, dict[str, int]] = {
    "booster": {"cards_per_locomotive": 3},
    "boiler-lagging": {"points_per_claim": 1},
    "steam-turbines": {"points_per_ferry": 2},
    "double-heading": {"points_per_ticket": 2},
    "right-of-way": {"claim_occupied": 1, "returned": 1},
    "thermocompressor": {"claims_this_turn": 2, "returned": 1},
    "water-tenders": {"blind_draw": 3},
    "risky-contracts": {"most_tickets": 20, "before_first_reshuffle": 1},
    "equalising-beam": {"longest_path": 15, "before_first_reshuffle": 1},
    "diesel-power": {"cards_less": 1},
}
# Whole-board frame of a board known from its map area only: mean of the measured USA and Europe prints.
ESTIMATED_AREA = [[0.0316, 0.0472], [0.9696, 0.0452], [0.9706, 0.9565], [0.0288, 0.9542]]


def solve_homography(src: list[list[float]], dst: list[list[float]]) -> list[list[float]]:
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(src, dst, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    n = 8
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[p] = rows[p], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for r in range(n):
            if r != i:
                f = rows[r][i]
                rows[r] = [a - f * b for a, b in zip(rows[r], rows[i], strict=True)]
    h = [rows[i][8] for i in range(8)]
    return [h[0:3], h[3:6], [h[6], h[7], 1.0]]


def apply(m: list[list[float]], x: float, y: float) -> tuple[float, float]:
    u, v, w = (m[i][0] * x + m[i][1] * y + m[i][2] for i in range(3))
    return u / w, v / w


def angle180(a: float) -> float:
    return round(a % 180.0, 1)


def convert(facts: dict[str, Any]) -> dict[str, Any]:
    bid = facts["id"]
    extra = facts["extra"]
    fw, fh = facts["frame"]["width"], facts["frame"]["height"]
    corners = [[0.0, 0.0], [fw, 0.0], [fw, fh], [0.0, fh]]
    kind, edition = EDITIONS[bid]
    physical = extra.get("physical_board")
    if physical:
        matrix, aspect = physical["art_to_board"], physical["aspect"]
        size = [physical["space_size"]["length"], physical["space_size"]["width"]]
        city_xy = {k: tuple(v) for k, v in physical["cities"].items()}
    elif bid == "united-kingdom":
        pb = extra["printed_board"]
        pw, ph = pb["frame"]["width"], pb["frame"]["height"]
        raw = pb["from_frame_homography"]
        matrix = [[v / pw for v in raw[0]], [v / ph for v in raw[1]], raw[2]]
        aspect = round(pw / ph, 4)
        size = [round(pb["space_size"]["length"] / pw, 4), round(pb["space_size"]["width"] / pw, 4)]
        city_xy = {c["id"]: (c["x"] / pw, c["y"] / ph) for c in pb["cities"]}
    elif kind == "estimated":
        matrix, aspect = solve_homography(corners, ESTIMATED_AREA), 1.507
        size, city_xy = [0.0338, 0.011], {}
    else:
        matrix, aspect = [[1 / fw, 0, 0], [0, 1 / fh, 0], [0, 0, 1.0]], round(fw / fh, 4)
        size, city_xy = ([0.0285, 0.0105] if bid == "asia" else [0.058, 0.018]), {}
    area = [[round(v, 4) for v in apply(matrix, *c)] for c in corners] if kind != "schematic" else None

    def board_space(space: dict[str, float]) -> list[float]:
        x, y = apply(matrix, space["x"], space["y"])
        rad = math.radians(space["angle"])
        x2, y2 = apply(matrix, space["x"] + math.cos(rad), space["y"] + math.sin(rad))
        return [round(x, 5), round(y, 5), angle180(math.degrees(math.atan2((y2 - y) / aspect, x2 - x)))]

    names = NAMES[bid]
    cities = []
    for c in facts["cities"]:
        x, y = city_xy.get(c["id"]) or apply(matrix, c["x"], c["y"])
        printed = c["name"]
        en, fr = names.get(c["id"], (printed, printed))
        if c["id"].startswith("junction-"):
            printed = ""
        aliases = [a for a in dict.fromkeys(c["aliases"]) if a not in (printed, en, fr)]
        row: dict[str, Any] = {"id": c["id"], "name": printed, "en": en, "fr": fr}
        if aliases:
            row["aliases"] = aliases
        row |= {"x": round(x, 5), "y": round(y, 5)}
        if c.get("region"):
            row["region"] = c["region"]
        if not printed:
            row["junction"] = True
        if c.get("tourist_token_start"):
            row["tokens"] = True
        if "endpoints" in c:
            ends = [apply(matrix, e["x"], e["y"]) for e in c["endpoints"]]
            row["also_at"] = [[round(ex, 5), round(ey, 5)] for ex, ey in ends[1:]]
        cities.append(row)

    special = extra.get("special_route_points", {})
    routes = []
    for r in facts["routes"]:
        row = {k: r[k] for k in ("id", "a", "b", "length", "color")}
        if r["kind"] != "normal":
            row["kind"] = r["kind"]
        for key in ("locomotives", "tunnel_draw", "mountain_marks"):
            if r[key]:
                row[key] = r[key]
        if r["companies"]:
            row["companies"] = r["companies"]
        if r.get("technologies"):
            row["technologies"] = r["technologies"]
        row["group"] = r["group"]
        if r["id"] in special:
            row["points"] = special[r["id"]]
        if bid == "united-kingdom":
            row["spaces"] = [[round(s["x"] / pw, 5), round(s["y"] / ph, 5), angle180(s["angle"])] for s in pb["spaces"][r["id"]]]
        elif "board_spaces" in r:
            row["spaces"] = [[s["x"], s["y"], angle180(s["angle"])] for s in r["board_spaces"]]
        elif r["spaces"]:
            row["spaces"] = [board_space(s) for s in r["spaces"]]
        routes.append(row)

    tickets = []
    for t in facts["tickets"]:
        a, b = sorted((t["a"], t["b"]))
        decks = [d for d in (t.get("decks") or [t["deck"]]) if d != "base-1910-value"]
        row = {"a": a, "b": b, "points": t["points"]}
        if t.get("points_1910", t["points"]) != t["points"]:
            row["revised"] = t["points_1910"]
        if t.get("long") or "long" in decks:
            row["long"] = True
        row["decks"] = decks
        tickets.append(row)

    stage, unsure = STAGES[bid]
    cards = {"colors": CARD_COLORS, "per_color": 12, "locomotives": 14}
    if bid == "united-kingdom":
        cards["locomotives"] = extra["train_cards"]["locomotives"]
    if bid == "san-francisco":
        tc = extra["transport_cards"]
        cards = {"colors": tc["colors"], "per_color": tc["per_color"], "locomotives": tc["ferry_wild"]}
    meta: dict[str, Any] = {
        "id": bid,
        "name": {"en": "Asia (teams)", "fr": "Asie (en équipes)"} if bid == "asia"
        else {"en": "USA", "fr": "États-Unis"} if bid == "usa" else facts["name"],
        "stage": stage,
        "unsure": [{"en": en, "fr": fr} for en, fr in unsure],
        "sources": SOURCES[bid],
        "players": PLAYERS[bid],
        "wagons": extra["wagons_per_player"],
        "wagon_colors": extra["vehicle_colors"] if bid == "san-francisco" else WAGON_COLORS,
        "cards": cards,
        "route_points": extra["route_points"] or extra["route_points_presumed"],
        "ticket_decks": {
            d: {"en": en, "fr": fr, "tickets": sum(d in t["decks"] for t in tickets)}
            for d, (en, fr) in DECKS[bid].items()
        },
    }
    if bid == "asia":
        meta["tickets_unknown"] = 60
    if "big_cities" in extra:
        meta["big_cities"] = extra["big_cities"]
    if bid == "pennsylvania":
        meta["places"] = {"ontario": {"en": "Ontario", "fr": "Ontario", "cities": extra["regions"]["ontario"]}}
        meta["companies"] = extra["companies"]
    if bid == "united-kingdom":
        meta["technologies"] = [
            {"id": t["id"], **t["name"], "copies": t["count"], "locomotives": t["cost_locomotives"]}
            | ({"advanced": True} if t["advanced"] else {})
            | ({"effects": EFFECTS[t["id"]]} if t["id"] in EFFECTS else {})
            for t in extra["technologies"]
        ]
    if bid == "san-francisco":
        tt = extra["tourist_tokens"]
        meta["tourist_tokens"] = {"kinds": tt["symbols"], "points": [tt["points"][str(i)] for i in range(tt["symbols"] + 1)]}
    meta["geometry"] = {"kind": kind, "edition": edition, "aspect": aspect, "space_length": size[0], "space_width": size[1]}
    if area:
        meta["geometry"]["map_area"] = area
    return {"meta": meta, "cities": cities, "routes": routes, "tickets": tickets}


def dump_rows(rows: list[dict[str, Any]]) -> str:
    body = ",\n".join("  " + json.dumps(r, ensure_ascii=False) for r in rows)
    return f"[\n{body}\n]\n" if rows else "[]\n"


def dump_meta(meta: dict[str, Any]) -> str:
    """Indented, with lists of plain values and small objects on one line."""
    text = json.dumps(meta, ensure_ascii=False, indent=2)
    for pattern in (r"\[[^\[\]{}]*\]", r'(?<="effects": )\{[^{}]*\}', r"\{[^{}]*\}", r'(?m)^    \{\s+"id": [^{}]*(\{[^{}]*\})?\s*\}', r"\[(?:\s*\[[^\[\]{}]*\],?)+\s*\]"):
        text = re.sub(pattern, lambda m: one if len(one := re.sub(r"\s+", " ", m[0]).replace("[ ", "[").replace(" ]", "]")
                                                .replace("{ ", "{").replace(" }", "}")) < 300 else m[0], text)
    return text + "\n"


def main(facts_dir: Path, maps_dir: Path) -> None:
    for path in sorted(facts_dir.glob("*.json")):
        parts = convert(json.loads(path.read_text(encoding="utf-8")))
        out = maps_dir / parts["meta"]["id"]
        out.mkdir(parents=True, exist_ok=True)
        (out / "meta.json").write_text(dump_meta(parts["meta"]), encoding="utf-8")
        for part in ("cities", "routes", "tickets"):
            (out / f"{part}.json").write_text(dump_rows(parts[part]), encoding="utf-8")
        print(out.name, *(len(parts[p]) for p in ("cities", "routes", "tickets")))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
