"""``unforeseen assets``, and how obfuscations are listed and shown."""

from dataclasses import fields
from pathlib import Path

import pytest
from PIL import Image

from made_assets import made_assets
from unforeseen.cli import main
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.typed_command import as_typed


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code, *capsys.readouterr()


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)


def test_a_pack_without_faults_is_checked_with_code_0(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made_assets(tmp_path / "pack")
    code, out, err = ended(capsys, "assets", "check", "pack")
    assert (code, err) == (0, "")
    words = " ".join(out.split())
    assert "photo 2 10" in words
    assert "scene 3 14" in words
    assert "CC0-1.0 18" in words
    # Of small pictures: photos, scenes, paintings and textures.
    assert sum(line.startswith("note: ") for line in out.splitlines()) == 9
    assert out.splitlines()[-1] == "17 assets and a network, 9 notes, nothing that can't be used."


def test_only_a_pack_without_notes_has_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = ended(capsys, "assets", "check")
    assert "note: " not in out
    assert out.splitlines()[-1] == "76 assets and a network, nothing wrong."


def test_all_that_is_wrong_is_listed_with_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made_assets(tmp_path / "pack")
    for name in ("photo-noise.png", "icon-disc.png"):
        (tmp_path / "pack" / name).unlink()
    code, out, err = ended(capsys, "assets", "check", "pack")
    assert (code, err) == (2, "")
    wrong = [line for line in out.splitlines() if line.startswith("wrong: ")]
    assert [name in line for name, line in zip(("photo-noise", "icon-disc"), wrong, strict=True)]
    assert out.splitlines()[-1] == "17 assets and a network, 2 things wrong."


def test_what_a_manifest_says_reaches_the_terminal_as_plain_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made_assets(tmp_path / "pack")
    manifest = tmp_path / "pack" / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("CC0-1.0", "[bold]\u202e[/bold]"), encoding="utf-8")
    code, out, _ = ended(capsys, "assets", "check", "pack")
    assert code == 0
    assert "[bold]\\u202e[/bold]" in out


def test_the_default_pack_is_checked_where_no_folder_is_named(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = ended(capsys, "assets", "check")
    assert code == 0
    assert "nothing wrong" in out


def test_a_preview_is_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, stages: list[str]
) -> None:
    made_assets(tmp_path / "pack")
    code, out, err = ended(capsys, "assets", "preview", "pack", "--out", "sheet.png")
    assert (code, out) == (0, "")
    assert stages == ["drawing the sheet"]
    assert "sheet.png" in err
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.format == "PNG"


def test_own_patches_are_put_beside_the_programs_other_assets_and_the_result_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    Image.new("RGB", (64, 64), "teal").save(folder / "teal.png")
    (folder / "assets.toml").write_text(
        'schema = 1\n[patch.teal]\nfile = "teal.png"\nlicence = "MIT"\nsource = "s"\n',
        encoding="utf-8",
    )
    code, out, err = ended(capsys, "assets", "combine", "mine", "--out", "my both")
    assert code == 0
    words = " ".join(out.split())
    assert "Assets of my both" in words
    assert "patch 1 3 mine" in words
    assert "icon 10 10 this program" in words
    assert len(err.splitlines()) == 1
    assert err.startswith("The pack is in my both; --assets takes it")
    assert err.rstrip().endswith(as_typed("assets", "preview", "my both"))
    assert "MIT 1" in words
    assert out.splitlines()[-1] == "74 assets and a network, nothing wrong."
    assert AssetPack(tmp_path / "my both").names("patch") == ("teal",)


def test_what_was_given_and_not_taken_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in ("first", "second"):
        made_assets(tmp_path / name)
    code, _, err = ended(capsys, "assets", "combine", "first", "second", "--out", "both")
    assert code == 0
    *notes, _last = err.splitlines()
    assert "note: icon of second: not taken, as first has some." in notes
    assert len(notes) == len(ASSET_KINDS) - 1


def test_without_a_folder_the_programs_pack_is_copied_to_be_edited(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, out, _ = ended(capsys, "assets", "combine", "--out", "copy")
    assert code == 0
    assert out.splitlines()[-1] == "76 assets and a network, nothing wrong."


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("combine", "none", "--out", "x"), "none: expected a folder of assets with a file"),
        (("combine", "none"), "--out"),
        (("combine", "--out", "."), "is not empty"),
        (("combine", "--out", "s3://bucket/pack"), "--out: expected a path on this machine"),
        (("check", "none"), "expected a folder of assets with a file assets.toml"),
        (("preview", "none"), "expected a folder of assets with a file assets.toml"),
        (("preview", "--out", "sheet.jpg"), "ends in .png"),
        (("chekc",), "chekc"),
    ],
)
def test_mistakes_are_one_line_and_code_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    Path("notes.txt").touch()
    code, out, err = ended(capsys, "assets", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


def test_without_a_command_it_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = ended(capsys, "assets")
    assert (code, err) == (0, "")
    assert "check" in out
    assert "preview" in out
    assert "combine" in out


def test_every_obfuscation_is_listed_with_category_and_group(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = ended(capsys, "list", "obfuscations")
    lines = {line.split()[0]: " ".join(line.split()) for line in out.splitlines() if line.split()}
    for name, kind in OBFUSCATIONS.items():
        group = "hold-out" if kind.held_out else "training"
        assert lines[name] == f"{name} {kind.category} {group} {kind.summary}"


@pytest.mark.parametrize("name", OBFUSCATIONS)
def test_each_obfuscation_is_shown_with_ranges_meanings_and_source(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    kind = OBFUSCATIONS[name]
    code, out, _ = ended(capsys, "show", name.lower())
    said = " ".join(out.split())
    assert code == 0
    assert f"{name}: {kind.summary}" in said
    assert f"Source: {kind.source}" in said
    assert ("nobody may train on it" in said) == kind.held_out
    for field in fields(kind.parameters):
        assert field.name in said.partition("Recorded with each picture: ")[2].partition(".")[0]
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.split()}
    for field in fields(kind):
        assert len(rows[field.name]) > 3, (
            f"{name}.{field.name}: its docstring doesn't say what it is"
        )


@pytest.mark.parametrize("name", OBFUSCATIONS)
def test_an_obfuscation_that_takes_a_style_says_that_it_needs_a_trained_network_and_who_has_one(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    _, out, _ = ended(capsys, "show", name)
    said = " ".join(out.split())
    takes_style = name in ("StyleTransfer", "Texturize")
    assert takes_style is ("A network in the pack must know them" in said)
    assert takes_style is (
        "unforeseen make styles trains one for yours; the program's pack has one" in said
    )
    assert takes_style is ("factor 1 2 shorter side while stylised, in multiples of 224" in said)


def test_the_ranges_of_a_benchmark_are_shown_where_one_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(
        'schema = 1\nextends = "image-obfuscation-own"\nname = "mine"\ntitle = "t"\nsource = "s"\n'
        '[obfuscations.ColorNoiseBlocks]\ngroup = "hold-out"\nranges = { block = [3, 5] }\n',
        encoding="utf-8",
    )
    _, out, _ = ended(capsys, "show", "ColorNoiseBlocks", "--benchmark", "mine.toml")
    assert "block 3 5" in " ".join(out.split())
    assert "nobody may train on it" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("SwirlWrap",),
            "unknown attack, obfuscation or benchmark 'SwirlWrap'. Did you mean SwirlWarp",
        ),
        (("SwirlWarp", "--benchmark", "imagenet-ua"), "expected a benchmark of obfuscations"),
        (("SwirlWarp", "--benchmark", "none.toml"), "none.toml"),
    ],
)
def test_what_cannot_be_shown_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    code, _, err = ended(capsys, "show", *arguments)
    assert code == 2
    assert words in err
    assert len(err.strip().splitlines()) == 1
