"""Pages and plots: self-contained HTML and SVG, written by hand."""
