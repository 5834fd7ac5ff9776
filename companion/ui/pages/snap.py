"""Taking a picture: live view with the board's outline, shutter, progress; or a picture from the gallery."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any  # Any: JSON, and every page has a model of its own

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.widget import Widget

from companion.ui import services, theme
from companion.ui.camera import PICTURES
from companion.ui.models.enrol import EnrolModel
from companion.ui.models.snap import SnapModel, nobody
from companion.ui.pages.page import Page, load_kv, tap
from companion.ui.pages.tasks import Browsing, Learning
from companion.ui.widgets.base import CAMERA, Icon, Panel, Quiet, Tap, Text
from companion.ui.widgets.confetti import flash
from companion.ui.widgets.photo_view import PictureTap, Pixels, decode, shrunk
from companion.ui.widgets.zoom import ZoomView, texture_of
from companion.ui.work import Job, Note
from maps import Trouble

if TYPE_CHECKING:
    from companion.ui.app import CompanionApp

# Frames a second of the live view, and its longest side.
_FRAMES = 8
_SIDE = 960
# Troubles that speak of the command line elsewhere.
_OWN_WORDS = ("no-board", "enrol-needs-corners", "enrol-needs-cities")


class SnapPage(Page[SnapModel]):
    share = NumericProperty(0.0)
    working = BooleanProperty(False)

    def __init__(self, app: CompanionApp, model: SnapModel) -> None:
        self._follower: services.Follower | None = None
        self._follows = model.purpose == "board"
        self._asking = False
        self._shown: Path | None = None
        super().__init__(app, model)
        model.changed = self._changed
        self._clock = None
        if self.desk.camera.live:
            self._clock = Clock.schedule_interval(self._ask_frame, 1 / _FRAMES)

    @property
    def title(self) -> str:
        return self.say(f"snap.{self.model.purpose}")

    @classmethod
    def kept(cls, model: SnapModel) -> dict[str, Any]:
        return {"purpose": model.purpose}

    @classmethod
    def resume(cls, below: Page[Any], data: Mapping[str, Any]) -> bool:
        """The camera again; a picture that was taken meanwhile is read."""
        model = below.camera(str(data["purpose"]))
        if model is None:
            return False
        below.app.go("snap", model)
        taken = below.desk.camera.left_over()
        if taken is not None:
            model.load(taken)
        return True

    def fill(self) -> None:
        self.share, self.working = self.model.share, self.model.state == "working"
        self.ids.told.clear_widgets()
        self.ids.ways.clear_widgets()
        if not self.ids.view.children:
            self._view = ZoomView(ground=theme.DARK.paper)
            self.ids.view.add_widget(self._view if self.desk.camera.live else _no_view())
        picture = self.model.picture
        if self.working and picture is not None and picture != self._shown:
            self._shown = picture
            self.desk.work.start("photo", partial(decode, picture=picture), self._show_still)
        self._tell()
        if self.working:
            self.ids.ways.add_widget(tap(self.say("cancel"), self._cancel))
            return
        camera = self.desk.camera
        if self.model.needs_a_finger:
            self.ids.ways.add_widget(tap(self.say("enrol.show"), self._show_board, "primary", bold=True))
        if camera.problem is None:
            # One button stands out: what is to be done next.
            kind = "button" if self.model.needs_a_finger else "primary"
            self.ids.ways.add_widget(tap(self.say("snap.shoot"), self.model.shoot, kind, bold=True, sign=CAMERA))
        kind = "primary" if camera.problem else "button"
        self.ids.ways.add_widget(tap(self.say("snap.gallery"), self._gallery, kind))
        if self.desk.mouse:
            self.ids.ways.add_widget(Quiet(text=self.say("snap.drop"), halign="center"))

    def _tell(self) -> None:
        told = self.ids.told
        if self.working:
            told.add_widget(Text(text=self.say("snap.working")))
        elif self.model.state == "failed" and self.model.problem is not None:
            box = Panel(kind="bad")
            own = self.model.code in _OWN_WORDS
            text = self.say(f"snap.{self.model.code}") if own else self.desk.tell(self.model.problem)
            box.add_widget(Text(text=text, ink_of="bad"))
            told.add_widget(box)
        elif self.desk.camera.problem is not None:
            told.add_widget(Text(text=self.desk.tell(self.desk.camera.problem)))
        else:
            told.add_widget(Text(text=self.model.note or self.say(f"snap.{self.model.purpose}-how")))

    def _hint(self, key: str) -> None:
        """What to do with the hand, as long as there is nothing else to tell."""
        if self.model.state == "aim" and not self.model.note and self.desk.camera.problem is None:
            self.ids.told.children[0].text = self.say(f"snap.{key}")

    def _show_still(self, note: Note) -> None:
        """The picture that is being read."""
        if note.kind == "done" and self.app.page is self:
            self.ids.view.clear_widgets()
            self.ids.view.add_widget(self._view)
            self._show(note.value)

    def _show(self, picture: Pixels) -> None:
        self._view.picture_height = picture.size[1] / picture.size[0]
        self._view.show_texture(texture_of(picture.size, picture.pixels))
        self._view.above.clear()

    def _changed(self) -> None:
        if self.app.page is self:
            self._shutter()
            self.fill()

    def _shutter(self) -> None:
        """A picture was taken: it clicks, and the view is white for a moment."""
        taken = self.model.state == "working" and not self.working and self.desk.camera.instant
        if taken and self.model.purpose != "practice":
            self.app.feel.give("shutter")
            flash(self.app.shell, self.app.feel)

    def _cancel(self) -> None:
        self.model.cancel()
        self.fill()

    def _show_board(self) -> None:
        if self.model.picture is not None and self.model.board is not None:
            model = EnrolModel(self.desk, self.model.board, self.model.picture)
            self.app.replace("enrol", Learning(model, self.model.done))

    def _gallery(self) -> None:
        if not self.desk.system.pick("image/*", self._picked):
            self.app.go("gallery", Browsing(self.desk.folder_of_pictures or gallery_folder(), self._chosen))

    def _picked(self, picture: Path | Trouble | None) -> None:
        """From the phone's own gallery."""
        if isinstance(picture, Trouble):
            self.app.tell(picture)
        elif picture is not None:
            self.model.load(picture)

    def _chosen(self, picture: Path) -> None:
        self.app.leave()
        self.model.load(picture)

    def _ask_frame(self, _dt: float) -> None:
        if not self._asking and not self.working:
            self._asking = True
            self.desk.work.start("frame", self._take_frame, self._frame)

    def _take_frame(self, _: Job) -> tuple[Pixels, Any] | None:
        frame = self.desk.camera.frame()
        if frame is None:
            return None
        if self._follows and self._follower is None:
            self._follower = self.desk.reader.follower(self.model.board)
            self._follows = self._follower is not None
        seen = self.model.watch(frame) if self.model.watches else self._outline(frame)
        return shrunk(frame, _SIDE), seen

    def _outline(self, frame: services.Picture) -> services.Seen | None:
        return self._follower.look(frame) if self._follower is not None else None

    def _frame(self, note: Note) -> None:
        self._asking = False
        if note.kind != "done" or note.value is None or self.app.page is not self:
            if self.desk.camera.problem is not None and self.app.page is self:
                self.fill()
            return
        picture, seen = note.value
        self._show(picture)
        self._hint("hold-still" if seen is not None else f"{self.model.purpose}-how")
        if seen is not None and self.model.watches:
            self.model.done(seen)
        elif seen is not None:
            self._show_outline(seen, picture)

    def _show_outline(self, seen: services.Seen, picture: Pixels) -> None:
        """The outline turns green when the board is found and the hand is steady; then the shutter goes by itself."""
        width = picture.full[0]
        corners = [(x / width, y / width) for x, y in seen.corners]
        self._view.show_outline(corners, theme.DARK.good if seen.steady else theme.DARK.chosen, dp(3))
        if seen.steady and self.model.state == "aim" and self.desk.camera.instant:
            self.model.shoot()

    def dropped(self, file: Path, /) -> None:
        if file.suffix.lower() not in PICTURES:
            self.app.tell(self.say("drop.photo", file=file.name))
        elif self.model.state != "working":
            self.model.load(file)

    def left(self) -> bool:
        self.model.cancel()
        return False

    def closed(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        # What is read may go on for long: it must not hold a screen that nobody sees.
        if self.model.changed == self._changed:
            self.model.changed = nobody
        self.desk.camera.stop()


def _no_view() -> AnchorLayout:
    """Where the camera shows nothing here: its sign instead of an empty room."""
    room = AnchorLayout()
    room.add_widget(Icon(text=CAMERA, font_size=dp(90), color=theme.LIGHT.quiet))
    return room


class GalleryPage(Page[Browsing]):
    """Pictures and folders, the newest first."""

    title_key = "snap.gallery"
    name = "gallery"
    endings: tuple[str, ...] = PICTURES

    def fill(self) -> None:
        folder = self.model.folder
        self.ids.where.text = str(folder)
        up, listed = self.ids.up, self.ids.listed
        for box in (up, listed, self.ids.pictures):
            box.clear_widgets()
        if folder.parent != folder:
            up.add_widget(tap(self.say("gallery.up"), lambda: self._open(folder.parent), halign="left", sign="↑"))
        folders, pictures = contents(folder, self.endings)
        if not folders and not pictures:
            listed.add_widget(Text(text=self.say(f"{self.name}.empty")))
        self.list_some(self.ids.pictures, pictures, self._picture)
        # A few pictures keep the size of many.
        for _ in range(self.ids.pictures.cols - len(pictures)):
            self.ids.pictures.add_widget(Widget())
        self.list_some(listed, folders, self._folder)

    def _picture(self, path: Path) -> PictureTap:
        return PictureTap(self.desk.work, path, partial(self.model.chosen, path))

    def _folder(self, path: Path) -> Tap:
        return tap(path.name + "/", partial(self._open, path), halign="left", sign="▸")

    def _open(self, folder: Path) -> None:
        if self.endings == PICTURES:
            # Whoever comes back finds the folder that they had opened.
            self.desk.folder_of_pictures = folder
        self.app.replace(self.name, Browsing(folder, self.model.chosen))


class FilesPage(GalleryPage):
    """Exported games to take in."""

    title_key = "history.import"
    name = "files"
    endings = (".json", ".csv")

    def _picture(self, path: Path) -> Tap:
        return tap(path.name, partial(self.model.chosen, path), "panel", halign="left")


def contents(folder: Path, endings: tuple[str, ...] = PICTURES) -> tuple[list[Path], list[Path]]:
    """Folders by name, files with the newest first; hidden ones are left out."""
    try:
        every = [p for p in folder.iterdir() if not p.name.startswith(".")]
        folders = sorted(p for p in every if p.is_dir())
        pictures = [p for p in every if p.suffix.lower() in endings]
        return folders, sorted(pictures, key=lambda p: (-p.stat().st_mtime, p.name))
    except OSError:
        return [], []


def gallery_folder() -> Path:
    """Where people keep their photos."""
    known = os.environ.get("COMPANION_GALLERY")
    if known:
        return Path(known)
    pictures = Path.home() / "Pictures"
    return pictures if pictures.is_dir() else Path.home()


load_kv(__file__)
