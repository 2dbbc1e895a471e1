"""The command line: thin, and slow to import the rest."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from pathlib import Path

from trapline.cli import quick
from trapline.core import TraplineError
from trapline.games import outside_fault


def run() -> None:
    _open_missing_streams()
    # A name that the terminal cannot show, or a stray byte, must not end the game. And where
    # the locale is plain C, Python speaks UTF-8 all the same, but the terminal need not.
    variables = ("LC_ALL", "LC_CTYPE", "LANG")
    locale = next((os.environ[name] for name in variables if os.environ.get(name)), "")
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
            if locale in ("C", "POSIX") and stream is not sys.stdin:
                stream.reconfigure(encoding="ascii", errors="replace")
    try:
        _obey(sys.argv[1:])
    except TraplineError as error:
        sys.stderr.write(f"trapline: {error}\n")
        sys.exit(2)
    except BrokenPipeError:
        # Whoever read our output has enough; Python must not complain while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.stderr.write("trapline: stopped.\n")
        sys.exit(130)
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        sys.stderr.write(f"trapline: {name}{error.strerror or error}.\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        sentence = outside_fault(error)
        if not sentence:
            raise
        sys.stderr.write(f"trapline: {sentence}\n")
        sys.exit(2)


def _obey(arguments: list[str]) -> None:
    plain = quick.read(arguments)
    if plain is not None:
        sys.exit(plain.obey())
    from trapline.cli.commands import app, leave_out_all_but  # and Typer, which takes its time

    leave_out_all_but(arguments[:1])
    app()


def _open_missing_streams() -> None:
    """Whoever starts us with closed streams gets none of their words, but no crash either."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            mode = "r" if number == 0 else "w"
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 (for good)
            setattr(sys, name, stream)
