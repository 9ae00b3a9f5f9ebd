"""What a benchmark's file may ask of an obfuscation, and what it may not, in one line."""

from pathlib import Path

import pytest

from made_assets import made_assets, without_network
from unforeseen.benchmarks import ObfuscationSetting
from unforeseen.errors import AssetError, BenchmarkError, UnknownNameError, UserError
from unforeseen.running.make_obfuscation import make_obfuscation, make_obfuscations
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.color_noise_blocks import ColorNoiseBlocks


def setting(name: str = "ColorNoiseBlocks", **ranges: tuple[float, float]) -> ObfuscationSetting:
    return ObfuscationSetting(name=name, group="training", ranges=ranges)


def test_a_range_takes_the_place_of_the_usual_one() -> None:
    made = make_obfuscation(setting(block=(20, 30)))
    assert made == ColorNoiseBlocks(block=Range(20, 30))
    assert make_obfuscation(setting()) == ColorNoiseBlocks()


@pytest.mark.parametrize(
    ("wanted", "error", "says"),
    [
        (setting("SwirlWrap"), UnknownNameError, "Did you mean SwirlWarp"),
        (setting(blocks=(1, 2)), BenchmarkError, "ranges: unknown range of ColorNoiseBlocks"),
        (setting(block=(12, 1e9)), BenchmarkError, "ColorNoiseBlocks.block: expected a range"),
        (setting("ImageOverlay", opacity=(1.5, 2)), BenchmarkError, "within 0 and 1, got 1.5 to 2"),
        (
            setting("IconOverlay", count=(0, 0)),
            BenchmarkError,
            "IconOverlay.count: expected a range",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_before_a_run(
    wanted: ObfuscationSetting, error: type[UserError], says: str
) -> None:
    with pytest.raises(error, match=says) as raised:
        make_obfuscation(wanted)
    assert "\n" not in str(raised.value)


def test_a_pack_that_lacks_what_an_obfuscation_takes_is_refused(tmp_path: Path) -> None:
    assets = made_assets(tmp_path)
    kept = (tmp_path / "assets.toml").read_text(encoding="utf-8").split("[icon.")[0]
    (tmp_path / "assets.toml").write_text(kept, encoding="utf-8")
    with pytest.raises(UserError, match="at least one icon"):
        make_obfuscations([setting("IconOverlay")], type(assets)(tmp_path))


def test_all_that_a_pack_lacks_for_several_obfuscations_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    wanted = [setting("IconOverlay"), setting(), setting("TextOverlay"), setting("StyleTransfer")]
    with pytest.raises(AssetError, match="at least one icon, text and painting, got none"):
        make_obfuscations(wanted, AssetPack(tmp_path))


@pytest.mark.parametrize("name", ["StyleTransfer", "Texturize"])
def test_a_pack_whose_network_cannot_be_used_is_refused(tmp_path: Path, name: str) -> None:
    make_obfuscations([setting("IconOverlay")], without_network(tmp_path / "bare"))
    with pytest.raises(AssetError, match=r"expected a table \[stylization\]"):
        make_obfuscations([setting(name)], without_network(tmp_path / "bare"))
    damaged = made_assets(tmp_path / "damaged")
    (damaged.folder / "stylization.safetensors").write_bytes(b"")
    with pytest.raises(AssetError, match="damaged"):
        make_obfuscations([setting(name)], damaged)
