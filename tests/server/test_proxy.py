"""The server behind a real nginx with TLS, set up as docs/running.md says."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
from websockets.sync.client import connect

from tests.server.running import PATIENCE, Server
from tests.server.test_running import block

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
pytestmark = pytest.mark.skipif(
    "CI" not in os.environ and (NGINX is None or shutil.which("openssl") is None),
    reason="there is no nginx here",
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def nginx(folder: Path, server: Server, port: int) -> Iterator[None]:
    """The page's own configuration, with this test's names, port and certificate."""
    pair = [str(folder / "games.pem"), str(folder / "games.key")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "1", "-subj", "/CN=localhost", "-out", pair[0], "-keyout", pair[1]],
        check=True, capture_output=True,
    )  # fmt: skip
    page = block("nginx")
    for ours, theirs in (
        ("http://127.0.0.1:8000", server.address),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("server_name games.example", "server_name localhost"),
        ("/etc/ssl/games.example.pem", pair[0]),
        ("/etc/ssl/games.example.key", pair[1]),
    ):
        assert page.count(ours) == 1
        page = page.replace(ours, theirs)
    folders = "".join(
        f"{kind}_temp_path {folder};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/nginx.pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{page}}}\n"
    )
    command = [str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    with (folder / "nginx.log").open("w") as log:
        process = subprocess.Popen(command, stderr=log)
    try:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert process.poll() is None, (folder / "nginx.log").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_play_through_a_proxy_with_tls(tmp_path: Path) -> None:
    port = free_port()
    home = tmp_path / "home"
    home.mkdir()
    public = f"https://localhost:{port}"
    settings = {"public_url": public + "/", "metrics": "local", "opens_per_minute": "3"}
    with Server(home, **settings) as server, nginx(tmp_path, server, port):
        trust = ssl.create_default_context(cafile=str(tmp_path / "games.pem"))
        trust.check_hostname = False  # the certificate has no other name than its first
        with httpx.Client(base_url=public, verify=trust, timeout=PATIENCE) as http:
            own = {"Origin": public}
            body = {"game": "numeric-maze", "against": "here", "first": 1}
            opened = http.post("/api/matches", json=body, headers=own)
            assert opened.status_code == 201
            cookie = opened.headers["set-cookie"]
            assert cookie.startswith("__Host-trapline=")
            assert "; Secure" in cookie
            named = opened.headers["x-request-id"]
            assert f'"request": "{named}"' in server.log
            assert len(named) == 32, "nginx has chosen it"
            assert http.get("/metrics").status_code == 404
            address = f"wss://localhost:{port}/api/matches/{opened.json()['match']}/socket?seat=1"
            headers = {"Cookie": cookie.partition(";")[0], **own}
            with connect(address, ssl=trust, additional_headers=headers) as wire:
                wire.send('{"key": "k", "version": 1, "command": {"do": "play", "turn": "2"}}')
                while '"answers":["k"]' not in str(wire.recv(PATIENCE)):
                    pass
            # What a client says about its own address does not count.
            for number in range(4):
                claimed = {"X-Forwarded-For": f"192.0.2.{number}", **own}
                last = http.post("/api/matches", json=body, headers=claimed).status_code
            assert last == 429
        with server.client() as direct:
            assert direct.get("/metrics").status_code == 200
