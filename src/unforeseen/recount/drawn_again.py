"""What obfuscations drew, drawn again: seed, ranges, size, picture and number of the draw determine it."""

__all__ = ["draw_again"]

from collections.abc import Callable
from functools import partial
from pathlib import Path

from unforeseen.errors import AssetError, UserError
from unforeseen.rng import ExampleKey
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.running.cell_kinds import ObfuscatedCell
from unforeseen.running.made_again import plan_again
from unforeseen.running.obfuscation_plan import ObfuscationPlan
from unforeseen.transforms.assets.manifest import ASSET_KINDS
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import ImageSize, Parameters


def draw_again(
    run: PlannedObfuscationRun, assets: Path | None
) -> tuple[dict[str, Callable[[str, int], str]], list[str]]:
    """Says what the rows of a run that obfuscated as it went must hold as parameters.

    Args:
        run: What was run.
        assets: Folder of the pack that the run took; None takes the one that ships.

    Returns:
        By obfuscation, what makes the record of a picture's draw from its id and the draw's number; and in
        words, which can't be drawn again, and why.

    Raises:
        AssetError: ``assets`` is no pack.
    """
    pack = default_assets() if assets is None else AssetPack(assets)
    drawn: dict[str, Callable[[str, int], str]] = {}
    others: dict[str, list[str]] = {}
    recorded = {cell.transform: cell.id for cell in run.cells}
    for name in run.obfuscations:
        plan = _plan(run, name, assets)
        if plan is not None and plan.size_of_all is not None:
            cell = plan.cells[-1]
            assert isinstance(cell, ObfuscatedCell)
            if cell.id == recorded[name]:
                drawn[name] = partial(_record, cell, pack, plan.size_of_all)
        if name not in drawn:
            others.setdefault(_why_not(run, name, plan, pack, assets), []).append(name)
    return drawn, [
        f"not drawn again: parameters of {', '.join(names)}, {reason}"
        for reason, names in others.items()
    ]


def _plan(run: PlannedObfuscationRun, name: str, assets: Path | None) -> ObfuscationPlan | None:
    """None for an obfuscation of another release, or of a pack without a kind that it takes."""
    try:
        return plan_again(run, [name], assets=assets)
    except UserError:
        return None


def _why_not(
    run: PlannedObfuscationRun,
    name: str,
    plan: ObfuscationPlan | None,
    pack: AssetPack,
    assets: Path | None,
) -> str:
    """The reason as far as record and pack say it: the pack, then the size, then the release."""
    other = _other_kinds(run.how[name].get("assets"), pack)
    if not other:
        if plan is not None and plan.size_of_all is None:
            return "as pictures are of any size"
        return "which this release draws otherwise"
    kinds = f"which take assets ({', '.join(other)})"
    took = next((run.folders[kind] for kind in other if run.folders.get(kind)), None)
    if not any(kind in run.own_kinds for kind in other):
        from_elsewhere = "" if assets is None else f", not of {assets}"
        return f"{kinds} of the pack that ships with the release that ran it{from_elsewhere}"
    if took is None:
        return f"{kinds} of another pack than {pack.folder}: give the run's with --assets DIR"
    if str(assets) == took:
        return f"{kinds} of {took}, which was changed since"
    return f"{kinds} of another pack: give it with --assets {took}"


def _other_kinds(recorded: object, pack: AssetPack) -> list[str]:
    """Which kinds of assets an obfuscation took that aren't the pack's."""
    return [
        kind
        for kind, fingerprint in (recorded.items() if isinstance(recorded, dict) else ())
        if _fingerprint(kind, pack) != fingerprint
    ]


def _fingerprint(kind: str, pack: AssetPack) -> str | None:
    """None where the pack's assets of this kind can't be read."""
    try:
        return pack.fingerprint_of([each for each in ASSET_KINDS if each == kind])
    except AssetError:
        return None


def _record(
    cell: ObfuscatedCell, assets: AssetPack, size: ImageSize, example_id: str, draw: int
) -> str:
    key = ExampleKey(seed=cell.seed, transform=cell.transform, example_id=example_id, restart=draw)
    parameters: Parameters = cell.obfuscation.sample(key.stream("parameters"), size, assets)
    return parameters.to_json()
