"""What an asset may be called, in a manifest, in a network's metadata and as a file of its own."""

__all__ = ["ASSET_NAME", "LONGEST_ASSET_NAME"]

LONGEST_ASSET_NAME = 64
ASSET_NAME = rf"[a-z0-9][a-z0-9-]{{0,{LONGEST_ASSET_NAME - 1}}}"
