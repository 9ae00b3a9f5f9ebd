"""What ``unforeseen results`` shows of runs of obfuscations."""

__all__ = ["ObfuscationOptions", "show_obfuscation_seeds", "show_obfuscations"]

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unforeseen.cli.formats import Format, png_file, show
from unforeseen.cli.obfuscation_options import top_k, weighting_of
from unforeseen.errors import UserError
from unforeseen.positive_class import Filter

if TYPE_CHECKING:
    from unforeseen.run_folder.read_run import ReadObfuscationRun


@dataclass(frozen=True, kw_only=True)
class ObfuscationOptions:
    """Options of ``results`` that only runs of obfuscations have.

    Attributes:
        unweighted: Every picture weighs the same, instead of every class.
        top: Among how many of the most probable classes the true one must be.
        confusion: Names whose confusion is wanted instead of accuracies.
        plot: Where confusion is drawn, too.
        positive: The class whose evasion rate is wanted instead of accuracies.
        threshold: From which probability on a picture of it is flagged.
    """

    unweighted: bool = False
    top: int = 1
    confusion: Sequence[str] | None = None
    plot: Path | None = None
    positive: str | None = None
    threshold: float | None = None

    @property
    def given(self) -> str | None:
        """The first option that was given, as it is typed; None where there is none."""
        usual = ObfuscationOptions()
        for name in self.__dataclass_fields__:
            if getattr(self, name) != getattr(usual, name):
                return f"--{name}"
        return None

    @property
    def filter(self) -> Filter | None:
        """Whose evasion rates are wanted; raises UserError where half of it is missing."""
        return Filter.asked(self.positive, self.threshold)

    def check(self, *, over: bool) -> None:
        """Refuses options that say nothing together; raises UserError.

        Args:
            over: Whether further sets of obfuscations were asked for.
        """
        if self.plot is not None and self.confusion is None:
            raise UserError("plot: expected --confusion NAMES, whose heat maps it draws.")
        if self.filter is not None and self.confusion is not None:
            raise UserError(
                "expected --confusion or --positive, got both; ask one after the other."
            )
        instead = "--confusion" if self.confusion is not None else "--positive"
        if self.confusion is None and self.filter is None:
            return
        of_accuracies = {"--over": over, "--unweighted": self.unweighted, "--top": self.top != 1}
        for option, given in of_accuracies.items():
            if given:
                raise UserError(
                    f"{option}: it is about accuracies, got {instead}, which counts pictures instead. "
                    "Leave one of them out."
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

    asked.check(over=bool(over))
    k = top_k(asked.top)
    runs = [read_obfuscation_run(folder, over=over, top=k) for folder in folders]
    if asked.filter is not None:
        _show_evasions(runs, output_format, asked.filter)
    elif asked.confusion is not None:
        _show_confusion(runs, output_format, asked.confusion, asked.plot)
    else:
        _show_accuracies(runs, output_format, unweighted=asked.unweighted)


def show_obfuscation_seeds(
    folders: Sequence[Path],
    output_format: Format,
    asked: ObfuscationOptions,
    *,
    over: Sequence[str] = (),
) -> None:
    """Shows what several seeds came to.

    Args:
        folders: Of experiments over seeds.
        output_format: How.
        asked: What; accuracies only.
        over: Further sets of obfuscations.

    Raises:
        UserError: Something else is asked for, or can't be used.
    """
    from unforeseen.cli.output import print_obfuscation_seeds
    from unforeseen.report.obfuscation_seeds import obfuscation_seeds
    from unforeseen.report.obfuscation_seeds_export import (
        obfuscation_seeds_to_csv,
        obfuscation_seeds_to_json,
    )
    from unforeseen.report.obfuscation_seeds_render import obfuscation_seeds_to_markdown

    other = replace(asked, unweighted=False, top=1).given
    if other is not None:
        raise UserError(
            f"{other}: expected runs, got {folders[0]}, which is none; give it with the folder of one "
            "seed's run."
        )
    weighting = weighting_of(unweighted=asked.unweighted)
    k = top_k(asked.top)
    show(
        [obfuscation_seeds(folder, over=over, top=k) for folder in folders],
        output_format,
        partial(print_obfuscation_seeds, weighting=weighting),
        csv=obfuscation_seeds_to_csv,
        json=obfuscation_seeds_to_json,
        markdown=partial(obfuscation_seeds_to_markdown, weighting=weighting),
    )


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

    file = None if plot is None else png_file(plot, "plot")
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
    runs: "Sequence[ReadObfuscationRun]", output_format: Format, wanted: Filter
) -> None:
    from unforeseen.cli.output import print_evasions
    from unforeseen.report.evasion_table import (
        evasion_table,
        evasions_to_csv,
        evasions_to_json,
        evasions_to_markdown,
    )

    show(
        evasion_table(runs, wanted),
        output_format,
        print_evasions,
        csv=evasions_to_csv,
        json=evasions_to_json,
        markdown=evasions_to_markdown,
    )
