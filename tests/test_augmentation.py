"""Obfuscations among torchvision's transforms: kinds of pictures, draws, and hold-outs."""

import copy
import pickle
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import tv_tensors
from torchvision.transforms import v2
from torchvision.transforms.v2.functional import pil_to_tensor, to_pil_image

from made_assets import made_assets, without_network
from oracles import pictures
from unforeseen import ObfuscationTransform, RandomObfuscation
from unforeseen.errors import AssetError, ImageError, UnknownNameError, UserError
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import Range
from unforeseen.transforms.obfuscations.invert_lines import InvertLines
from unforeseen.transforms.obfuscations.rotate_image import RotateImage

HOLD_OUTS = {"ColorPatternOverlay", "LowContrastTriangles", "PerspectiveComposition"}
CONSENT = "I train on the hold-outs"

#: The same 8-bit picture as each kind of thing that a pipeline may hold.
KINDS: dict[str, Callable[[torch.Tensor], Any]] = {
    "uint8": lambda x: x,
    "float32": lambda x: x.float() / 255,
    "float64": lambda x: x.double() / 255,
    "float16": lambda x: (x.float() / 255).half(),
    "bfloat16": lambda x: (x.float() / 255).bfloat16(),
    "tv_tensor": tv_tensors.Image,
    "float tv_tensor": lambda x: tv_tensors.Image(x.float() / 255),
    "PIL": to_pil_image,
}


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> AssetPack:
    return made_assets(tmp_path_factory.mktemp("assets"))


def picture(height: int = 48, width: int = 40) -> torch.Tensor:
    return (pictures(1, height, width)[0] * 255).round().byte()


def transformed(transform: v2.Transform, value: Any, *, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    return transform(value)


def as_bytes(value: Any) -> torch.Tensor:
    plain: torch.Tensor = (
        pil_to_tensor(value) if isinstance(value, Image.Image) else value.as_subclass(torch.Tensor)
    )
    return plain if plain.dtype == torch.uint8 else (plain.double() * 255).round().byte()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["SwirlWarp", "InvertLines"])
def test_each_kind_of_picture_comes_back_as_its_kind(name: str, kind: str) -> None:
    x = KINDS[kind](picture())
    transform = ObfuscationTransform(name)
    made = transformed(transform, x)
    assert type(made) is type(x)
    if isinstance(x, torch.Tensor):
        assert made.dtype == x.dtype
        assert made.shape == x.shape
    expected = transformed(transform, picture())
    rounding = 3 if kind == "bfloat16" else 1
    assert (as_bytes(made).int() - expected.int()).abs().max() <= rounding
    assert not torch.equal(as_bytes(made), picture())


@pytest.mark.parametrize("kind", KINDS)
def test_clean_pictures_stay_exactly_as_they_are(kind: str) -> None:
    x = KINDS[kind](picture())
    made = RandomObfuscation(clean=1, obfuscations=["SwirlWarp"])(x)
    assert type(made) is type(x)
    assert np.array_equal(np.asarray(as_bytes(made)), np.asarray(as_bytes(x)))
    if isinstance(x, torch.Tensor):
        assert torch.equal(made, x)


@pytest.mark.parametrize("name", [name for name in OBFUSCATIONS if name not in HOLD_OUTS])
def test_every_training_obfuscation_is_a_transform(name: str, assets: AssetPack) -> None:
    transform = ObfuscationTransform(name.lower(), assets=assets)
    x = picture()
    before = x.clone()
    made = transformed(transform, x)
    assert made.dtype == torch.uint8
    assert not torch.equal(made, x)
    assert torch.equal(x, before)
    assert torch.equal(transformed(transform, x), made)
    assert name in repr(transform)


def test_pictures_of_a_batch_have_draws_of_their_own() -> None:
    batch = picture().expand(6, -1, -1, -1)
    made = transformed(ObfuscationTransform("RotateImage"), batch)
    assert made.shape == batch.shape
    assert len({each.numpy().tobytes() for each in made}) == 6
    one_by_one = ObfuscationTransform("RotateImage")
    torch.manual_seed(0)
    assert torch.equal(made, torch.stack([one_by_one(each) for each in batch]))


def test_the_frames_of_a_video_are_obfuscated_as_a_batch_is() -> None:
    frames = picture().expand(3, -1, -1, -1)
    transform = ObfuscationTransform("RotateImage")
    made = transformed(transform, {"video": tv_tensors.Video(frames), "label": torch.tensor(3)})
    assert type(made["video"]) is tv_tensors.Video
    assert torch.equal(made["video"].as_subclass(torch.Tensor), transformed(transform, frames))
    assert made["label"] == 3


def test_an_empty_batch_stays_empty() -> None:
    assert ObfuscationTransform("RotateImage")(torch.zeros(0, 3, 48, 48)).shape == (0, 3, 48, 48)


def test_labels_boxes_and_masks_pass_through() -> None:
    sample = {
        "image": tv_tensors.Image(picture()),
        "label": torch.tensor(3),
        "mask": tv_tensors.Mask(torch.ones(48, 40)),
        "name": "owl",
    }
    made = ObfuscationTransform("SwirlWarp")(sample)
    assert not torch.equal(made["image"], sample["image"])
    assert made["label"] is sample["label"]
    assert made["mask"] is sample["mask"]
    assert made["name"] == "owl"
    picture_and_label = ObfuscationTransform("SwirlWarp")(picture(), torch.tensor([1, 2]))
    assert picture_and_label[1].tolist() == [1, 2]


def test_the_same_seed_of_torch_gives_the_same_pictures(assets: AssetPack) -> None:
    batch = picture().expand(16, -1, -1, -1)
    transform = RandomObfuscation(assets=assets)
    one, again, other = (transformed(transform, batch, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_numpys_and_pythons_generators_decide_nothing() -> None:
    x = picture()
    np.random.seed(0)  # noqa: NPY002 - what must not matter
    one = transformed(ObfuscationTransform("RotateImage"), x)
    np.random.seed(1)  # noqa: NPY002 - what must not matter
    assert torch.equal(transformed(ObfuscationTransform("RotateImage"), x), one)


def test_half_stay_clean_and_the_others_are_shared_evenly(assets: AssetPack) -> None:
    """The paper's sampling, counted: chosen by draws as a batch's pictures have them."""
    from unforeseen.rng import Stream

    transform = RandomObfuscation(assets=assets)
    chosen = [transform.choose(Stream("augmentation", seed)) for seed in range(3200)]
    counts = Counter(None if each is None else each.name for each in chosen)
    assert counts[None] == pytest.approx(1600, abs=4 * (3200 / 4) ** 0.5)
    del counts[None]
    assert set(counts) == set(OBFUSCATIONS) - HOLD_OUTS
    assert all(each == pytest.approx(100, abs=45) for each in counts.values())


def test_obfuscations_of_your_own_ranges_are_used() -> None:
    quarter = RotateImage(angle=Range(90, 90))
    x = picture(48, 48)
    for transform in (
        ObfuscationTransform(quarter),
        RandomObfuscation(clean=0, obfuscations=[quarter]),
    ):
        assert torch.equal(transform(x), torch.rot90(x, 1, (1, 2)))


def test_a_pipeline_and_a_loader_with_workers_hold_it() -> None:
    """Workers draw by their own seeds, which the loader's generator decides."""

    class Pictures(Dataset[torch.Tensor]):
        def __len__(self) -> int:
            return 8

        def __getitem__(self, index: int) -> torch.Tensor:
            pipeline = v2.Compose(
                [
                    v2.CenterCrop(40),
                    RandomObfuscation(clean=0, obfuscations=["RotateImage"]),
                    v2.ToDtype(torch.float32, scale=True),
                ]
            )
            return torch.as_tensor(pipeline(picture()))

    data = Pictures()

    def epoch(seed: int) -> torch.Tensor:
        generator = torch.Generator().manual_seed(seed)
        with warnings.catch_warnings():
            # Python 3.12 warns of forking beside threads, of which torch has some.
            warnings.simplefilter("ignore", DeprecationWarning)
            return torch.cat(
                list(DataLoader(data, batch_size=2, num_workers=2, generator=generator))
            )

    one, again, other = epoch(0), epoch(0), epoch(1)
    assert torch.equal(one, again)
    assert not torch.equal(one, other)
    assert len({each.numpy().tobytes() for each in one}) == 8


def test_transforms_are_copied_and_sent_to_workers(assets: AssetPack) -> None:
    transform = RandomObfuscation(clean=0, assets=assets)
    x = picture()
    made = transformed(transform, x)
    assert torch.equal(transformed(copy.deepcopy(transform), x), made)
    sent = pickle.loads(pickle.dumps(transform))
    assert torch.equal(transformed(sent, x), made)


@pytest.mark.parametrize("name", sorted(HOLD_OUTS))
def test_hold_outs_are_refused_unless_asked_for_aloud(name: str, assets: AssetPack) -> None:
    for make in (
        lambda: ObfuscationTransform(name, assets=assets),
        lambda: RandomObfuscation(obfuscations=["SwirlWarp", name], assets=assets),
    ):
        with pytest.raises(UserError, match=f"{name}: held out.*hold_outs='{CONSENT}'") as caught:
            make()
        assert "\n" not in str(caught.value)
    for consent in (True, "yes", 1, ""):
        with pytest.raises(UserError, match=f"hold_outs: expected '{CONSENT}' or nothing"):
            ObfuscationTransform(name, assets=assets, hold_outs=consent)  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize("name", sorted(HOLD_OUTS))
def test_who_asks_aloud_is_warned(name: str, assets: AssetPack) -> None:
    with pytest.warns(UserWarning, match=f"{name}: .*say nothing of unforeseen obfuscations"):
        transform = ObfuscationTransform(name, assets=assets, hold_outs="I train on the hold-outs")
    assert transformed(transform, picture()).shape == picture().shape


def test_a_random_obfuscation_takes_hold_outs_in_only_when_asked(assets: AssetPack) -> None:
    usual = RandomObfuscation(assets=assets)
    assert {each.name for each in usual.obfuscations} == set(OBFUSCATIONS) - HOLD_OUTS
    with pytest.warns(UserWarning, match="hold-outs"):
        everything = RandomObfuscation(assets=assets, hold_outs="I train on the hold-outs")
    assert {each.name for each in everything.obfuscations} == set(OBFUSCATIONS)


def test_nothing_is_warned_of_where_nothing_is_held_out(assets: AssetPack) -> None:
    """Warnings are errors in tests."""
    ObfuscationTransform("SwirlWarp", assets=assets, hold_outs="I train on the hold-outs")


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (torch.zeros(3, 31, 40), "at least 32×32"),
        (torch.zeros(1, 40, 40), r"\(3, H, W\)"),
        (torch.zeros(40, 40), r"\(3, H, W\) or \(B, 3, H, W\)"),
        (torch.zeros(2, 1, 40, 40), r"\(3, H, W\)"),
        (torch.full((3, 40, 40), 2.0), r"\[0, 1\].*Divide 8-bit pictures"),
        (torch.full((3, 40, 40), -0.5), r"\[0, 1\].*before normalising"),
        (torch.zeros(3, 40, 40, dtype=torch.int64), r"\(3, H, W\)"),
        (Image.new("L", (40, 40)), "in RGB, got one in L"),
        (Image.new("RGBA", (40, 40)), "in RGB, got one in RGBA"),
        (np.zeros((40, 40, 3), np.uint8), "got ndarray. Use Image.fromarray or v2.ToImage"),
        ({"image": np.zeros((40, 40, 3), np.uint8), "label": 3}, "got ndarray, int"),
        (tv_tensors.Mask(torch.ones(40, 40)), "got Mask"),
        ([], "got nothing"),
    ],
    ids=[
        *("small", "grey", "flat", "grey batch", "8-bit floats", "normalised", "integers", "L"),
        *("RGBA", "array", "array of a sample", "mask alone", "nothing"),
    ],
)
@pytest.mark.parametrize("clean", [0, 1])
def test_what_is_no_picture_is_refused_in_one_line(wrong: Any, says: str, clean: int) -> None:
    """Clean or not: a pipeline fails at its first picture, not at some of them."""
    with pytest.raises(ImageError, match=says) as caught:
        RandomObfuscation(clean=clean, obfuscations=["InvertLines"])(wrong)
    assert "\n" not in str(caught.value)


def test_mistakes_of_whoever_builds_a_pipeline_are_said(assets: AssetPack) -> None:
    with pytest.raises(UnknownNameError, match="Did you mean SwirlWarp"):
        ObfuscationTransform("SwirlWrap", assets=assets)
    for clean in (-0.1, 1.5, float("nan")):
        with pytest.raises(UserError, match="clean: expected a share from 0 to 1"):
            RandomObfuscation(clean, assets=assets)
    none: list[str] = []
    for obfuscations in (none, "SwirlWarp"):
        with pytest.raises(UserError, match="obfuscations: expected a list"):
            RandomObfuscation(obfuscations=obfuscations, assets=assets)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"obfuscations": [InvertLines]}, r"an obfuscation such as SwirlWarp\(\), got <class"),
        ({"obfuscations": [None]}, "obfuscation: expected a name"),
        ({"obfuscations": 3}, "obfuscations: expected a list"),
        ({"obfuscations": {"SwirlWarp": 1}}, "obfuscations: expected a list"),
        ({"clean": "0.5"}, "clean: expected a share"),
        ({"assets": 3}, "assets: expected an AssetPack or its folder, got 3"),
        ({"assets": "nowhere"}, "nowhere"),
    ],
)
def test_arguments_of_another_type_are_refused_when_the_transform_is_made(
    arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(UserError, match=says) as caught:
        RandomObfuscation(**{"obfuscations": ["SwirlWarp"], **arguments})
    assert "\n" not in str(caught.value)


def test_assets_are_opened_where_their_folder_is_named(assets: AssetPack) -> None:
    by_name = ObfuscationTransform("ImageOverlay", assets=str(assets.folder))
    opened = ObfuscationTransform("ImageOverlay", assets=assets)
    assert torch.equal(transformed(by_name, picture()), transformed(opened, picture()))


def test_assets_that_lack_something_are_refused_before_training(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("bare")
    (folder / "assets.toml").write_text("schema = 1\n", encoding="utf-8")
    bare = AssetPack(folder)
    with pytest.raises(AssetError, match="at least one photo"):
        ObfuscationTransform("ImageOverlay", assets=bare)
    no_network = without_network(tmp_path_factory.mktemp("no-network"))
    with pytest.raises(AssetError, match=r"expected a table \[stylization\]"):
        RandomObfuscation(obfuscations=["InvertLines", "StyleTransfer"], assets=no_network)
    assert ObfuscationTransform(InvertLines(), assets=bare)(picture()).shape == (3, 48, 40)
