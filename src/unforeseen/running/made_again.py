"""A run's pictures, made again from its record and its data; no model is loaded.

The folder may be a stranger's. What its record names is read as data only, and a picture is shown only
where what is made is what the rows say.
"""

__all__ = ["PicturesAgain", "WantedPicture", "open_again", "plan_again"]

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from unforeseen.data import load_data
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import identify
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Picture, Unreadable, read_picture
from unforeseen.errors import AssetError, DataError, RunError
from unforeseen.fitting import fit_data
from unforeseen.models.cards import HeadCard, ModelCard
from unforeseen.pixels import pixels_of
from unforeseen.preprocessing import Preprocessing
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun
from unforeseen.running.cell_kinds import ObfuscatedCell, ReadyMadeCell
from unforeseen.running.obfuscation_plan import ObfuscationPlan, make_obfuscation_plan
from unforeseen.running.ready_made import ReadyMade
from unforeseen.uri import Uri

#: Schemes that would make this machine ask another one, at a stranger's word.
_REMOTE = ("hf",)


class WantedPicture(NamedTuple):
    """One that is to be found again.

    Attributes:
        example_id: What rows call it.
        file: Where it lay; None where nothing says.
    """

    example_id: str
    file: str | None


class PicturesAgain:
    """Makes pictures of a run again.

    Args:
        plans: What the run did, a part for each pack of assets that it took; their cells are the record's.
        dataset: The run's data.
        preprocessing: What happened to its pictures before they were obfuscated.
    """

    def __init__(
        self, plans: Sequence[ObfuscationPlan], dataset: Dataset, preprocessing: Preprocessing
    ) -> None:
        self._preprocessing = preprocessing
        self._dataset = dataset
        self._cells = {cell.transform: (cell, plan.assets) for plan in plans for cell in plan.cells}

    def find(self, wanted: Sequence[WantedPicture]) -> dict[str, int]:
        """Where pictures lie.

        They are looked for where they lay; only where they aren't there any more, every picture of the
        data set is read.

        Returns:
            By example id, the index in the data set; pictures that aren't there are left out.
        """
        index_of = {key: index for index, key in enumerate(self._dataset.keys)}
        found: dict[str, int] = {}
        for each in wanted:
            index = None if each.file is None else index_of.get(each.file)
            if index is not None and _same(identify(self._dataset, [index])[0], each.example_id):
                found[each.example_id] = index
        missing = [each.example_id for each in wanted if each.example_id not in found]
        if missing:
            everywhere = range(len(self._dataset.labels))
            by_content = {
                _content(name): index
                for index, name in zip(everywhere, identify(self._dataset, everywhere), strict=True)
            }
            found |= {
                name: by_content[_content(name)] for name in missing if _content(name) in by_content
            }
        return found

    def clean(self, index: int, example_id: str) -> NDArray[np.uint8] | None:
        """A picture as it was judged, (H, W, 3); None where it can't be read."""
        return _pixels(read_picture(self._dataset, index, example_id, self._preprocessing))

    def obfuscated(
        self, index: int, example_id: str, obfuscation: str, draw: int, parameters: str | None
    ) -> NDArray[np.uint8] | None:
        """A picture under an obfuscation.

        Args:
            index: Of the picture in the data set.
            example_id: What rows call it.
            obfuscation: Its name.
            draw: Which draw of it.
            parameters: What the row says was drawn.

        Returns:
            (H, W, 3); None where it can't be read, or where something else is drawn than the row says.
        """
        cell, assets = self._cells[obfuscation]
        if isinstance(cell, ReadyMadeCell):
            assert isinstance(self._dataset, ObfuscatedDataset)
            if self._dataset.parameters(obfuscation, index) != parameters:
                return None
            pictures = self._dataset.obfuscated(obfuscation)
            return _pixels(read_picture(pictures, index, example_id, Preprocessing()))
        assert isinstance(cell, ObfuscatedCell)
        assert assets is not None
        picture = read_picture(self._dataset, index, example_id, cell.preprocessing)
        if isinstance(picture, Unreadable):
            return None
        with _one_thread():
            pixels, drawn = cell.obfuscation.obfuscate_example(
                picture.image, assets, seed=cell.seed, example_id=example_id, draw=draw
            )
        return pixels_of(pixels) if drawn.to_json() == parameters else None


def open_again(
    run: PlannedObfuscationRun,
    obfuscations: Collection[str],
    *,
    data: str | None = None,
    assets: Path | None = None,
) -> PicturesAgain:
    """Opens what a run's pictures are made of.

    Args:
        run: What was run.
        obfuscations: Those that pictures are wanted of, beside clean ones; none takes no pack.
        data: Where the data lie now; None takes what the record says, a path as seen from here.
        assets: Folder of the pack now; likewise.

    Raises:
        UserError: Data or pack aren't there, or aren't those of the run.
    """
    if data is None:
        data = run.data
        if Uri.parse(data).scheme in _REMOTE:
            raise DataError(
                f"{data}: expected data on this machine, as a run folder isn't trusted to say whom to "
                "ask. If it is what you mean, give it with --data URI."
            )
    dataset = fit_data(load_data(data), run.benchmark)
    ready_made = ReadyMade.of(dataset)
    if (ready_made is not None) != run.ready_made:
        kind = "obfuscated before" if run.ready_made else "to obfuscate"
        raise DataError(f"{data}: expected pictures {kind}, as the run's were; got others.")
    wanted = [name for name in run.obfuscations if name in obfuscations]
    plans = [
        plan_again(run, names, assets=folder, ready_made=ready_made)
        for folder, names in _by_pack(run, wanted, assets).items()
    ]
    for plan in plans:
        _expect_cells_of(run, plan, data)
    preprocessing = Preprocessing() if run.ready_made else run.benchmark.preprocessing
    return PicturesAgain(plans, dataset, preprocessing)


def plan_again(
    run: PlannedObfuscationRun,
    obfuscations: Sequence[str],
    *,
    assets: Path | None = None,
    ready_made: ReadyMade | None = None,
) -> ObfuscationPlan:
    """Lays a run out as today's program would; where its cells have the same ids, it does the same.

    Args:
        run: What was run.
        obfuscations: Which of its obfuscations.
        assets: Folder of the pack; None takes the one that ships.
        ready_made: What is known of the pictures, where they were obfuscated before.

    Raises:
        UserError: As of :func:`~unforeseen.running.obfuscation_plan.make_obfuscation_plan`.
    """
    fingerprint, mapping = run.network
    head = None if mapping is None else HeadCard(name=run.head or "", outputs=0, mapping=mapping)
    return make_obfuscation_plan(
        run.benchmark,
        ModelCard(uri=run.model, fingerprint=fingerprint, head=head),
        obfuscations=obfuscations,
        seed=run.seed,
        eot=run.eot,
        worst_of=run.worst_of,
        assets=assets,
        ready_made=ready_made,
    )


def _by_pack(
    run: PlannedObfuscationRun, wanted: Sequence[str], assets: Path | None
) -> dict[Path | None, list[str]]:
    """Obfuscations by the folder of the pack that they took, or all by one that is given."""
    if assets is not None and wanted:
        return {assets: [*wanted]}
    found: dict[Path | None, list[str]] = {}
    for name in wanted:
        folders = (run.folders.get(kind) for kind in run.how[name].get("assets") or ())
        folder = next(folders, None)
        found.setdefault(None if folder is None else Path(folder), []).append(name)
    return found


def _expect_cells_of(run: PlannedObfuscationRun, plan: ObfuscationPlan, data: str) -> None:
    """Cells' ids hold all that decides what a picture looks like, but for the picture itself."""
    recorded = {cell.transform: cell.id for cell in run.cells}
    other = [cell.transform for cell in plan.cells if recorded.get(cell.transform) != cell.id]
    if not other:
        return
    if plan.ready_made is not None:
        raise DataError(
            f"{data}: expected the obfuscated pictures that the run judged, got some that were made in "
            "another way."
        )
    assert plan.assets is not None
    recorded_assets = run.assets or {}
    changed = sorted(
        {
            kind
            for cell in plan.cells
            if cell.transform in other and isinstance(cell, ObfuscatedCell) and cell.assets
            for kind, fingerprint in cell.assets.items()
            if recorded_assets.get(kind) != fingerprint
        }
    )
    if changed:
        raise AssetError(
            f"{plan.assets.folder}: expected the pack of assets that the run took, got another one or "
            f"a changed one ({', '.join(changed)}). Give the run's with --assets DIR."
        )
    raise RunError(
        f"{', '.join(other)}: this release makes other pictures than the one that the run was made "
        "with. Look at them with that release, or run it again."
    )


def _pixels(picture: Picture | Unreadable) -> NDArray[np.uint8] | None:
    return pixels_of(picture.image) if isinstance(picture, Picture) else None


def _same(name: str, example_id: str) -> bool:
    return _content(name) == _content(example_id)


def _content(example_id: str) -> str:
    """Pictures that are the same are numbered; any of them will do."""
    return example_id.partition("#")[0]


@contextmanager
def _one_thread() -> Iterator[None]:
    """As in a run: the same sum over several threads has other digits."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
