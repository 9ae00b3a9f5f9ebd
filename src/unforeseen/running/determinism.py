"""``--deterministic``: the same bits again on the same machine, as far as torch can.

Torch's deterministic kernels are chosen for a while; the operations that have none go on as they
are and are named.
"""

__all__ = ["deterministic_algorithms"]

import os
import re
import warnings
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from typing import TextIO

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

#: How torch warns of an operation that has no deterministic kernel, and where it names it.
_NAMED = (
    re.compile(r"(\S+) does not have a deterministic implementation"),
    re.compile(r".*not deterministic because it uses (CuBLAS)", re.DOTALL),
    re.compile(r"(.+?) defaults to a non-deterministic algorithm"),
)
#: Sizes of cuBLAS' workspaces with which its results don't depend on what runs beside it.
_CUBLAS = ("CUBLAS_WORKSPACE_CONFIG", ":4096:8")


@contextmanager
def deterministic_algorithms(device: torch.device) -> Iterator[Collection[str]]:
    """Makes torch deterministic while the block lasts, and puts every setting back after it.

    Args:
        device: Where the work is done. On CUDA attention is computed in its plain form, whose
            gradient is the only deterministic one here, and cuBLAS is given fixed workspaces: that
            helps only before its first use in the process (later it is named).

    Yields:
        Names of the operations met so far that aren't deterministic, as torch calls them.
    """
    names: set[str] = set()
    with ExitStack() as restored:
        restored.callback(torch.set_deterministic_debug_mode, torch.get_deterministic_debug_mode())
        torch.set_deterministic_debug_mode("warn")
        # Some operations warn once in a process, which may have been before.
        restored.callback(torch.set_warn_always, torch.is_warn_always_enabled())
        torch.set_warn_always(True)
        for flag, value in (("deterministic", True), ("benchmark", False)):
            restored.callback(
                setattr, torch.backends.cudnn, flag, getattr(torch.backends.cudnn, flag)
            )
            setattr(torch.backends.cudnn, flag, value)
        if device.type == "cuda":
            _give_cublas_workspaces(restored)
            restored.enter_context(sdpa_kernel(SDPBackend.MATH))
        restored.enter_context(_collecting(names))
        yield names


def _give_cublas_workspaces(restored: ExitStack) -> None:
    variable, value = _CUBLAS
    if variable not in os.environ:
        restored.callback(os.environ.pop, variable, None)
        os.environ[variable] = value


@contextmanager
def _collecting(names: set[str]) -> Iterator[None]:
    """Takes torch's warnings of nondeterministic operations; all others pass."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def collect(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            name = _operation(str(message))
            if name is None:
                show(message, category, filename, lineno, file, line)
            else:
                names.add(name)

        warnings.filterwarnings("always", message=r"(?s).*deterministic", category=UserWarning)
        warnings.showwarning = collect
        yield


def _operation(warning: str) -> str | None:
    found = next((match for form in _NAMED if (match := form.match(warning))), None)
    return None if found is None else found[1]
