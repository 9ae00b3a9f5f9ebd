"""``py:package.module:name`` and ``py:path/to/file.py:name``: models from the user's own code.

This runs that code. Only a name that the user typed comes here, never one from a file.
"""

__all__ = ["load_python"]

import inspect
from collections.abc import Callable
from pathlib import Path

import torch
from torch import nn

from unforeseen.errors import ModelError, UserError
from unforeseen.models.call_policy import CALL_OPTIONS, CallPolicy
from unforeseen.models.calls import PredictFunction
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.models.fingerprint import fingerprint_of
from unforeseen.models.function_predictor import FunctionPredictor, versioned_card
from unforeseen.python_files import PythonName, taken_from
from unforeseen.uri import Uri

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
    wanted = PythonName.parse(uri.path)
    if wanted is None:
        raise UserError(
            f"{uri.text!r}: expected py:package.module:NAME or py:path/to/file.py:NAME, where NAME "
            "is a model, a function that makes one, or a function that predicts."
        )
    with taken_from(
        wanted, folder=Path.cwd(), said=uri.text, error=ModelError, meant=_is_model
    ) as taken:
        built = _build(taken.value, uri)
    if isinstance(built, nn.Module | Predictor):
        _refuse_options(uri, built)
        return built if isinstance(built, Predictor) else _module(built, uri, taken.sha256, device)
    file = wanted.file(Path.cwd())
    name = f"{file.stem if file else wanted.where}.{wanted.name}"
    return _black_box(built, uri, policy, name=name)


def _is_model(value: object) -> bool:
    return isinstance(value, nn.Module | Predictor)


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
    module: nn.Module, uri: Uri, code: str, device: torch.device
) -> DifferentiableClassifier:
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
