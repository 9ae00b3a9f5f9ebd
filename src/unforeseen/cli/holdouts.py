"""``unforeseen holdouts``: where a benchmark's choice of hold-outs stands among all."""

__all__ = ["holdouts"]

from unforeseen.cli import obfuscation_options as options
from unforeseen.cli.formats import Format, FormatOption, png_file, show


def holdouts(
    runs: options.Runs,
    unweighted: options.Unweighted = False,
    top: options.Top = 1,
    plot: options.Plot = None,
    output_format: FormatOption = Format.table,
) -> None:
    """Count the worst case over every possible choice of hold-outs.

    Of 22 obfuscations there are 1,540 choices of 3 (appendix C.3 of the paper). The table says how
    many are harder than the benchmark's own; --plot draws the histogram, --format csv lists all.
    Needs no model and runs none.
    """
    from unforeseen.cli.output import print_hold_outs, say
    from unforeseen.report.hold_out_plot import draw_hold_outs
    from unforeseen.report.hold_out_table import (
        hold_out_choices_of,
        hold_outs_to_csv,
        hold_outs_to_json,
        hold_outs_to_markdown,
    )
    from unforeseen.run_folder.read_run import read_obfuscation_run

    k, weighting = options.top_k(top), options.weighting_of(unweighted=unweighted)
    file = None if plot is None else png_file(plot, "plot")
    read = [read_obfuscation_run(folder, top=k) for folder in runs]
    found = hold_out_choices_of(read, weighting=weighting, top=k)
    show(
        found,
        output_format,
        print_hold_outs,
        csv=hold_outs_to_csv,
        json=hold_outs_to_json,
        markdown=hold_outs_to_markdown,
    )
    if file is not None:
        draw_hold_outs(file, found)
        say(f"The histogram is {file}.")
