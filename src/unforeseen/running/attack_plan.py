"""Which cells a run of attacks consists of."""

__all__ = ["AttackPlan", "make_attack", "make_attack_plan"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from typing_extensions import override

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.attack_setting import AttackSetting
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.edition import Edition
from unforeseen.benchmarks.kinds import expect_attacks
from unforeseen.benchmarks.levels import level_named
from unforeseen.errors import UserError
from unforeseen.models.cards import ModelCard
from unforeseen.running.cell_kinds import AttackedCell, Cell, CleanCell
from unforeseen.running.plan import Plan, preprocessing_of
from unforeseen.running.source_model import SourceModel
from unforeseen.search.searches import make_search
from unforeseen.search.settings import SearchSettings
from unforeseen.search.user_attacks import built_attack
from unforeseen.transforms import attack_class
from unforeseen.transforms.base import AnyAttack
from unforeseen.whole import whole_number


@final
@dataclass(frozen=True, kw_only=True)
class AttackPlan(Plan):
    """What a run of attacks does; its cells go level by level, attack by attack.

    Attributes:
        edition: How attacks sample and are judged.
        steps: Overrides the benchmark's steps, or None.
        search: Which search.
        source: Whom the pictures are made against, where this is a target's run of a transfer; the
            settings above are those that they are made with.
    """

    benchmark: AttackBenchmark
    edition: Edition
    steps: int | None
    search: SearchSettings
    source: SourceModel | None = None

    @property
    @override
    def prepared_for(self) -> str | None:
        return None if self.source is None else "the source"

    @override
    def options(self) -> dict[str, Any]:
        return {
            "edition": self.edition.name,
            "steps": self.steps,
            "search": self.search.to_record(),
            "source_model": None if self.source is None else self.source.to_record(),
        }


def make_attack_plan(
    benchmark: Benchmark,
    card: ModelCard,
    *,
    edition: str | None = None,
    attacks: Sequence[str] | None = None,
    levels: Sequence[str] = ("medium",),
    seed: int = 0,
    steps: int | None = None,
    eot: int = 1,
    search: SearchSettings | None = None,
) -> AttackPlan:
    """Lays a run out.

    Args:
        benchmark: Whose attacks, radii and steps to use.
        card: The model's; its own preprocessing is used instead of the benchmark's, unless the
            benchmark leaves pictures as they are.
        edition: Name of an edition; None takes the benchmark's default.
        attacks: Which of the benchmark's attacks; None takes all but the optional ones.
        levels: Which of ``low``, ``medium``, ``high``.
        seed: Seed of every draw.
        steps: Overrides every attack's number of updates; 0 doesn't optimise.
        eot: Forward passes that every evaluation takes the mean of.
        search: Which search; None takes projected gradient descent.

    Raises:
        BenchmarkError: The benchmark isn't one of attacks.
        UnknownNameError: The benchmark has no such edition, attack or level.
        UserError: A number is out of range, or nothing is left to run.
    """
    benchmark = expect_attacks(benchmark)
    chosen_edition = benchmark.edition(edition)
    wanted = benchmark.usual if attacks is None else attacks
    settings = [benchmark.attack(name) for name in dict.fromkeys(wanted)]
    if not settings:
        raise UserError(
            f"attacks: expected at least one of {', '.join(benchmark.attacks)}; got none. Leave "
            "it out to take all."
        )
    seed = whole_number("seed", seed, minimum=0, maximum=2**63 - 1)
    if steps is not None:
        steps = whole_number("steps", steps, minimum=0)
    eot = whole_number("eot", eot, minimum=1)
    chosen_levels = [level_named(name) for name in dict.fromkeys(levels)]
    if not chosen_levels:
        raise UserError("levels: expected at least one of low, medium, high; got none.")
    chosen_search = SearchSettings() if search is None else search
    preprocessing = preprocessing_of(benchmark, card)
    head = None if card.head is None else card.head.mapping

    cells: list[Cell] = [
        CleanCell(model=card.fingerprint, head=head, preprocessing=preprocessing, eot=eot)
    ]
    for level in chosen_levels:
        for setting in settings:
            optimiser = make_search(
                chosen_search,
                steps=setting.steps if steps is None else steps,
                step_size=setting.step_size,
                judging=chosen_edition.judging,
                gradient_batch=chosen_edition.gradient_batch,
                seed=seed,
                eot=eot,
            )
            cells.append(
                AttackedCell(
                    transform=setting.name,
                    level=level,
                    radius=setting.radii[level],
                    attack=make_attack(setting, chosen_edition),
                    search=optimiser,
                    model=card.fingerprint,
                    head=head,
                    preprocessing=preprocessing,
                    eot=eot,
                )
            )
    return AttackPlan(
        benchmark=benchmark,
        edition=chosen_edition,
        seed=seed,
        steps=steps,
        eot=eot,
        search=chosen_search,
        preprocessing=preprocessing,
        cells=tuple(cells),
    )


def make_attack(setting: AttackSetting, edition: Edition) -> AnyAttack:
    """Builds an attack with a benchmark's parameters and an edition's geometry.

    Raises:
        UnknownNameError: There is no such attack.
        AttackError: It is the user's, and can't be used.
        BenchmarkError: The attack has no such parameter, or not with such a value.
    """
    kind = attack_class(setting.attack, folder=setting.folder)
    return built_attack(kind, setting.parameters, geometry=edition.geometry)
