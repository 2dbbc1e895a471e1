"""The command `trapline`."""

from __future__ import annotations

import sys


def main() -> None:
    # Asking for the version should not load a game, let alone a command-line framework.
    if sys.argv[1:] == ["--version"]:
        from trapline import __version__

        sys.stdout.write(f"trapline {__version__}\n")
        return
    from trapline.cli import run

    run()


if __name__ == "__main__":
    main()
