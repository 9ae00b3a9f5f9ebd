"""Which column of a table holds what: by the user's word, by type, or by its usual name."""

__all__ = ["choose_column"]

from collections.abc import Mapping, Sequence

from unforeseen.errors import DataError, UnknownNameError
from unforeseen.uri import Uri


def choose_column(
    uri: Uri,
    role: str,
    columns: Mapping[str, object],
    *,
    fitting: Sequence[str],
    usual: Sequence[str],
    expected: str,
) -> tuple[str, tuple[str, ...]]:
    """Finds the column of a role.

    Args:
        uri: Of the data; its option of the role's name chooses.
        role: ``image`` or ``label``.
        columns: Name → type, for messages.
        fitting: Those of the right type.
        usual: What such columns are called, in order of preference.
        expected: What would be right, for messages.

    Returns:
        Its name, and a note where others would have fitted as well.

    Raises:
        UnknownNameError: The URI names a column that there isn't.
        DataError: None fits, or several do and none has a usual name.
    """
    asked = uri.options.get(role)
    if asked is not None:
        if asked not in columns:
            raise UnknownNameError(f"{role} column", asked, columns)
        if asked not in fitting:
            raise DataError(
                f"{uri.text!r}: expected {expected} as ?{role}=, but {asked!r} is {columns[asked]}."
            )
        return asked, ()
    if len(fitting) == 1:
        return fitting[0], ()
    named = [name for name in usual if name in fitting]
    if named:
        others = ", ".join(name for name in fitting if name != named[0])
        return named[0], (
            f"{role}s are taken from column {named[0]}, not from {others}; ?{role}=NAME chooses",
        )
    if fitting:
        raise DataError(
            f"{uri.text!r}: several columns could be the {role}s: {', '.join(fitting)}. "
            f"Choose one with ?{role}=NAME, for example {uri.text}"
            f"{'&' if uri.options else '?'}{role}={fitting[0]}"
        )
    shown = ", ".join(f"{name} ({kind})" for name, kind in columns.items()) or "none"
    raise DataError(f"{uri.text!r}: expected {expected} for the {role}s; the columns are {shown}.")
