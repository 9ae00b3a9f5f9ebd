"""Training the network of :mod:`unforeseen.stylization` for styles: what ``unforeseen make styles`` does."""

__all__: list[str] = []
