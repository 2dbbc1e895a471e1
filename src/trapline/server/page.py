"""The page's files: read once, compressed once, and known by what they hold.

Compressed is only what is the same for everybody: these files, the catalogue, the rules. An answer
about a match never is, for its size would then tell of what is hidden in it; where such an answer
is a page, what all pages have is compressed, and what this one says of its match is not.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import struct
import zlib
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trapline.games import GAMES
from trapline.home import proofs_folder
from trapline.server import languages, packs
from trapline.server.icons import ICONS, draw_icon
from trapline.server.languages.first import first_words

if TYPE_CHECKING:
    from starlette.requests import Request

STATIC = Path(__file__).parent / "static"
SHEETS = ("base", "board", "home", "match", "finish", "proof")
"""The style sheets, in the order in which they hold; they are sent as one."""
CATALOGUES = {
    f"lang/{code}{part}.json": words(code)
    for code in languages.CODES
    for part, words in ((".page", languages.page_messages), ("", languages.messages))
}
"""Each language, for whom it is chosen by: what the page says at first, and all that there is."""
AT_TABLES = {
    f"lang/{code}.{game}.json": languages.table_messages(code, game)
    for code in languages.CODES
    for game in GAMES
}
"""Each language as far as it is needed to begin to play one game."""
CARD = b"  <!-- card -->"
"""Where a page has room for what a link to it looks like."""
SCREENS = {
    "/": "home",
    "/m/{match}": "match",
    "/matches": "matches",
    "/table/{match}": "display",
    "/puzzle": "puzzle",
    "/lobby": "lobby",
    "/join/{match}": "join",
    "/rules/{game}": "rules",
    "/learn/{game}": "learn",
    "/proof": "proof",
}
"""Which script shows an address; the page names the same (static/js/main.js)."""

MEDIA = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
PROOF_MEDIA = {
    ".cert": "application/json",
    ".mjs": MEDIA[".js"],
    ".py": "text/x-python; charset=utf-8",
}


class File(NamedTuple):
    body: bytes
    packed: bytes
    media: str
    tag: str


@lru_cache(maxsize=256)
def hold(body: bytes, media: str) -> File:
    """A file as it is sent; it must be the same for everybody who asks."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
    return File(body, gzip.compress(body, 9, mtime=0), media, tag)


def send(request: Request, file: File, status: int = 200) -> Response:
    """A file, or word that the asker has it already."""
    headers = {"cache-control": "no-cache", "etag": file.tag, "vary": "accept-encoding"}
    known = request.headers.get("if-none-match", "")
    if status == 200 and file.tag in (tag.strip() for tag in known.split(",")):
        return Response(status_code=304, headers=headers)
    body = file.body
    if "gzip" in request.headers.get("accept-encoding", "") and len(file.packed) < len(body):
        headers["content-encoding"] = "gzip"
        body = file.packed
    return Response(body, status, headers, media_type=file.media)


def send_with(request: Request, file: File, place: bytes, told: bytes) -> Response:
    """A file with something put into it that is for nobody else, and is sent as it is."""
    before, after = file.body.split(place)
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(before + told + after, headers=headers, media_type=file.media)
    headers["content-encoding"] = "gzip"
    body = before + told + after
    size = struct.pack("<LL", zlib.crc32(body), len(body))
    packed = GZIP + _deflated(before, zlib.Z_FULL_FLUSH) + _stored(told)
    return Response(
        packed + _deflated(after, zlib.Z_FINISH) + size, headers=headers, media_type=file.media
    )


GZIP = gzip.compress(b"", mtime=0)[:10]
"""How what is compressed so begins."""
LARGEST = 0xFFFF
"""Bytes that one part may have that is not compressed."""


@lru_cache(maxsize=64)
def _deflated(data: bytes, end: int) -> bytes:
    """A part of something compressed that can be read without what stands before it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush(end)


def _stored(data: bytes) -> bytes:
    """A part of the same that says everything letter by letter: its size tells nothing else."""
    parts = (data[at : at + LARGEST] for at in range(0, len(data), LARGEST))
    return b"".join(struct.pack("<BHH", 0, len(p), LARGEST - len(p)) + p for p in parts)


@cache
def find(name: str) -> File:
    """A file below /static/: one of `names`."""
    if name == "css/page.css":
        return hold(style_sheet().encode(), MEDIA[".css"])
    if name.removeprefix("js/") in packs.NAMES:
        return hold(packs.pack(packs.NAMES[name.removeprefix("js/")]).encode(), MEDIA[".js"])
    if name in ICONS:
        return hold(draw_icon(name), MEDIA[".png"])
    if words := CATALOGUES.get(name) or AT_TABLES.get(name):
        apart = [list(words), list(words.values())]  # each language by itself packs better
        text = json.dumps(apart, ensure_ascii=False, separators=(",", ":"))
        return hold(text.encode(), MEDIA[".json"])
    path = STATIC / name
    if path.suffix == ".js":
        return hold(packs.bare(path.read_text("utf-8")).encode(), MEDIA[path.suffix])
    return hold(path.read_bytes(), MEDIA[path.suffix])


@cache
def names() -> frozenset[str]:
    """All that lies below /static/. Nothing else is looked for, whatever an address says."""
    files = (path for path in STATIC.rglob("*") if path.suffix in MEDIA)
    paths = (path.relative_to(STATIC).as_posix() for path in files)
    packed = (f"js/{name}" for name in packs.NAMES)
    return frozenset({"css/page.css", *ICONS, *CATALOGUES, *AT_TABLES, *packed, *paths})


async def static(request: Request) -> Response:
    name = request.path_params["path"]
    if name not in names():
        raise HTTPException(404)
    return send(request, await run_in_threadpool(find, name))  # an icon takes a moment to draw


@cache
def _proofs() -> dict[str, Path]:
    """The certificates and their checkers, by name."""
    files = proofs_folder().glob("*")
    return {path.name: path for path in sorted(files) if path.suffix in PROOF_MEDIA}


async def proof(request: Request) -> Response:
    """One of those files; below no name, the list of all certificates."""
    name = request.path_params["path"]
    if not name:
        certificates = [name for name in _proofs() if name.endswith(".cert")]
        certificates.sort(key=lambda name: name.split(".")[:-1])  # a rulebook before its presets
        return send(request, hold(json.dumps(certificates).encode(), PROOF_MEDIA[".cert"]))
    if name not in _proofs():
        raise HTTPException(404)
    path = _proofs()[name]
    return send(request, hold(path.read_bytes(), PROOF_MEDIA[path.suffix]))


SHEET = '  <link rel="stylesheet" href="/static/css/page.css">'
CATALOGUE = '  <link rel="preload" href="/api/games" as="fetch" crossorigin="anonymous">\n'
"""The catalogue, asked for at once where it is needed: a table knows all it needs of its game."""
TABLES = ("/m/{match}", "/table/{match}")
BEFORE = '  <script src="/static/js/before.js"></script>'
"""What a page must have before it is painted, as a browser would have to fetch it."""
EARLY = "  <!-- early -->\n"
"""Where it says what it says at first in other languages."""


@cache
def html(address: str, first: str = "") -> File:
    """The page for one kind of address: it names at once all scripts that will be needed there.

    What must be there before the first paint is in it, for a slow network takes as long for each
    request as for the whole page; `first` is what its screen shows before any script runs.
    """
    wanted = modules("main.js", f"screens/{SCREENS[address]}.js" if address in SCREENS else "")
    sent = {packs.PACK_OF.get(name, name) for name in wanted}
    found = f'  <script type="importmap">{packs.import_map()}</script>\n'
    links = found + "\n".join(
        f'  <link rel="modulepreload" href="/static/js/{name}">' for name in sorted(sent)
    )
    page = (STATIC / "index.html").read_text("utf-8").replace("  <!-- scripts -->", links)
    page = page.replace('data-languages=""', f'data-languages="{" ".join(languages.CODES)}"')
    stage = f'<div class="stage" data-for="{address}">{first}</div>' if first else ""
    page = page.replace("<!-- first -->", stage)
    page = page.replace(SHEET, f"  <style>{style_sheet()}</style>")
    page = page.replace(BEFORE, f"  <script>{script('before')}</script>")
    page = page.replace(EARLY, _early(page) if first else "")
    if address in TABLES:
        page = page.replace(CATALOGUE, "")
    if "{match}" not in address:
        page = page.replace(CARD.decode() + "\n", "")
    return hold(page.encode(), MEDIA[".html"])


@cache
def style_sheet() -> str:
    """All style sheets as one, without what is written for whoever changes them."""
    sheets = ((STATIC / "css" / f"{name}.css").read_text("utf-8") for name in SHEETS)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"/\*.*?\*/", "", "\n".join(sheets), flags=re.DOTALL))


@cache
def script(name: str) -> str:
    """One that stands in a page."""
    return packs.bare((STATIC / "js" / f"{name}.js").read_text("utf-8"))


INLINE = ("before", "early")


def _early(page: str) -> str:
    words = first_words(page)
    data = f'  <script type="application/json" id="first-words">{words}</script>\n'
    return f"{data}  <script>{script('early')}</script>\n"


def source_of(text: str) -> str:
    """How a policy names what may stand in a page: this text, and not a letter else."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def modules(*names: str) -> set[str]:
    """Scripts with all that they import."""
    found: set[str] = set()
    left = [name for name in names if name]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += packs.imported(name)
    return found


@cache
def worker() -> File:
    """The script that keeps the page for when there is no network: it knows what to keep."""
    packed = {f"js/{name}" for name in packs.PACK_OF}
    left = names() - {"sw.js"} - packed - AT_TABLES.keys()
    kept = sorted(name for name in left if name.endswith((".js", ".json", ".svg", "page.css")))
    facts = f"const SHELL = {json.dumps([f'/static/{name}' for name in kept])};\n"
    return hold(facts.encode() + (STATIC / "sw.js").read_bytes(), MEDIA[".js"])
