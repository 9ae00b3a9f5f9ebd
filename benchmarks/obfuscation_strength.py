r"""How strong each obfuscation is: accuracy of a model on the 16 super-classes (paper, section 3.2).

    python benchmarks/obfuscation_strength.py --model URI --data URI [--draws 10] [--seed 0] \
        [--obfuscations A,B] [--ranges SwirlWarp.radius=100,150 …] [--assets DIR] [--balanced]

Every picture of a super-class is obfuscated ``--draws`` times. The interval of 95 % is a bootstrap over
pictures, each with all its draws, as draws of one picture aren't independent. ``--ranges`` tries other
ranges than those of the project: this is the script that they were tuned with.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.data.subset import imagenet16_of
from unforeseen.models import Predictor, load_model
from unforeseen.models.headed import with_head
from unforeseen.preprocessing import Preprocessing
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import AnyObfuscation, Range

PREPROCESSING = Preprocessing(resize=224, crop=(224, 224))
BATCH = 32
RESAMPLES = 2000


def main() -> None:
    """Prints a line per obfuscation."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--obfuscations")
    parser.add_argument("--ranges", nargs="*", default=[])
    parser.add_argument("--assets", type=Path)
    parser.add_argument("--balanced", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)

    classifier = with_head(load_model(arguments.model), "imagenet16", image_size=(224, 224))
    dataset = imagenet16_of(load_data(arguments.data))
    indices = list(range(len(dataset.labels)))
    read = [
        read_picture(dataset, index, name, PREPROCESSING)
        for index, name in zip(indices, identify(dataset, indices), strict=True)
    ]
    pictures = [picture for picture in read if isinstance(picture, Picture)]
    assets = AssetPack(arguments.assets) if arguments.assets else default_assets()
    labels = np.array([picture.label for picture in pictures])
    weights = weights_of(labels) if arguments.balanced else np.ones(len(labels))
    kind = "class-balanced" if arguments.balanced else "unweighted"
    print(f"{len(pictures)} pictures × {arguments.draws} draws, {arguments.model}, {kind}")
    print("| obfuscation | group | accuracy | 95 % |")
    print("| --- | --- | --- | --- |")
    clean = predicted(classifier, [picture.image.float() / 255 for picture in pictures])
    print_line("Clean", "", (clean == labels)[None], weights)
    names = arguments.obfuscations.split(",") if arguments.obfuscations else list(OBFUSCATIONS)
    for name in names:
        kind_of = obfuscation_class(name)
        obfuscation = replace(kind_of(), **ranges_for(kind_of.name, arguments.ranges))
        right = [
            predicted(classifier, drawn(obfuscation, pictures, assets, arguments.seed, draw))
            == labels
            for draw in range(arguments.draws)
        ]
        group = "hold-out" if obfuscation.held_out else "training"
        print_line(obfuscation.name, group, np.stack(right), weights)


def ranges_for(name: str, texts: Sequence[str]) -> Mapping[str, Range]:
    """The ranges that are asked for of one obfuscation."""
    found = {}
    for text in texts:
        place, _, ends = text.partition("=")
        of, _, field = place.partition(".")
        if of.lower() == name.lower():
            low, high = map(float, ends.split(","))
            found[field] = Range(low, high)
    return found


def drawn(
    obfuscation: AnyObfuscation,
    pictures: Sequence[Picture],
    assets: AssetPack,
    seed: int,
    draw: int,
) -> list[Tensor]:
    """One draw of every picture, rounded to 8 bits."""
    made = []
    for picture in pictures:
        image, _ = obfuscation.obfuscate_example(
            picture.image, assets, seed=seed, example_id=picture.example_id, draw=draw
        )
        made.append(image.float() / 255)
    return made


def predicted(classifier: Predictor, images: Sequence[Tensor]) -> NDArray[np.int64]:
    """The most probable super-class of each picture."""
    with classifier.inference(), torch.no_grad():
        answers = [
            classifier.logits(torch.stack(list(images[start : start + BATCH]))).argmax(1)
            for start in range(0, len(images), BATCH)
        ]
    return torch.cat(answers).cpu().numpy()


def weights_of(labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """1 / number of pictures of the class, times what makes their mean 1."""
    inverse = 1 / np.bincount(labels)[labels]
    weights: NDArray[np.float64] = inverse / inverse.mean()
    return weights


def print_line(
    name: str, group: str, right: NDArray[np.bool_], weights: NDArray[np.float64]
) -> None:
    """One line of the table; ``right`` is (draws, pictures)."""
    of_pictures = right.mean(axis=0) * weights
    generator = np.random.default_rng(0)
    resampled = generator.integers(0, len(weights), (RESAMPLES, len(weights)))
    means = of_pictures[resampled].sum(1) / weights[resampled].sum(1)
    low, high = np.quantile(means, (0.025, 0.975))
    print(f"| {name} | {group} | {of_pictures.mean():.1%} | {low:.1%} – {high:.1%} |", flush=True)


if __name__ == "__main__":
    main()
