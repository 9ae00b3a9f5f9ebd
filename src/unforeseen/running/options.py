"""All that can be asked of a run beside model, data, benchmark and folder, in one piece.

Without torch, so that commands put it together first and mistakes are told at once.
"""

__all__ = ["AttackOptions", "ObfuscationOptions", "RunOptions"]

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_attacks
from unforeseen.errors import UserError
from unforeseen.running.run_settings import RunSettings
from unforeseen.search.settings import SearchSettings, search_settings

if TYPE_CHECKING:
    import os

    import torch

    from unforeseen.data.dataset import Dataset
    from unforeseen.models.cards import ModelCard
    from unforeseen.models.heads import Head
    from unforeseen.running.attack_plan import AttackPlan
    from unforeseen.running.plan import Plan


@dataclass(frozen=True, kw_only=True)
class AttackOptions:
    """What can be asked of a benchmark of attacks only.

    Attributes:
        edition: ``published`` or ``strict``; None takes the benchmark's default.
        attacks: Which of the benchmark's attacks; None takes all but the optional ones.
        levels: Which of ``low``, ``medium``, ``high``; None takes ``medium``.
        steps: Overrides every attack's number of updates; 0 doesn't optimise.
        search: One of :data:`unforeseen.search.settings.SEARCHES`; None takes ``pgd``.
        loss: What the search climbs; None takes the usual.
        restarts: Starts per picture; None takes the usual.
        draws: Points per picture of ``random``; None takes 1,000.

    Raises:
        UserError: The search doesn't take what it is told; nothing else is looked at yet.
    """

    edition: str | None = None
    attacks: Sequence[str] | None = None
    levels: Sequence[str] | None = None
    steps: int | None = None
    search: str | None = None
    loss: str | None = None
    restarts: int | None = None
    draws: int | None = None

    def __post_init__(self) -> None:
        _ = self.search_settings

    @property
    def chosen_levels(self) -> Sequence[str]:
        """Those that are asked for, or the usual one."""
        return ("medium",) if self.levels is None else self.levels

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


@dataclass(frozen=True, kw_only=True)
class ObfuscationOptions:
    """What can be asked of a benchmark of obfuscations only.

    Attributes:
        obfuscations: Which of the benchmark's obfuscations, or ``hold-out`` or ``training``; None takes all.
        worst_of: How often each obfuscation is drawn for a picture, of which the worst is kept; None draws
            once.
        assets: Folder of the photos, icons … that obfuscations take; None takes those that ship.
    """

    obfuscations: Sequence[str] | None = None
    worst_of: int | None = None
    assets: "str | os.PathLike[str] | None" = None


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What :func:`unforeseen.evaluate` takes, and ``choice_seed``; experiments hand it on from run to run.

    Attributes:
        head: What maps the model's outputs to the benchmark's classes.
        attack: What only a benchmark of attacks takes.
        obfuscation: What only one of obfuscations takes.
        limit: How many pictures, spread over the classes; None takes all.
        seed: Seed of every draw; None takes the one with which pictures were obfuscated before, else 0.
        choice_seed: Seed of the choice of pictures; see :class:`RunSettings`.
        eot: Forward passes that every evaluation takes the mean of.
        batch_size: Pictures that the model sees at once; None chooses.
        device: Where a model named by URI goes; None takes cuda, else mps, else the CPU.
        save_images: Whether to keep every judged picture.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again.
    """

    head: "str | Head | Sequence[str | Head]" = ()
    attack: AttackOptions = AttackOptions()
    obfuscation: ObfuscationOptions = ObfuscationOptions()
    limit: int | None = None
    seed: int | None = None
    choice_seed: int | None = None
    eot: int = 1
    batch_size: int | None = None
    device: "str | torch.device | None" = None
    save_images: bool = False
    check: bool = True
    deterministic: bool = False

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

    def expect_kind_of(self, benchmark: Benchmark) -> None:
        """Raises UserError where something is asked for that only the other kind of benchmark has."""
        attacks = isinstance(benchmark, AttackBenchmark)
        kind, other = ("attacks", "obfuscations") if attacks else ("obfuscations", "attacks")
        foreign = self.obfuscation if attacks else self.attack
        for field in fields(foreign):
            asked = getattr(foreign, field.name)
            if asked is not None:
                option = field.name.replace("_", "-")
                raise UserError(
                    f"{option}: expected none, as {benchmark.name} is a benchmark of {kind} and this "
                    f"is for {other}. Leave it out."
                )

    def plan(self, benchmark: Benchmark, card: "ModelCard", dataset: "Dataset") -> "Plan":
        """What is run of a benchmark.

        Args:
            benchmark: Of either kind.
            card: The model's.
            dataset: Whose pictures may have been obfuscated before.

        Raises:
            UserError: Something doesn't fit; see :meth:`expect_kind_of` and the functions that make
                plans.
        """
        if isinstance(benchmark, AttackBenchmark):
            return self.attack_plan(benchmark, card)
        from unforeseen.running.obfuscation_plan import (  # noqa: PLC0415 - imports torch
            make_obfuscation_plan,
        )
        from unforeseen.running.ready_made import ReadyMade  # noqa: PLC0415 - imports torch

        self.expect_kind_of(benchmark)
        return make_obfuscation_plan(
            benchmark,
            card,
            obfuscations=self.obfuscation.obfuscations,
            seed=self.seed,
            eot=self.eot,
            worst_of=1 if self.obfuscation.worst_of is None else self.obfuscation.worst_of,
            assets=self.obfuscation.assets,
            ready_made=ReadyMade.of(dataset),
        )

    def attack_plan(self, benchmark: Benchmark, card: "ModelCard") -> "AttackPlan":
        """What is run of a benchmark of attacks.

        Raises:
            UserError: It is one of obfuscations; or as :func:`make_attack_plan` does.
        """
        from unforeseen.running.attack_plan import make_attack_plan  # noqa: PLC0415 - imports torch

        source = expect_attacks(benchmark)
        self.expect_kind_of(source)
        return make_attack_plan(
            source,
            card,
            edition=self.attack.edition,
            attacks=self.attack.attacks,
            levels=self.attack.chosen_levels,
            seed=0 if self.seed is None else self.seed,
            steps=self.attack.steps,
            eot=self.eot,
            search=self.attack.search_settings,
        )
