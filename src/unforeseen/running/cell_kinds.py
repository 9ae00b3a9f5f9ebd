"""What a run consists of. A cell is all that changes results; its id is a hash of that.

There are as many kinds as ways in which a picture comes to be judged.
"""

__all__ = [
    "AttackedCell",
    "Cell",
    "CleanCell",
    "JudgedCell",
    "ObfuscatedCell",
    "ReadyMadeCell",
    "TransferredCell",
]

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, final

from typing_extensions import override

from unforeseen.preprocessing import Preprocessing
from unforeseen.rows import CLEAN
from unforeseen.search.search import Search
from unforeseen.transforms.assets.manifest import AssetKind
from unforeseen.transforms.base import AnyAttack
from unforeseen.transforms.obfuscation import AnyObfuscation
from unforeseen.transforms.python_attacks import code_of

#: Raised whenever the evaluation of unattacked pictures changes.
CLEAN_VERSION = 1
#: Raised whenever the evaluation of stored pictures changes.
TRANSFER_VERSION = 1
#: Raised whenever obfuscating pictures and judging them changes.
OBFUSCATION_VERSION = 1
#: Likewise of several draws; before 2, a misclassified draw was kept rather than one of higher loss.
WORST_OF_VERSION = 2
#: Raised whenever the evaluation of pictures changes that were obfuscated before.
READY_MADE_VERSION = 1


@dataclass(frozen=True, kw_only=True)
class _Cell(ABC):
    """One transform at one level, for one model.

    Attributes:
        transform: The attack's or obfuscation's name in the benchmark, or ``clean``.
        level: ``low``, ``medium``, ``high`` of an attack; else empty.
        radius: ε of an attack; else 0.
        model: Fingerprint of the model.
        head: Hash of what maps its outputs to classes; None where they are the classes.
        preprocessing: What happens to a picture first.
        eot: Forward passes that every evaluation takes the mean of, the search's too.
    """

    transform: str
    level: str
    radius: float
    model: str
    head: str | None = None
    preprocessing: Preprocessing
    eot: int = 1

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Everything that changes results, as JSON can hold it."""
        identity: dict[str, Any] = {
            "transform": self.transform,
            "level": self.level,
            "radius": self.radius,
            "model": self.model,
            "preprocessing": asdict(self.preprocessing),
            "precision": "float32",
        }
        # Cells of before there was a choice keep their ids.
        if self.head is not None:
            identity["head"] = self.head
        if self.eot != 1:
            identity["eot"] = self.eot
        return identity | self._identity_of_kind()

    @cached_property
    def id(self) -> str:
        """32 hex digits of SHA-256 of :attr:`identity`."""
        canonical = json.dumps(self.identity, sort_keys=True, ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]

    def to_record(self) -> dict[str, Any]:
        """For a run's record: the id, what stands behind it, and where reports look besides."""
        return {"id": self.id} | self.identity | self._beside_identity()

    @abstractmethod
    def _identity_of_kind(self) -> dict[str, Any]:
        """What changes results in cells of this kind only."""

    @abstractmethod
    def _beside_identity(self) -> dict[str, Any]:
        """What a record says besides."""


@final
@dataclass(frozen=True, kw_only=True)
class CleanCell(_Cell):
    """The pictures as they are."""

    transform: str = CLEAN
    level: str = ""
    radius: float = 0.0

    @override
    def _identity_of_kind(self) -> dict[str, Any]:
        return {"version": CLEAN_VERSION}

    @override
    def _beside_identity(self) -> dict[str, Any]:
        return {}


@final
@dataclass(frozen=True, kw_only=True)
class AttackedCell(_Cell):
    """Pictures that a search attacks.

    Attributes:
        attack: What makes the pictures.
        search: What optimises them.
    """

    attack: AnyAttack
    search: Search

    @property
    def seed(self) -> int:
        """Of every draw."""
        return self.search.seed

    @override
    def _identity_of_kind(self) -> dict[str, Any]:
        identity: dict[str, Any] = {}
        if self.attack.unseen_updates:
            identity["unseen_updates"] = self.attack.unseen_updates
        if not self.attack.start_is_projected:
            identity["start_is_projected"] = False
        if self.attack.needs_donor:
            identity["needs_donor"] = True
        code = code_of(type(self.attack))
        if code is not None:
            identity |= {"code": code.sha256, "class": type(self.attack).__qualname__}
        search = asdict(self.search)
        del search["loss"], search["eot"]
        movement = self.search.movement
        settings = search.pop("movement")
        return identity | {
            "version": self.attack.version,
            **({} if self.attack.name == self.transform else {"attack": self.attack.name}),
            "parameters": asdict(self.attack),
            "search": {"name": movement.name, "version": movement.version} | settings | search,
            "loss": self.search.loss,
        }

    @override
    def _beside_identity(self) -> dict[str, Any]:
        return {"steps": self.search.steps}


@final
@dataclass(frozen=True, kw_only=True)
class TransferredCell(_Cell):
    """Stored pictures that were made against another model; nothing is searched for.

    Attributes:
        source: The other model's cell, of the same transform, level and radius.
    """

    source: AttackedCell

    @property
    def seed(self) -> int:
        """Of every draw that made the pictures."""
        return self.source.seed

    @override
    def _identity_of_kind(self) -> dict[str, Any]:
        return {"source": self.source.id, "version": TRANSFER_VERSION}

    @override
    def _beside_identity(self) -> dict[str, Any]:
        return {"steps": self.source.search.steps, "source_cell": self.source.to_record()}


@final
@dataclass(frozen=True, kw_only=True)
class ObfuscatedCell(_Cell):
    """Pictures that are obfuscated as they are needed.

    Attributes:
        obfuscation: What makes the pictures.
        assets: Fingerprint of each kind of assets that it takes; None where it takes none.
        seed: Of every draw.
        draws: How many obfuscated pictures are judged of each, of which the worst is kept.
    """

    level: str = ""
    radius: float = 0.0
    obfuscation: AnyObfuscation
    assets: Mapping[AssetKind, str] | None
    seed: int
    draws: int = 1

    @override
    def _identity_of_kind(self) -> dict[str, Any]:
        identity: dict[str, Any] = {
            "version": OBFUSCATION_VERSION if self.draws == 1 else WORST_OF_VERSION,
            "obfuscation": {"version": self.obfuscation.version} | asdict(self.obfuscation),
            "seed": self.seed,
        }
        if self.assets is not None:
            identity["assets"] = dict(self.assets)
        if self.draws != 1:
            identity["draws"] = self.draws
        return identity

    @override
    def _beside_identity(self) -> dict[str, Any]:
        return {}


@final
@dataclass(frozen=True, kw_only=True)
class ReadyMadeCell(_Cell):
    """Pictures that were obfuscated before.

    Attributes:
        made: Fingerprint of how they were.
        files: Hash of the files' names and sizes; None where ``made`` says which these are.
        seed: The run's; nothing is drawn with it.
    """

    level: str = ""
    radius: float = 0.0
    made: str
    files: str | None = None
    seed: int

    @override
    def _identity_of_kind(self) -> dict[str, Any]:
        identity: dict[str, Any] = {"version": READY_MADE_VERSION, "made": self.made}
        return identity if self.files is None else identity | {"files": self.files}

    @override
    def _beside_identity(self) -> dict[str, Any]:
        return {}


#: Whose pictures are judged beside the clean ones.
JudgedCell = AttackedCell | TransferredCell | ObfuscatedCell | ReadyMadeCell
Cell = CleanCell | JudgedCell
