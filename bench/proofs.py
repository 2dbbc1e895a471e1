"""Makes the certificates in `proofs/`: of every rulebook, and of its presets. `python -m bench.proofs`"""

from __future__ import annotations

import re
import time

from trapline.games import RULEBOOKS, make_game
from trapline.home import proofs_folder
from trapline.solve import Uncertified, certificates, solved


def main() -> None:
    for kind in RULEBOOKS:
        variants = {f"{kind.name}.cert": {}}
        for preset in kind.presets:
            slug = re.sub(r"\W+", "-", preset.name.lower()).strip("-")
            variants[f"{kind.name}.{slug}.cert"] = preset.options
        for file, options in variants.items():
            begin = time.perf_counter()
            try:
                found = certificates.write(
                    solved(make_game(kind, options), target=1e-6), proofs_folder() / file
                )
            except Uncertified as error:
                print(f"{file}: {error}")
                continue
            low, high = found["bounds"]
            size = (proofs_folder() / file).stat().st_size
            print(f"{file}: {low} to {high}, {size} bytes, {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main()
