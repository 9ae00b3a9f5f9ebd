r"""Asks people whether obfuscated pictures can still be recognised (obfuscations paper, section 3.2).

    python benchmarks/legibility.py sheets --data URI --out DIR [--obfuscations A,B] [--pictures 50]
        [--seed 0] [--assets DIR]
    python benchmarks/legibility.py score --key DIR/key.csv --answers FILE.csv [FILE.csv …]

``sheets`` divides the pictures of the 16 super-classes into two sets, both spread over the classes, and
draws for each obfuscation one of the sets, and both of them clean: numbered pictures of 224 pixels,
without a word about what was done to them. A reader who gets one sheet of either set sees no picture
twice. File names are codes; ``key.csv`` says what they stand for, and isn't for readers. ``classes.txt``
is: what belongs to each super-class (a tow truck is a van or truck, a station wagon is a car).

A reader writes a CSV file with the columns code, number and answer: one of the super-classes. ``score``
prints the errors per obfuscation beside those on the same pictures when clean; the paper allows two
more of 50.
"""

import argparse
import csv
import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch
from PIL import Image, ImageDraw
from torch import Tensor

from unforeseen.data import Dataset, load_data
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import imagenet_class_names
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.data.selection import select
from unforeseen.data.subset import imagenet16_of
from unforeseen.data.super_classes import super_classes
from unforeseen.pixels import pixels_of
from unforeseen.preprocessing import Preprocessing
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets

CLEAN = "Clean"
COLUMNS = ("code", "number", "obfuscation", "class", "example_id", "parameters")
SIDE, LINE, ACROSS, PER_SHEET = 224, 16, 5, 25
PREPROCESSING = Preprocessing(resize=SIDE, crop=(SIDE, SIDE))


def draw_sheets(arguments: argparse.Namespace) -> None:
    """Writes sheets and key."""
    dataset = imagenet16_of(load_data(arguments.data))
    assets = AssetPack(arguments.assets) if arguments.assets else default_assets()
    names = arguments.obfuscations.split(",") if arguments.obfuscations else list(OBFUSCATIONS)
    order = select(dataset, None, arguments.seed).tolist()
    # Neighbours in that order are of different classes, so that both sets are spread over them.
    sets = [order[start::2][: arguments.pictures] for start in (0, 1)]
    arguments.out.mkdir(parents=True, exist_ok=True)
    lines = [
        line
        for number, chosen in enumerate(sets)
        for line in write_set(CLEAN, number, chosen, dataset, assets, arguments)
    ]
    for place, name in enumerate(obfuscation_class(each).name for each in names):
        lines += write_set(name, place % 2, sets[place % 2], dataset, assets, arguments)
    with (arguments.out / "key.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([COLUMNS, *lines])
    (arguments.out / "classes.txt").write_text(classes_text(), encoding="utf-8")


def classes_text() -> str:
    """A line per super-class: its name, and what its classes are called."""
    words = imagenet_class_names()
    return "".join(
        f"{name}: {'; '.join(words[member] for member in members)}\n"
        for name, members in super_classes().items()
    )


def write_set(
    name: str,
    set_number: int,
    chosen: Sequence[int],
    dataset: Dataset,
    assets: AssetPack,
    arguments: argparse.Namespace,
) -> list[tuple[object, ...]]:
    """Draws one set of pictures under one obfuscation, in an order of its own; lines of the key."""
    secret = f"{arguments.seed}/{name}/{set_number}"
    digits = hashlib.blake2b(secret.encode(), digest_size=3).hexdigest()
    code = f"{'AB'[set_number]}-{digits}"
    ids = dict(zip(chosen, identify(dataset, chosen), strict=True))
    shuffled = sorted(chosen, key=lambda index: hashlib.sha256(f"{code}{index}".encode()).digest())
    pictures: list[tuple[int, Tensor]] = []
    lines: list[tuple[object, ...]] = []
    for number, index in enumerate(shuffled, start=1):
        picture = read_picture(dataset, index, ids[index], PREPROCESSING)
        if not isinstance(picture, Picture):
            continue
        drawn, parameters = picture.image, ""
        if name != CLEAN:
            drawn, record = OBFUSCATIONS[name]().obfuscate_example(
                picture.image, assets, seed=arguments.seed, example_id=ids[index]
            )
            parameters = record.to_json()
        pictures.append((number, drawn))
        label = dataset.card.class_names[picture.label]
        lines.append((code, number, name, label, ids[index], parameters))
    for start in range(0, len(pictures), PER_SHEET):
        sheet = sheet_of(pictures[start : start + PER_SHEET])
        sheet.save(arguments.out / f"{code}-{start // PER_SHEET + 1}.png")
    return lines


def sheet_of(pictures: Sequence[tuple[int, Tensor]]) -> Image.Image:
    """Numbered pictures in lines of five."""
    lines = -(-len(pictures) // ACROSS)
    sheet = Image.new("RGB", (ACROSS * (SIDE + 4), lines * (SIDE + LINE + 4)), "white")
    draw = ImageDraw.Draw(sheet)
    for place, (number, image) in enumerate(pictures):
        x, y = place % ACROSS * (SIDE + 4), place // ACROSS * (SIDE + LINE + 4)
        draw.text((x + 2, y + 2), str(number), fill="black")
        sheet.paste(Image.fromarray(pixels_of(image)), (x, y + LINE))
    return sheet


def print_scores(arguments: argparse.Namespace) -> None:
    """Counts the errors of all readers."""
    answers = {}
    for path in arguments.answers:
        with path.open(newline="", encoding="utf-8") as file:
            for line in csv.DictReader(file):
                answers[line["code"].strip(), int(line["number"])] = line["answer"].strip().lower()
    with arguments.key.open(newline="", encoding="utf-8") as file:
        key = list(csv.DictReader(file))
    of_codes: dict[str, list[dict[str, str]]] = {}
    for line in key:
        of_codes.setdefault(line["code"], []).append(line)
    clean = {}
    print("| obfuscation | set | read | errors | clean, same pictures | more |")
    print("| --- | --- | --- | --- | --- | --- |")
    for code, lines in of_codes.items():
        said = [(line, answers.get((code, int(line["number"])))) for line in lines]
        read = [(line, answer) for line, answer in said if answer is not None]
        if not read:
            continue
        wrong = [(line, answer) for line, answer in read if answer != line["class"].lower()]
        if lines[0]["obfuscation"] == CLEAN:
            clean[code[0]] = {line["example_id"] for line, _ in wrong}
        before = len({line["example_id"] for line, _ in read} & clean.get(code[0], set()))
        print(
            f"| {lines[0]['obfuscation']} | {code[0]} | {len(read)} | {len(wrong)} | {before} "
            f"| {len(wrong) - before:+} |"
        )
        for (truth, answer), times in Counter((a["class"], b) for a, b in wrong).items():
            print(f"|   {truth} read as {answer} | | | {times} | | |")


def main() -> None:
    """Draws or scores."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    sheets = commands.add_parser("sheets")
    sheets.add_argument("--data", required=True)
    sheets.add_argument("--out", type=Path, required=True)
    sheets.add_argument("--obfuscations")
    sheets.add_argument("--pictures", type=int, default=50)
    sheets.add_argument("--seed", type=int, default=0)
    sheets.add_argument("--assets", type=Path)
    sheets.set_defaults(run=draw_sheets)
    score = commands.add_parser("score")
    score.add_argument("--key", type=Path, required=True)
    score.add_argument("--answers", type=Path, nargs="+", required=True)
    score.set_defaults(run=print_scores)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
