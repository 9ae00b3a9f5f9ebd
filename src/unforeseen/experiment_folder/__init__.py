"""What an experiment keeps on disk beside its runs, and how both are read back. Needs no torch."""

__all__: list[str] = []
