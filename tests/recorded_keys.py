"""Which keys a record has, to compare two of which one was written long ago."""

__all__ = ["keys_of"]


def keys_of(record: object) -> set[str]:
    """All keys, with those that lead to them: ``patches.effect.accuracy``; of lists, those of all items."""
    if isinstance(record, list):
        return {key for each in record for key in keys_of(each)}
    if not isinstance(record, dict):
        return set()
    below = {f"{key}.{inner}" for key, value in record.items() for inner in keys_of(value)}
    return {*record} | below
