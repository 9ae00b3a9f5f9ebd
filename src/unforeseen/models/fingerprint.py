"""Fingerprints: two models with the same one compute the same function.

A run is continued only with a model of the same fingerprint, so whatever changes the outputs
should change it, and a move to another device or memory layout must not.
"""

__all__ = [
    "fingerprint_of",
    "fingerprint_of_bytes",
    "fingerprint_of_function",
    "fingerprint_of_tensors",
]

import functools
import hashlib
import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType

import torch
from torch import Tensor, nn
from torch.nn.parameter import is_lazy

from unforeseen.errors import ModelError

_LENGTH = 32

#: Their classes print all that matters; their source is the environment's, not the model's. (Ours
#: normalise, and hold mean and std as buffers.)
_LIBRARIES = ("torch", "torchvision", "timm", "unforeseen")

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def fingerprint_of(module: nn.Module, *extra: object) -> str:
    """Hashes what a module is and holds.

    That is: its printed structure; parameters and buffers, persistent or not; and for classes
    outside torch, torchvision, timm and this package also their source files and the plain values
    and tensors among their attributes. Not seen: hooks, and what the source files import.

    Args:
        module: Any module; it isn't changed.
        *extra: Further things that the outputs depend on.

    Returns:
        32 hexadecimal digits.

    Raises:
        ModelError: A tensor has no values: it is on the meta device, or waits for its shape.
    """
    digest = hashlib.sha256(_scrub(repr((repr(module), extra))).encode())
    tensors = dict(module.named_buffers()) | {
        name: value for name, value in module.state_dict().items() if isinstance(value, Tensor)
    }
    for name, value in _own_attributes(module):
        if isinstance(value, Tensor):
            tensors[name] = value
        else:
            digest.update(f"{name}={value!r}".encode())
    _add_tensors(digest, tensors)
    for source in _own_sources(module):
        digest.update(source.encode())
    return digest.hexdigest()[:_LENGTH]


def fingerprint_of_tensors(tensors: Mapping[str, Tensor], *extra: object) -> str:
    """Hashes names, types, shapes and values of tensors, and ``extra``."""
    digest = hashlib.sha256(repr(extra).encode())
    _add_tensors(digest, tensors)
    return digest.hexdigest()[:_LENGTH]


def fingerprint_of_bytes(data: bytes, *extra: object) -> str:
    """Hashes a file's bytes, and ``extra``."""
    return hashlib.sha256(repr((hashlib.sha256(data).hexdigest(), extra)).encode()).hexdigest()[
        :_LENGTH
    ]


def fingerprint_of_function(function: Callable[..., object], *extra: object) -> str:
    """Hashes a function's name, code and the content of the file that it is written in.

    Where that file lies makes no difference. What a closure, a callable object or a global variable
    holds isn't seen, so that two functions with the same may answer differently.

    Args:
        function: A function, a bound method or an object with ``__call__``.
        *extra: Further things that the outputs depend on.
    """
    while isinstance(function, functools.partial):
        extra = (*extra, function.args, sorted(function.keywords.items()))
        function = function.func
    function = inspect.unwrap(function)
    code = getattr(function, "__code__", None)
    own = (code.co_firstlineno, _code(code)) if code else ()
    name = getattr(function, "__qualname__", type(function).__qualname__)
    source = _source_of(function if code else type(function))
    return fingerprint_of_bytes(source.encode(), name, _scrub(repr((own, extra))))


def _code(code: CodeType) -> str:
    """What code does: its instructions, names and constants."""
    return repr((code.co_code.hex(), code.co_names, _constant(code.co_consts)))


def _constant(value: object) -> str:
    """A constant of code in text that is the same in every process."""
    if isinstance(value, CodeType):  # prints the path of its file
        return _code(value)
    if isinstance(value, frozenset):  # prints in the order of its hashes
        return f"frozenset({sorted(map(_constant, value))})"
    if isinstance(value, tuple):
        return f"tuple({list(map(_constant, value))})"
    return repr(value)


def _add_tensors(digest: "hashlib._Hash", tensors: Mapping[str, Tensor]) -> None:
    for name, tensor in sorted(tensors.items()):
        if tensor.is_meta:
            raise ModelError(
                f"expected a model with its weights, but {name} is on the meta device and has no "
                "values: its weights were not loaded. Load them, then use the model."
            )
        if is_lazy(tensor):
            raise ModelError(
                f"expected a model with its weights, but {name} is of a lazy module such as LazyLinear and "
                "has neither shape nor values. Call the model on a batch once, or load its weights, where "
                "it is made."
            )
        digest.update(f"{name}{tensor.dtype}{tuple(tensor.shape)}".encode())
        flat = tensor.detach().cpu().flatten()
        digest.update(flat.view(torch.uint8).numpy().data)


def _own_modules(module: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """The modules whose class is the user's."""
    for name, part in module.named_modules():
        if type(part).__module__.partition(".")[0] not in _LIBRARIES:
            yield name, part


def _own_attributes(module: nn.Module) -> Iterator[tuple[str, object]]:
    for name, part in _own_modules(module):
        for key, value in sorted(vars(part).items()):
            plain = isinstance(value, bool | int | float | str | Tensor) or (
                isinstance(value, tuple | list)
                and all(isinstance(item, bool | int | float | str) for item in value)
            )
            if plain and key != "training" and not key.startswith("_"):
                yield f"{name}.{key}", value


def _own_sources(module: nn.Module) -> list[str]:
    return sorted({_source_of(type(part)) for _, part in _own_modules(module)})


def _source_of(thing: object) -> str:
    """A hash of the file that defines ``thing``; empty where there is none, e.g. in a console."""
    try:
        file = inspect.getsourcefile(thing)  # type: ignore[arg-type]  # typed narrower than it is
        return hashlib.sha256(Path(file).read_bytes()).hexdigest() if file else ""
    except (TypeError, OSError):
        return ""


def _scrub(text: str) -> str:
    """Without memory addresses, which differ from run to run."""
    return _ADDRESS.sub("", text)
