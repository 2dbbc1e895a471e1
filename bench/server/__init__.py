"""How fast `trapline serve` is: moves on disk a second, and how long a move takes."""
