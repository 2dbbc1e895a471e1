"""Two smaller trees, in each of which one of both gives something up."""
