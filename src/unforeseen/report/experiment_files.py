"""``table.csv`` and ``plot.png`` of an experiment, written whenever its command comes to its end."""

__all__ = ["PLOT_FILE", "TABLE_FILE", "write_obfuscation_report", "write_report"]

from pathlib import Path

from unforeseen.files.atomic import save_file
from unforeseen.report.experiment_export import experiments_to_csv
from unforeseen.report.experiment_tables import ExperimentTable, experiment_tables
from unforeseen.report.obfuscation_seeds import ObfuscationSeeds, obfuscation_seeds
from unforeseen.report.obfuscation_seeds_export import obfuscation_seeds_to_csv
from unforeseen.report.seeds_panels import attack_panels, obfuscation_panels

TABLE_FILE, PLOT_FILE = "table.csv", "plot.png"


def write_report(folder: Path) -> tuple[ExperimentTable, ...]:
    """Counts the figures of an experiment with attacks and writes its table and its plot.

    Args:
        folder: The experiment's: a sweep's or one of seeds.

    Returns:
        The tables, one for each level.

    Raises:
        RunError: As in :func:`experiment_tables`, or a file can't be written.
        BenchmarkError: A record's benchmark can't be used.
    """
    # Only here: reading tables needs no Matplotlib, which takes a second to import.
    from unforeseen.report.seeds_plot import draw_seeds  # noqa: PLC0415 - see above
    from unforeseen.report.sweep_plot import draw_sweep  # noqa: PLC0415 - see above

    tables = experiment_tables(folder)
    save_file(folder / TABLE_FILE, experiments_to_csv(tables).encode())
    if tables[0].experiment == "seeds":
        draw_seeds(attack_panels(tables), folder / PLOT_FILE)
    else:
        draw_sweep(tables, folder / PLOT_FILE)
    return tables


def write_obfuscation_report(folder: Path) -> ObfuscationSeeds:
    """The same of obfuscations with several seeds; takes and raises what :func:`write_report` does."""
    from unforeseen.report.seeds_plot import draw_seeds  # noqa: PLC0415 - see above

    table = obfuscation_seeds(folder)
    save_file(folder / TABLE_FILE, obfuscation_seeds_to_csv([table]).encode())
    draw_seeds(obfuscation_panels(table), folder / PLOT_FILE)
    return table
