"""Runs a plan on a data set into a folder, and continues what is there."""

__all__ = ["run"]

from pathlib import Path

from unforeseen.data.dataset import Dataset
from unforeseen.models.classifier import Predictor
from unforeseen.run_folder.summary import Summary
from unforeseen.running.plan import Plan
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.run_settings import RunSettings
from unforeseen.running.session import Session


def run(
    plan: Plan,
    classifier: Predictor,
    dataset: Dataset,
    folder: Path,
    *,
    settings: RunSettings | None = None,
    reporter: Reporter | None = None,
) -> Summary:
    """Runs what isn't there yet; every row is on disk soon after it is known.

    Args:
        plan: What to run.
        classifier: On what.
        dataset: With which pictures.
        folder: Where rows, record and summary go. A run that is there is continued.
        settings: How.
        reporter: Who watches.

    Returns:
        The summary of all that is in the folder, also written to ``summary.json``.

    Raises:
        RunError: The folder holds another run, or can't be written.
        DataError: The pictures don't fit the benchmark or the model.
        ModelError: The model can't do what the plan asks, or is checked and found near chance.
    """
    session = Session(
        {folder: plan},
        classifier,
        dataset,
        settings=settings or RunSettings(),
        reporter=reporter or Silent(),
    )
    return session.run()[folder]
