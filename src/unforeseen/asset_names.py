"""What assets may be called, in a manifest, in a network's metadata and as files; and what people are told."""

__all__ = ["ASSET_NAME", "LONGEST_ASSET_NAME", "asset_in_words"]

LONGEST_ASSET_NAME = 64
#: From end to end. Of the names of devices, those that the letters allow.
ASSET_NAME = (
    rf"(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$)[a-z0-9][a-z0-9-]{{0,{LONGEST_ASSET_NAME - 1}}}"
)
#: Digits of a fingerprint that tell packs apart.
_SHOWN = 8


def asset_in_words(kind: str, fingerprint: str, *, own: bool) -> str:
    """Whose assets of a kind were taken, and which: ``own icon 34dd605f``."""
    return f"{'own' if own else 'shipped'} {kind} {fingerprint[:_SHOWN]}"
