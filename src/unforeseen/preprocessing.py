"""What happens to a picture between its file and the attack.

Imported by models (which declare it), data (which apply it) and reports (which print it), so
it imports nothing heavy.
"""

__all__ = ["Interpolation", "Preprocessing"]

from dataclasses import dataclass
from typing import Literal

Interpolation = Literal["bilinear", "bicubic", "nearest", "lanczos"]


@dataclass(frozen=True, kw_only=True)
class Preprocessing:
    """Resize, then crop the centre; both None leaves the picture as it is.

    Attributes:
        resize: Length of the shorter side in pixels after resizing (antialiased); (height, width)
            stretches every picture to these sides; None doesn't resize.
        crop: (height, width) in pixels of the centre crop, or None.
        interpolation: How to resize.
        exif_rotation: Whether a camera's rotation tag is obeyed. ImageNet benchmarks ignore it,
            as the field does.
    """

    resize: int | tuple[int, int] | None = None
    crop: tuple[int, int] | None = None
    interpolation: Interpolation = "bicubic"
    exif_rotation: bool = False

    def in_words(self) -> str:
        """What is done, in the order in which it is done."""
        done = []
        if isinstance(self.resize, tuple):
            height, width = self.resize
            done.append(f"resized to {width}×{height} ({self.interpolation})")
        elif self.resize is not None:
            done.append(f"shorter side to {self.resize} ({self.interpolation})")
        if self.crop is not None:
            height, width = self.crop
            done.append(f"centre crop {width}×{height}")
        return ", ".join(done) or "left as they are"

    @property
    def changes_size(self) -> bool:
        """Whether pictures come out in another size than they have."""
        return self.resize is not None or self.crop is not None
