"""Which built-in benchmark is of a data set's labels."""

__all__ = ["benchmark_for"]

from unforeseen.benchmarks import BENCHMARKS, load_benchmark
from unforeseen.data.dataset import Dataset
from unforeseen.errors import UserError


def benchmark_for(dataset: Dataset) -> str:
    """The name of the built-in benchmark that is of a data set's labels.

    Raises:
        UserError: There is none, or nothing says what the labels are.
    """
    card = dataset.card
    benchmarks = {name: load_benchmark(name) for name in BENCHMARKS}
    fitting = [name for name, each in benchmarks.items() if each.label_space == card.label_space]
    if card.label_space is not None and fitting:
        return fitting[0]
    labels = int(dataset.labels.max(initial=-1)) + 1
    likely = next((name for name, each in benchmarks.items() if each.classes == labels), None)
    hint = f" Its labels are 0 … {labels - 1}, as {likely}'s are." if likely else ""
    raise UserError(
        f"benchmark: nothing in {card.uri} says which one fits. Name one (--benchmark), whose "
        f"preprocessing is then used: {', '.join(BENCHMARKS)}, or a .toml file.{hint}"
    )
