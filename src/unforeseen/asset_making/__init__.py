"""What ``make patches`` and ``make styles`` share: both optimise for long, and go on where they were stopped."""

__all__: list[str] = []
