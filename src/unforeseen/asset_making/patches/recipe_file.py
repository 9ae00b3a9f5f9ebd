"""``recipe.json``: how the patches of a folder were made, and what each does to every network."""

__all__ = ["RECIPE_FILE", "Settings", "read_patches", "write_recipe"]

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unforeseen.asset_making.deciding import refuse_other
from unforeseen.asset_making.patches.conditions import CONDITIONS
from unforeseen.asset_making.patches.made_pack import patch_asset
from unforeseen.asset_making.patches.networks import Network
from unforeseen.asset_making.patches.recipe import PatchRecipe
from unforeseen.asset_making.record import data_record
from unforeseen.asset_names import ASSET_NAME
from unforeseen.data.dataset import Dataset
from unforeseen.errors import RunError
from unforeseen.files.json_file import read_json, write_json
from unforeseen.files.table import Table
from unforeseen.transforms.assets.files import read_file

RECIPE_FILE = "recipe.json"

_COMMAND = "unforeseen make patches"
_SCHEMA = 1
#: Of what makes patches: another one goes on with none that this one began.
_ALGORITHM = 1


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What all patches of a folder share.

    Attributes:
        networks: That they are optimised against or measured on.
        dataset: Whose pictures.
        optimised_on: Which of them, as follows from the seed.
        measured_on: Which others.
        recipe: How.
    """

    networks: Sequence[Network]
    dataset: Dataset
    optimised_on: Sequence[int]
    measured_on: Sequence[int]
    recipe: PatchRecipe

    def deciding(self) -> dict[str, Any]:
        """What decides patches and their effect besides targets and numbers of steps, as JSON gives it back."""
        data = data_record(self.dataset, labels=True) | {
            "optimised_on": len(self.optimised_on),
            "measured_on": len(self.measured_on),
        }
        how = asdict(self.recipe)
        # Patches of one folder may have had more or fewer: each says its own.
        del how["steps"]
        content: dict[str, Any] = {
            "algorithm": _ALGORITHM,
            "networks": [_named(each) for each in self.networks],
            "data": data,
            **how,
        }
        # Tuples become lists.
        return content | {"placement": json.loads(json.dumps(how["placement"]))}


def read_patches(folder: Path, settings: Settings) -> dict[str, dict[str, Any]]:
    """What the folder's recipe says of patches that were finished, by name.

    Raises:
        RunError: There is none, it can't be used, its patches are gone or were made in another way.
    """
    path = folder / RECIPE_FILE
    try:
        found = read_json(path, written_by=_COMMAND, schema=_SCHEMA)
    except RunError as error:
        raise RunError(f"{error} Use another --out.") from error
    patches = found.get("patches")
    if not isinstance(patches, list):
        raise RunError(
            f"{path}: expected the recipe of patches, written by {_COMMAND}; it is damaged or something "
            "else. Use another --out."
        )
    refuse_other(folder, found, settings.deciding(), begun="patches were begun")
    uris = [each.classifier.card.uri for each in settings.networks]
    return {_checked(each, path): _called_as_now(each, uris) for each in patches}


def write_recipe(
    folder: Path, settings: Settings, patches: Mapping[str, Mapping[str, Any]]
) -> None:
    """Replaces the recipe; raises RunError."""
    content = {"schema": _SCHEMA, **settings.deciding(), "patches": list(patches.values())}
    write_json(folder / RECIPE_FILE, content)


def _checked(patch: object, recipe: Path) -> str:
    """The name of a patch of a recipe, which may be a stranger's."""
    table = Table.of(patch, origin=str(recipe), path="patches", error=RunError)
    table.expect(required=("name", "file", "sha256"), optional=tuple(table.content))
    name = table.text("name", pattern=ASSET_NAME)
    file = table.choice("file", [patch_asset(name).file])
    found = "none"
    if (recipe.parent / file).is_file():
        found = "another picture"
        if hashlib.sha256(read_file(recipe.parent, file)).hexdigest() == table.content["sha256"]:
            return name
    raise RunError(
        f"{recipe}: expected {file} beside it, as it was made, found {found}. Put it back, or use another --out."
    )


def _called_as_now(patch: dict[str, Any], uris: Sequence[str]) -> dict[str, Any]:
    """What a recipe says of a patch, whose models may have been typed otherwise then."""
    effect = patch.get("effect")
    if not isinstance(effect, list) or len(effect) != len(uris) * len(CONDITIONS):
        return patch
    of_effect = [uri for uri in uris for _ in CONDITIONS]
    renamed = [
        {**each, "network": uri} if isinstance(each, dict) else each
        for each, uri in zip(effect, of_effect, strict=True)
    ]
    return patch | {"effect": renamed}


def _named(network: Network) -> dict[str, Any]:
    card = network.classifier.card
    return {
        "uri": card.uri,
        "fingerprint": card.fingerprint,
        "head": None if card.head is None else card.head.name,
        "mapping": None if card.head is None else card.head.mapping,
        "held_out": network.held_out,
    }
