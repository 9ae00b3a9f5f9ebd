"""Which built-in benchmark is of a data set's labels."""

__all__ = ["benchmark_for"]

from unforeseen.benchmarks import BENCHMARKS, load_benchmark
from unforeseen.data.dataset import DataCard
from unforeseen.errors import UserError


def benchmark_for(card: DataCard) -> str:
    """The name of the built-in benchmark that is of a data set's labels.

    Raises:
        UserError: There is none, or nothing says what the labels are.
    """
    fitting = [name for name in BENCHMARKS if load_benchmark(name).label_space == card.label_space]
    if card.label_space is None or not fitting:
        raise UserError(
            f"benchmark: nothing in {card.uri} says which one fits. Name one, whose preprocessing "
            f"is then used: {', '.join(BENCHMARKS)}, or a .toml file (--benchmark)."
        )
    return fitting[0]
