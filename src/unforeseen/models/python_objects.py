"""``py:package.module:name`` and ``py:path/to/file.py:name``: models from the user's own code.

This runs that code. Only a name that the user typed comes here, never one from a file.
"""

__all__ = ["load_python"]

import hashlib
import importlib
import importlib.util
import inspect
import os.path
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType

import torch
from torch import nn

from unforeseen.errors import ModelError, UnknownNameError, UserError, first_line
from unforeseen.models.call_policy import CALL_OPTIONS, CallPolicy
from unforeseen.models.calls import PredictFunction
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.function_predictor import FunctionPredictor, versioned_card
from unforeseen.uri import Uri, path_of

#: The option that says what answers behind a plain function.
VERSION = "version"

_EXPECTED = (
    "expected an nn.Module on pictures in [0, 1]; a class or function without required arguments "
    "that makes one; or a function of one argument, uint8 pictures (B, H, W, 3) → probabilities"
)


def load_python(uri: Uri, device: torch.device) -> Predictor:
    """Runs the user's code and takes the named object from it.

    The object may be an nn.Module (pictures in [0, 1] → logits), a Predictor, a class or function
    without required arguments that makes one of these or a function, or a function of one
    required argument: uint8 pictures (B, H, W, 3) → probabilities (B, classes). Such a function
    needs ``?version=`` and may have the options of :class:`CallPolicy`; the others have none.

    The file's folder, or for a package the current folder, is on Python's path only meanwhile.

    Raises:
        ModelError: There is no such file or package, its code raises (the message names the
            line), or the object is of another kind, or one that the options don't fit.
        UnknownNameError: The code defines no such name.
        UserError: The URI isn't ``py:WHERE:NAME``, or an option is unknown or out of range.
    """
    uri.expect_options([VERSION, *CALL_OPTIONS])
    policy = CallPolicy.from_uri(uri)
    where, name = _split(uri)
    file = path_of(where).resolve() if where.endswith(".py") else None
    with _on_path(file.parent if file else Path.cwd()):
        source = file or _source_file(where, uri)
        with _blaming(uri, source):
            module = _run_file(file, uri) if file else importlib.import_module(where)
        found = _attribute(module, name, where)
        with _blaming(uri, source):
            built = _build(found, uri)
    if isinstance(built, nn.Module | Predictor):
        _refuse_options(uri, built)
        return built if isinstance(built, Predictor) else _module(built, uri, source, device)
    return _black_box(built, uri, policy, name=f"{file.stem if file else where}.{name}")


def _split(uri: Uri) -> tuple[str, str]:
    # At the last colon: a Windows path has one of its own.
    where, colon, name = uri.path.rpartition(":")
    if not (colon and _is_dotted_name(name) and (where.endswith(".py") or _is_dotted_name(where))):
        raise UserError(
            f"{uri.text!r}: expected py:package.module:NAME or py:path/to/file.py:NAME, where NAME "
            "is a model, a function that makes one, or a function that predicts."
        )
    return where, name


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


@contextmanager
def _blaming(uri: Uri, source: Path | None) -> Iterator[None]:
    """Turns what the user's code raises into one line that names the place."""
    try:
        yield
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        place = _place(error, source)
        raise ModelError(
            f"{uri.text}: {place}{type(error).__name__}: {first_line(error)}"
        ) from error


def _place(error: BaseException, source: Path | None) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}: "
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if source is not None and Path(frame.filename) == source
    ]
    return f"{source.name}, line {lines[-1]}: " if source is not None and lines else ""


def _source_file(where: str, uri: Uri) -> Path | None:
    """Where a package's module lies; runs the packages around it, not the module itself."""
    try:
        with _blaming(uri, None):
            specification = importlib.util.find_spec(where)
    except ModelError as error:
        missing = error.__cause__
        if not (isinstance(missing, ModuleNotFoundError) and _is_part(missing.name, where)):
            raise
        specification = None
    if specification is None:
        raise ModelError(
            f"{uri.text}: there is no module {where!r}, neither installed nor in {Path.cwd()}. For "
            "a file, write py:path/to/file.py:NAME."
        )
    return Path(specification.origin) if specification.origin else None


def _is_part(name: str | None, where: str) -> bool:
    return name is not None and f"{where}.".startswith(f"{name}.")


def _run_file(path: Path, uri: Uri) -> ModuleType:
    if not os.path.isfile(path):  # noqa: PTH113 - Path's own raises on names beyond all length
        raise ModelError(f"{uri.text}: there is no file {path}.")
    # A name of its own, so that a file called random.py or torch.py hides nothing.
    name = f"_unforeseen_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}_{path.stem}"
    specification = importlib.util.spec_from_file_location(name, path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    # Dataclasses, pickling and inspect look a class's module up there.
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _attribute(module: ModuleType, name: str, where: str) -> object:
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            known = [
                key for key, value in vars(module).items() if _could_be_meant(module, key, value)
            ]
            raise UnknownNameError(f"name in {where}", name, known)
        found = getattr(found, part)
    return found


def _could_be_meant(module: ModuleType, key: str, value: object) -> bool:
    """Models, and classes and functions of the module's own package; not what it imports."""
    home = str(getattr(value, "__module__", "")).partition(".")[0]
    own = callable(value) and home == module.__name__.partition(".")[0]
    return not key.startswith("_") and (own or isinstance(value, nn.Module | Predictor))


def _build(found: object, uri: Uri) -> nn.Module | Predictor | PredictFunction:
    if isinstance(found, nn.Module | Predictor):
        return found
    if not callable(found):
        raise ModelError(f"{uri.text}: {_EXPECTED}; got {type(found).__name__}.")
    required = _required_arguments(found)
    if required == 1 and not isinstance(found, type):
        return found
    if required:
        raise ModelError(f"{uri.text}: {_EXPECTED}; got one with {required} required arguments.")
    made: object = found()
    if isinstance(made, nn.Module | Predictor) or callable(made):
        return made
    raise ModelError(
        f"{uri.text}: expected a model from it, it returned {type(made).__name__}. Return an "
        "nn.Module or a function that predicts."
    )


def _required_arguments(function: Callable[..., object]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1  # built-in functions may have no signature; the first call will tell
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return sum(p.default is p.empty and p.kind not in variadic for p in parameters)


def _refuse_options(uri: Uri, built: nn.Module | Predictor) -> None:
    """Raises ModelError where a URI has options that are for plain functions only."""
    if uri.options:
        kind = "an nn.Module" if isinstance(built, nn.Module) else f"a {type(built).__name__}"
        raise ModelError(
            f"{uri.text}: {', '.join(uri.options)}: for plain functions only; this is {kind}. "
            "Leave everything from the question mark on away."
        )


def _module(
    module: nn.Module, uri: Uri, source: Path | None, device: torch.device
) -> DifferentiableClassifier:
    code = hashlib.sha256(source.read_bytes()).hexdigest() if source else ""
    card = ModelCard(uri=uri.text, fingerprint=fingerprint_of(module, code))
    return DifferentiableClassifier(module, card, device)


def _black_box(
    function: PredictFunction, uri: Uri, policy: CallPolicy, *, name: str
) -> FunctionPredictor:
    version = uri.options.get(VERSION)
    bare = uri.text.partition("?")[0]
    if not version:
        raise ModelError(
            f"{uri.text}: what answers behind a plain function can't be seen from its code: write "
            f"{bare}?version=NAME, with another name whenever its answers may have changed."
        )
    # How it is asked changes no answer, and isn't what a table should call it.
    card = versioned_card(function, uri=f"{bare}?version={version}", name=name, version=version)
    return FunctionPredictor(function, card, policy)
