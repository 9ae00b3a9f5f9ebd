"""The page of strength and legibility is of the pack that ships."""

import re

from documents import CHECKOUT
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import default_assets

PAGE = CHECKOUT / "docs" / "design" / "strong-and-legible.md"


def test_its_figures_were_measured_with_the_pack_that_ships() -> None:
    """Whoever changes an asset measures again what takes its kind."""
    stated = dict(re.findall(r"(\w+) `([0-9a-f]{8})`", PAGE.read_text(encoding="utf-8")))
    assert stated == {kind: default_assets().fingerprint_of([kind])[:8] for kind in ASSET_KINDS}
