"""Locked matches in which turns leave something behind that only their player's device knows."""
