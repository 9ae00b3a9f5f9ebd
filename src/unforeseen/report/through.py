"""What got through a filter, picture by picture, with the parameters that did it."""

__all__ = ["through_to_csv"]

import csv
import io
from collections.abc import Mapping, Sequence

from unforeseen.metrics.evasion import evaded
from unforeseen.report.evasion_table import positive_label
from unforeseen.report.export import csv_cell
from unforeseen.run_folder.picture_list import ListedPicture
from unforeseen.run_folder.read_run import ReadObfuscationRun


def through_to_csv(
    run: ReadObfuscationRun,
    pictures: Sequence[ListedPicture],
    positive: str,
    threshold: float,
) -> str:
    """Writes what got through, a line for each picture and obfuscation, the least probable first.

    Columns: file, example_id, obfuscation, probability_clean, probability (empty where the outputs
    weren't finite), taken_for, draw (of several, from 0) and parameters, from which the picture can be
    made again.

    Args:
        run: Which.
        pictures: Where its pictures lie; may be empty.
        positive: As in :func:`evasion_table`.
        threshold: Likewise.

    Raises:
        UnknownNameError: The run has no such class.
    """
    label = positive_label(run.summary, positive)
    names = [each.name for each in run.summary.classes]
    file_of: Mapping[str | None, str | None] = {each.example_id: each.file for each in pictures}
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(
        (
            *("file", "example_id", "obfuscation", "probability_clean", "probability"),
            *("taken_for", "draw", "parameters"),
        )
    )
    obfuscations = [each.obfuscation for each in run.summary.obfuscations]
    for row in evaded(run.rows, obfuscations, label, threshold).iter_rows(named=True):
        said = row["prediction"]
        known = said is not None and 0 <= said < len(names)
        cells = (
            *(file_of.get(row["example_id"]), row["example_id"], row["transform"]),
            *(row["probability_clean"], row["probability"]),
            *(names[said] if known else said, row["restart"], row["parameters"]),
        )
        writer.writerow(map(csv_cell, cells))
    return buffer.getvalue()
