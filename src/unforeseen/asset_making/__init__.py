"""Making assets: optimising that goes on where it was stopped, and packs that are written or combined."""

__all__: list[str] = []
