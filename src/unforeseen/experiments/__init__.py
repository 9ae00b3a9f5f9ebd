"""The paper's experiments: several ordinary runs in one folder, a table and a plot."""

__all__: list[str] = []
