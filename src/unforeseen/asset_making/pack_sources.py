"""From which of several packs each kind of assets is taken: the first that has any of it."""

__all__ = ["Source", "notes_of_not_taken", "sources_of"]

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from unforeseen.stylization.names import STYLE_KINDS
from unforeseen.transforms.assets.manifest import ASSET_KINDS, AssetKind
from unforeseen.transforms.assets.pack import AssetPack

#: Kinds that come from one pack: a network knows both kinds of styles.
_TOGETHER: tuple[tuple[AssetKind, ...], ...] = (
    *((kind,) for kind in ASSET_KINDS if kind not in STYLE_KINDS),
    STYLE_KINDS,
)


class Source(NamedTuple):
    """A pack, and the kinds that are taken from it, of which it may have none."""

    pack: AssetPack
    kinds: Sequence[AssetKind]


def sources_of(packs: Sequence[AssetPack]) -> list[Source]:
    """Chooses for each kind the first pack that has any of it, and for both kinds of styles one pack.

    Args:
        packs: At least one. What none has is of the last.
    """
    return [Source(_first_that_has(packs, kinds), kinds) for kinds in _TOGETHER]


def notes_of_not_taken(given: Sequence[AssetPack], sources: Sequence[Source]) -> Iterator[str]:
    """For users: what packs that they gave have, and what isn't taken, as others have it too.

    Args:
        given: Without the pack that what is lacking comes from.
        sources: What is taken.
    """
    for pack in given:
        for source, kinds in sources:
            there = [kind for kind in kinds if pack.manifest.assets[kind]]
            if not there or pack is source:
                continue
            if kinds != STYLE_KINDS:
                yield f"{there[0]} of {pack.folder}: not taken, as {source.folder} has some."
                continue
            network = ["network"] if pack.manifest.stylization is not None else []
            yield (
                f"{', '.join([*there, *network])} of {pack.folder}: not taken. Paintings, textures and the "
                f"network that knows them come from one pack, here {source.folder}."
            )


def _first_that_has(packs: Sequence[AssetPack], kinds: Sequence[AssetKind]) -> AssetPack:
    return next(
        (pack for pack in packs if any(pack.manifest.assets[kind] for kind in kinds)), packs[-1]
    )
