"""The phone's camera, gallery and share sheet: the right calls to Java, and every answer they can get."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any  # Any: Java's classes come by their names

import numpy as np
import pytest

from companion.table.settings import home
from companion.ui import camera as cameras
from companion.ui import system as systems
from companion.ui.android import camera as camera_module
from companion.ui.android import phone as phone_module
from companion.ui.android import viewfinder
from companion.ui.android.camera import CODE, AndroidCamera
from companion.ui.android.system import CODE as GALLERY
from companion.ui.android.system import AndroidSystem
from companion.ui.desk import Desk
from maps import Trouble
from tests.android.java import Class, Fields, Java, JavaException, Thing

OK, CANCELED = -1, 0
FILES = "content://org.boardcompanion.companion.files/"


@pytest.fixture
def java(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Java:
    made = Java(getattr(request, "param", 34))
    made.install(monkeypatch)
    for module in (phone_module, camera_module):
        monkeypatch.setattr(module, "later", made.todo.append)
    phone_module.phone.cache_clear()
    return made


Answers = list[Path | Trouble]


def _shoot(java: Java, camera: AndroidCamera) -> Answers:
    answers: Answers = []
    camera.still(answers.append)
    java.run()
    return answers


def _code(answers: Answers) -> str:
    (answer,) = answers
    assert isinstance(answer, Trouble)
    return answer.code


def _photo(java: Java) -> Path:
    """The file that the camera app was asked to write."""
    ((intent, code),) = java.intents
    assert code == CODE
    ((extra, (kind, uri)),) = intent.called("putExtra")
    assert (extra, kind) == ("output", "android.os.Parcelable")
    assert uri.startswith(FILES)
    return Path(uri.removeprefix(FILES))


def test_a_still_is_asked_of_the_camera_app_in_full_size(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    answers = _shoot(java, AndroidCamera(tmp_path / "photos"))
    ((intent, _),) = java.intents
    assert intent.made_with == ("android.media.action.IMAGE_CAPTURE",)
    # The camera app may write this one file, and nothing else.
    assert intent.called("addFlags") == [(2,)]
    photo = _photo(java)
    assert photo.parent == tmp_path / "photos"
    assert answers == []
    photo.write_bytes(b"jpeg")
    java.answer(CODE, OK)
    assert answers == [photo]


def test_the_permission_is_asked_for_when_it_is_first_needed(java: Java, tmp_path: Path) -> None:
    camera = AndroidCamera(tmp_path / "photos")
    assert java.asked == []
    answers = _shoot(java, camera)
    assert java.asked == [["android.permission.CAMERA"]]
    assert java.intents == []
    java.decide(True)
    assert len(java.intents) == 1
    assert answers == []


def test_without_the_permission_pictures_come_from_the_gallery(java: Java, tmp_path: Path) -> None:
    camera = AndroidCamera(tmp_path / "photos")
    answers = _shoot(java, camera)
    java.decide(False)
    assert _code(answers) == "camera-refused"
    assert camera.problem is not None
    assert java.intents == []
    # Next time the question is asked again.
    camera.stop()
    assert camera.problem is None
    _shoot(java, camera)
    assert len(java.asked) == 2


def test_whoever_comes_back_without_a_picture_is_told(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    answers = _shoot(java, AndroidCamera(tmp_path / "photos"))
    photo = _photo(java)
    photo.touch()
    java.answer(CODE, CANCELED)
    assert _code(answers) == "no-picture-taken"
    assert not photo.exists()
    assert AndroidCamera(tmp_path / "photos").left_over() is None


def test_a_camera_app_that_wrote_nothing_took_no_picture(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    answers = _shoot(java, AndroidCamera(tmp_path / "photos"))
    _photo(java).touch()
    java.answer(CODE, OK)
    assert _code(answers) == "no-picture-taken"


def test_a_phone_without_a_camera_app(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    java.answers["startActivityForResult"] = JavaException("ActivityNotFoundException")
    camera = AndroidCamera(tmp_path / "photos")
    assert _code(_shoot(java, camera)) == "no-camera"
    assert camera.left_over() is None


def test_answers_to_others_are_left_alone(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    answers = _shoot(java, AndroidCamera(tmp_path / "photos"))
    java.answer(CODE + 1000, OK)
    assert answers == []


def test_killed_in_the_camera_app_the_photo_is_taken_up_once(java: Java, tmp_path: Path) -> None:
    java.permitted = True
    _shoot(java, AndroidCamera(tmp_path / "photos"))
    photo = _photo(java)
    photo.write_bytes(b"jpeg")
    # Another process: nobody waits for the answer any more.
    again = AndroidCamera(tmp_path / "photos")
    assert again.left_over() == photo
    assert again.left_over() is None


@pytest.mark.parametrize("written", [None, b""])
def test_killed_before_the_shutter_nothing_is_taken_up(java: Java, tmp_path: Path, written: bytes | None) -> None:
    java.permitted = True
    _shoot(java, AndroidCamera(tmp_path / "photos"))
    if written is not None:
        _photo(java).write_bytes(written)
    assert AndroidCamera(tmp_path / "photos").left_over() is None


def test_old_photos_go(java: Java, tmp_path: Path) -> None:
    for i in range(20):
        (tmp_path / f"20260101-0000{i:02}.jpg").write_bytes(b"jpeg")
    AndroidCamera(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"20260101-0000{i:02}.jpg" for i in range(8, 20)]


class KivyCamera:
    """Kivy's camera for Android, as far as it is used."""

    made: list[KivyCamera] = []  # noqa: RUF012 emptied by the fixture

    def __init__(self, index: int, resolution: tuple[int, int], stopped: bool) -> None:
        assert (index, stopped) == (0, True)
        self.resolution, self.state = resolution, "made"
        self.buffer: bytes | None = None
        self.made.append(self)

    def start(self) -> None:
        self.state = "started"

    def grab_frame(self) -> bytes | None:
        return self.buffer

    def _release_camera(self) -> None:
        self.state = "released"


@pytest.fixture
def kivy_camera(monkeypatch: pytest.MonkeyPatch) -> list[KivyCamera]:
    module = ModuleType("kivy.core.camera.camera_android")
    module.__dict__["CameraAndroid"] = KivyCamera
    monkeypatch.setitem(sys.modules, module.__name__, module)
    KivyCamera.made.clear()
    return KivyCamera.made


def test_kivy_has_the_camera_that_is_stood_in_for() -> None:
    """Read, not imported: the module needs Java."""
    found = importlib.util.find_spec("kivy")
    assert found is not None
    assert found.origin is not None
    file = Path(found.origin).parent / "core" / "camera" / "camera_android.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    (made,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "CameraAndroid")
    methods = {n.name for n in ast.walk(made) if isinstance(n, ast.FunctionDef)}
    assert {"start", "grab_frame", "_release_camera"} <= methods


def _frame(java: Java, camera: AndroidCamera) -> Any:
    frame = camera.frame()
    java.run()
    return frame


def test_frames_come_from_kivys_camera_upright(java: Java, tmp_path: Path, kivy_camera: list[KivyCamera]) -> None:
    java.permitted = True
    camera = AndroidCamera(tmp_path)
    assert _frame(java, camera) is None
    (made,) = kivy_camera
    assert made.state == "started"
    assert _frame(java, camera) is None
    wide, high = made.resolution
    luma = np.zeros((high, wide), np.uint8)
    luma[:, : wide // 2] = 200
    made.buffer = luma.tobytes() + bytes([128]) * (wide * high // 2)
    frame = _frame(java, camera)
    # The sensor lies on its side: its left half is on top of a phone held upright.
    assert frame.shape == (wide, high, 3)
    assert frame[: wide // 2 - 1].min() > 150 > 50 > frame[wide // 2 + 1 :].max()


def test_the_camera_is_let_go_for_the_camera_app(java: Java, tmp_path: Path, kivy_camera: list[KivyCamera]) -> None:
    java.permitted = True
    camera = AndroidCamera(tmp_path)
    _frame(java, camera)
    _shoot(java, camera)
    assert kivy_camera[0].state == "released"


def test_pause_lets_the_camera_go_and_frames_open_it_again(
    java: Java, tmp_path: Path, kivy_camera: list[KivyCamera]
) -> None:
    java.permitted = True
    camera = AndroidCamera(tmp_path)
    _frame(java, camera)
    camera.stop()
    java.run()
    assert kivy_camera[0].state == "released"
    _frame(java, camera)
    assert [made.state for made in kivy_camera] == ["released", "started"]


def test_leaving_during_the_question_opens_nothing(java: Java, tmp_path: Path, kivy_camera: list[KivyCamera]) -> None:
    camera = AndroidCamera(tmp_path)
    _frame(java, camera)
    _frame(java, camera)
    assert len(java.asked) == 1
    camera.stop()
    java.decide(True)
    assert kivy_camera == []


def test_a_phone_whose_camera_gives_no_frames_still_takes_pictures(
    java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java.permitted = True

    def broken(_turned: int) -> None:
        raise JavaException("Fail to connect to camera service")

    monkeypatch.setattr(camera_module, "Viewfinder", broken)
    camera = AndroidCamera(tmp_path)
    _frame(java, camera)
    assert not camera.live
    assert camera.problem is None
    _shoot(java, camera)
    assert len(java.intents) == 1


@pytest.mark.parametrize("turn", range(4))
def test_frames_are_turned_clockwise(turn: int) -> None:
    wide, high = viewfinder.SIZE
    luma = np.zeros((high, wide), np.uint8)
    luma[:100, :100] = 255
    frame = viewfinder.upright(luma.tobytes() + bytes([128]) * (wide * high // 2), turn)
    corner = [(0, 0), (0, -1), (-1, -1), (-1, 0)][turn]
    assert frame[corner].min() > 200


def _picked(java: Java, tmp_path: Path, kind: str = "image/*") -> list[Path | Trouble | None]:
    answers: list[Path | Trouble | None] = []
    assert AndroidSystem(tmp_path).pick(kind, answers.append)
    return answers


@pytest.mark.parametrize(
    ("java", "kind", "action", "categories"),
    [
        (34, "image/*", "android.provider.action.PICK_IMAGES", []),
        (33, "image/*", "android.provider.action.PICK_IMAGES", []),
        (32, "image/*", "android.intent.action.GET_CONTENT", [("android.intent.category.OPENABLE",)]),
        (24, "image/*", "android.intent.action.GET_CONTENT", [("android.intent.category.OPENABLE",)]),
        (36, "application/json", "android.intent.action.GET_CONTENT", [("android.intent.category.OPENABLE",)]),
    ],
    indirect=["java"],
)
def test_the_gallery_is_the_phones_own(
    java: Java, tmp_path: Path, kind: str, action: str, categories: list[tuple[str]]
) -> None:
    _picked(java, tmp_path, kind)
    ((intent, code),) = java.intents
    assert (intent.made_with, code) == ((action,), GALLERY)
    assert intent.called("setType") == [(kind,)]
    assert intent.called("addCategory") == categories
    assert java.asked == []


@pytest.mark.parametrize(("kind", "ending"), [("image/jpeg", ".jpg"), ("image/png", ".png"), ("image/heic", ".jpg")])
def test_a_picked_picture_is_copied(java: Java, tmp_path: Path, kind: str, ending: str) -> None:
    source = tmp_path / "theirs"
    source.write_bytes(b"picture" * 100_000)
    java.type, java.shared = kind, os.open(source, os.O_RDONLY)
    answers = _picked(java, tmp_path)
    java.answer(GALLERY, OK, Thing("android.content.Intent", answers={"getData": "content://theirs"}))
    (picture,) = answers
    assert isinstance(picture, Path)
    assert picture.read_bytes() == source.read_bytes()
    assert (picture.parent, picture.suffix) == (tmp_path / "photos", ending)


@pytest.mark.parametrize("kind", ["image/heic", "image/avif"])
def test_a_picture_that_only_the_phone_decodes_becomes_a_jpeg(java: Java, tmp_path: Path, kind: str) -> None:
    def compress(form: str, quality: int, out: Thing) -> None:
        Path(out.made_with[0]).write_bytes(f"{form} {quality}".encode())

    bitmap = Thing("android.graphics.Bitmap", answers={"compress": compress})
    java.classes |= {
        "android.graphics.ImageDecoder": Class(
            "android.graphics.ImageDecoder", 34, createSource=lambda _resolver, uri: uri, decodeBitmap=lambda _: bitmap
        ),
        "android.graphics.Bitmap$CompressFormat": Fields(JPEG="jpeg"),
        "java.io.FileOutputStream": Class("java.io.FileOutputStream", 34),
    }
    java.type = kind
    answers = _picked(java, tmp_path)
    java.answer(GALLERY, OK, Thing("android.content.Intent", answers={"getData": "content://theirs"}))
    (picture,) = answers
    assert isinstance(picture, Path)
    assert (picture.suffix, picture.read_bytes()) == (".jpg", b"jpeg 95")
    (out,) = java.classes["java.io.FileOutputStream"].objects
    assert out.called("close") == [()]


@pytest.mark.parametrize(("result", "data"), [(CANCELED, None), (OK, None)])
def test_whoever_picks_nothing_is_left_alone(java: Java, tmp_path: Path, result: int, data: Any) -> None:
    answers = _picked(java, tmp_path)
    java.answer(GALLERY, result, data)
    assert answers == [None]


def test_a_picture_that_is_gone_is_told(java: Java, tmp_path: Path) -> None:
    answers = _picked(java, tmp_path)
    java.answer(GALLERY, OK, Thing("android.content.Intent", answers={"getData": "content://gone"}))
    (answer,) = answers
    assert isinstance(answer, Trouble)
    assert answer.code == "unreadable-file"


def test_without_a_gallery_the_apps_own_screen_opens(java: Java, tmp_path: Path) -> None:
    java.answers["startActivityForResult"] = JavaException("ActivityNotFoundException")
    assert not AndroidSystem(tmp_path).pick("image/*", lambda _: None)


def test_the_sheet_is_shared_through_the_provider(java: Java, tmp_path: Path) -> None:
    sheet = tmp_path / "shared" / "sheet.png"
    assert AndroidSystem(tmp_path).share(sheet, "image/png", "Share")
    ((chooser,),) = java.activity.called("startActivity")
    name, intent, (kind, title) = chooser
    assert (name, kind, title.made_with) == ("chooser", "java.lang.CharSequence", ("Share",))
    assert intent.made_with == ("android.intent.action.SEND",)
    assert intent.called("setType") == [("image/png",)]
    extra = ("android.intent.extra.STREAM", ("android.os.Parcelable", f"{FILES}{sheet}"))
    assert intent.called("putExtra") == [extra]
    # The other app may read this one file, and write none.
    assert intent.called("addFlags") == [(1,)]


@pytest.mark.parametrize(
    ("java", "up", "edges"), [(34, True, (0, 0, 0, 0)), (36, False, (0, 0, 0, 0)), (36, True, (0, 90, 0, 48))],
    indirect=["java"],
)  # fmt: skip
def test_bars_are_left_free_where_windows_reach_below_them(java: Java, tmp_path: Path, up: bool, edges: Any) -> None:
    bars = Fields(left=0, top=90, right=0, bottom=48)
    if up:
        java.insets = Thing(
            "android.view.WindowInsets", answers={"getInsets": lambda mask: bars if mask == 135 else None}
        )
    assert AndroidSystem(tmp_path).edges() == edges


def test_on_a_phone_the_phones_own_parts_are_taken(java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(systems.default_system(tmp_path), systems.Desktop)
    monkeypatch.setenv("ANDROID_ARGUMENT", "/data/user/0/org.boardcompanion.companion/files/app")
    assert isinstance(systems.default_system(tmp_path), AndroidSystem)
    camera = cameras.default_camera(tmp_path)
    assert isinstance(camera, AndroidCamera)
    # One phone for both: each registers itself with Java once.
    assert len(java._listeners) == 1


@pytest.mark.parametrize(
    ("java", "shakes"),
    [(24, []), (26, [(("shake", 80, -1),)]), (34, [(("shake", 80, -1),)])],
    indirect=["java"],
)
def test_a_refusal_is_felt(java: Java, tmp_path: Path, shakes: list[Any]) -> None:
    AndroidSystem(tmp_path).shake(80)
    assert java.shaker.called("vibrate") == shakes


def test_dark_as_the_phone_is(java: Java, tmp_path: Path) -> None:
    """The kind of device (1) and the night (0x20) share a number."""
    system = AndroidSystem(tmp_path)
    assert system.look() == "light"
    java.looks = Fields(uiMode=0x21)
    assert system.look() == "dark"


def test_a_desktop_leaves_it_to_the_apps_own_screens(tmp_path: Path) -> None:
    desktop = systems.Desktop()
    assert not desktop.pick("image/*", lambda _: None)
    assert not desktop.share(tmp_path / "sheet.png", "image/png", "Share")
    assert desktop.edges() == (0, 0, 0, 0)


def test_photos_and_sheets_lie_where_the_provider_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """package/resources/xml/file_paths.xml names `companion` inside Android's folder for the files of an app."""
    monkeypatch.delenv("COMPANION_HOME")
    monkeypatch.setenv("ANDROID_ARGUMENT", "/data/user/0/org.boardcompanion.companion/files/app")
    monkeypatch.setenv("ANDROID_PRIVATE", "/data/user/0/org.boardcompanion.companion/files")
    systems.settle_in()
    assert home() == Path("/data/user/0/org.boardcompanion.companion/files/companion")
    monkeypatch.setenv("COMPANION_HOME", "/elsewhere")
    systems.settle_in()
    assert home() == Path("/elsewhere")


@pytest.mark.parametrize(("spoken", "shown"), [("fr", "fr"), ("en", "en"), ("de", "en")])
def test_the_app_speaks_the_phones_language(
    java: Java, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoken: str, shown: str
) -> None:
    monkeypatch.delenv("COMPANION_LANG")
    java.classes["java.util.Locale"].getDefault()._answers["getLanguage"] = spoken
    desk = Desk(tmp_path, cameras.NoCamera(), AndroidSystem(tmp_path))
    assert desk.language == shown
    desk.change(language="fr")
    assert desk.language == "fr"
    desk.close()
