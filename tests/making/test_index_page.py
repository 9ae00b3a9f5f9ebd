import base64
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
from PIL import Image
from typing_extensions import override

from made_assets import made_assets
from made_data import OBFUSCATIONS_USED, SIDE, made_folder, pictures
from unforeseen.data import load_data
from unforeseen.data.dataset import DataCard
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import default_assets


class Page(HTMLParser):
    """Elements and texts of a page."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))

    @override
    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def test_the_page_shows_each_obfuscation_with_what_was_drawn(tmp_path: Path) -> None:
    made_folder(tmp_path / "made", pictures(8))
    page = Page(tmp_path / "made" / "index.html")
    dataset = load_data(f"obfuscated:{tmp_path / 'made'}")
    assert isinstance(dataset, ObfuscatedDataset)
    assert len(page.images) == 6 * (1 + len(OBFUSCATIONS_USED))
    assert {"Clean", *OBFUSCATIONS_USED} <= set(page.texts)
    assert any(text.startswith("photo ") for text in page.texts)
    # The records hold all digits, the page a few.
    assert not any(re.search(r"\d\.\d{6}", text) for text in page.texts)
    shown = page.images[6]["src"]
    assert shown is not None
    thumbnail = np.asarray(Image.open(io.BytesIO(base64.b64decode(shown.partition(",")[2]))))
    stored = dataset.obfuscated("ColorNoiseBlocks").read(0)
    assert isinstance(stored, bytes)
    assert thumbnail.shape == (SIDE, SIDE, 3)
    assert np.abs(thumbnail.astype(int) - np.asarray(Image.open(io.BytesIO(stored)))).mean() < 40


def test_the_page_needs_nothing_but_itself(tmp_path: Path) -> None:
    made_folder(tmp_path / "made")
    text = (tmp_path / "made" / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|<script|<link|url\(", text)
    assert all(
        str(each["src"]).startswith("data:image/jpeg;base64,")
        for each in Page(tmp_path / "made" / "index.html").images
    )


def test_names_from_the_data_are_text_and_nothing_else(tmp_path: Path) -> None:
    source = pictures(3)
    evil = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    source.keys = [f"{evil}{number}" for number in range(3)]
    source.card = DataCard(
        uri=f"memory{evil}", label_space=None, class_names=(evil, "b", "c"), images=3
    )
    made_folder(tmp_path / "made", source)
    page = Page(tmp_path / "made" / "index.html")
    assert "script" not in page.tags
    assert all(set(each) == {"src", "alt", "width", "height"} for each in page.images)
    assert any(evil in text for text in page.texts)


def test_the_page_names_the_pack_that_was_taken_as_tables_of_runs_do(tmp_path: Path) -> None:
    pack, ships = made_assets(tmp_path / "a&lt;b"), default_assets()
    for name, assets, line in (
        ("mine", pack, f"own photo {pack.fingerprint_of(['photo'])[:8]}, of the pack a&lt;b"),
        ("ships", ships, f"shipped photo {ships.fingerprint_of(['photo'])[:8]}"),
    ):
        made_folder(tmp_path / name, assets=assets)
        page = Page(tmp_path / name / "index.html")
        assert page.texts[page.texts.index("assets") :][1] == line
    bare = {"ColorNoiseBlocks": OBFUSCATIONS["ColorNoiseBlocks"]()}
    made_folder(tmp_path / "bare", obfuscations=bare)
    assert "assets" not in Page(tmp_path / "bare" / "index.html").texts
