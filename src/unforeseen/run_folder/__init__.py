"""What a run keeps on disk, how it is written, continued and read back. Needs no torch."""

__all__: list[str] = []
