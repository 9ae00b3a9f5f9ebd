"""Which device a model goes to."""

__all__ = ["choose_device", "choose_device_for_training"]

import torch

from unforeseen.errors import UserError


def choose_device(device: str | torch.device | None = None) -> torch.device:
    """Turns what the user said into a device that is there.

    Args:
        device: ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"mps"`` …; None takes cuda if there is one,
            else mps, else the CPU.

    Raises:
        UserError: The name means nothing to torch, or no such device is available.
    """
    if device is None:
        return torch.device(_available()[0])
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise UserError(
            f"unknown device {device!r}: expected cuda (a graphics card; cuda:1 is the second one), "
            f"mps (Apple's) or cpu. There is here: {', '.join(_available())}."
        ) from error
    if chosen.type not in _available():
        raise UserError(
            f"device {str(device)!r} is not available here: expected one of "
            f"{', '.join(_available())}."
        )
    if chosen.type == "cuda" and (chosen.index or 0) >= torch.cuda.device_count():
        raise UserError(
            f"device {str(device)!r} is not available here: there are "
            f"{torch.cuda.device_count()} CUDA devices, counted from 0."
        )
    return chosen


def choose_device_for_training(device: str | None = None) -> torch.device:
    """As :func:`choose_device`, but mps has to be asked for: torch lacks gradients of some steps there.

    Raises:
        UserError: As of :func:`choose_device`.
    """
    chosen = choose_device(device)
    return torch.device("cpu") if device is None and chosen.type == "mps" else chosen


def _available() -> list[str]:
    """Device types, the preferred one first."""
    there_is = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    return [kind for kind, available in there_is.items() if available]
