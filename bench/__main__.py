"""`python -m bench`: every figure the README claims."""

from __future__ import annotations

from bench import rules, startup, streaming

if __name__ == "__main__":
    for part in (rules, streaming, startup):
        part.main()
