"""What a record says of packs, which may be mixed and may be a stranger's."""

from typing import Any

import pytest

from unforeseen.errors import RunError
from unforeseen.run_folder.recorded_assets import RecordedAssets

ICONS = RecordedAssets(fingerprints={"icon": "a"}, folders={"icon": "mine"}, own=("icon",))
PHOTOS = RecordedAssets(
    fingerprints={"icon": "b", "photo": "c"}, folders={"icon": None, "photo": None}, own=()
)


def test_what_is_written_is_what_is_read() -> None:
    for each in (ICONS, PHOTOS):
        assert RecordedAssets.from_record(each.to_record()) == each


def test_of_each_kind_what_was_taken_last_stands() -> None:
    assert ICONS.and_then(PHOTOS) == PHOTOS
    both = PHOTOS.and_then(ICONS)
    assert both.fingerprints == {"icon": "a", "photo": "c"}
    assert both.folders == {"icon": "mine", "photo": None}
    assert both.own == ("icon",)


def test_one_folder_of_all_kinds_is_read_too() -> None:
    """Records had one at first."""
    old = {"folder": "mine", "fingerprints": {"icon": "a"}, "own": ["icon"]}
    assert RecordedAssets.from_record(old) == ICONS


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"own": [{"a": 1}]}, "own: expected names of kinds"),
        ({"own": [["icon"]]}, "own: expected names of kinds"),
        ({"own": "icon"}, "own: expected a list"),
        ({"own": None}, "own: expected a list"),
        ({"fingerprints": {"icon": 1}}, "icon: expected text"),
        ({"fingerprints": []}, "fingerprints: expected an object"),
        ({"folders": {"icon": 1}}, "folders: icon: expected text or null"),
        ({"folders": ["icon"]}, "folders: expected an object"),
        ({"folders": None}, "folders: expected an object"),
    ],
)
def test_what_is_of_another_type_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(RunError, match=says):
        RecordedAssets.from_record(ICONS.to_record() | change)


@pytest.mark.parametrize("folder", [1, ["mine"], {"icon": "mine"}])
def test_also_an_old_ones_folder(folder: object) -> None:
    with pytest.raises(RunError, match="expected text or null"):
        RecordedAssets.from_record({"folder": folder, "fingerprints": {"icon": "a"}, "own": []})
