"""Which folder of an experiment is which model's."""

__all__ = ["folder_name", "model_folders"]

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from unforeseen.errors import UserError
from unforeseen.experiment_folder.record import Experiment, can_be_folder, run_path
from unforeseen.run_folder.planned_kinds import read_planned_run
from unforeseen.run_folder.record import RECORD_FILE

if TYPE_CHECKING:
    from unforeseen.models.cards import ModelCard

_LONGEST = 60
_ENDINGS = (".pt2", ".py", ".pth", ".pt", ".safetensors")
#: What else than files the paths of these schemes are: names with slashes in them.
_NAMES = ("timm", "torchvision", "transformers", "open_clip", "robustbench")


def folder_name(uri: str, taken_names: Collection[str] = ()) -> str:
    """A short name for a model's folder: ``cifar10-resnet20`` of ``models/cifar10-resnet20.pt2``.

    Args:
        uri: The model's.
        taken_names: Names of other folders; then a number comes behind it.
    """
    text = uri.partition("?")[0]
    scheme, colon, path = text.partition(":")
    named = bool(colon) and scheme.lower() in _NAMES and not Path(path).is_dir()
    if not named:
        # py:folder/my_models.py:make is known by file and name.
        path = PurePosixPath((path if colon and len(scheme) > 1 else text).replace("\\", "/")).name
    for ending in _ENDINGS:
        path = path.removesuffix(ending).replace(f"{ending}:", "-")
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", path)[:_LONGEST].strip("-._") or "model"
    if not can_be_folder(name):
        name = f"model-{name}"
    others = {each.casefold() for each in taken_names}
    unique, number = name, 1
    while unique.casefold() in others:
        number += 1
        unique = f"{name}-{number}"
    return unique


def model_folders(
    cards: "Sequence[ModelCard]",
    folder: Path,
    there: Experiment | None,
    *,
    reserved: Collection[str] = (),
) -> tuple[str, ...]:
    """The folder of each model in an experiment: the one that it has there, or a new one.

    Args:
        cards: The models'.
        folder: The experiment's.
        there: What it holds already.
        reserved: Folders that are none of theirs.

    Raises:
        UserError: A model is named twice: means over models would count it twice.
        RunError: A run that is there can't be read.
    """
    identities = [card.identity for card in cards]
    for index, identity in enumerate(identities):
        first = identities.index(identity)
        if first != index:
            raise UserError(
                f"models: expected each once; {cards[first].uri} and {cards[index].uri} are the same "
                "network with the same head."
            )
    # One in which no run was begun is whose it would be now.
    begun = {
        group: identity
        for group, identity in _groups(folder, there).items()
        if identity is not None and group not in reserved
    }
    known = {identity: group for group, identity in begun.items()}
    names: list[str] = []
    for card, identity in zip(cards, identities, strict=True):
        others = (*reserved, *begun, *names)
        names.append(known.get(identity) or folder_name(card.uri, others))
    return tuple(names)


_Identity = tuple[str, str | None]


def _groups(folder: Path, there: Experiment | None) -> Mapping[str, _Identity | None]:
    """Whose runs lie in each folder of an experiment; None where none was begun."""
    groups: dict[str, _Identity | None] = {}
    for run in () if there is None else there.runs:
        name = run.group or run.folder
        if groups.setdefault(name) is None:
            path = run_path(folder, run)
            if (path / RECORD_FILE).exists():
                groups[name] = read_planned_run(path).planned.network
    return groups
