"""Names that Windows gives to devices: a file that is called so can be written on every other system only.

Microsoft, *Naming Files, Paths, and Namespaces*: in any case, and whatever follows a dot.
"""

__all__ = ["is_device_name"]

import re

_DEVICES = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)", re.IGNORECASE
)


def is_device_name(name: str) -> bool:
    """Whether Windows takes the name of a file or of a folder for a device."""
    return _DEVICES.match(name) is not None
