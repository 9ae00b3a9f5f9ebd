"""Which names Windows takes for devices."""

import pytest

from unforeseen.windows_names import is_device_name


@pytest.mark.parametrize("name", ["con", "NUL", "aux.jpg", "Com1.tar.gz", "lpt²", "prn .png"])
def test_devices_are_known_in_any_case_and_with_any_ending(name: str) -> None:
    assert is_device_name(name)


@pytest.mark.parametrize("name", ["console", "com", "com10", "a.con", "con-1", "_con", ""])
def test_other_names_are_not(name: str) -> None:
    assert not is_device_name(name)
