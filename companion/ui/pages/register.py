"""Every screen by its name."""

from __future__ import annotations

from typing import Any  # Any: every page has a model of its own

from companion.ui.pages.boards import BoardPage, BoardsPage
from companion.ui.pages.codes import CodesPage
from companion.ui.pages.dispute import DisputePage
from companion.ui.pages.edit import EditPage
from companion.ui.pages.enrol import EnrolPage
from companion.ui.pages.finish import FinishPage
from companion.ui.pages.finish_player import FinishPlayerPage
from companion.ui.pages.guide import GuidePage, PracticePage, WayPage
from companion.ui.pages.history import HistoryPage, LogPage
from companion.ui.pages.home import HomePage
from companion.ui.pages.new_game import PlayersPage, VariantPage
from companion.ui.pages.page import Page
from companion.ui.pages.player import PlayerPage
from companion.ui.pages.review import ReviewPage
from companion.ui.pages.rules import RulesPage
from companion.ui.pages.settings import SettingsPage
from companion.ui.pages.sheet import EvidencePage, SheetPage
from companion.ui.pages.snap import FilesPage, GalleryPage, SnapPage
from companion.ui.pages.table import MenuPage, TablePage
from companion.ui.pages.tickets import TicketPage, TicketReviewPage
from companion.ui.pages.watch import RebuildPage, WatchPage

PAGES: dict[str, type[Page[Any]]] = {
    "home": HomePage,
    "settings": SettingsPage,
    "guide": GuidePage,
    "way": WayPage,
    "practice": PracticePage,
    "boards": BoardsPage,
    "board": BoardPage,
    "variant": VariantPage,
    "players": PlayersPage,
    "table": TablePage,
    "menu": MenuPage,
    "log": LogPage,
    "watch": WatchPage,
    "rebuild": RebuildPage,
    "codes": CodesPage,
    "snap": SnapPage,
    "gallery": GalleryPage,
    "files": FilesPage,
    "enrol": EnrolPage,
    "review": ReviewPage,
    "dispute": DisputePage,
    "rules": RulesPage,
    "finish": FinishPage,
    "finish-player": FinishPlayerPage,
    "ticket": TicketPage,
    "ticket-review": TicketReviewPage,
    "edit": EditPage,
    "sheet": SheetPage,
    "evidence": EvidencePage,
    "history": HistoryPage,
    "player": PlayerPage,
}
