"""Simple strategies: traps drawn from blocks of the path, and a few routes."""
