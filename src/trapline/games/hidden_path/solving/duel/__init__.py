"""Two runners who look at each other: the tree of all that both see, cut where it is decided."""
