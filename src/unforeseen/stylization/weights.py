"""A trained network as one file: safetensors, whose metadata say which styles it has.

It may be a stranger's: it is data, is never executed, and every shape is checked before it is used.
"""

__all__ = ["LARGEST_WEIGHTS", "Stylization", "read_stylization", "stylization_bytes"]

import hashlib
import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from unforeseen.asset_names import ASSET_NAME
from unforeseen.errors import AssetError, first_line, shown
from unforeseen.files.table import Table
from unforeseen.stylization.names import StyleKind, StyleNames
from unforeseen.stylization.network import StylizationNetwork

#: In bytes. A network of 17 styles has a twentieth of that.
LARGEST_WEIGHTS = 32 * 2**20

_KEY = "unforeseen-stylization"
_SCHEMA = 1
_MOST_STYLES = 1000
_TYPES = (torch.float32, torch.float16)
#: No weight is further from 0. Whatever the picture, no value inside the network then comes near the
#: largest float32. Training stays far below it.
_LARGEST_WEIGHT = 1e4
#: A safetensors file begins with the length of its header.
_LENGTH = struct.Struct("<Q")
_SHA_256 = r"[0-9a-f]{64}"


@dataclass(frozen=True, kw_only=True)
class Stylization:
    """A trained network and the names of its styles.

    Attributes:
        names: Of its rows.
        network: In evaluation mode; not to be changed.
        files: SHA-256, in hex digits, of the file of the picture that each row has learnt; empty where
            nobody says.
    """

    names: StyleNames
    network: StylizationNetwork
    files: tuple[str, ...] = ()

    def has_learnt(self, kind: StyleKind, name: str, content: bytes) -> bool:
        """Whether a file is the one of a style; yes where nobody says. Raises UnknownNameError."""
        row = self.names.row(kind, name)
        return not self.files or self.files[row] == hashlib.sha256(content).hexdigest()

    @torch.no_grad()
    def stylise(self, image: Tensor, kind: StyleKind, name: str) -> Tensor:
        """One picture in one style.

        Args:
            image: (3, H, W) in [0, 1], at least 32×32 pixels, float32.
            kind: Of the style.
            name: Of the style.

        Returns:
            (3, H, W) in [0, 1].

        Raises:
            UnknownNameError: It has no such style.
        """
        row = torch.tensor([self.names.row(kind, name)])
        with torch.autocast(image.device.type, enabled=False):
            made: Tensor = self.network(image[None], row)[0]
        return made


def stylization_bytes(stylization: Stylization, recipe: Mapping[str, Any]) -> bytes:
    """The file: float32; names of styles, and which pictures these were, in its metadata.

    Args:
        stylization: What is written.
        recipe: How it was made, for whoever looks into the metadata. It goes wherever the file goes, so
            nothing private belongs in it.
    """
    weights = {
        name: value.detach().cpu().float().contiguous()
        for name, value in stylization.network.state_dict().items()
    }
    about = {
        "schema": _SCHEMA,
        "paintings": stylization.names.paintings,
        "textures": stylization.names.textures,
        **({"files": stylization.files} if stylization.files else {}),
        "recipe": recipe,
    }
    return save(weights, metadata={_KEY: json.dumps(about, ensure_ascii=False, allow_nan=False)})


def read_stylization(content: bytes, origin: str) -> Stylization:
    """Reads the file.

    Args:
        content: All of it.
        origin: Its path, for messages.

    Raises:
        AssetError: It is damaged, something else, or doesn't fit this release's network.
    """
    about = _about(content, origin)
    names = StyleNames(
        paintings=_names(about, "paintings"),
        textures=_names(about, "textures"),
    )
    if not 1 <= len(names) <= _MOST_STYLES:
        raise AssetError(f"{origin}: expected 1 to {_MOST_STYLES} styles, got {len(names)}.")
    files = _files(about, len(names))
    try:
        weights = load(content)
    except (SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise _damaged(origin, first_line(error)) from error
    with torch.device("meta"):
        network = StylizationNetwork(len(names))
    _check(weights, network.state_dict(), origin)
    network.load_state_dict({name: value.float() for name, value in weights.items()}, assign=True)
    network.eval().requires_grad_(requires_grad=False)
    network.to(memory_format=torch.channels_last)
    return Stylization(names=names, network=network, files=files)


def _about(content: bytes, origin: str) -> Table:
    """What the metadata say."""
    try:
        (length,) = _LENGTH.unpack_from(content)
        header = json.loads(content[_LENGTH.size : _LENGTH.size + length])
        said = json.loads(header["__metadata__"][_KEY])
    except (struct.error, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _damaged(origin, f"it has no metadata {_KEY}") from error
    table = Table.of(said, origin=origin, error=AssetError)
    table.expect_schema(_SCHEMA)
    table.expect(required=("schema", "paintings", "textures"), optional=("files", "recipe"))
    return table


def _names(about: Table, key: str) -> tuple[str, ...]:
    value = about.content[key]
    if (
        not isinstance(value, list)
        or not all(isinstance(each, str) and re.fullmatch(ASSET_NAME, each) for each in value)
        or len(set(value)) < len(value)
    ):
        about.reject(key, "a list of different names", shown(value))
    return tuple(value)


def _files(about: Table, styles: int) -> tuple[str, ...]:
    if "files" not in about:
        return ()
    value = about.content["files"]
    if (
        not isinstance(value, list)
        or len(value) != styles
        or not all(isinstance(each, str) and re.fullmatch(_SHA_256, each) for each in value)
    ):
        about.reject("files", f"{styles} hashes of 64 hex digits, one per style", shown(value))
    return tuple(value)


def _check(given: Mapping[str, Tensor], own: Mapping[str, Tensor], origin: str) -> None:
    """That all weights are there, of the right shapes, and so small that nothing overflows."""
    if given.keys() != own.keys():
        other = sorted(given.keys() ^ own.keys())
        raise AssetError(
            f"{origin}: expected the weights of this release's network; {shown(other[0])} is missing or "
            "unknown. Train it anew: unforeseen make styles."
        )
    for name, value in given.items():
        if value.shape != own[name].shape or value.dtype not in _TYPES:
            raise AssetError(
                f"{origin}: {name}: expected float32 or float16 {tuple(own[name].shape)}, got "
                f"{str(value.dtype).removeprefix('torch.')} {tuple(value.shape)}. Train it anew: unforeseen make styles."
            )
        if not bool((value.abs() <= _LARGEST_WEIGHT).all()):
            raise AssetError(
                f"{origin}: {name}: expected weights from -{_LARGEST_WEIGHT:,.0f} to {_LARGEST_WEIGHT:,.0f}, got "
                "larger ones or NaN. Train it anew: unforeseen make styles."
            )


def _damaged(origin: str, reason: str) -> AssetError:
    return AssetError(
        f"{origin}: expected weights that `unforeseen make styles` wrote; it is damaged or something "
        f"else: {reason}."
    )
