"""What got through, picture by picture, with the parameters that did it."""

__all__ = ["Evasion", "evasion_list_to_csv", "list_evasions"]

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from unforeseen.metrics.evasion import evaded
from unforeseen.positive_class import Filter
from unforeseen.report.evasion_table import flagging_of
from unforeseen.report.serialised import csv_text
from unforeseen.run_folder.picture_list import ListedPicture
from unforeseen.run_folder.read_run import ReadObfuscationRun


class Evasion(NamedTuple):
    """A picture that got through under one obfuscation.

    Attributes:
        file: Where the data set has it; None where nothing says.
        example_id: What rows call it.
        true_class: In words.
        obfuscation: Its name.
        draw: Which of several, from 0.
        probability_clean: Of the true class, as it is.
        probability: Once obfuscated; None where the outputs weren't finite.
        taken_for_clean: The class that the model takes it for as it is, in words.
        taken_for: Once obfuscated; None where the outputs weren't finite.
        parameters: What was drawn (JSON); None where nothing says.
    """

    file: str | None
    example_id: str
    true_class: str
    obfuscation: str
    draw: int
    probability_clean: float | None
    probability: float | None
    taken_for_clean: str | None
    taken_for: str | None
    parameters: str | None


def list_evasions(
    run: ReadObfuscationRun,
    pictures: Sequence[ListedPicture],
    wanted: Filter | None = None,
) -> tuple[Evasion, ...]:
    """Finds what got through, in the order of :func:`unforeseen.metrics.evasion.evaded`.

    Args:
        run: Which.
        pictures: Where its pictures lie; may be empty.
        wanted: As in :func:`unforeseen.report.evasion_table.evasion_table`.

    Raises:
        UnknownNameError: The run has no such class.
    """
    flagging = flagging_of(run.summary, wanted)
    names = [each.name for each in run.summary.classes]
    file_of = {each.example_id: each.file for each in pictures}
    obfuscations = [each.obfuscation for each in run.summary.obfuscations]

    def in_words(number: int | None) -> str | None:
        if number is None:
            return None
        return names[number] if 0 <= number < len(names) else f"class {number}"

    return tuple(
        Evasion(
            file=file_of.get(row["example_id"]),
            example_id=row["example_id"],
            true_class=in_words(row["label"]) or "",
            obfuscation=row["transform"],
            draw=row["restart"] or 0,
            probability_clean=row["probability_clean"],
            probability=row["probability"],
            taken_for_clean=in_words(row["clean_prediction"]),
            taken_for=in_words(row["prediction"]),
            parameters=row["parameters"],
        )
        for row in evaded(run.rows, obfuscations, flagging).iter_rows(named=True)
    )


def evasion_list_to_csv(evasions: Iterable[Evasion]) -> str:
    """Writes a line for each picture and obfuscation; its columns are the fields of :class:`Evasion`.

    Text that a spreadsheet or a terminal would obey is disarmed.
    """
    return csv_text(Evasion._fields, evasions)
