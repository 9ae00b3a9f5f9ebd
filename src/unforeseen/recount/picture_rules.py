"""Rules about ``pictures.parquet`` and about which pictures rows are of."""

__all__ = ["check_choice", "listed_labels"]

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from unforeseen.recount.violations import Violations
from unforeseen.run_folder.picture_list import PICTURES_FILE, ListedPicture
from unforeseen.run_folder.planned import PlannedRun
from unforeseen.run_folder.record import RECORD_FILE

_ALL_CHOSEN = "the pictures are those that were chosen"
_NO_MORE = "there are no more pictures than were chosen"


def listed_labels(
    record: Mapping[str, Any],
    run: PlannedRun,
    listed: Collection[ListedPicture] | None,
    violations: Violations,
) -> Mapping[str, int | None] | None:
    """Holds the list of pictures against the record and against itself.

    Args:
        record: The run's.
        run: What was read from it.
        listed: The list, or None where there is none.
        violations: Where broken rules go.

    Returns:
        Label by example id; None where there is no list.
    """
    if listed is None:
        violations.add("the run's pictures are listed", f"{PICTURES_FILE} is missing or damaged")
        return None
    labels: dict[str, int | None] = {}
    names: dict[int, str | None] = {}
    label_of: dict[str, int] = {}
    for each in listed:
        where = f"{PICTURES_FILE}, picture {str(each.example_id)[:60]}"
        if each.example_id is None or each.file is None or each.label is None:
            violations.add("a listed picture has an id, a file and a label", where)
            continue
        if each.example_id in labels:
            violations.add("each picture is listed once", where)
            continue
        labels[each.example_id] = each.label
        # Classes of the data's own are recorded by label; of others, one name is one label's.
        name = (
            _own_name(run, each.label) if run.classes else names.setdefault(each.label, each.name)
        )
        if each.name != name or (
            each.name is not None and label_of.setdefault(each.name, each.label) != each.label
        ):
            seen = {"label": each.label, "class": each.name}
            violations.add("a class is its label's, in words", where, seen)
    # Between record and list a run may have been killed: then there are fewer.
    _check_count(record, run, labels, f"{PICTURES_FILE}, {RECORD_FILE}", violations)
    return labels


def check_choice(
    record: Mapping[str, Any], run: PlannedRun, clean: Collection[str], violations: Violations
) -> None:
    """Where all chosen pictures have clean rows, they must be those that were chosen."""
    _check_count(record, run, clean, RECORD_FILE, violations)


def _check_count(
    record: Mapping[str, Any],
    run: PlannedRun,
    ids: Collection[str],
    where: str,
    violations: Violations,
) -> None:
    subset = hashlib.sha256("\n".join(sorted(ids)).encode()).hexdigest()[:32]
    if len(ids) > run.images:
        violations.add(_NO_MORE, where, {"pictures": len(ids), "chosen": run.images})
    elif len(ids) == run.images and subset != record["data"].get("subset"):
        violations.add(_ALL_CHOSEN, where, {"subset": subset})


def _own_name(run: PlannedRun, label: int) -> str | None:
    return run.classes[label] if 0 <= label < len(run.classes) else None
