"""Which cells a run of obfuscations consists of."""

__all__ = ["ObfuscationPlan", "make_obfuscation_plan"]

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from typing_extensions import override

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_obfuscations
from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.benchmarks.obfuscation_setting import ObfuscationSetting
from unforeseen.data.obfuscated_dataset import HowMade
from unforeseen.errors import UserError
from unforeseen.models.cards import ModelCard
from unforeseen.obfuscation_sets import ObfuscationSet
from unforeseen.preprocessing import Preprocessing
from unforeseen.run_folder.recorded_assets import RecordedAssets
from unforeseen.running.cell_kinds import Cell, CleanCell, ObfuscatedCell, ReadyMadeCell
from unforeseen.running.make_obfuscation import make_obfuscations
from unforeseen.running.plan import Plan, preprocessing_of
from unforeseen.running.ready_made import ReadyMade, expect_made_so
from unforeseen.transforms import OBFUSCATIONS
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import AssetPack, are_own, default_assets
from unforeseen.transforms.obfuscation import AnyObfuscation
from unforeseen.whole import whole_number

#: Of one picture; more is surely a mistake.
_MOST_DRAWS = 10_000


@final
@dataclass(frozen=True, kw_only=True)
class ObfuscationPlan(Plan):
    """What a run of obfuscations does; its cells go in the benchmark's order.

    Attributes:
        assets: Photos, icons … that obfuscations take; None where the pictures are ready-made.
        assets_name: How the user named these; None for those that ship.
        worst_of: How often each obfuscation is drawn for a picture, of which the worst is kept.
        ready_made: What is known of the pictures, where they were obfuscated before.
    """

    benchmark: ObfuscationBenchmark
    assets: AssetPack | None
    assets_name: str | None
    worst_of: int
    ready_made: ReadyMade | None

    @property
    @override
    def prepared_for(self) -> str | None:
        return f"{self.benchmark.name}, alike for all models"

    @override
    def options(self) -> dict[str, Any]:
        made = self.ready_made
        how = None if made is None else made.how
        return {
            "assets": None if self.assets is None else self._recorded_assets.to_record(),
            "worst_of": self.worst_of,
            "ready_made": (
                None
                if made is None
                else {
                    "made_by": made.made_by,
                    "fingerprint": made.fingerprint,
                    "encoding": None if how is None else how.encoding,
                    "own_assets": how is not None and _made_with_own(how),
                }
            ),
        }

    @property
    def _recorded_assets(self) -> RecordedAssets:
        """Of all kinds of assets that are taken."""
        fingerprints: dict[str, str] = {
            kind: fingerprint
            for cell in self.cells
            if isinstance(cell, ObfuscatedCell) and cell.assets is not None
            for kind, fingerprint in cell.assets.items()
        }
        return RecordedAssets(
            fingerprints=fingerprints,
            folders=dict.fromkeys(fingerprints, self.assets_name),
            own=tuple(
                kind
                for kind in ASSET_KINDS
                if kind in fingerprints and are_own([kind], fingerprints[kind])
            ),
        )


def make_obfuscation_plan(
    benchmark: Benchmark,
    card: ModelCard,
    *,
    obfuscations: Sequence[str] | None = None,
    seed: int | None = None,
    eot: int = 1,
    worst_of: int = 1,
    assets: str | os.PathLike[str] | None = None,
    ready_made: ReadyMade | None = None,
) -> ObfuscationPlan:
    """Lays a run out.

    Args:
        benchmark: Whose obfuscations and ranges to use.
        card: The model's.
        obfuscations: Which of the benchmark's, or ``hold-out`` or ``training``; None takes all, of
            ready-made pictures those that there are.
        seed: Seed of every draw; None takes the one with which ready-made pictures were drawn, else 0.
        eot: Forward passes that every evaluation takes the mean of.
        worst_of: How often each obfuscation is drawn for a picture, of which the worst is kept.
        assets: Folder of a pack; None takes the one that ships.
        ready_made: What is known of the pictures, where they were obfuscated before.

    Raises:
        BenchmarkError: The benchmark isn't one of obfuscations, or its ranges can't be drawn from.
        UnknownNameError: The benchmark has no such obfuscation.
        DataError: The pack can't be used.
        UserError: A number is out of range, nothing is left to run, or ready-made pictures weren't made
            as the benchmark and the seed say.
    """
    benchmark = expect_obfuscations(benchmark)
    settings = _chosen(benchmark, obfuscations, ready_made)
    if seed is None:
        seed = 0 if ready_made is None else ready_made.seed
    seed = whole_number("seed", seed, minimum=0, maximum=2**63 - 1)
    eot = whole_number("eot", eot, minimum=1)
    worst_of = whole_number("worst of", worst_of, minimum=1, maximum=_MOST_DRAWS)
    preprocessing = preprocessing_of(benchmark, card)
    pack = None
    if ready_made is None:
        pack = default_assets() if assets is None else AssetPack(Path(assets))
    else:
        preprocessing = Preprocessing()
        expect_made_so(benchmark, settings, seed, ready_made)
        if assets is not None or worst_of != 1:
            option = "assets" if assets is not None else f"worst of {worst_of}"
            raise UserError(
                f"{option}: expected pictures to obfuscate; these were obfuscated before, once each."
            )
    clean = CleanCell(
        model=card.fingerprint,
        head=None if card.head is None else card.head.mapping,
        preprocessing=preprocessing,
        eot=eot,
    )
    cells: list[Cell] = []
    if ready_made is not None:
        cells += [_ready_made(setting, ready_made, clean, seed) for setting in settings]
    if pack is not None:
        cells += [
            _obfuscated(each, pack, clean, seed, worst_of)
            for each in make_obfuscations(settings, pack).values()
        ]
    return ObfuscationPlan(
        benchmark=benchmark,
        seed=seed,
        eot=eot,
        preprocessing=preprocessing,
        cells=(clean, *cells),
        assets=pack,
        assets_name=None if assets is None else str(assets),
        worst_of=worst_of,
        ready_made=ready_made,
    )


def _made_with_own(how: HowMade) -> bool:
    """Whether ready-made pictures took other assets than those that ship."""
    kinds = [
        kind
        for name in how.settings
        if name in OBFUSCATIONS
        for kind in OBFUSCATIONS[name].asset_kinds
    ]
    return how.assets is not None and are_own(kinds, how.assets)


def _obfuscated(
    obfuscation: AnyObfuscation, assets: AssetPack, clean: CleanCell, seed: int, draws: int
) -> ObfuscatedCell:
    taken = {kind: assets.fingerprint_of([kind]) for kind in obfuscation.asset_kinds}
    return ObfuscatedCell(
        transform=obfuscation.name,
        obfuscation=obfuscation,
        assets=taken or None,
        seed=seed,
        draws=draws,
        model=clean.model,
        head=clean.head,
        preprocessing=clean.preprocessing,
        eot=clean.eot,
    )


def _ready_made(
    setting: ObfuscationSetting, made: ReadyMade, clean: CleanCell, seed: int
) -> ReadyMadeCell:
    return ReadyMadeCell(
        transform=setting.name,
        made=made.fingerprint,
        files=made.files.get(setting.name),
        seed=seed,
        model=clean.model,
        head=clean.head,
        preprocessing=clean.preprocessing,
        eot=clean.eot,
    )


def _chosen(
    benchmark: ObfuscationBenchmark, names: Sequence[str] | None, made: ReadyMade | None
) -> list[ObfuscationSetting]:
    """Each once, in the order in which they are named."""
    there = [each for each in benchmark.obfuscations if made is None or each in made.obfuscations]
    if not there:
        raise UserError(
            f"data: expected pictures under obfuscations of {benchmark.name}, got some under "
            f"{', '.join(made.obfuscations) if made else ''}. Name another benchmark."
        )
    chosen = ObfuscationSet.of(names, benchmark).obfuscations if names else ()
    settings = {name: benchmark.obfuscations[name] for name in (there if names is None else chosen)}
    missing = [name for name in settings if name not in there]
    if missing or not settings:
        raise UserError(
            f"obfuscations: expected some of {', '.join(there)}; got {', '.join(missing) or 'none'}"
            f"{', of which there are no ready-made pictures' if missing else ''}. Leave it out to take "
            "all."
        )
    return [*settings.values()]
