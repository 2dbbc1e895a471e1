"""A real PostgreSQL for tests, out of the wheel `pgserver`; each test worker has its own."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

NOBODY = 65534


class Server:
    """PostgreSQL on a socket in a folder of its own, until `remove`."""

    def __init__(self, *, durable: bool = False) -> None:
        # Sockets need a short path, and the server's user must be able to reach it: hence no
        # folder of pytest's.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-"))
        self._as: dict[str, Any] = {"cwd": self.folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            os.chown(self.folder, NOBODY, NOBODY)
            self._as |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        self._programs = self._find_programs()
        self._data = self.folder / "data"
        self._run("initdb", "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync")
        # Tests kill the server, but never the machine's power, so it need not wait for the disk.
        settings = f"-c fsync={'on' if durable else 'off'} -c listen_addresses='' -k {self.folder}"
        self._options = ("-w", "-l", f"{self.folder}/log", "-o", settings)
        self.start()

    def _find_programs(self) -> Path:
        spec = importlib.util.find_spec("pgserver")
        assert spec is not None
        assert spec.origin is not None
        package = Path(spec.origin).parent
        programs = package / "pginstall" / "bin"
        reachable = subprocess.run(["test", "-x", programs / "initdb"], **self._as)
        if reachable.returncode == 0:
            return programs
        # The environment lies in somebody's private folder. Programs find their libraries by
        # their place beside the package, if the wheel brings any.
        libraries = package.with_name("pgserver.libs")
        if libraries.exists():
            shutil.copytree(libraries, self.folder / libraries.name)
        shutil.copytree(package / "pginstall", self.folder / "pgserver" / "pginstall")
        return self.folder / "pgserver" / "pginstall" / "bin"

    def _run(self, program: str, *args: str) -> None:
        command = [str(self._programs / program), "-D", str(self._data), *args]
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **self._as
        )
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        self._run("pg_ctl", "start", *self._options)

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "stop", "-m", mode)

    def crash(self) -> None:
        """As if the machine had gone down and come up again: nobody is told, nothing is tidied."""
        self.stop("immediate")
        self.start()

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def psql(self, command: str) -> str:
        program = [str(self._programs / "psql"), "-h", str(self.folder), "-U", "postgres"]
        program += ["-Atqc", command]
        done = subprocess.run(program, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def new_database(self, schema: str) -> str:
        """The address of an empty part of the database: cheaper than a database, and as good."""
        self.psql(f"CREATE SCHEMA {schema}")
        return f"postgresql://postgres@/postgres?host={self.folder}&search_path={schema}"
