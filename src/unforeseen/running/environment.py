"""On what something was computed, as records hold it."""

__all__ = ["environment_of"]

import platform
import sys
from typing import Any

import torch


def environment_of(device: torch.device) -> dict[str, Any]:
    """Versions, platform, device and threads, as JSON can hold them."""
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor()
    return {
        "python": sys.version.split()[0],
        "torch": torch.__version__,
        "platform": platform.platform(),
        "device": str(device),
        "device_name": name,
        "threads": torch.get_num_threads(),
    }
