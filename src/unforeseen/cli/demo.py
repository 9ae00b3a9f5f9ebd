"""``unforeseen demo``: a real network on real pictures, in minutes on a laptop."""

__all__ = ["demo"]

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unforeseen.cli.progress import Progress
from unforeseen.uri import path_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from unforeseen.data import Dataset
    from unforeseen.plan import Plan
    from unforeseen.report.gallery import Tile

MODEL = "demo:efficientnet-lite0"
DATA = "samples:imagenet"
#: Lines of the gallery.
SHOWN = 6


def demo(
    out: Annotated[
        Path, typer.Option(help="Run folder; a demo that is there is continued.", file_okay=False)
    ] = Path("unforeseen-demo"),
) -> None:
    """Attack a real ImageNet network on 20 real pictures: eight attacks, a table, a gallery.

    EfficientNet-Lite0 on the 20 ImageNet pictures that foolbox ships; level medium, edition
    strict, all steps. Takes a minute or two on two cores.
    """
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.cli.output import print_tables, say, saying_how_to_go_on
    from unforeseen.data import load_data
    from unforeseen.models import load_model
    from unforeseen.plan import make_plan
    from unforeseen.results import load_results
    from unforeseen.runner import RunSettings, run

    benchmark = load_benchmark("imagenet-ua")
    classifier = load_model(MODEL)
    dataset = load_data(DATA)
    plan = make_plan(benchmark, classifier.card, edition="strict", attacks=benchmark.core)
    say("Attacking EfficientNet-Lite0 on 20 pictures with the eight core attacks of ImageNet-UA.")
    say("Each picture is optimised against the network; stop with Ctrl-C and go on any time.\n")
    out = path_of(str(out))
    with saying_how_to_go_on(out), Progress(plan) as progress:
        summary = run(
            plan,
            classifier,
            dataset,
            out,
            settings=RunSettings(save_images=True),
            reporter=progress,
        )
    print_tables([summary], published=False)
    gallery = out / "gallery.png"
    if _draw(gallery, plan, dataset, load_results(out).rows, out):
        say(f"The pictures, and what the network now takes them for: {gallery}\n")
    say(
        "This is a demo, not an ImageNet-UA score: 20 pictures, which the network was probably "
        "trained on.\nNext, your own model and pictures:\n"
        "  unforeseen run imagenet-ua --model timm:resnet50 --data imagefolder:path/to/val "
        "--limit 100 --out my-run\n"
        "  unforeseen list models     how to name a model (timm, .pt2, your own code)\n"
        "  unforeseen show wood       what an attack does"
    )


def _draw(path: Path, plan: "Plan", dataset: "Dataset", rows: "pl.DataFrame", folder: Path) -> bool:
    """Clean and attacked pictures of the first few that the network gets right when clean.

    Returns:
        Whether there was any to draw.
    """
    from unforeseen.report.gallery import draw_gallery

    lines = list(islice(_gallery_rows(plan, dataset, rows, folder), SHOWN))
    if not lines:
        return False
    clean, *attacked = plan.cells
    draw_gallery(
        path,
        title="EfficientNet-Lite0 under attack, level medium (green: right, red: fooled)",
        columns=[clean.transform, *(cell.transform for cell in attacked)],
        rows=lines,
    )
    return True


def _gallery_rows(
    plan: "Plan", dataset: "Dataset", rows: "pl.DataFrame", folder: Path
) -> "Iterator[tuple[str, list[Tile | None]]]":
    """True class in words and a tile per cell, of pictures that are right when clean."""
    import numpy as np
    from PIL import Image

    from unforeseen.data.identity import identify
    from unforeseen.data.pictures import Picture, read_picture
    from unforeseen.images import image_path, pixels_of
    from unforeseen.report.gallery import Tile

    words = dataset.card.class_names
    answers: dict[tuple[str, str], tuple[int, bool]] = {
        (cell, name): (prediction, correct)
        for cell, name, prediction, correct in rows.select(
            "cell", "example_id", "prediction", "correct"
        ).iter_rows()
    }
    clean, *attacked = (cell.id for cell in plan.cells)
    indices = range(len(dataset.labels))
    for index, name in zip(indices, identify(dataset, indices), strict=True):
        picture = read_picture(dataset, index, name, plan.preprocessing)
        prediction, correct = answers[clean, name]
        if not isinstance(picture, Picture) or not correct:
            continue
        pixels = pixels_of(picture.image)
        tiles: list[Tile | None] = [Tile(image=pixels, caption=words[prediction], right=correct)]
        for cell in attacked:
            file = image_path(folder, cell, name)
            if not file.exists():
                tiles.append(None)
                continue
            prediction, correct = answers[cell, name]
            pixels = np.asarray(Image.open(file).convert("RGB"))
            tiles.append(Tile(image=pixels, caption=words[prediction], right=correct))
        yield words[picture.label], tiles
