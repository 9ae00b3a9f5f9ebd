"""What an asset may be called, in a manifest, in a network's metadata and as a file of its own."""

__all__ = ["ASSET_NAME", "LONGEST_ASSET_NAME"]

LONGEST_ASSET_NAME = 64
#: From end to end. Of the names of devices, those that the letters allow.
ASSET_NAME = (
    rf"(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$)[a-z0-9][a-z0-9-]{{0,{LONGEST_ASSET_NAME - 1}}}"
)
