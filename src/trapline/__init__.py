"""One referee for five two-player games of hidden traps and secret goals."""

__version__ = "0.1.0"
