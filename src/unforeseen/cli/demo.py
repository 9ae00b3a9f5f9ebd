"""``unforeseen demo``: a real network on real pictures, in minutes on a laptop."""

__all__ = ["MODEL", "demo"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli.making_progress import waiting
from unforeseen.cli.progress import Progress
from unforeseen.uri import path_to_write

MODEL = "demo:efficientnet-lite0"
DATA = "samples:imagenet"
#: Lines of the gallery.
SHOWN = 6


def demo(
    out: Annotated[
        Path,
        typer.Option(
            metavar="DIR", help="Run folder; a demo that is there is continued.", file_okay=False
        ),
    ] = Path("unforeseen-demo"),
) -> None:
    """Attack a real ImageNet network on 20 real pictures.

    EfficientNet-Lite0 on the 20 ImageNet pictures that foolbox ships: eight attacks of level
    medium, edition strict, all steps; a table and a gallery. Takes about three minutes on two
    cores that have nothing else to do.
    """
    with waiting("loading libraries"):
        from unforeseen.benchmarks import load_attack_benchmark
        from unforeseen.cli.output import print_tables, say, saying_how_to_go_on
        from unforeseen.data import load_data
        from unforeseen.models import load_model
        from unforeseen.report.gallery import draw_gallery
        from unforeseen.report.run_gallery import tiles_of_run
        from unforeseen.report.tables import result_tables
        from unforeseen.run_folder.read_run import read_attack_run
        from unforeseen.running.attack_plan import make_attack_plan
        from unforeseen.running.run_settings import RunSettings
        from unforeseen.running.runner import run

    benchmark = load_attack_benchmark("imagenet-ua")
    with waiting("loading the model"):
        classifier = load_model(MODEL)
    dataset = load_data(DATA)
    plan = make_attack_plan(benchmark, classifier.card, edition="strict", attacks=benchmark.core)
    say("Attacking EfficientNet-Lite0 on 20 pictures with the eight core attacks of ImageNet-UA.")
    say("Each picture is optimised against the network; stop with Ctrl-C and go on any time.\n")
    out = path_to_write("--out", out)
    with saying_how_to_go_on(out), Progress() as progress:
        run(
            plan,
            classifier,
            dataset,
            out,
            settings=RunSettings(save_images=True),
            reporter=progress,
        )
    summary, rows, _ = read_attack_run(out)
    print_tables(result_tables([summary]))
    gallery = out / "gallery.png"
    lines = tiles_of_run(plan, dataset, rows, out, at_most=SHOWN)
    if lines:
        with waiting("drawing the gallery"):
            draw_gallery(
                gallery,
                title=f"EfficientNet-Lite0 under attack, edition {plan.edition.name}, level medium: "
                f"{len(lines)} of {summary.images} pictures (green: right, red: fooled)",
                columns=[cell.transform for cell in plan.cells],
                rows=lines,
            )
        say(
            f"{len(lines)} of the {summary.images} pictures, and what the network now takes them "
            f"for: {gallery}\n"
        )
    say(
        "This is a demo, not an ImageNet-UA score: 20 pictures, which the network was probably "
        "trained on.\nNext, obfuscations, which need no gradients:\n"
        f"  unforeseen run image-obfuscation --model {MODEL} --data {DATA} --out obfuscated\n"
        "Or your own model and pictures:\n"
        "  unforeseen run imagenet-ua --model timm:resnet50 --data imagefolder:path/to/val "
        "--limit 100 --out my-run\n"
        "  unforeseen list models     how to name a model (timm, .pt2, your own code)\n"
        "  unforeseen show wood       what an attack does"
    )
