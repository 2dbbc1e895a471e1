"""Play in a terminal: drawing of Views, sentences, screens, and the prompt loop."""
