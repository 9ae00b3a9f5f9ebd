"""Parts of ImageNet under other labels, of pictures as they are and of those obfuscated before."""

from dataclasses import replace

import numpy as np

from data.in_memory import InMemory, InMemoryObfuscated, noise
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.subset import imagenet16_of
from unforeseen.data.super_classes import super_classes

#: Of classes that are in no super-class, the first of ``Airplane`` and the last of ``Truck``.
OTHER = next(
    label for label in range(1000) if all(label not in g for g in super_classes().values())
)
FIRST, LAST = (list(super_classes().values())[place][0] for place in (0, 15))


def made() -> InMemoryObfuscated:
    clean = InMemory([noise(seed=seed) for seed in range(3)], [OTHER, LAST, FIRST])
    clean.card = replace(clean.card, label_space="imagenet")
    swirled = [noise(seed=seed) for seed in range(10, 13)]
    dataset = InMemoryObfuscated(
        clean,
        {"SwirlWarp": (swirled, ["of other", "of last", None])},
        example_ids=["other", "last", "first"],
        made_by="published",
        fingerprint="f",
    )
    dataset.files = {"SwirlWarp": "of its files"}
    return dataset


def test_what_was_obfuscated_before_stays_so_in_a_part_of_it() -> None:
    whole, part = made(), imagenet16_of(made())
    assert isinstance(part, ObfuscatedDataset)
    assert part.labels.tolist() == [15, 0]
    assert (part.card.label_space, part.card.images) == ("imagenet16", 2)
    assert (part.obfuscations, part.made_by, part.fingerprint) == (("SwirlWarp",), "published", "f")
    assert part.files == whole.files == {"SwirlWarp": "of its files"}
    assert list(part.example_ids) == ["last", "first"]
    assert [part.parameters("SwirlWarp", index) for index in range(2)] == ["of last", None]
    for index, before in enumerate((1, 2)):
        assert np.array_equal(part.read(index), whole.read(before))
        swirled = part.obfuscated("SwirlWarp")
        assert np.array_equal(swirled.read(index), whole.obfuscated("SwirlWarp").read(before))
    assert part.obfuscated("SwirlWarp").labels.tolist() == [15, 0]
    assert part.obfuscated("SwirlWarp").keys == part.keys == ["row 1", "row 2"]
