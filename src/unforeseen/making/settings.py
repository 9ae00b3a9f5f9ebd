"""What somebody asks for who makes obfuscated data, and how a folder records it."""

__all__ = ["MakingOptions", "record_of", "refuse_other"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from unforeseen.counted import counted
from unforeseen.data.dataset import Dataset
from unforeseen.data.identity import subset_hash
from unforeseen.errors import RunError, UserError, shown
from unforeseen.obfuscated_folder.layout import Format
from unforeseen.obfuscated_folder.record import LARGEST_SEED, Encoding, MadeRecord
from unforeseen.preprocessing import Preprocessing
from unforeseen.transforms.obfuscation import SMALLEST_SIDE, AnyObfuscation
from unforeseen.whole import whole_number

_PICTURES_OF_A_BATCH = 500
_REFERENCE_SIDE = 224
_LARGEST_SIDE = 4096


@dataclass(frozen=True, kw_only=True)
class MakingOptions:
    """What is asked for.

    Attributes:
        format: How the pictures lie.
        encoding: How they are encoded.
        quality: Of JPEG, 1 … 100; None takes 95.
        size: Side of the pictures in pixels.
        seed: Of every draw and of the choice of pictures.
        limit: How many pictures; None takes all.
        batch: How many pictures are one batch, or shard; None takes 500, of larger ones than 224×224
            as many as take the same room.
    """

    format: Format = "imagefolder"
    encoding: Encoding = "png"
    quality: int | None = None
    size: int = 224
    seed: int = 0
    limit: int | None = None
    batch: int | None = None

    def __post_init__(self) -> None:
        whole_number("seed", self.seed, minimum=0, maximum=LARGEST_SEED)
        whole_number("size", self.size, minimum=SMALLEST_SIDE)
        if self.size > _LARGEST_SIDE:
            raise UserError(f"size: expected at most {_LARGEST_SIDE} pixels, got {self.size:,}.")
        if self.quality is not None:
            whole_number("quality", self.quality, minimum=1)
            if self.encoding != "jpeg":
                raise UserError("quality: PNG keeps every bit and has none; give --encoding jpeg.")
            if self.quality > 100:
                raise UserError(f"quality: expected 1 to 100, got {self.quality}.")

    @property
    def jpeg_quality(self) -> int | None:
        """The quality, where there is one."""
        return (self.quality or 95) if self.encoding == "jpeg" else None

    @property
    def pictures_of_a_batch(self) -> int:
        """How many pictures are one batch."""
        return self.batch or max(1, _PICTURES_OF_A_BATCH * _REFERENCE_SIDE**2 // self.size**2)


def record_of(
    options: MakingOptions,
    preprocessing: Preprocessing,
    dataset: Dataset,
    ids: Sequence[str],
    obfuscations: Mapping[str, AnyObfuscation],
    assets: str | None,
) -> MadeRecord:
    """How a folder will say that it was made.

    Args:
        options: What is asked for.
        preprocessing: Whose interpolation and rotation hold.
        dataset: The pictures' source.
        ids: Of all pictures that are taken.
        obfuscations: By name.
        assets: Fingerprint of the kinds of assets that they take, where they take any.
    """
    card = dataset.card
    return MadeRecord(
        data=card.uri,
        pictures=len(ids),
        pictures_hash=subset_hash(ids),
        label_space=card.label_space,
        classes=int(dataset.labels.max()) + 1,
        class_names=card.class_names,
        seed=options.seed,
        limit=options.limit,
        size=options.size,
        interpolation=preprocessing.interpolation,
        exif_rotation=preprocessing.exif_rotation,
        obfuscations={name: each.settings for name, each in obfuscations.items()},
        assets=assets,
        format=options.format,
        encoding=options.encoding,
        quality=options.jpeg_quality,
        batch=options.pictures_of_a_batch,
    )


def refuse_other(folder: Path, there: MadeRecord, asked: MadeRecord) -> None:
    """Refuses to go on with a folder that was made otherwise, or of other pictures.

    Raises:
        RunError: Says what differs.
    """
    there, asked = there.settled(), asked.settled()
    # First what was asked for, of which the rest comes. The same pictures may lie elsewhere by now.
    follows = ("pictures", "pictures_hash", "classes", "data")
    names = [field.name for field in fields(MadeRecord) if field.name not in follows]
    for name in (*names, *follows[:-1]):
        one, other = getattr(there, name), getattr(asked, name)
        if one != other:
            raise RunError(
                f"{folder} was begun with other settings: {_difference(name, one, other)}. "
                "Use another --out, or the settings that it was begun with."
            )


def _difference(name: str, one: object, other: object) -> str:
    if name == "obfuscations" and isinstance(one, Mapping) and isinstance(other, Mapping):
        if [*one] != [*other]:
            return f"obfuscations are {', '.join(one)}, asked for are {', '.join(other)}"
        changed = [each for each in one if one[each] != other[each]]
        return f"{', '.join(changed)} draws from other ranges, or is of another version"
    if name == "pictures" and isinstance(one, int) and isinstance(other, int):
        return f"it was of {counted(one, 'picture')}, now there are {other:,}"
    words = {
        "pictures_hash": "the pictures that it is made of are others",
        "class_names": "the classes are called otherwise",
        "assets": "the assets are others",
    }
    return words.get(name) or f"{name} is {shown(one)}, asked for is {shown(other)}"
