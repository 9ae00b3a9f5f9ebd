"""Which photos, icons … obfuscated pictures took, as tables of runs say it."""

__all__ = ["pack_in_words"]

from collections.abc import Collection

from unforeseen.asset_names import asset_in_words
from unforeseen.transforms.assets.manifest import ASSET_KINDS, AssetKind
from unforeseen.transforms.assets.pack import AssetPack, are_own


def pack_in_words(pack: AssetPack, kinds: Collection[AssetKind]) -> str:
    """The kinds that were taken, and what the pack is called where some of them aren't those that ship."""
    fingerprints = {kind: pack.fingerprint_of([kind]) for kind in ASSET_KINDS if kind in kinds}
    own = {kind for kind, each in fingerprints.items() if are_own([kind], each)}
    words = [asset_in_words(kind, each, own=kind in own) for kind, each in fingerprints.items()]
    return ", ".join(words) + (f", of the pack {pack.folder.resolve().name}" if own else "")
