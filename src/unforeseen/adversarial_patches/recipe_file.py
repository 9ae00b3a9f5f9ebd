"""``recipe.json``: how the patches of a folder were made, and what each does to every network."""

__all__ = ["RECIPE_FILE", "Settings", "read_patches", "write_recipe"]

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unforeseen.adversarial_patches.networks import Network
from unforeseen.adversarial_patches.recipe import PatchRecipe
from unforeseen.asset_making.record import data_record, identity_of
from unforeseen.asset_names import ASSET_NAME
from unforeseen.data.dataset import Dataset
from unforeseen.errors import RunError, shown
from unforeseen.files.json_file import read_json, write_json
from unforeseen.files.table import Table

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
        optimised_on: How many of them; which ones follows from the seed.
        measured_on: How many others.
        recipe: How.
    """

    networks: Sequence[Network]
    dataset: Dataset
    optimised_on: int
    measured_on: int
    recipe: PatchRecipe

    @property
    def identity(self) -> str:
        """Hash of what decides patches and their effect, besides targets and the number of steps."""
        return identity_of(self._deciding(), self.dataset)

    def identity_for(self, target: int | None) -> str:
        """The same with what one patch leads to."""
        return f"{self.identity}-{target}"

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "schema": _SCHEMA,
            "identity": self.identity,
            **self._deciding(),
        }

    def _deciding(self) -> dict[str, Any]:
        data = data_record(self.dataset) | {
            "optimised_on": self.optimised_on,
            "measured_on": self.measured_on,
        }
        how = asdict(self.recipe)
        # Patches of one folder may have had more or fewer: each says its own.
        del how["steps"]
        return {
            "algorithm": _ALGORITHM,
            "networks": [_named(each) for each in self.networks],
            "data": data,
            **how,
        }


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
    identity = found.get("identity")
    if not isinstance(identity, str):
        raise RunError(
            f"{path}: expected the recipe of patches, written by {_COMMAND}; it is damaged or something "
            "else. Use another --out."
        )
    if identity != settings.identity:
        raise RunError(
            f"{folder}: patches were begun there with other models, pictures or settings. Use another "
            "--out, or the same options as then."
        )
    patches = found.get("patches")
    if not isinstance(patches, list):
        raise RunError(f"{path}: patches: expected a list, got {shown(patches)}.")
    return {_checked(each, path): each for each in patches}


def write_recipe(
    folder: Path, settings: Settings, patches: Mapping[str, Mapping[str, Any]]
) -> None:
    """Replaces the recipe; raises RunError."""
    content = {**settings.to_record(), "patches": list(patches.values())}
    write_json(folder / RECIPE_FILE, content)


def _checked(patch: object, recipe: Path) -> str:
    """The name of a patch of a recipe, which may be a stranger's."""
    table = Table.of(patch, origin=str(recipe), path="patches", error=RunError)
    table.expect(required=("name", "file"), optional=tuple(table.content))
    name = table.text("name", pattern=ASSET_NAME)
    if table.choice("file", [f"{name}.png"]) and not (recipe.parent / f"{name}.png").is_file():
        raise RunError(
            f"{recipe}: expected {name}.png beside it, found none. Put it back, or use another --out."
        )
    return name


def _named(network: Network) -> dict[str, Any]:
    card = network.classifier.card
    return {
        "uri": card.uri,
        "fingerprint": card.fingerprint,
        "head": None if card.head is None else card.head.name,
        "held_out": network.held_out,
    }
