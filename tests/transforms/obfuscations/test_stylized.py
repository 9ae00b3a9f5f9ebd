"""StyleTransfer and Texturize: resized, through the pack's network, and back."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from made_assets import PAINTINGS, TEXTURES
from obfuscation_draws import drawn
from oracles import assert_uniform, pictures
from unforeseen.errors import AssetError, DataError, UnknownNameError
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.style_transfer import StyleTransfer, StyleTransferParameters
from unforeseen.transforms.obfuscations.stylized import _expect_fitting, stylized_size
from unforeseen.transforms.obfuscations.texturize import Texturize, TexturizeParameters


def test_a_picture_is_enlarged_stylised_by_the_row_of_its_style_and_brought_back(
    assets: AssetPack,
) -> None:
    """Rows are paintings first, then textures."""
    x = pictures(1, 64, 48)[0]
    large = F.interpolate(x[None], (96, 72), mode="bilinear", antialias=True).clamp(0, 1)
    network = assets.stylization.network
    for obfuscation, parameters, row in (
        (StyleTransfer(), StyleTransferParameters(painting="dots", height=96, width=72), 1),
        (Texturize(), TexturizeParameters(texture="bricks", height=96, width=72), 2),
    ):
        made = network(large, torch.tensor([row]))
        expected = F.interpolate(made, (64, 48), mode="bilinear", antialias=True)[0].clamp(0, 1)
        seen = obfuscation.apply(x, parameters, assets)  # type: ignore[arg-type]  # each has its own
        torch.testing.assert_close(seen, expected)


def test_every_style_comes_and_factors_are_even(assets: AssetPack) -> None:
    paintings = drawn(StyleTransfer(factor=Range(1, 2)), assets)
    assert {each.painting for each in paintings} == set(PAINTINGS)
    assert_uniform(np.array([each.height / 224 for each in paintings]), 1, 2)
    textures = drawn(Texturize(factor=Range(1, 2)), assets)
    assert {each.texture for each in textures} == set(TEXTURES)
    assert_uniform(np.array([each.width / 224 for each in textures]), 1, 2)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((224, 224), (336, 336)),
        ((32, 32), (336, 336)),
        ((1000, 4000), (336, 1344)),
        ((448, 224), (672, 336)),
        ((32, 4000), (33, 4096)),
        ((32, 32000), (32, 4096)),
    ],
)
def test_strokes_are_as_wide_beside_the_picture_in_every_size(
    size: tuple[int, int], expected: tuple[int, int]
) -> None:
    """1.5 times 224 pixels, whatever the picture; strips end at 4,096 pixels."""
    assert stylized_size(1.5, size) == expected


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_a_style_of_one_colour_gives_that_colour(
    assets: AssetPack, tmp_path: Path, dtype: torch.dtype
) -> None:
    """With shifts so low that nothing passes, what is left is the last layer's bias."""
    shutil.copytree(assets.folder, tmp_path / "pack")
    pack = AssetPack(tmp_path / "pack")
    network = pack.stylization.network
    with torch.no_grad():
        network.from_half.norm.shift.fill_(-1e4)
        network.to_colour.bias.copy_(torch.tensor([0.2, 0.5, 0.9]).logit())  # type: ignore[union-attr]  # it has one
    parameters = StyleTransferParameters(painting="dots", height=40, width=62)
    seen = StyleTransfer().apply(pictures(1, 32, 50, dtype=dtype)[0], parameters, pack)
    assert seen.dtype == dtype
    expected = torch.tensor([0.2, 0.5, 0.9], dtype=dtype)[:, None, None].expand(3, 32, 50)
    torch.testing.assert_close(seen, expected, atol=1e-6, rtol=0)


def test_what_comes_out_can_be_changed_in_place(assets: AssetPack) -> None:
    """As pipelines that normalise in place do; a tensor of inference mode couldn't be."""
    parameters = TexturizeParameters(texture="bark", height=64, width=64)
    seen = Texturize().apply(pictures(1, 64, 64)[0], parameters, assets)
    assert not seen.is_inference()
    assert not seen.requires_grad
    seen.sub_(0.5)


def test_records_of_no_picture_are_refused(assets: AssetPack) -> None:
    x = pictures(1, 64, 64)[0]
    (parameters,) = drawn(StyleTransfer(), assets, number=1)
    for record in (
        replace(parameters, height=4000, width=4000).to_json(),
        replace(parameters, height=31).to_json(),
        replace(parameters, width=5000).to_json(),
        replace(parameters, height=224, width=226).to_json(),
        replace(parameters, height=4096, width=896).to_json(),
        replace(parameters, height=896, width=4096).to_json(),
    ):
        with pytest.raises(DataError, match=r"^parameters: "):
            StyleTransfer().apply_record(x, record, assets)
    unknown = replace(parameters, painting="mona-lisa").to_json()
    with pytest.raises(UnknownNameError, match=r"unknown painting of .* 'mona-lisa'\. There are: "):
        StyleTransfer().apply_record(x, unknown, assets)


@given(
    height=st.integers(32, 6000),
    width=st.integers(32, 6000),
    factor=st.floats(1, 4),
)
@settings(deadline=None, derandomize=True)
def test_the_size_of_every_draw_fits_its_picture(height: int, width: int, factor: float) -> None:
    _expect_fitting(stylized_size(factor, (height, width)), (height, width))


def test_a_style_that_only_the_network_knows_is_not_the_packs(
    assets: AssetPack, tmp_path: Path
) -> None:
    folder = shutil.copytree(assets.folder, tmp_path / "pack")
    manifest = folder / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    before, _, after = text.partition("[texture.bark]")
    manifest.write_text(before + after[after.index("[") :], encoding="utf-8")
    record = TexturizeParameters(texture="bark", height=64, width=64).to_json()
    with pytest.raises(UnknownNameError, match=r"unknown texture of .*pack 'bark'"):
        Texturize().apply_record(pictures(1, 64, 64)[0], record, AssetPack(folder))


def test_a_pack_without_a_network_or_with_too_small_a_one_says_what_to_do(
    assets: AssetPack, tmp_path: Path
) -> None:
    folder = shutil.copytree(assets.folder, tmp_path / "pack")
    manifest = folder / "assets.toml"
    text = manifest.read_text(encoding="utf-8")
    head, _, _ = text.partition("[stylization]")
    x = pictures(1, 64, 64)[0]
    (parameters,) = drawn(Texturize(), assets, number=1)
    manifest.write_text(head, encoding="utf-8")
    with pytest.raises(
        AssetError, match=r"expected a table \[stylization\].*unforeseen make styles"
    ):
        Texturize().apply(x, parameters, AssetPack(folder))
    manifest.write_text(text.replace("[texture.bark]", "[texture.moss]"), encoding="utf-8")
    with pytest.raises(AssetError, match="knows every texture of the pack; it doesn't know 'moss'"):
        Texturize().apply(x, parameters, AssetPack(folder))
    (folder / "stylization.safetensors").write_bytes(b"")
    with pytest.raises(AssetError, match=r"stylization\.safetensors: expected weights that"):
        Texturize().apply(x, parameters, AssetPack(folder))


def test_another_network_is_another_pack(assets: AssetPack, tmp_path: Path) -> None:
    folder = shutil.copytree(assets.folder, tmp_path / "pack")
    assert AssetPack(folder).fingerprint_of(ASSET_KINDS) == assets.fingerprint_of(ASSET_KINDS)
    weights = folder / "stylization.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(bytes(content))
    assert AssetPack(folder).fingerprint_of(ASSET_KINDS) != assets.fingerprint_of(ASSET_KINDS)
