"""The commands: one module each, which parses its arguments, calls and prints."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any, NoReturn  # Any: a command's module, by its name

import companion
from companion.cli.output import BAD_INPUT, Output
from companion.lang import catalogue, say, system_language
from maps import LANGUAGES, Trouble, nearest
from maps.files import user_folder

# In the order in which the help lists them; each has a module of that name in this folder.
COMMANDS = (
    "score", "read", "snap", "cards", "tickets", "tunnel", "check", "replay", "watch", "eval", "record", "studio",
    "enrol", "stickers", "maps", "rules", "bench", "app", "screens",
)  # fmt: skip


class _Parser(argparse.ArgumentParser):
    """Raises what is wrong with the arguments instead of printing a usage text."""

    def error(self, message: str) -> NoReturn:
        raise Trouble("usage", problem=message, command=self.prog)


def _speak(language: str) -> None:
    """Lets argparse speak the player's language: it looks its own sentences up by these two names."""
    sentences = catalogue(language)

    def translated(text: str) -> str:
        return sentences.get(f"argparse.{text}", text)

    def counted(one: str, many: str, n: int) -> str:
        return translated(one if n == 1 else many)

    vars(argparse).update(_=translated, ngettext=counted)


def _parser(language: str) -> _Parser:
    listed = "\n".join(f"  {name:<10}{say(f'cli.{name}.help', language)}" for name in COMMANDS)
    parser = _Parser(
        prog="companion",
        description=say("cli.about", language),
        epilog=say("cli.commands", language, listed=listed),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=say("cli.usage", language),
        add_help=False,
    )
    parser.add_argument("-h", "--help", action="help", help=say("cli.option.help", language))
    version = f"companion {companion.__version__}"
    parser.add_argument("--version", action="version", version=version, help=say("cli.option.version", language))
    return parser


def command_parser(name: str, language: str) -> argparse.ArgumentParser:
    """The arguments of one command, with help and examples in a language."""
    parser = _Parser(
        prog=f"companion {name}",
        description=say(f"cli.{name}.about", language),
        epilog=say("cli.examples", language, examples=say(f"cli.{name}.examples", language)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    _module(name).arguments(parser)
    for action in parser._actions:
        # Each argument's help is in the catalogues too, by its name.
        action.help = say(f"cli.{name}.{action.dest}", language)
    parser.add_argument("--json", action="store_true", help=say("cli.option.json", language))
    parser.add_argument("--lang", choices=LANGUAGES, default=language, help=say("cli.option.lang", language))
    parser.add_argument("-h", "--help", action="help", help=say("cli.option.help", language))
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f"companion.cli.{name}")


def _language(arguments: Sequence[str]) -> str:
    """The language asked for, known before the arguments are parsed, so that their errors are told in it."""
    for i, argument in enumerate(arguments):
        wanted = argument[7:] if argument.startswith("--lang=") else ""
        if argument == "--lang" and i + 1 < len(arguments):
            wanted = arguments[i + 1]
        if wanted in LANGUAGES:
            return wanted
    return system_language()


def _run(arguments: Sequence[str], out: Output) -> int:
    name = arguments[0] if arguments else "--help"
    if name.startswith("-"):
        _parser(out.language).parse_args(arguments or ["--help"])
        raise Trouble("no-command", commands=list(COMMANDS))
    if name not in COMMANDS:
        meant = nearest(name, COMMANDS)
        if meant:
            raise Trouble("unknown-command", value=name, meant=meant)
        raise Trouble("no-such-command", value=name, known=", ".join(COMMANDS))
    args = command_parser(name, out.language).parse_args(arguments[1:])
    return int(_module(name).run(args, out))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code. No traceback reaches a person; `COMPANION_DEBUG=1` shows it."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    out = Output("--json" in arguments, _language(arguments))
    _speak(out.language)
    try:
        return _run(arguments, out)
    except Trouble as trouble:
        return out.fail(trouble)
    except SystemExit as e:
        return e.code if isinstance(e.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the answer has seen enough; what is left to flush at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as e:
        if os.environ.get("COMPANION_DEBUG"):
            raise
        return out.fail(Trouble("unexpected", what=f"{type(e).__name__}: {e}", file=_keep_traceback()))


def _keep_traceback() -> str:
    log = user_folder().parent / "last-error.txt"
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        return "-"
    return str(log)


__all__ = ["BAD_INPUT", "COMMANDS", "command_parser", "main"]
