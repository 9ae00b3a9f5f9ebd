"""Each system's own place for caches."""

from pathlib import Path

import pytest

from unforeseen.cache_folder import cache_folder

HOME = Path.home()


@pytest.mark.parametrize(
    ("environment", "platform", "folder"),
    [
        ({}, "linux", HOME / ".cache" / "unforeseen"),
        ({"XDG_CACHE_HOME": "/tmp/caches"}, "linux", Path("/tmp/caches/unforeseen")),
        ({"XDG_CACHE_HOME": ""}, "linux", HOME / ".cache" / "unforeseen"),
        ({"XDG_CACHE_HOME": "/tmp/caches"}, "darwin", HOME / "Library" / "Caches" / "unforeseen"),
        ({"LOCALAPPDATA": "/local"}, "win32", Path("/local/unforeseen")),
        ({}, "win32", HOME / "AppData" / "Local" / "unforeseen"),
        ({"UNFORESEEN_CACHE": "/mine", "XDG_CACHE_HOME": "/x"}, "linux", Path("/mine")),
    ],
)
def test_it_is_where_the_system_keeps_caches_unless_a_variable_names_it(
    environment: dict[str, str], platform: str, folder: Path
) -> None:
    assert cache_folder(environment, platform) == folder
