"""Checks for games of hidden information."""
