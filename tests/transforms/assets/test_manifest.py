"""assets.toml: what it may say, and that everything else is one line about what to do."""

from pathlib import Path

import pytest

from unforeseen.errors import AssetError
from unforeseen.transforms.assets.manifest import Asset, read_manifest

SCENE = """schema = 1
[scene.phone]
file = "scenes/phone.jpg"
foreground = "scenes/phone-foreground.png"
corners = [[0.31, 0.18], [0.66, 0.20], [0.64, 0.81], [0.29, 0.78]]
licence = "CC0-1.0"
source = "a photograph of ours"
"""


def written(folder: Path, text: str) -> Path:
    (folder / "assets.toml").write_text(text, encoding="utf-8")
    return folder


def test_a_scene_is_read_as_it_is_written(tmp_path: Path) -> None:
    assert read_manifest(written(tmp_path, SCENE)).assets["scene"]["phone"] == Asset(
        kind="scene",
        name="phone",
        file="scenes/phone.jpg",
        foreground="scenes/phone-foreground.png",
        corners=((0.31, 0.18), (0.66, 0.2), (0.64, 0.81), (0.29, 0.78)),
        licence="CC0-1.0",
        source="a photograph of ours",
    )


def test_kinds_that_are_not_there_are_empty_and_names_keep_their_order(tmp_path: Path) -> None:
    tables = [
        f'[icon.{name}]\nfile = "{name}.png"\nlicence = "x"\nsource = "y"\n' for name in "cab"
    ]
    manifest = read_manifest(written(tmp_path, "schema = 1\n" + "".join(tables)))
    assert list(manifest.assets["icon"]) == ["c", "a", "b"]
    assert manifest.assets["photo"] == {}


def test_a_byte_order_mark_of_an_editor_is_no_part_of_it(tmp_path: Path) -> None:
    assert read_manifest(written(tmp_path, "\ufeff" + SCENE)).assets["scene"]


CORNERS = "[[0.31, 0.18], [0.66, 0.20], [0.64, 0.81], [0.29, 0.78]]"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("schema = 1", "schema = 2", "schema: expected 1"),
        ("schema = 1", "", "schema: expected 1 .* got none"),
        ("[scene.phone]", "[scenes.phone]", "unknown key 'scenes' in the file; did you mean scene"),
        ("[scene.phone]", '[scene."../phone"]', "expected names of the form"),
        ("[scene.phone]", "[scene.con]", "expected names of the form"),
        ("[scene.phone]", "[photo.phone]", "unknown key 'foreground' in photo.phone"),
        ('licence = "CC0-1.0"', "", "scene.phone lacks licence"),
        ('licence = "CC0-1.0"', 'licence = ""', "scene.phone.licence: expected text"),
        ('licence = "CC0-1.0"', "licence = 0", "scene.phone.licence: expected text"),
        ('source = "a photograph of ours"', "", "scene.phone lacks source"),
        (f"corners = {CORNERS}", "", "scene.phone lacks corners"),
        (CORNERS, "[[0, 0], [1, 0], [1, 1]]", "corners: expected four points"),
        (CORNERS, "[[0, 0], [1, 0], [1, 1], 4]", "corners: expected four points"),
        (CORNERS, "[[0, 0], [1, 0], [1, 1], [0, true]]", "corners: expected four points"),
        (CORNERS, "[[0, 0], [1, 0], [1, 1], [0, nan]]", "corners: expected four points"),
        (CORNERS, "[[0, 0], [200, 0], [200, 200], [0, 200]]", "as shares of width and height"),
        (CORNERS, '"whole"', "corners: expected four points"),
        # Mirrored, crossed, dented, and flat.
        (CORNERS, "[[1, 0], [0, 0], [0, 1], [1, 1]]", "corner of a convex quadrilateral"),
        (CORNERS, "[[0, 0], [1, 1], [1, 0], [0, 1]]", "corner of a convex quadrilateral"),
        (CORNERS, "[[0, 0], [1, 0], [0.2, 0.2], [0, 1]]", "corner of a convex quadrilateral"),
        (CORNERS, "[[0, 0], [0.5, 0], [1, 0], [0.7, 0]]", "corner of a convex quadrilateral"),
        ("[scene.phone]", "[scene", "expected TOML"),
    ],
)
def test_what_cannot_be_is_one_line_that_says_where(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    assert old in SCENE
    with pytest.raises(AssetError, match=complaint) as caught:
        read_manifest(written(tmp_path, SCENE.replace(old, new, 1)))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(tmp_path / "assets.toml"))


@pytest.mark.parametrize(
    "path",
    [
        *("../phone.jpg", "scenes/../../phone.jpg", "..", ".", "./phone.jpg", ""),
        *("/etc/passwd", "//server/share.jpg", "scenes//phone.jpg", "scenes/"),
        *("C:/phone.jpg", "C:phone.jpg", "scenes\\phone.jpg", "\\\\server\\share.jpg"),
        *("phone.jpg.", "phone.jpg ", "scenes./phone.jpg", "scenes/.. /phone.jpg", "..."),
        *("con", "scenes/NUL.jpg", "aux/phone.jpg", "com1.foreground.png"),
        *("phone.jpg:stream", "phone\u0000.jpg", "phone?.jpg", "a" * 300),
    ],
)
def test_files_are_named_inside_the_folder_and_alike_on_every_system(
    tmp_path: Path, path: str
) -> None:
    escaped = path.replace("\\", "\\\\").replace("\u0000", "\\u0000")
    for file in ("scenes/phone.jpg", "scenes/phone-foreground.png"):
        with pytest.raises(AssetError, match="expected the path of a file in the folder"):
            read_manifest(written(tmp_path, SCENE.replace(file, escaped)))


def test_a_folder_without_one_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"expected a folder of assets with a file assets\.toml"):
        read_manifest(tmp_path)
    with pytest.raises(AssetError, match=r"expected a folder of assets with a file assets\.toml"):
        read_manifest(tmp_path / "missing")


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe schema",
        b"schema = " + b"[" * 5000,
        b"[" + b"a." * 5000 + b"a]",
        b"schema = 1\n" + b"# padding\n" * 200_000,
        b"schema = 99999999999999999999999999999999999999999999999999999999999999999999999",
        b"schema = 1\nphoto = 3",
        b"schema = 1\n[photo]",
        b"schema = 1\n[photo.a]\nfile = {}",
    ],
)
def test_broken_and_hostile_files_end_in_one_short_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "assets.toml").write_bytes(content)
    with pytest.raises(AssetError) as caught:
        read_manifest(tmp_path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
