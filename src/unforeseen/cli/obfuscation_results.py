"""What ``unforeseen results`` shows of runs of obfuscations."""

__all__ = ["ObfuscationOptions", "show_obfuscations"]

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unforeseen.cli.formats import Format, show
from unforeseen.cli.joined import names_in
from unforeseen.cli.obfuscation_options import png_file, top_k, weighting_of
from unforeseen.errors import UserError

if TYPE_CHECKING:
    from unforeseen.run_folder.read_run import ReadObfuscationRun


@dataclass(frozen=True, kw_only=True)
class ObfuscationOptions:
    """Options of ``results`` that only runs of obfuscations have.

    Attributes:
        unweighted: Every picture weighs the same, instead of every class.
        top: Among how many of the most probable classes the true one must be.
        confusion: Names whose confusion is wanted instead of accuracies, joined by commas.
        plot: Where confusion is drawn, too.
        positive: The class whose evasion rate is wanted instead of accuracies.
        threshold: From which probability on a picture of it is flagged.
        through: Where the pictures that got through are listed.
    """

    unweighted: bool = False
    top: int = 1
    confusion: str | None = None
    plot: Path | None = None
    positive: str | None = None
    threshold: float | None = None
    through: Path | None = None

    @property
    def given(self) -> str | None:
        """The first option that was given, as it is typed; None where there is none."""
        usual = ObfuscationOptions()
        for name in self.__dataclass_fields__:
            if getattr(self, name) != getattr(usual, name):
                return f"--{name}"
        return None

    def check(self) -> None:
        """Refuses options that say nothing together; raises UserError."""
        if self.plot is not None and self.confusion is None:
            raise UserError("plot: expected --confusion NAMES, whose heat maps it draws.")
        if (self.positive is None) != (self.threshold is None):
            missing = "--threshold T" if self.threshold is None else "--positive CLASS"
            raise UserError(
                f"expected a class and a threshold, from which on it is flagged: {missing} is missing."
            )
        if self.through is not None and self.positive is None:
            raise UserError(
                "through: expected --positive CLASS --threshold T, which say what gets through."
            )
        if self.confusion is not None and self.positive is not None:
            raise UserError(
                "expected --confusion or --positive, got both; ask one after the other."
            )


def show_obfuscations(
    folders: Sequence[Path],
    output_format: Format,
    asked: ObfuscationOptions,
    *,
    over: Sequence[str] = (),
) -> None:
    """Shows accuracies of runs, or what was asked for instead.

    Args:
        folders: Of runs.
        output_format: How.
        asked: What.
        over: Further sets of obfuscations.

    Raises:
        UserError: Options say nothing together, or something in them can't be used.
    """
    from unforeseen.run_folder.read_run import read_obfuscation_run

    asked.check()
    if asked.through is not None and len(folders) > 1:
        raise UserError(f"through: expected one run, got {len(folders)}; list them one by one.")
    k = top_k(asked.top)
    runs = [read_obfuscation_run(folder, over=over, top=k) for folder in folders]
    if asked.positive is not None and asked.threshold is not None:
        _show_evasions(folders, runs, output_format, asked, asked.positive, asked.threshold)
    elif asked.confusion is not None:
        _show_confusion(runs, output_format, names_in(asked.confusion), asked.plot)
    else:
        _show_accuracies(runs, output_format, unweighted=asked.unweighted)


def _show_accuracies(
    runs: "Sequence[ReadObfuscationRun]", output_format: Format, *, unweighted: bool
) -> None:
    from unforeseen.cli.output import print_obfuscations
    from unforeseen.report.obfuscation_export import obfuscations_to_csv, obfuscations_to_json
    from unforeseen.report.obfuscation_render import obfuscations_to_markdown
    from unforeseen.report.obfuscation_tables import obfuscation_tables

    weighting = weighting_of(unweighted=unweighted)
    show(
        obfuscation_tables([run.summary for run in runs]),
        output_format,
        partial(print_obfuscations, weighting=weighting),
        csv=obfuscations_to_csv,
        json=obfuscations_to_json,
        markdown=partial(obfuscations_to_markdown, weighting=weighting),
    )


def _show_confusion(
    runs: "Sequence[ReadObfuscationRun]",
    output_format: Format,
    names: Sequence[str],
    plot: Path | None,
) -> None:
    from unforeseen.cli.output import print_confusion, say
    from unforeseen.report.confusion_plot import draw_confusion
    from unforeseen.report.confusion_table import (
        confusion_tables,
        confusions_to_csv,
        confusions_to_json,
        confusions_to_markdown,
    )

    file = None if plot is None else png_file(plot)
    tables = confusion_tables(runs, names)
    show(
        tables,
        output_format,
        print_confusion,
        csv=confusions_to_csv,
        json=confusions_to_json,
        markdown=confusions_to_markdown,
    )
    if file is not None:
        draw_confusion(file, tables)
        say(f"Heat maps, in percent of the pictures of the true class, are in {file}.")


def _show_evasions(
    folders: Sequence[Path],
    runs: "Sequence[ReadObfuscationRun]",
    output_format: Format,
    asked: ObfuscationOptions,
    positive: str,
    threshold: float,
) -> None:
    from unforeseen.atomic import save_file
    from unforeseen.cli.output import print_evasions, say
    from unforeseen.report.evasion_table import (
        evasion_table,
        evasions_to_csv,
        evasions_to_json,
        evasions_to_markdown,
    )
    from unforeseen.report.through import through_to_csv
    from unforeseen.run_folder.picture_list import read_picture_list
    from unforeseen.uri import path_of

    table = evasion_table(runs, positive, threshold)
    show(
        table,
        output_format,
        print_evasions,
        csv=evasions_to_csv,
        json=evasions_to_json,
        markdown=evasions_to_markdown,
    )
    if asked.through is None:
        return
    file = path_of(str(asked.through))
    listed = through_to_csv(runs[0], read_picture_list(folders[0]) or (), positive, threshold)
    save_file(file, listed.encode())
    say(f"What got through, with the parameters that did it, is in {file}.")
