"""Which runs make an attacked picture of every picture, for others to judge. Without torch."""

__all__ = ["expect_every_picture"]

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.edition import Edition
from unforeseen.errors import UserError
from unforeseen.search.settings import SearchSettings


def expect_every_picture(
    benchmark: AttackBenchmark, edition: Edition, search: SearchSettings
) -> None:
    """Refuses a run that leaves pictures unattacked, or ends with the first that fools the model.

    What others would get of such a run: pictures that nothing was done to, because its own model
    is wrong about them anyway, and pictures taken no further than was needed to fool that model.

    Args:
        benchmark: Of the source's run.
        edition: One of the benchmark's.
        search: As asked for.

    Raises:
        UserError: Any visited point counts in it.
    """
    why = (
        "ends where the source is fooled and leaves alone what it gets wrong anyway, so it makes no "
        "pictures for other models"
    )
    if search.visits:
        raise UserError(
            f"transfer: search {search.name} {why}. Give --search pgd (with any --loss and "
            "--restarts) or none."
        )
    if edition.judging == "last":
        return
    others = [each.name for each in benchmark.editions.values() if each.judging == "last"]
    raise UserError(
        f"transfer: edition {edition.name} {why}. "
        + (
            f"Give --edition {' or '.join(others)}."
            if others
            else "Use a benchmark with an edition in which judging is last."
        )
    )
