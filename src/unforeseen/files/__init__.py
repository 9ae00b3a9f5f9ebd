"""Files of any kind, which may be a stranger's: read with bounds and checks, written whole. Needs no torch."""

__all__: list[str] = []
