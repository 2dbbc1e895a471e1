"""Matches for players who read and write text: people's assistants and language models.

`briefing` tells a View in words, `seat` is one seat of any match in text, `match` a seeded match
of one seat against the computer, with what each choice cost. Every text environment stands on
these, so what a player may read is decided here and nowhere else.
"""
