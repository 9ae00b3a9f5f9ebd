"""``unforeseen ceiling``: how high several models together reach."""

__all__ = ["ceiling"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli import obfuscation_options as options
from unforeseen.cli.formats import Format, FormatOption, show


def ceiling(
    runs: Annotated[
        list[Path],
        typer.Argument(help="Run folders of several models on the same obfuscated pictures."),
    ],
    unweighted: options.Unweighted = False,
    top: options.Top = 1,
    output_format: FormatOption = Format.table,
) -> None:
    """Combine models into an oracle: how much can be solved at all.

    By obfuscation it takes the predictions of the model that is best under each; by image, a picture
    counts if any model is right on it (appendix C.2 of the paper). It is no model: with ever more of
    them it comes near 100 % by luck. Needs no model and runs none.
    """
    from functools import partial

    from unforeseen.cli.output import print_obfuscations
    from unforeseen.report.ceiling_table import ceiling_table
    from unforeseen.report.obfuscation_export import obfuscations_to_csv, obfuscations_to_json
    from unforeseen.report.obfuscation_render import obfuscations_to_markdown
    from unforeseen.run_folder.read_run import read_obfuscation_run

    k, weighting = options.top_k(top), options.weighting_of(unweighted=unweighted)
    read = [read_obfuscation_run(folder, top=k) for folder in runs]
    show(
        [ceiling_table(read, weighting=weighting, top=k)],
        output_format,
        partial(print_obfuscations, weighting=weighting),
        csv=obfuscations_to_csv,
        json=obfuscations_to_json,
        markdown=partial(obfuscations_to_markdown, weighting=weighting),
    )
