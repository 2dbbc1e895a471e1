"""A game as numbers: its answers counted, its boards laid out, its rules compiled for batches."""
