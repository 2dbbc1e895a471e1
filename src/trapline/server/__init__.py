"""A place to play in the browser: rooms over the referee, a log that lasts, a page."""
