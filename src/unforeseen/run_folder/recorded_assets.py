"""Which photos, icons … a run of obfuscations took, by its record: of each kind, as packs may be mixed."""

__all__ = ["RecordedAssets"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, final

from unforeseen.run_folder.recorded import taken, unexpected


@final
@dataclass(frozen=True, kw_only=True)
class RecordedAssets:
    """Of all kinds that a run's obfuscations take.

    Attributes:
        fingerprints: Of each kind.
        folders: By kind, the pack as it was typed at last; None of the one that ships.
        own: Kinds that aren't those that ship.
    """

    fingerprints: Mapping[str, str]
    folders: Mapping[str, str | None]
    own: tuple[str, ...]

    @classmethod
    def from_record(cls, content: Mapping[str, Any]) -> Self:
        """Checks what a record says, which may be a stranger's.

        Raises:
            RunError: Something is missing or of another type.
        """
        fingerprints = taken(content, "fingerprints", dict)
        # Records had one folder for all kinds at first.
        folders = (
            taken(content, "folders", dict)
            if "folders" in content
            else dict.fromkeys(fingerprints, content.get("folder"))
        )
        for kind in fingerprints:
            if not isinstance(folders.get(kind), str | None):
                raise unexpected(f"folders: {kind}", "text or null", folders[kind])
        own = taken(content, "own", list)
        for kind in own:
            if not isinstance(kind, str):
                raise unexpected("own", "names of kinds", kind)
        return cls(
            fingerprints={kind: taken(fingerprints, kind, str) for kind in fingerprints},
            folders={kind: folders.get(kind) for kind in fingerprints},
            own=tuple(own),
        )

    def to_record(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "folders": dict(self.folders),
            "fingerprints": dict(self.fingerprints),
            "own": sorted(self.own),
        }

    def and_then(self, later: Self) -> Self:
        """Of a run that was gone on with: what was taken later stands."""
        own = {*self.own} - later.fingerprints.keys() | {*later.own}
        return type(self)(
            fingerprints={**self.fingerprints, **later.fingerprints},
            folders={**self.folders, **later.folders},
            own=tuple(sorted(own)),
        )
