"""All that can be asked of a run beside model, data, benchmark and folder, in one piece.

Without torch, so that commands put it together first and mistakes are told at once.
"""

__all__ = ["RunOptions"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.running.run_settings import RunSettings
from unforeseen.search.settings import SearchSettings, search_settings

if TYPE_CHECKING:
    import torch

    from unforeseen.models.cards import ModelCard
    from unforeseen.models.heads import Head
    from unforeseen.running.plan import Plan


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What :func:`unforeseen.evaluate` takes, and ``choice_seed``; experiments hand it on from run to run.

    Attributes:
        head: What maps the model's outputs to the benchmark's classes.
        edition: ``published`` or ``strict``; None takes the benchmark's default.
        attacks: Which of the benchmark's attacks; None takes all but the optional ones.
        levels: Which of ``low``, ``medium``, ``high``.
        limit: How many pictures, spread over the classes; None takes all.
        seed: Seed of every draw.
        choice_seed: Seed of the choice of pictures; see :class:`RunSettings`.
        steps: Overrides every attack's number of updates; 0 doesn't optimise.
        eot: Forward passes that every evaluation takes the mean of.
        search: One of :data:`unforeseen.search.settings.SEARCHES`.
        loss: What the search climbs; None takes the usual.
        restarts: Starts per picture; None takes the usual.
        draws: Points per picture of ``random``; None takes 1,000.
        batch_size: Pictures that the model sees at once; None chooses.
        device: Where a model named by URI goes; None takes cuda, else mps, else the CPU.
        save_images: Whether to keep every judged picture.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again.

    Raises:
        UserError: The search doesn't take what it is told; nothing else is looked at yet.
    """

    head: "str | Head | Sequence[str | Head]" = ()
    edition: str | None = None
    attacks: Sequence[str] | None = None
    levels: Sequence[str] = ("medium",)
    limit: int | None = None
    seed: int = 0
    choice_seed: int | None = None
    steps: int | None = None
    eot: int = 1
    search: str = "pgd"
    loss: str | None = None
    restarts: int | None = None
    draws: int | None = None
    batch_size: int | None = None
    device: "str | torch.device | None" = None
    save_images: bool = False
    check: bool = True
    deterministic: bool = False

    def __post_init__(self) -> None:
        _ = self.search_settings

    @property
    def search_settings(self) -> SearchSettings:
        """The search that is asked for; raises as :func:`search_settings` does."""
        return search_settings(
            self.search,
            loss=self.loss,
            restarts=self.restarts,
            draws=self.draws,
            steps=self.steps,
        )

    @property
    def settings(self) -> RunSettings:
        """What changes how a run goes but not what comes out of a picture."""
        return RunSettings(
            limit=self.limit,
            choice_seed=self.choice_seed,
            batch_size=self.batch_size,
            save_images=self.save_images,
            deterministic=self.deterministic,
            check=self.check,
        )

    def plan(self, benchmark: Benchmark, card: "ModelCard") -> "Plan":
        """What is run of a benchmark on a model; raises as :func:`make_plan` does."""
        from unforeseen.running.plan import make_plan  # noqa: PLC0415 - imports torch

        return make_plan(
            benchmark,
            card,
            edition=self.edition,
            attacks=self.attacks,
            levels=self.levels,
            seed=self.seed,
            steps=self.steps,
            eot=self.eot,
            search=self.search_settings,
        )
