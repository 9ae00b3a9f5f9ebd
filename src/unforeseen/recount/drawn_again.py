"""What obfuscations drew, drawn again: seed, ranges, size, picture and number of the draw determine it."""

__all__ = ["draw_again"]

from collections.abc import Callable
from functools import partial
from pathlib import Path

from unforeseen.errors import UserError
from unforeseen.rng import ExampleKey
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.running.cell_kinds import ObfuscatedCell
from unforeseen.running.made_again import plan_again
from unforeseen.transforms.assets.pack import AssetPack
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
        words, which can't be drawn again.

    Raises:
        AssetError: ``assets`` is no pack.
    """
    if assets is not None:
        AssetPack(assets)
    drawn: dict[str, Callable[[str, int], str]] = {}
    recorded = {cell.transform: cell.id for cell in run.cells}
    for name in run.obfuscations:
        try:
            plan = plan_again(run, [name], assets=assets)
        except UserError:
            # As of an obfuscation of another release, or of a pack without a kind that it takes.
            continue
        cell = plan.cells[-1]
        assert isinstance(cell, ObfuscatedCell)
        assert plan.assets is not None
        if cell.id == recorded[name] and plan.size_of_all is not None:
            drawn[name] = partial(_record, cell, plan.assets, plan.size_of_all)
    others = [name for name in run.obfuscations if name not in drawn]
    if not others:
        return drawn, []
    note = (
        f"not drawn again: parameters of {', '.join(others)}, which take assets of another pack (--assets "
        "DIR), draw otherwise in this release, or are of pictures of any size"
    )
    return drawn, [note]


def _record(
    cell: ObfuscatedCell, assets: AssetPack, size: ImageSize, example_id: str, draw: int
) -> str:
    key = ExampleKey(seed=cell.seed, transform=cell.transform, example_id=example_id, restart=draw)
    parameters: Parameters = cell.obfuscation.sample(key.stream("parameters"), size, assets)
    return parameters.to_json()
