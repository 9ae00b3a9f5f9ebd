"""Packages that only some models and data need: imported when one of those is asked for."""

__all__ = ["import_extra"]

import importlib
from types import ModuleType

from unforeseen.errors import MissingExtraError, UserError, first_line


def import_extra(module: str, *, needed_by: str, package: str, extra: str) -> ModuleType:
    """Imports a module of an optional package.

    Args:
        module: Its full name.
        needed_by: What needs it, e.g. a model's URI.
        package: The distribution that holds it.
        extra: The extra of this package that brings it.

    Raises:
        MissingExtraError: The package isn't installed.
        UserError: It is, but can't be imported, e.g. because something that it needs isn't.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name == module.partition(".")[0]:
            raise MissingExtraError(needed_by, package, extra) from error
        raise UserError(
            f"{needed_by} needs the package {package}, which is installed but can't be imported: "
            f"{first_line(error)}. Install it again with all that it needs: "
            f'pip install "unforeseen[{extra}]"'
        ) from error
