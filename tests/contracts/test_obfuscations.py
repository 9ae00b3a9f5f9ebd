"""What every obfuscation owes its users.

An obfuscation that joins the table is tested without a line here but for how its ranges are seen in
its parameters.
"""

import itertools
import json
import math
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import Field, FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest
import torch
from typing_extensions import override

from made_assets import made_assets
from oracles import pictures
from unforeseen.errors import BenchmarkError, DataError, ImageError, UnknownNameError
from unforeseen.rng import ExampleKey, Stream
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import AnyObfuscation, ImageSize, Parameters, Range

each_obfuscation = pytest.mark.parametrize(
    "obfuscation", [each() for each in OBFUSCATIONS.values()], ids=list(OBFUSCATIONS)
)

#: The sizes that trip image code: the smallest, odd ones, narrow ones, the usual ones.
SIZES = ((32, 32), (33, 47), (128, 224), (224, 224), (256, 256), (299, 299), (384, 384))

#: How the draws of each range are seen in the parameters, for a picture of 224×224.
SEEN: dict[str, dict[str, Callable[[Any], Sequence[float]]]] = {
    "ColorNoiseBlocks": {"block": lambda p: [p.block]},
    "Halftoning": {
        "block": lambda p: [] if p.technique == "zigzag" else [p.block],
        "zigzag": lambda p: [p.block] if p.technique == "zigzag" else [],
    },
    "InvertLines": {"width": lambda p: [p.width]},
    "LowContrastTriangles": {
        "scale": lambda p: [p.scale],
        "clear": lambda p: p.contrasts[:1],
        "faint": lambda p: p.contrasts[1:],
    },
    "LineShift": {"width": lambda p: [p.width], "length": lambda p: [p.length]},
    "PerspectiveTransform": {},
    "RotateBlocks": {"block": lambda p: [2 * p.quarter], "rotations": lambda p: [p.rotations]},
    "RotateImage": {"angle": lambda p: [p.angle]},
    "SwirlWarp": {
        "strength": lambda p: [abs(p.strength)],
        "radius": lambda p: [p.radius],
        "center": lambda p: [each / 224 for each in p.center],
    },
    "WavyColorWarp": {
        "wavelength": lambda p: [p.wavelength],
        "down": lambda p: [p.down],
        "across": lambda p: [p.across],
        "hue": lambda p: [p.hue],
    },
    "BackgroundBlurComposition": {
        "factor": lambda p: [p.height / 224, p.width / 224],
        "sigma": lambda p: [p.sigma],
    },
    "HighContrastBorder": {
        "contrast": lambda p: [p.contrast],
        "inner": lambda p: [p.height / 224, p.width / 224],
    },
    "PerspectiveComposition": {},
    "PhotoComposition": {"factor": lambda p: [p.height / 224, p.width / 224]},
    "ColorPatternOverlay": {"side": lambda p: [p.side], "opacity": lambda p: [p.opacity]},
    "IconOverlay": {"count": lambda p: [224 / p.side], "opacity": lambda p: [p.opacity]},
    "ImageOverlay": {"opacity": lambda p: [p.opacity]},
    "Interleave": {"width": lambda p: [p.width], "opacity": lambda p: [p.opacity]},
    "TextOverlay": {"height": lambda p: [p.height]},
    "AdversarialPatches": {
        "factor": lambda p: [p.height / 224, p.width / 224],
        "side": lambda p: [p.side],
        "sigma": lambda p: [p.sigma],
    },
    "StyleTransfer": {"factor": lambda p: [p.height / 224, p.width / 224]},
    "Texturize": {"factor": lambda p: [p.height / 224, p.width / 224]},
}
#: Ranges from which several numbers come at once are seen in tests of their own.
NOT_SEEN = {("PerspectiveTransform", "spread")}
#: Sides are whole pixels, which moves shares and counts by as much.
WHOLE_PIXELS = {"factor": 0.5 / 224, "inner": 0.5 / 224, "count": 0.5}


@pytest.fixture(scope="module")
def assets(tmp_path_factory: pytest.TempPathFactory) -> AssetPack:
    return made_assets(tmp_path_factory.mktemp("assets"))


def stream(obfuscation: AnyObfuscation, example: object, *, seed: int = 0) -> Stream:
    key = ExampleKey(seed=seed, transform=obfuscation.name, example_id=str(example))
    return key.stream("parameters")


def picture(
    height: int = 96, width: int = 80, *, dtype: torch.dtype = torch.float32
) -> torch.Tensor:
    return pictures(1, height, width)[0].to(dtype)


def draws(
    obfuscation: AnyObfuscation, assets: AssetPack, number: int, size: ImageSize = (224, 224)
) -> list[Parameters]:
    return [
        obfuscation.sample(stream(obfuscation, example), size, assets) for example in range(number)
    ]


@each_obfuscation
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_any_size_and_both_types_give_a_picture_of_the_same_kind(
    obfuscation: AnyObfuscation, size: ImageSize, dtype: torch.dtype, assets: AssetPack
) -> None:
    """Pitfall 8: sizes that no benchmark has."""
    image = picture(*size, dtype=dtype)
    before = image.clone()
    changed = False
    for example in range(3):
        seen, _ = obfuscation.obfuscate(image, stream(obfuscation, example), assets)
        assert seen.shape == image.shape
        assert seen.dtype == dtype
        assert seen.isfinite().all()
        assert 0 <= float(seen.min()) <= float(seen.max()) <= 1
        changed |= float((seen - image).abs().max()) > 0.1
    assert changed
    assert torch.equal(image, before)


class OnDevice(torch.Tensor):
    """A tensor as on a device that has no numbers of 64 bits, such as MPS: only its ``cpu()`` may have."""

    @classmethod
    @override
    def __torch_function__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        if func is torch.Tensor.cpu:
            return args[0].as_subclass(torch.Tensor)
        result = super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[no-untyped-call]  # torch's
        if isinstance(result, cls) and result.dtype == torch.float64:
            raise TypeError(f"{func} makes a tensor of float64")
        return result


@each_obfuscation
def test_nothing_of_64_bits_is_asked_of_the_picture_s_device(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    for example in range(8):
        made, parameters = obfuscation.obfuscate(
            picture().as_subclass(OnDevice), stream(obfuscation, example), assets
        )
        assert isinstance(made, OnDevice)
        expected = obfuscation.apply(picture(), parameters, assets)
        torch.testing.assert_close(made.cpu(), expected)


@each_obfuscation
def test_a_picture_of_four_million_pixels_is_no_matter(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    image = torch.rand(3, 1000, 4000, generator=torch.Generator().manual_seed(0))
    seen, _ = obfuscation.obfuscate(image, stream(obfuscation, 0), assets)
    assert seen.shape == image.shape
    assert 0 <= float(seen.min()) <= float(seen.max()) <= 1


@each_obfuscation
def test_one_size_after_another_gives_what_each_gives_alone(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    """Pitfall 10: no state across calls."""
    small, large = picture(64, 64), picture(96, 96)
    first = obfuscation.obfuscate(small, stream(obfuscation, 0), assets)[0]
    other = obfuscation.obfuscate(large, stream(obfuscation, 0), assets)[0]
    again = obfuscation.obfuscate(small, stream(obfuscation, 0), assets)[0]
    assert torch.equal(first, again)
    assert other.shape == large.shape


@each_obfuscation
def test_the_same_record_gives_the_same_picture_bit_for_bit(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    image = picture()
    for example in range(6):
        seen, parameters = obfuscation.obfuscate(image, stream(obfuscation, example), assets)
        record = parameters.to_json()
        assert "\n" not in record
        read = obfuscation.parameters.from_json(record)
        assert read == parameters
        assert read.to_json() == record
        assert torch.equal(obfuscation.apply(image, read, assets), seen)


@each_obfuscation
def test_a_record_gives_its_picture_again_in_either_type_and_whatever_the_ranges(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    pixels = (picture() * 255).round().byte()
    for example in map(str, range(6)):
        made, parameters = obfuscation.obfuscate_example(pixels, assets, seed=0, example_id=example)
        record = parameters.to_json()
        other = replace(obfuscation, **{each.name: _ends(each) for each in fields(obfuscation)})
        assert torch.equal(other.apply_record(pixels, record, assets), made)
        exact = other.apply_record(pixels.float() / 255, record, assets)
        assert torch.equal((exact * 255).round().byte(), made)


def _ends(each: Field[Any]) -> Range:
    return Range(each.metadata["maximum"], each.metadata["maximum"])


@each_obfuscation
def test_a_record_that_no_draw_for_the_size_gives_ends_in_one_line_or_in_a_picture(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    """Whatever stands in it: no other error, nothing outside [0, 1], and no gigabytes."""
    image, refusals = picture(32, 40), list[str]()
    whole = json.loads(draws(obfuscation, assets, 1, (32, 40))[0].to_json())
    for each, value in whole.items():
        for wrong in (0, 1, -7, 33, 4000, 10**5, 2**63, 1e300, -1e300, 1e-300, "nowhere", None):
            broken = [wrong, *value[1:]] if isinstance(value, list) else wrong
            record = json.dumps(whole | {each: broken})
            try:
                made = obfuscation.apply_record(image, record, assets)
            except (DataError, UnknownNameError) as error:
                refusals.append(str(error))
            else:
                assert made.shape == image.shape
                assert 0 <= float(made.min()) <= float(made.max()) <= 1
    assert len(refusals) > 2
    assert "\n" not in "".join(refusals)


@each_obfuscation
def test_a_broken_record_is_refused_in_one_line(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    whole = draws(obfuscation, assets, 1)[0].to_json()
    nothing: Any = None
    for record in (whole[:-1], "[]", '{"more":1}', whole[:-1] + ',"more":1}', "\x00", nothing):
        with pytest.raises(DataError, match="parameters: expected") as caught:
            obfuscation.parameters.from_json(record)
        assert "\n" not in str(caught.value)


@each_obfuscation
def test_numbers_of_a_record_that_give_no_picture_are_refused_in_one_line(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    whole = json.loads(draws(obfuscation, assets, 1)[0].to_json())
    for each in fields(obfuscation.parameters):
        value = whole[each.name]
        for bound, end in each.metadata.items():
            if math.isfinite(end):
                beyond = round(end - 1 if bound == "minimum" else end + 1)
                number = isinstance(value, float | int)
                broken = whole | {each.name: beyond if number else [beyond, *value[1:]]}
                with pytest.raises(DataError, match=f"parameters: {each.name}: expected") as caught:
                    obfuscation.parameters.from_json(json.dumps(broken))
                assert "\n" not in str(caught.value)


@each_obfuscation
def test_draws_depend_on_the_key_alone(obfuscation: AnyObfuscation, assets: AssetPack) -> None:
    """Pitfall 6: neither order nor what was drawn before."""
    forwards = draws(obfuscation, assets, 8)
    backwards = [
        obfuscation.sample(stream(obfuscation, example), (224, 224), assets)
        for example in reversed(range(8))
    ]
    assert forwards == backwards[::-1]
    # Of a small pack, a scene alone can come twice; turned blocks have two sizes and three turns.
    fewest = {"PerspectiveComposition": 3, "RotateBlocks": 6}.get(obfuscation.name, 7)
    assert len({each.to_json() for each in draws(obfuscation, assets, 40)}) >= fewest
    other = [
        obfuscation.sample(stream(obfuscation, i, seed=1), (224, 224), assets) for i in range(8)
    ]
    assert other != forwards


@each_obfuscation
def test_different_examples_get_different_pictures(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    image = picture(224, 224)
    seen = [
        obfuscation.obfuscate(image, stream(obfuscation, example), assets) for example in range(12)
    ]
    for (one, of_one), (other, of_other) in itertools.combinations(seen, 2):
        assert torch.equal(one, other) or of_one != of_other
    # Of a small pack, a scene alone can come twice; halftones and turned blocks have few forms.
    different = {each.numpy().tobytes() for each, _ in seen}
    assert len(different) > (1 if obfuscation.name == "PerspectiveComposition" else 5)


@each_obfuscation
def test_every_parameter_lies_inside_its_range_and_reaches_its_ends(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    drawn = draws(obfuscation, assets, 400)
    named = {field.name for field in fields(obfuscation)}
    not_seen = {name for owner, name in NOT_SEEN if owner == obfuscation.name}
    assert set(SEEN[obfuscation.name]) == named - not_seen
    for name, values_of in SEEN[obfuscation.name].items():
        low, high = getattr(obfuscation, name)
        values = np.array([value for each in drawn for value in values_of(each)])
        slack = WHOLE_PIXELS.get(name, 1e-6)
        assert low - slack <= values.min() <= low + 0.1 * (high - low) + slack
        assert high - 0.1 * (high - low) - slack <= values.max() <= high + slack


@each_obfuscation
@pytest.mark.usefixtures("untouched_random_state")
def test_no_global_generator_is_used_or_seeded(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    image = picture()
    seen = obfuscation.obfuscate(image, stream(obfuscation, 0), assets)[0]
    assert torch.equal(obfuscation.obfuscate(image, stream(obfuscation, 0), assets)[0], seen)


@each_obfuscation
def test_threads_see_what_one_sees(obfuscation: AnyObfuscation, assets: AssetPack) -> None:
    image = picture()

    def seen(example: int) -> torch.Tensor:
        return obfuscation.obfuscate(image, stream(obfuscation, example), assets)[0]

    alone = [seen(example) for example in range(12)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(seen, range(12)))
    for one, other in zip(alone, together, strict=True):
        assert torch.equal(one, other)


@each_obfuscation
@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_a_picture_of_one_colour_stays_in_range(
    obfuscation: AnyObfuscation, value: float, assets: AssetPack
) -> None:
    image = torch.full((3, 64, 64), value)
    for example in range(8):
        seen, _ = obfuscation.obfuscate(image, stream(obfuscation, example), assets)
        assert seen.isfinite().all()
        assert 0 <= float(seen.min()) <= float(seen.max()) <= 1


@each_obfuscation
@pytest.mark.parametrize("size", [(32, 32), (224, 224), (47, 299)], ids=str)
def test_whatever_ranges_are_allowed_give_pictures(
    obfuscation: AnyObfuscation, size: ImageSize, assets: AssetPack
) -> None:
    """Both ends of what each field's declaration allows, on noise and on what is all white."""
    for each in fields(obfuscation):
        for end in (each.metadata["minimum"], each.metadata["maximum"]):
            extreme = replace(obfuscation, **{each.name: Range(end, end)})
            for image in (picture(*size).round(), torch.ones(3, *size)):
                for example in range(4):
                    seen, _ = extreme.obfuscate(image, stream(extreme, example), assets)
                    assert 0 <= float(seen.min()) <= float(seen.max()) <= 1, (each.name, end)


@each_obfuscation
def test_other_ranges_are_refused_where_they_are_set(obfuscation: AnyObfuscation) -> None:
    for each in fields(obfuscation):
        low, high = getattr(obfuscation, each.name)
        for wrong in (
            Range(each.metadata["minimum"] - 1, high),
            Range(low, each.metadata["maximum"] + 1),
            Range(high, low - 1e-9),
            Range(low, float("nan")),
            Range(low, float("inf")),
            (low, high),
            Range(True, high),
        ):
            with pytest.raises(
                BenchmarkError, match=f"^{obfuscation.name}.{each.name}: "
            ) as caught:
                replace(obfuscation, **{each.name: wrong})
            assert "\n" not in str(caught.value)


@each_obfuscation
def test_whole_numbers_are_each_as_likely(obfuscation: AnyObfuscation, assets: AssetPack) -> None:
    """Ends too: within four standard deviations of a binomial draw."""
    for each in fields(obfuscation):
        step = each.metadata["multiple_of"]
        if step is None or each.name == "count":
            continue
        low = each.metadata["minimum"] + 2 * step if each.name != "rotations" else 1
        narrow = replace(obfuscation, **{each.name: Range(low, low + 2 * step)})
        drawn = draws(narrow, assets, 900)
        values = [value for p in drawn for value in SEEN[obfuscation.name][each.name](p)]
        counts = [values.count(low + place * step) for place in range(3)]
        number = sum(counts)
        assert number == len(values)
        assert all(abs(count - number / 3) < 4 * (number * 2 / 9) ** 0.5 for count in counts)


@each_obfuscation
def test_the_layout_in_memory_changes_nothing(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    image = picture()
    rows_of_pixels = image.permute(1, 2, 0).contiguous().permute(2, 0, 1)
    assert not rows_of_pixels.is_contiguous()
    for example in range(4):
        one, other = (
            obfuscation.obfuscate(each, stream(obfuscation, example), assets)[0]
            for each in (image, rows_of_pixels)
        )
        torch.testing.assert_close(one, other, atol=1e-5, rtol=0)


@each_obfuscation
def test_both_types_show_the_same_picture(obfuscation: AnyObfuscation, assets: AssetPack) -> None:
    """Within 1/255 but for a few pixels, those at the edge of a block or of a shape."""
    image = picture()
    for example in range(4):
        single, double = (
            obfuscation.obfuscate(each, stream(obfuscation, example), assets)[0].double()
            for each in (image, image.double())
        )
        assert float(((single - double).abs() > 1 / 255).double().mean()) < 1e-3


@each_obfuscation
def test_what_is_no_picture_is_refused_in_one_line(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    """Pitfalls 3 and 9: values out of range, one channel."""
    good = picture(64, 64)
    for wrong in (
        good[:1],
        good[None],
        good[:, :1],
        good[:, :, :31],
        good.half(),
        (good * 255).byte(),
        good * 255,
        good - good.min() - 2e-6,
        torch.where(good > 0.9, torch.nan, good),
    ):
        with pytest.raises(ImageError, match="expected") as caught:
            obfuscation.obfuscate(wrong, stream(obfuscation, 0), assets)
        assert "\n" not in str(caught.value)


@each_obfuscation
def test_what_rounding_carried_over_the_edge_is_clamped(
    obfuscation: AnyObfuscation, assets: AssetPack
) -> None:
    """Pitfall 3's replay: a minimum of −2.98e-8."""
    image = picture()
    image[0, 0, 0], image[0, 0, 1] = 0, 1
    beyond = image.clone()
    beyond[0, 0, 0], beyond[0, 0, 1] = -2.98e-8, 1 + 2.4e-7
    one, other = (
        obfuscation.obfuscate(each, stream(obfuscation, 0), assets)[0] for each in (image, beyond)
    )
    assert torch.equal(one, other)


@each_obfuscation
def test_obfuscations_are_values(obfuscation: AnyObfuscation) -> None:
    """Frozen, equal by their ranges, and sent to worker processes."""
    assert pickle.loads(pickle.dumps(obfuscation)) == obfuscation
    for field in fields(obfuscation):
        with pytest.raises(FrozenInstanceError):
            setattr(obfuscation, field.name, 1)
