"""``package.module:NAME`` and ``path/to/file.py:NAME``: objects from the user's own code.

This runs that code. Only what the user typed, or wrote into a file that they named, comes here.
"""

__all__ = ["PythonName", "Taken", "place_of", "taken_from"]

import ast
import hashlib
import importlib
import importlib.machinery
import importlib.util
import os.path
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, Never

from typing_extensions import override

from unforeseen.errors import UnknownNameError, UserError, first_line
from unforeseen.uri import path_of

#: Folders of installed packages, and modules that many folders have and nobody imports.
_INSTALLED = {"site-packages", "dist-packages"}
_NEVER_IMPORTED = ("__main__", "conftest", "setup")


class PythonName(NamedTuple):
    """A name in a file or a package of the user's.

    Attributes:
        where: ``package.module``, or a path that ends in ``.py``.
        name: What is meant there; may be dotted.
    """

    where: str
    name: str

    @classmethod
    def parse(cls, text: str) -> "PythonName | None":
        """``WHERE:NAME``, or None where it isn't of that form."""
        # At the last colon: a Windows path has one of its own.
        where, colon, name = text.rpartition(":")
        known = where.endswith(".py") or _is_dotted_name(where)
        return cls(where, name) if colon and _is_dotted_name(name) and known else None

    def file(self, folder: Path) -> Path | None:
        """The file, whose path may be relative to a folder; None for a package."""
        return (folder / path_of(self.where)).resolve() if self.where.endswith(".py") else None


class Taken(NamedTuple):
    """An object, and the code that it came from.

    Attributes:
        value: The object.
        source: The file that was run; None where a module has none.
        sha256: Of the file's content, in hexadecimal; empty where there is none.
    """

    value: object
    source: Path | None
    sha256: str


@contextmanager
def taken_from(
    wanted: PythonName,
    *,
    folder: Path,
    said: str,
    error: type[UserError],
    meant: Callable[[object], bool],
    anew: bool = True,
) -> Iterator[Taken]:
    """Runs the user's code and takes the named object from it.

    What raises inside the context is blamed on that code too. The file's folder, or for a package
    ``folder``, is on Python's path only meanwhile.

    Args:
        wanted: What to take, and where from.
        folder: What a relative path is relative to, and where packages may lie.
        said: How the user named it, for messages.
        error: What is raised where the code can't be used.
        meant: Whether an object of the code that isn't its own class or function could be meant.
        anew: Whether a file is run again that was run before and hasn't changed.

    Raises:
        UserError: As ``error``: there is no such file or package, its code raises (the message names
            the line), or it could import a module of the name of one beside it instead of that.
        UnknownNameError: The code defines no such name.
    """
    file = wanted.file(folder)
    home = file.parent if file else folder
    _refuse_namesakes(home, said, error, file)
    with _on_path(home):
        source = file or _source_file(wanted.where, folder, said, error)
        content = _content(source, said, error) if source else b""
        with _blaming(said, source, error):
            module = (
                _run_file(file, content, anew=anew)
                if file
                else importlib.import_module(wanted.where)
            )
        value = _attribute(module, wanted, meant)
        with _blaming(said, source, error):
            yield Taken(value, source, hashlib.sha256(content).hexdigest() if source else "")


def place_of(error: BaseException, source: Path | None) -> str:
    """Where in the user's file an exception arose, as ``rain.py, line 3: ``; empty if not there.

    Args:
        error: With its traceback.
        source: The file; None finds only errors of syntax, which name their own.
    """
    if isinstance(error, SyntaxError) and isinstance(error.filename, str):
        return f"{Path(error.filename).name}, line {error.lineno}: "
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if source is not None and Path(frame.filename) == source
    ]
    return f"{source.name}, line {lines[-1]}: " if source is not None and lines else ""


def _is_dotted_name(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


@contextmanager
def _on_path(folder: Path) -> Iterator[None]:
    entry = str(folder)
    sys.path.insert(0, entry)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        with suppress(ValueError):
            sys.path.remove(entry)


def _refuse_namesakes(folder: Path, said: str, error: type[UserError], file: Path | None) -> None:
    """Raises where an import of a module of the folder would give another folder's of that name.

    Python knows a module by its name alone, and keeps the first. What is installed or Python's own
    may have a namesake in the folder, as scripts have it too; so may what a file doesn't import.
    """
    imported = None if file is None else _imported_by(file)
    own = file.stem if file else ""
    for name, module in sys.modules.copy().items():
        origin = getattr(module, "__file__", None)
        if "." in name or name in (own, *_NEVER_IMPORTED) or not isinstance(origin, str):
            continue
        if name in sys.stdlib_module_names or _INSTALLED & {*Path(origin).parts}:
            continue
        if imported is not None and name not in imported:
            continue
        for neighbour in (folder / f"{name}.py", folder / name / "__init__.py"):
            if neighbour.is_file() and neighbour.resolve() != Path(origin).resolve():
                raise error(
                    f"{said}: its imports of {name} would give {origin}, which was imported before, "
                    f"instead of {neighbour}: rename one of them."
                )


def _imported_by(file: Path) -> set[str]:
    """Names of what a file imports, and of what files beside it do that it imports."""
    found: set[str] = set()
    waiting = [file]
    while waiting:
        try:
            tree = ast.parse(waiting.pop().read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError):
            continue  # whoever runs it will say so
        for node in ast.walk(tree):
            modules = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            for name in {module.partition(".")[0] for module in modules} - found:
                found.add(name)
                beside = (file.parent / f"{name}.py", file.parent / name / "__init__.py")
                waiting += filter(Path.is_file, beside)
    return found


@contextmanager
def _blaming(said: str, source: Path | None, error: type[UserError]) -> Iterator[None]:
    """Turns what the user's code raises into one line that names the place."""
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as raised:
        line = f"{place_of(raised, source)}{type(raised).__name__}: {first_line(raised)}"
        raise error(f"{said}: {line}") from raised


def _source_file(where: str, folder: Path, said: str, error: type[UserError]) -> Path | None:
    """Where a package's module lies; runs the packages around it, not the module itself."""
    try:
        with _blaming(said, None, error):
            specification = importlib.util.find_spec(where)
    except error as raised:
        missing = raised.__cause__
        if not (isinstance(missing, ModuleNotFoundError) and _is_part(missing.name, where)):
            raise
        specification = None
    if specification is None:
        raise error(
            f"{said}: there is no module {where!r}, neither installed nor in {folder}. For a file, "
            "write py:path/to/file.py:NAME."
        )
    found = specification.origin if specification.has_location else None
    return Path(found) if found else None


def _is_part(name: str | None, where: str) -> bool:
    return name is not None and f"{where}.".startswith(f"{name}.")


def _content(source: Path, said: str, error: type[UserError]) -> bytes:
    if not os.path.isfile(source):  # noqa: PTH113 - Path's own raises on names beyond all length
        raise error(f"{said}: there is no file {source}.")
    try:
        return source.read_bytes()
    except OSError as raised:
        raise error(f"{said}: {source} can't be read: {raised.strerror or raised}.") from raised


class _Loader(importlib.machinery.SourceFileLoader):
    """Runs the content that was hashed: compiled files beside it may be of an older one."""

    def __init__(self, name: str, path: str, content: bytes) -> None:
        super().__init__(name, path)
        self._content = content

    @override
    def get_data(self, path: str) -> bytes:
        return self._content

    @override
    def path_stats(self, path: str) -> Never:
        raise OSError  # what keeps Python from reading and writing compiled files


def _run_file(path: Path, content: bytes, *, anew: bool) -> ModuleType:
    # A name of its own, so that a file called random.py or torch.py hides nothing.
    key = hashlib.sha256(str(path).encode() + b"\0" + content).hexdigest()[:16]
    name = f"_unforeseen_{key}_{path.stem}"
    if not anew and name in sys.modules:
        return sys.modules[name]
    loader = _Loader(name, str(path), content)
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert specification is not None
    module = importlib.util.module_from_spec(specification)
    # Dataclasses, pickling and inspect look a class's module up there.
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _attribute(module: ModuleType, wanted: PythonName, meant: Callable[[object], bool]) -> object:
    found: object = module
    for part in wanted.name.split("."):
        if not hasattr(found, part):
            known = [
                key
                for key, value in vars(module).items()
                if not key.startswith("_") and (_is_own(module, value) or meant(value))
            ]
            raise UnknownNameError(f"name in {wanted.where}", wanted.name, known)
        found = getattr(found, part)
    return found


def _is_own(module: ModuleType, value: object) -> bool:
    """Whether it is a class or function of the module's own package, not what it imports."""
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    return callable(value) and home == module.__name__.partition(".")[0]
