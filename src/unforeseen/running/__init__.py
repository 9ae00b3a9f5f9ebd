"""From a benchmark, a model and a data set to rows: which cells there are, and who makes them."""

__all__: list[str] = []
