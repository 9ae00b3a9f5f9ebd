"""What a transfer leaves beside its runs: its table and its plot."""

__all__ = ["transfer_table", "write_transfer_report"]

from collections.abc import Sequence
from pathlib import Path

from unforeseen.errors import RunError
from unforeseen.experiment_folder.naming import folder_name
from unforeseen.experiment_folder.transfer_runs import SOURCE, TransferRun, read_transfer
from unforeseen.files.atomic import save_file
from unforeseen.report.experiment_files import PLOT_FILE, TABLE_FILE
from unforeseen.report.export import to_csv
from unforeseen.report.tables import ResultTable, result_tables


def write_transfer_report(folder: Path) -> ResultTable:
    """Writes ``table.csv`` and ``plot.png``; what was there is replaced.

    Args:
        folder: The transfer's; one that isn't complete is shown as far as it has come.

    Raises:
        RunError: Its runs can't be read or don't belong together, or a file can't be written.
        BenchmarkError: A record's benchmark can't be used.
    """
    # Only here: reading tables needs no Matplotlib, which takes a second to import.
    from unforeseen.report.transfer_plot import draw_transfer  # noqa: PLC0415 - see above

    runs = read_transfer(folder)
    table = transfer_table(folder, runs)
    save_file(folder / TABLE_FILE, to_csv([table]).encode())
    draw_transfer(folder / PLOT_FILE, table, _names(table, runs))
    return table


def transfer_table(folder: Path | str, runs: Sequence[TransferRun]) -> ResultTable:
    """The one table of a transfer's runs, as the paper's table 18: the source first.

    Raises:
        RunError: They are of several benchmarks or editions.
    """
    tables = result_tables([each.summary for each in runs])
    if len(tables) > 1:
        raise RunError(
            f"{folder}: expected runs of one benchmark and edition, got those of "
            f"{' and '.join(table.title for table in tables)}."
        )
    return tables[0]


def _names(table: ResultTable, runs: Sequence[TransferRun]) -> list[str]:
    """A short name for each row of the table."""
    name_of = {
        id(each.summary): f"{folder_name(each.summary.model)}\n(source model)"
        if each.folder == SOURCE
        else each.folder
        for each in runs
    }
    several = len(table.levels) > 1
    return [name_of[id(row.summary)] + (f" ({row.level})" if several else "") for row in table.rows]
