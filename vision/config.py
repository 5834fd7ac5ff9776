"""The thresholds that decide what the camera reader tells, with a word on where each comes from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PhotoConfig:
    """Decoding."""

    # A JPEG is halved while its longer side keeps this many pixels: a board of 1500 px has spaces 17 px wide.
    reduced_side: int = 1900
    # No board was ever found on less.
    least_side: int = 120
    # What other formats than JPEG may hold: OpenCV needs 11 bytes for each of a PNG. An iPhone's HEIC has 49.
    most_pixels: int = 40_000_000
    most_heic: int = 50_000_000
    # What is left to read: reading takes some 14 bytes for each, and memory is short.
    most_kept: int = 25_000_000
    # Phones take 200 megapixels; a JPEG of them is decoded smaller.
    most_in_file: int = 300_000_000
    # A progressive JPEG is held in memory whole, whatever comes of it.
    most_progressive: int = 24_000_000
    # Programs write up to 15; each one goes over the whole picture.
    most_scans: int = 50
    most_bytes: int = 100_000_000


PHOTO = PhotoConfig()


@dataclass(frozen=True)
class LocateConfig:
    """Finding the board."""

    # Longer side of the picture that is searched, and the most features kept. A glance finds all 83 photos and renders
    # at hand but one, and as exactly as any larger one (on 224 pixels a corner was off by 0.3 % more, on 200 by 0.8 %);
    # only a print that is well known is told by it.
    glance: tuple[int, int] = (256, 450)
    # Tried in turn until a board is found: small boards, other prints, blur and tilt want the larger ones.
    tries: tuple[tuple[int, int], ...] = ((512, 1800), (1000, 4000), (1600, 7000))
    # SIFT's contrast threshold: half of OpenCV's default, for boards in shadow.
    contrast: float = 0.02
    # A picture whose brightest hundredth is darker than this is brightened first.
    dark: float = 120.0
    # The rectified print that fingerprints are made of, and its smallest features: finer ones never matched.
    print_side: int = 1000
    least_size: float = 2.8
    # Features kept in a fingerprint: more gave no more right matches, and 2200 take under 300 kB.
    points: int = 2200
    marks: int = 1500
    # Fewer features than this make no fingerprint.
    least_print: int = 150
    # Leaves that the search tree looks into: 32 found no board more of 226 pictures, no corner nearer to its truth, and
    # took 2 ms longer.
    checks: int = 16
    # Prints whose pose is tried, those with most matches first; one that is found this surely ends the search.
    prints_tried: int = 3
    sure_quality: float = 0.35
    # Share of the map's visible corners to be found: other boards with the same score track reached 0.006, another
    # print of the board 0.1 to 0.35.
    least_quality: float = 0.05
    # Below this an edition with another print is likelier than a soft photo of the one that is known (0.23 and more).
    other_print: float = 0.2
    # Ratio of best to second best distance.
    ratio: float = 0.82
    # Reprojection error of a right match, in pixels of the searched picture.
    reprojection: float = 2.5
    # Matches that agree on one sane pose: of 53 pictures without a board one reached 7, none 9.
    least_inliers: int = 9
    # Cells of a 6 x 6 grid over the board that hold an agreeing match.
    least_cells: int = 5
    # A quadrilateral's opposite sides: 45 degrees of tilt, close up, gives 2.2.
    most_taper: float = 3.2
    # Least share of the picture that a readable board covers, and least share of the board in the picture.
    least_area: float = 0.02
    least_seen: float = 0.5
    # Cosine of the steepest tilt at which a board can still be read (62 degrees).
    least_height: float = 0.47
    # Below these scales a picture is halved, or averaged down, before it is warped.
    halve_first: float = 0.55
    shrink_first: float = 0.65


@dataclass(frozen=True)
class RefineConfig:
    """From a rough pose to an exact one. Lengths are shares of the rectified board's longer side."""

    # The rectified board on which corners of the print are compared, its blur and corner finder.
    side: int = 800
    blur: float = 0.8
    corner_quality: float = 0.003
    corner_distance: float = 4.0
    marks_in_photo: int = 2500
    # Pixels around the flat board: a pattern at its very edge reaches this far, and it is what ORB keeps clear of.
    margin: int = 20
    # How far a mark may lie from where the rough pose and then the better one expect it.
    first_reach: float = 0.014
    second_reach: float = 0.006
    # Bits of 256 in which a pattern may differ, and ratio of best to second best.
    most_bits: int = 64
    mark_ratio: float = 0.9
    # Error of a right mark against one homography: lens and folds bend a board by up to this much.
    mark_error: float = 0.003
    least_marks: int = 25
    # The score track's width at most, in the board's width or height: of six boards the widest has 5 %.
    score_track: float = 0.06
    lens_rounds: int = 6
    # Stiffness of the lens: no phone or render bent a corner by more than 3 %.
    lens_prior: float = 1.0
    # The local warp: cells over the longer and shorter side, stiffness against bending and against any shift.
    warp_cells: tuple[int, int] = (9, 6)
    warp_bending: float = 2e-3
    warp_shift: float = 2e-5
    warp_rounds: int = 4


@dataclass(frozen=True)
class EdgesConfig:
    """The rim of boards whose score track was not measured. Lengths in board widths."""

    # Score tracks of the series are 2.4 to 3.6 % wide: the edge lies this much off at most; beyond it there is table.
    reach: float = 0.0085
    beyond: float = 0.0115
    step: float = 0.0005
    samples: int = 160
    # A side counts with this much of it in the picture.
    least_side: float = 0.3
    # Steps of colour (of 441) that mean nothing.
    faint: float = 6.0
    # No side says that there is surely no edge: a hand or a table of the board's colour hides it.
    least_share: float = 0.02
    # Share of a side that must have its strongest step at one place, over what the table has anyway.
    least_step: float = 0.1
    # A step this high, against the highest, is clear. The edge lies inside the lower of two levels of its outer slope,
    # by so many times the way between them (a bell's is 1.97) and at most so much: fitted on 28 renders.
    clear: float = 0.3
    slope: tuple[float, float] = (0.8, 0.4)
    back: float = 1.58
    most_back: float = 0.0025


LOCATE = LocateConfig()
REFINE = RefineConfig()
EDGES = EdgesConfig()


@dataclass(frozen=True)
class PatchConfig:
    """The small pictures that the classifier sees."""

    # Focal length over the picture's diagonal: a phone's main camera is like 26 mm on 43.3 mm film.
    focal: float = 0.6
    # A wagon stands 9.2 mm high, a space is 8.7 mm wide.
    piece_height: float = 1.06
    # At more lean than this (over 55 degrees) wagons hide each other and the guess gets worse.
    most_lean: float = 1.5
    # Width and height in pixels: about what a board of 1300 px in the photo gives.
    size: tuple[int, int] = (64, 48)
    # A patch covers this many space widths: one and a half spaces along the track, and across it both tracks beside.
    span: float = 4.6
    # A glance at a place that is hardly ever worth a look: its pixels, and the space widths that they cover.
    glance: tuple[int, int] = (16, 8)
    glance_span: float = 2.0
    # Patches that a net gets at once: more took memory and no less time.
    at_once: int = 64
    # Colours (of 441) that are the same, and that are not: of bare spaces half lie below 21, of taken ones one in 100
    # below 30, one in 20 where wagons lie on print of their own colour below 19.
    alike: tuple[float, float] = (20.0, 45.0)
    # All three colours from here on are white: a lamp or window is mirrored there.
    white: int = 232
    # From this chance on a space is taken for bare.
    bare: float = 0.5
    # How much a space that looks taken counts in what its print looks like, and the fewest other spaces that tell it.
    twin_floor: float = 0.02
    least_twins: int = 4
    # How much a space of another kind of route counts, against one of the same kind: Europe has one blue tunnel, which
    # was taken for a wagon when plain blue tracks told nothing of it.
    other_kind: float = 0.05
    city_size: tuple[int, int] = (48, 48)
    # Colours (of 441) of bare cities that are the same, and that are not: half of them lie below 21 and three in four
    # below 33, yellow stations from 34 on, others from 72; told by so many bare cities, seen whole.
    city_alike: tuple[float, float] = (20.0, 40.0)
    least_bare_cities: int = 8
    city_whole: float = 0.9
    # A station is 1.6 space widths across and stands up to one width off: three times that shows what lies around it.
    city_span: float = 4.8


@dataclass(frozen=True)
class LightConfig:
    """Evening out the light."""

    # Cells along the board's longer side: fine enough for a photographer's shadow, too coarse to show the print.
    cells: int = 72
    # The photo is measured this much finer than the cells, so that spaces can be left out.
    fine: int = 4
    # Blur in cells; smaller follows shadows better, larger forgives a board found 0.5 % off.
    blur: float = 1.2
    smooth: float = 0.8
    # The same for the light's colour: with 3 some greens were still blue on warm, saturated photos.
    cast: float = 8.0
    # Weight of the wider surroundings where the near ones are covered.
    wider: float = 0.03
    # A piece lies up to this much outside its space.
    margin_along: float = 1.15
    margin_across: float = 1.7
    # No light raised a colour by more or less than this on any photo or render.
    limits: tuple[float, float] = (0.12, 4.0)
    # What printed white spaces are scaled to in a reference, BGR: bright and neutral.
    white: tuple[float, float, float] = (205.0, 210.0, 212.0)
    # Mean of printed boards in even light.
    grey: float = 150.0
    # Patches whose light is evened out together: what a processor's nearest memory holds.
    at_once: int = 16
    # A camera's tint: bare spaces' worth of belief that there is none, steps of the fit, and what fits (of 1).
    tint_stiff: float = 3.0
    tint_rounds: int = 6
    tint_fits: float = 0.08
    # A track lies along a space from this cosine on, at most this far ahead and aside and at least this far aside, in
    # space widths: tracks of a group lie 1.0 to 1.4 apart.
    parallel: float = 0.93
    beside_reach: tuple[float, float] = (1.9, 1.8)
    beside_least: float = 0.7


PATCH = PatchConfig()
LIGHT = LightConfig()


@dataclass(frozen=True)
class ClassifierConfig:
    """How the nets are asked."""

    # Engines agree to 1e-5 on our scores; more means a broken file or a broken engine.
    most_off: float = 1e-2
    # Patches that cv2.dnn looks at together.
    portion: int = 32
    # Softens scores of spaces so that nine in ten at 0.9 are right: fitted on photos left out of training.
    temperature: float = 1.0
    station_temperature: float = 1.0
    # A glance is enough for routes whose every space it tells with this chance.
    glance: float = 0.95
    # How much it counts beside a closer look elsewhere, and on print of a colour that wagons have: it takes more of a
    # print never seen for wagons.
    glance_counts: float = 0.5
    glance_on_print: float = 0.15
    # Spaces of routes less sure than this are looked at again, mirrored: halves doubt on photos left out of training.
    look_again: float = 0.99
    # Log of odds for a bare space that looks like the same print elsewhere in the photo.
    alike: float = 1.2
    # The same for a city that looks like the other bare ones.
    city_alike: float = 2.0
    # A space tells how its print looks in a photo when this much of it is in the picture.
    whole: float = 0.9


@dataclass(frozen=True)
class PlasticsConfig:
    """What this photo's wagons look like. Set on spaces of photos and renders in looks of other phones."""

    # The middle of a patch in which a wagon lies: width and height in pixels.
    part: tuple[int, int] = (40, 16)
    # Colours (of 441) that are print, and from there on so many more that surely are not; what a pixel counts at least.
    unlike: tuple[float, float] = (30.0, 90.0)
    floor: float = 0.05
    # Spaces that tell and are told: something lies there, and they are whole in the picture.
    taken: float = 0.5
    whole: float = 0.9
    # How much a wagon counts beside what is known of all photos.
    share: float = 0.1
    # How much its colour counts beside what the nets say.
    counts: float = 0.5
    # What may be a station, and how near those that are read right are to their owner's wagons: nine in ten are nearer.
    perhaps: float = 0.02
    near: float = -4.5
    # Log of odds from which on a station is asked about, whatever its colour (`station` and `station_doubt` below).
    asked: float = -0.95
    # The least chance that the nets leave a colour.
    least: float = 1e-6
    # Degrees of freedom: fewer forgive more.
    tail: float = 6.0
    rounds: int = 4


@dataclass(frozen=True)
class DecideConfig:
    """From spaces to routes."""

    # So few tracks taken on the whole board, and nothing known of the game, are asked about: pink print of an empty
    # board in warm light was taken for red wagons by nets that never saw that board.
    all_but_bare: int = 2
    # A space is in sight when this much of it lies inside the picture.
    in_sight: float = 0.7
    # Of a route, this part has to be in sight, or a person looks at it.
    sight_part: float = 0.6
    # Something lies over a space from this chance on, and over a route when so much of it is hidden.
    hidden: float = 0.6
    hidden_part: float = 0.4
    # And over a city when so many of the spaces beside it are: a hand hid a station and nobody was asked.
    hidden_city: float = 0.5
    # So much white in a space is glare, and nothing that lies over it.
    glare: float = 0.1
    # How often a single space is utterly misread: a knocked-over wagon, a reflection.
    slip: float = 0.01
    # Exponent of the number of spaces: 1 for independent witnesses, 0 for one witness.
    witness: float = 0.7
    # Half of all spaces were taken in what the nets were trained on.
    taken: float = 0.52
    # How much of that each space of a route brings in again: fitted on photos left out of training.
    repeated: float = 0.1
    # Logs of odds for what the game hardly allows.
    not_playing: float = -6.0
    perhaps_not_playing: float = -4.0
    known_before: float = 5.0
    both_tracks: float = -9.0
    # A group closes when as many tracks are held as the game allows.
    over_limit: float = -6.0
    # Fewer cities have a station than in training. From 0 to -2.4 tried: below it one was invented in a warm photo,
    # beyond it yellow ones are missed on renders.
    station: float = -1.2
    # Nobody builds a station before the first route, or hardly.
    no_route: float = -3.0
    mixed: float = -6.0
    # Groups with a second owner, and with one, that count before any is seen; the odds of a second owner where four or
    # five play; and the least part of them that is left.
    second: tuple[float, float] = (1.0, 1.5)
    second_usual: float = 0.8
    second_least: float = 0.1
    # A colour plays when a route of it is as sure as this.
    surely_playing: float = 0.9
    # No surer than this are the least sure routes of a colour that has too many wagons.
    too_many: float = 0.8
    # No surer than this are two tracks of a group that one colour seems to hold: one of the two is wrong.
    held_twice: float = 0.6
    # A box holds this many spare wagons of each colour, and they find their way onto the board.
    spare_wagons: int = 3
    # A single space this sure is told as it lies, against its route.
    clear_space: float = 0.9
    # Wagons on print of their own colour with a space as bare as this are no surer than that: of such routes on the
    # given film's first frames all were print, on photos of boards that the nets never saw none.
    bare_space: float = 0.7
    perhaps_print: float = 0.9
    # The same on the only track of its kind and colour: below a doubt, and enough for a claim that was seen being laid.
    # Nets that never saw a photo of Europe took its lone blue tunnel for wagons on three of seven, surely.
    only_print: float = 0.93
    # Wagons fit the colour they are told for so much better (log of odds a space) than any other that plays, or they
    # are asked about: of ten silent mistakes on renders in looks of other phones seven are, for two to five questions
    # on 31 photos.
    looks_alike: float = -0.5
    like_others: float = 0.9
    # Below this a person should look.
    doubt: float = 0.95
    station_doubt: float = 0.9


@dataclass(frozen=True)
class AgainConfig:
    """When a look at places that have changed is enough, and when the whole board is looked at."""

    # Looks after which one is whole all the same.
    looks: int = 24
    # The camera stands elsewhere: a corner moved by this much of the board's width (a knock moves it by 0.005 to 0.03).
    moved: float = 0.004
    # The light is another one: by how much (as a logarithm) any colour changed; between frames of a film it is 0.02.
    light: float = 0.08
    # More of the board's spaces than this: a whole look costs little more.
    most: float = 0.45


@dataclass(frozen=True)
class LanesConfig:
    """Wagons that lie beside their tracks. Lengths in space widths."""

    # How far from a single track the lane beside it lies: tracks of a group lie 1.0 to 1.4 apart.
    pitch: float = 1.2
    # To the next space of another track: nearer, its wagons would be taken for strays.
    clear: float = 1.6
    clear_half: float = 1.1
    # This part of a side has to be clear of other tracks.
    clear_part: float = 0.5
    # A place outside is looked at closely where its colour is this far (of 441) from what the board has there.
    differs: float = 55.0
    # The same beside a group of which one track looks taken and one bare. Always looked at there, bare board cost some
    # 35 questions on 347 pictures and two thirds of all these looks; from 25 to 40 as many boards are read right.
    differs_half: float = 30.0
    # Logs of odds: a push that moved wagons by one lane, each route that it moved, and something else lying there.
    move: float = -3.0
    each: float = -0.5
    # The same for half a lane: wagons that lie on their tracks are seen there, too.
    half_move: float = -4.5
    something_else: float = -4.5
    # Half a lane beside tracks is looked at where one is less sure than this.
    look_half: float = 0.994
    # There it has to differ by this much (of 441) from what the board has: with 55 print in warm, soft photos was taken
    # for wagons, with 120 wagons were missed. The colours of the print beside count only from the second on.
    half_differs: float = 90.0
    beyond_print: float = 140.0
    # Exponent of what is seen there: nets learnt places with print, and are too sure of others.
    half_sure: float = 0.6
    # Log of odds for black wagons beside others, against their shadow.
    shadow: float = -1.6
    # Wagons seen this surely between two tracks, of which one is told bare less surely than this, may be of either: 17
    # questions on 144 renders, for one pair that was told the wrong way round without a word; none on 31 photos.
    astride: float = 0.9
    surely_bare: float = 0.98


@dataclass(frozen=True)
class EnrolConfig:
    """Learning a table's own board."""

    # A board is not empty when so many routes look taken, each as sure as this: of 12 empty boards none has one.
    sure: float = 0.97
    least_routes: int = 2
    # Where nobody has seen the print, this part of all routes has to look taken.
    least_part: float = 0.15


CLASSIFIER = ClassifierConfig()
PLASTICS = PlasticsConfig()
DECIDE = DecideConfig()
LANES = LanesConfig()
AGAIN = AgainConfig()
ENROL = EnrolConfig()


@dataclass(frozen=True)
class SheetConfig:
    """Finding cards and tickets on a table."""

    # Longer sides of the first looks: cards of a twelfth to a third of a photo are then as long as the net knows.
    looks: tuple[int, ...] = (288, 448, 704, 1152)
    # A small picture is looked at enlarged, up to this much.
    enlarged: float = 1.6
    # Where nothing is found: a card that fills the picture is laid on a table, with a rim of this part of it, to be as
    # long as told here; then tiny ones are looked for.
    rim: float = 0.5
    table: tuple[int, int, int] = (60, 75, 95)
    filling: tuple[int, ...] = (80, 104)
    last_look: int = 2048
    # A small picture is then enlarged up to this much; not where that is hardly more than the looks before.
    last_enlarged: float = 2.0
    last_step: float = 1.2
    # Cards shorter than this in the largest of the first looks: others beside them may have been too small for it.
    tiny: float = 72.0
    # Lengths in pixels that the net was trained on, with some slack.
    lengths: tuple[float, float] = (56.0, 160.0)
    # The last look makes the cards this long: the middle of what the net was trained on.
    length: float = 96.0
    # How fast the net gets worse with other sizes, in natural logs: half of what it was trained on lies within.
    spread: float = 0.3
    # Longer side of the last look at most: more is slow and was never needed.
    second_side: int = 1280
    # A cell belongs to a card from this probability on.
    least: float = 0.5
    # Votes that agree to this part of the card's long side are of one card; fanned cards lie at least 0.25 apart.
    agree: float = 0.085
    # Cells that vote this far off still belong to the card they lie on.
    belong: float = 0.2
    # Votes for two places nearer than this, in long sides, are of one card; so many cells make a place; a card's
    # corners are the middle of votes so much wider around it.
    apart: float = 0.17
    fewest: int = 3
    wider: float = 1.3
    # A cell of quite another colour counts as so many long sides farther off.
    other_color: float = 0.2
    # At most this many cells vote: more only cost time.
    voters: int = 1000
    # Of a whole card this much must be in sight; cards overlap by 0.6 at most, 0.78 where they are fanned both ways.
    visible: float = 0.15
    # A card must be this sure on average over its cells.
    sure: float = 0.65
    # Two finds that share more than this are one card; cards overlapping by 0.6 share 0.43.
    same: float = 0.6
    # Long side over short side of a card seen at an angle.
    shape: tuple[float, float] = (0.55, 3.4)


SHEET = SheetConfig()


@dataclass(frozen=True)
class CloserConfig:
    """Looking closer at a card or ticket."""

    # What the net sees, and how much of its sides the sheet takes up: corners that are a sixth off are still in sight.
    size: tuple[int, int] = (144, 96)
    inner: float = 2 / 3
    # The second look starts from where the first one put the corners.
    looks: int = 2
    # Even light: how wide around (of the picture's longer side) brightness is measured, what it becomes, what is black.
    around: float = 0.12
    level: float = 115.0
    darkest: float = 6.0


CLOSER = CloserConfig()


@dataclass(frozen=True)
class CodesConfig:
    """QR codes and barcodes."""

    # White modules around a code, as the standard asks.
    margin: int = 4
    # Letters of one code: 61 modules wide, which both readers took from a phone's screen; longer codes OpenCV loses.
    letters: int = 360
    # A whole evening takes some 30 codes.
    most_parts: int = 500
    # A game of a whole evening is 40 kB.
    most_bytes: int = 4_000_000
    # Pictures up to this size are also tried enlarged where zbar is missing; larger ones gain nothing.
    enlarge_below: int = 2400
    # Four of them fill a page of A4.
    sticker_mm: float = 80.0
    sticker_dpi: int = 300


@dataclass(frozen=True)
class StickersConfig:
    """Corner stickers. Lengths of the print in sticker sides, those in a photo in its longer side."""

    # The frame's width: it keeps apart code and table under a blur of a quarter of it.
    frame: float = 0.1
    # White modules between frame and code: zbar needs two.
    margin: int = 2
    # Longer side of the picture in which frames are looked for.
    side: int = 1000
    # Sides of a sticker in a photo: a tenth of a board that fills the picture, or a third of it.
    least_side: float = 0.016
    most_side: float = 0.25
    # Windows of the adaptive threshold, and the gray levels by which a frame is darker than their mean.
    windows: tuple[float, ...] = (0.03, 0.1)
    darker: float = 4.0
    # Share of its box that a sticker's white has: half of it is white, turned by 45 degrees half of that again.
    least_filled: float = 0.2
    # How far a side may be from straight, in sides; the shortest side against the longest at 60 degrees of tilt.
    straight: float = 0.12
    least_ratio: float = 0.3
    # The code as it is compared, and how much it is blurred for that: a little more than one module.
    patch: int = 40
    soft: float = 0.035
    # A sticker is 0.97 alike and more, 0.8 in a blur of five pixels of 2000; nothing else on drawn tables reached 0.66.
    least_alike: float = 0.72


CODES = CodesConfig()
STICKERS = StickersConfig()


@dataclass(frozen=True)
class AnnotateConfig:
    """The annotated picture."""

    # Large enough to read the names, small enough to send to somebody.
    longer_side: int = 2400
    # The photo fades by this much behind what is drawn on it.
    veil: float = 0.25
    least_text: int = 11


ANNOTATE = AnnotateConfig()


@dataclass(frozen=True)
class AlignConfig:
    """Fitting cards and tickets by their edges."""

    # A print as it is compared: names stay readable, and a photo of 1600 px seldom has more.
    size: tuple[int, int] = (192, 128)
    cell: int = 8
    # A block counts when this much of it is in sight.
    block_seen: float = 0.6
    # One step of alignment moves a corner by this part of a side at most; the finder is off by up to 0.05.
    most_move: float = 0.12


ALIGN = AlignConfig()


@dataclass(frozen=True)
class TicketConfig:
    """Telling tickets apart. Scores are sums of log-odds over the blocks of a print."""

    # Last, corners are shifted by this part of the sides while the fit gets better.
    step: float = 0.006
    # Paper bends: parts of a print may lie this far from where the corners put them.
    bend: float = 0.01
    # Of all designs, both ways round, as many are looked at closely.
    looked_at: int = 2
    # A block that glare, a shadow or a finger spoils counts this much against a ticket, and no more.
    spoilt: float = 3.0
    # Names that fit no ticket, in another language or too small to read, count this much against all of them.
    foreign: float = 8.0
    # How much blocks of just anything vary, where 1 is the noise of a photo: a little more than blocks of all prints.
    anything: float = 2.5
    # Right tickets of 90 pixels and more score 150 to 1500, train cards and papers below 20, glare and blur between.
    least: float = -200.0
    middling: float = 70.0
    steep: float = 0.06
    # From here on it is a ticket whatever the finder says; below, it is asked if the finder is this sure of a ticket.
    clear: float = 90.0
    surely_ticket: float = 0.9
    # Turns differences of scores into odds: blocks of one photo err together. Of wrong first guesses one led by 24, the
    # others by 9 at most; of right ones a twentieth by less than 31.
    sharpness: float = 0.08
    # The same where the names don't fit even the likeliest: French names on drawn tickets once led astray by 31.
    unnamed: float = 0.04
    # Witnesses that disagree this much halve the confidence; over right tickets, foreign names or not, by 29 at most.
    dissent: float = 30.0
    dissent_steep: float = 0.2
    # Below this a person is asked.
    sure: float = 0.85
    alternatives: int = 3
    # A sheet with names on it: they run along a side (cosine), and it is at most so many letters' heights long.
    lean: float = 0.97
    longest: float = 45.0
    # Names stand near an edge: at most so far from it, where 1 is the middle.
    off_edge: float = 0.75
    # A sheet that says nothing is asked about if it is as large as tickets that are told, and shares less with them.
    part: float = 0.35
    as_large: float = 2.5
    # A sheet that may be a ticket is asked about beside told ones if neither's area is so many times the other's.
    alike: float = 1.5
    # After so many tickets of which no print says anything, the photo shows another print.
    strangers: int = 4
    # What is likelier than this is suggested; less likely first guesses are none.
    worth_saying: float = 0.01
    no_guess: float = 0.05
    # So many cities by themselves are a board's: boards show 12 to 18 in the first look, tickets 3 at most.
    cities: int = 8
    city_letters: int = 4
    # Names this likely make a ticket even where no sheet was found.
    anywhere: float = 0.4
    # From here on no other look at its lines is worth while.
    settled: float = 0.99
    # Lines on a ticket that says nothing sure are read longer by so many heights at each end, too.
    longer: tuple[float, ...] = (2.5, 6.0)
    # What fits such a ticket best is suggested from these odds on, and told with this confidence at most.
    hinted: float = 0.2
    at_most: float = 0.6
    # Points beside the names: read this clearly they count, and other points speak so much against a ticket.
    clear_points: float = 0.9
    points_off: float = 2.0
    # Where no list tells the points of two cities, nobody is sure.
    no_points: float = 0.8


TICKET = TicketConfig()


@dataclass(frozen=True)
class NamesConfig:
    """Reading names in strips."""

    # Rows of a strip, and its columns at least and at most.
    high: int = 32
    least_wide: int = 16
    widest: int = 640
    # Strips that go through the net together at most.
    together: int = 8
    # Strips whose letters are aligned with names together: 1 takes twice as long, 16 is no faster than 8.
    aligned: int = 8
    # No column of the net rules a letter out by more than this.
    least_log: float = -7.0
    # What each column of letters that belong to no name costs.
    junk: float = 1.0
    # Light is evened out over so many columns, to this contrast; what varies less than this is grain.
    around: int = 49
    contrast: float = 50.0
    grain: float = 6.0


NAMES = NamesConfig()


@dataclass(frozen=True)
class LinesConfig:
    """Finding lines of letters."""

    # Longer sides of the picture as the net sees it: from many tickets on a table to one that fills the photo.
    sides: tuple[int, ...] = (1280, 768, 448, 288)
    # Where letters are lower than this in the first of these looks, one more takes in more pixels.
    small: float = 9.0
    most_side: int = 2048
    # A picture darker than this is looked at once more with its dark parts lifted by CLAHE.
    dark: float = 60.0
    contrast: float = 4.0
    # Where something could not be read, light is evened out over this part of the longer side, to this contrast; what
    # varies less than this is grain. Longer sides of those looks.
    around: float = 0.05
    even: float = 48.0
    grain: float = 6.0
    again: tuple[int, ...] = (1280, 768)
    # Strips of letters lower than this are cut from the full photo.
    fine: float = 16.0
    # A single sheet is looked at with its longer side as long as this.
    near: int = 448
    # A cell is lettering from this score on, and a line has at least so many cells.
    least: float = 0.0
    cells: int = 4
    # Heights of letters that a look tells well, in its pixels.
    heights: tuple[float, float] = (4.5, 34.0)
    # Pieces of a line: so far apart at most along, and off it across, in heights of letters; and how alike in height.
    gap: float = 2.6
    off: float = 0.45
    alike: float = 1.5
    # Directions differ at most so much (cosine).
    parallel: float = 0.97
    # A direction that the net is sure of has at least this length.
    told: float = 0.5
    # A strip is so much higher than its letters, and longer at each end.
    room: float = 1.75
    ends: float = 0.6
    # Lines of which so much is common to both are one.
    same: float = 0.75
    # At most as many lines are read; two names are about so many letters' heights long.
    most: int = 64
    usual: float = 8.0


LINES = LinesConfig()


@dataclass(frozen=True)
class TitleConfig:
    """Telling which cities a line names. Scores are log-probabilities against the free reading."""

    # Fewer letters than these name nothing.
    letters: int = 2
    # A line that fits worse than this per letter is looked at upside down too.
    makes_sense: float = -0.12
    # So is one that is at least so many heights long cut lower and higher: heights are told roughly only.
    least_long: float = 3.0
    lower: float = 0.62
    higher: float = 1.5
    # And a little further up and down, in heights.
    moved: float = 0.35
    # So many lines at most are looked at once more in each of these ways.
    doubtful: int = 24
    # Fewer after a way that brought none to make sense, and of lines that later looks find: most that told tickets
    # at last were among twelve (seeds 36, 39, 40). Half as many after each such way cost two sure tickets in 705.
    later: int = 12
    # That a line names no ticket: as if it were off by this, and by this for each of its letters.
    none: float = 4.0
    none_per_letter: float = 1.2
    # Turns scores into odds against none, and of two pairs against one another: columns of a line err together.
    sharpness: float = 0.8
    apart_by: float = 0.4
    # What it costs that a ticket shows one of its names only.
    one_name: float = 10.0
    # Lines that are likelier none than this are no titles.
    perhaps: float = 0.97
    kept: int = 6
    # Lines of two titles may have so much of the smaller one in common.
    same: float = 0.3
    # Two lines of one title: parallel, about as high, at most so many heights apart.
    parallel: float = 0.96
    alike: float = 1.5
    apart: float = 2.6
    # Or beside each other: off the row by this and a little slope at most, and so far between them.
    off: float = 0.5
    slope: float = 0.03
    gap: float = 5.0


TITLE = TitleConfig()


@dataclass(frozen=True)
class AlikeConfig:
    """Where names stand on tickets whose lines nobody found. Lengths in widths of the ticket, along its names."""

    # A sheet may be a ticket from here on: names prove it.
    may_be: float = 0.5
    # Letters of five prints are 0.039 to 0.047 high, their middle 1.8 to 3.2 such heights from the edge.
    high: float = 0.043
    downs: tuple[float, ...] = (1.8, 2.4, 3.0, 3.6)
    # Names begin and end at least so far from the sides; others may be longer than those read by so many heights.
    begin: float = 0.05
    room: float = 3.0
    # Corners are off by a few hundredths: so far from the row names are looked for too, in heights of letters.
    moves: tuple[float, ...] = (-0.4, 0.0, 0.4)
    # So many tickets are looked at along all edges, and their names have to fit so much better than letters by chance.
    explored: int = 3
    least: float = 4.0
    # After the first one along those edges only that fit it best: nothing was lost on seeds 36, 39 and 40.
    edges: int = 6
    # The best of a dozen cuts fits a little by chance: one that led by 1.0 was told wrong, with a print that agreed.
    clear: float = 3.0


ALIKE = AlikeConfig()


@dataclass(frozen=True)
class OutlineConfig:
    """Finding the edges of a ticket around its names."""

    # How far to look, and from where to where a ticket is wide, in heights of letters; a height in pixels of the look.
    reach: float = 26.0
    widths: tuple[float, float] = (9.0, 26.0)
    unit: float = 6.0
    # Height over width: tickets that lie, and upright ones.
    shapes: tuple[float, ...] = (0.58, 0.64, 0.7, 1.5, 1.6)
    # An edge counts at most so much, in grey levels.
    most: float = 40.0
    # Tickets that lie alike: their names run the same way (cosine).
    parallel: float = 0.94


OUTLINE = OutlineConfig()


@dataclass(frozen=True)
class NamePlace:
    """Where on a card its name stands, in parts of the sides: its beginning and its middle, at least and at most."""

    begin: tuple[float, float]
    middle: tuple[float, float]
    down: tuple[float, float]


@dataclass(frozen=True)
class PaperConfig:
    """Telling technology cards and shares by their names."""

    # Lines with fewer letters name nothing, and a word by itself needs so many.
    letters: int = 2
    word: int = 5
    # Longer sides at which the negative is looked at; lines are also read longer by so many heights at each end.
    inverted: tuple[int, ...] = (768, 448, 288)
    # What each column of letters beside a name costs.
    junk: float = 0.1
    longer: float = 2.2
    # As many sheets on which nothing was read are looked at from near.
    looks: int = 3
    # Lines of one name: the second may be smaller by this, and stands at most so many heights below.
    alike: float = 2.4
    apart: float = 1.9
    # That lines name nothing of the board, and how scores become odds: as for tickets.
    none: float = 2.0
    none_per_letter: float = 0.9
    sharpness: float = 0.7
    perhaps: float = 0.6
    certain: float = 0.6
    worth_saying: float = 0.01
    kept: int = 4
    # Below this a person is asked.
    sure: float = 0.85
    # Names on technologies stand above left, on shares in a banner; a sheet on which they would be further off is none.
    technology: NamePlace = NamePlace((0.04, 0.22), (0.12, 0.34), (0.08, 0.4))
    share: NamePlace = NamePlace((0.04, 0.24), (0.42, 0.58), (0.06, 0.26))
    misplaced: float = 0.08
    # On a share, in parts of its sides: how wide the plate of its number is, its middle, and the middle of its name.
    plate_wide: float = 0.213
    plate_at: tuple[float, float] = (0.155, 0.84)
    banner: float = 0.16
    # Height over width of a share as a photo may show it.
    share_shape: tuple[float, float] = (0.35, 0.95)


PAPER = PaperConfig()


@dataclass(frozen=True)
class PlateConfig:
    """Reading a share's number on its plate."""

    # Where it may be, in lengths of the company's name from its middle: left, top, right, bottom. In pixels that is:
    region: tuple[float, float, float, float] = (-1.05, 0.0, -0.05, 1.0)
    unit: int = 420
    # A name is at least so many heights long.
    least_long: float = 4.0
    # Thresholds over these percentiles of the brightness; a plate is an area of this shape and width, and so full.
    levels: tuple[float, float] = (10.0, 99.5)
    thresholds: int = 18
    least_area: float = 700.0
    shape: tuple[float, float] = (1.9, 5.2)
    wide: tuple[float, float] = (0.11, 0.62)
    full: float = 0.78
    turned: float = 22.0
    # So many are read at most.
    most: int = 3
    # Rows of a plate as it is read; signs are at least so high, in parts of it, and have so many pixels.
    high: int = 64
    least_high: float = 0.3
    least_ink: int = 36
    # Ink is what is darker than these parts of the threshold that parts it best from the ground, one after the other.
    ink: tuple[float, ...] = (0.9, 1.25, 1.6)
    # The stroke leans (columns per row), and its ink is hardly off its slope; digits are off by 0.12 at least.
    slant: tuple[float, float] = (-1.6, -0.25)
    thin: float = 0.11
    # Lower than this part of the highest it is a piece of a digit.
    piece: float = 0.72
    # Digits by themselves are cut with so much beside and above them, in heights; all of the plate so high.
    beside: float = 0.25
    room: float = 1.45
    cuts: tuple[float, ...] = (0.85, 1.0)
    # Both readings: how far off the best digits, and how far ahead of other numbers. Right ones lead by 3.5 mostly.
    least_log: float = -12.0
    junk: float = 3.0
    off: float = 2.5
    lead: float = 2.5
    whole_off: float = 5.0
    whole_lead: float = 1.0


PLATE = PlateConfig()


@dataclass(frozen=True)
class CardConfig:
    """Telling train cards apart."""

    # A card as its symbols are looked at; photos of 1600 px have cards of 130 to 400 px.
    size: tuple[int, int] = (192, 128)
    color_size: tuple[int, int] = (48, 32)
    # Cards have a white edge: its width in pixels of `size`, pixels of it that have to be in sight, the part of
    # them that counts as the white (glare and neighbours are brighter and darker), and how bright it is made.
    rim: int = 7
    least_rim: int = 60
    edge_part: float = 0.75
    white: float = 235.0
    # A corner symbol with its surroundings, in pixels of `size`, and as the net sees it.
    corner: int = 40
    symbol_size: int = 32
    # A corner counts when this much of it is in sight.
    corner_seen: float = 0.6
    # Weights of the witnesses' log-probabilities: the best on renders that no net was trained on. An unknown edition's
    # symbols may be unlike those of all others, its colours less so.
    color_weight: float = 1.0
    symbol_weight: float = 0.3
    glance_weight: float = 0.4
    # Card or none: a logistic regression on renders that no net was trained on, and on real photos without cards.
    card_by_color: float = 0.3
    card_by_symbol: float = 0.15
    card_by_look: float = 0.55
    card_at_all: float = -1.0
    least_symbol: float = -2.0
    most_look: float = 7.0
    # Below this a person should look.
    doubt: float = 0.9
    # Where cards are looked for a last time, those less sure than this are none; so many of the others have to be sure,
    # one of them very sure (of 29 photos of boards marks on two reach 0.92, tiny cards 0.96 and more), and doubtful
    # ones are told within so many lengths of a sure one that is as long: marks on boards lie elsewhere.
    perhaps: float = 0.5
    sure_part: float = 0.2
    certain: float = 0.95
    beside: float = 3.5
    beside_as_long: float = 1.3
    # What shares less than this with another card is a card of its own, seen in another look.
    elsewhere: float = 0.3
    # A card that fills the picture takes up this much of it; cut ones more than all.
    fills: float = 0.7
    # No witness rules anything out by more than this.
    least_log: float = -7.0
    # Among cards of about its length that it shares a little with, a sheet is told up to these odds of being none.
    among: float = 0.78
    as_long: float = 1.45
    touching: float = 0.04


CARD = CardConfig()


@dataclass(frozen=True)
class ShownConfig:
    """Cards held up to a camera that watches. Times in seconds."""

    # Width of the small picture that tells whether anything moves, and by how many levels it then differs somewhere.
    thumb: int = 96
    moves: float = 12.0
    # How long the cards are held still before they are read, and until they are read again.
    calm: float = 0.3
    again: float = 0.4
    # A card that lay there before differs by the camera's noise (2 to 6 levels), a new one by 40 and more.
    differs: float = 20.0


@dataclass(frozen=True)
class HiddenConfig:
    """Completing half-hidden cards."""

    # From this part on a card counts as wholly in sight: its edge cells are often lost.
    whole: float = 0.82
    # Where less of its place than this shows other cards, what is in sight of it is the whole card.
    free: float = 0.05
    # Up to here it may be: the finder thinks cards that are seen at a slant too tall, and they reach into the next one.
    maybe_free: float = 0.24
    # Long side over short side of what is in sight, if that is a whole card.
    shape: tuple[float, float] = (1.38, 2.6)
    # A side that shows this much of its length shows whole.
    complete: float = 0.85
    # At most this part of a place may be bare table.
    bare: float = 0.22


HIDDEN = HiddenConfig()
SHOWN = ShownConfig()


@dataclass(frozen=True)
class LiveConfig:
    """Following a board through video frames."""

    # Longer side of the frame that is followed: what cameras deliver for a live view.
    side: int = 1280
    # After a search, as many frames pass before the next; each third one is in the whole frame, others in this size.
    search_every: int = 4
    thorough_every: int = 3
    search_side: int = 400
    # Corners that are followed, and how they are picked: 150 held a pose within 0.1 % of the board's width.
    points: int = 150
    corner_quality: float = 0.01
    corner_distance: float = 8.0
    # Spaces are left out this much wider than printed: a wagon leans by its own width at 45 degrees.
    clear: float = 2.2
    # Lucas-Kanade: with these a board was followed when it jumped by 100 pixels, and lost at 130.
    window: int = 21
    levels: int = 3
    # Pixels to which a corner agrees with a pose, and how long a pose is looked for.
    agree: float = 2.0
    rounds: int = 500
    # Fewer corners that agree, or a smaller share of those in the frame, is no board any more; hands hide up to half.
    least_points: int = 20
    least_share: float = 0.3
    # Frames until the pose is made exact by the print; after a failure it is tried again sooner, and not for ever.
    refine_every: int = 45
    retry_after: int = 5
    most_missed: int = 3
    # Most that a corner moves in a frame, in board widths: open for half of it, a shutter blurs that by two pixels.
    still: float = 0.004
    calm_frames: int = 2
    # Sharpness in a frame of a quarter's size, where noise is gone, against the best seen, which is slowly forgotten:
    # on real photos a blur of one pixel left 0.6 of it, of two 0.25.
    sharp_scale: float = 0.25
    least_sharp: float = 0.3
    forget: float = 0.998
    # The small flat board on which changes are looked for: a space is 8 pixels wide there.
    flat_side: int = 480
    # Mean difference in gray levels that makes a change. Between real photos each of 246 changed routes differed by
    # over 19; noise and a pose one pixel off by less than 14 on 99 % of the others.
    differs: float = 15.0
    # A city's place in space widths, and the strip along the frame's edge where nothing is compared.
    city: float = 2.0
    edge: float = 0.012
    # Seconds that a frame may take, a little under a 15th; spaces read in what following leaves of them: at most and
    # at least as many.
    budget: float = 0.06
    slice: int = 32
    least_slice: int = 6
    # Readings of each place, and of doubtful ones at most; the newest counts at least this much.
    reads: int = 2
    most_reads: int = 5
    newest: float = 0.3
    # Frames without any change until a reading is settled.
    settle_frames: int = 6


LIVE = LiveConfig()
