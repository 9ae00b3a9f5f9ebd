"""Whether a folder of assets is as it must be, and a sheet of what it holds."""

__all__: list[str] = []
