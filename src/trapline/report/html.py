"""One self-contained page: no script, no other file."""

from __future__ import annotations

from trapline.report import svg

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{common}
body {{ margin: 2rem auto; max-width: 46rem; padding: 0 1rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }}
h1 {{ font-size: 1.4rem; }} h2 {{ font-size: 1.1rem; margin: 1.7rem 0 .3rem; }}
p {{ margin: .3rem 0; }} .soft {{ color: var(--soft); }}
{style}</style></head><body>
<h1>{title}</h1>
{body}
</body></html>
"""


def page(title: str, style: str, body: str) -> str:
    """`title` and `body` are HTML, escaped by whoever writes them; `style` is CSS of this page."""
    return PAGE.format(title=title, common=svg.STYLE, style=style, body=body)
