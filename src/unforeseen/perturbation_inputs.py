"""What :func:`unforeseen.perturb` accepts as pictures, labels, radii and donors."""

__all__ = ["checked_images", "checked_labels", "donors_of", "radii_of"]

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from unforeseen.benchmarks.levels import Level, level_named
from unforeseen.data.donors import order_of_picks
from unforeseen.errors import ImageError, UserError

#: How far outside [0, 1] rounding may have carried a pixel.
_RANGE_TOLERANCE = 1e-6


def checked_images(x: Tensor) -> Tensor:
    """Accepts RGB pictures in [0, 1]; clamps what rounding carried over the edge by ≤ 1e-6.

    Args:
        x: (B, 3, H, W).

    Raises:
        ImageError: Anything else.
    """
    got = f"{tuple(x.shape)} of {x.dtype}" if isinstance(x, Tensor) else type(x).__name__
    if not isinstance(x, Tensor) or x.ndim != 4 or x.shape[1] != 3 or len(x) == 0:
        hint = ""
        if isinstance(x, Tensor) and x.ndim == 4 and x.shape[1] == 1:
            hint = " Repeat a grey-scale picture's channel: x.expand(-1, 3, -1, -1)."
        elif isinstance(x, Tensor) and x.ndim == 4 and x.shape[-1] == 3:
            hint = " Put the channels second: x.permute(0, 3, 1, 2)."
        elif isinstance(x, Tensor) and x.ndim == 3:
            hint = " Add an axis to a single picture: x[None]."
        raise ImageError(f"x: expected RGB pictures (B, 3, H, W), got {got}.{hint}")
    if not x.is_floating_point():
        raise ImageError(
            f"x: expected floating point in [0, 1], got {x.dtype}; for 8-bit pictures: x / 255."
        )
    if min(x.shape[2:]) < 32:
        raise ImageError(f"x: expected at least 32 × 32 pixels, got {tuple(x.shape[2:])}.")
    x = x.detach()
    low, high = float(x.min()), float(x.max())
    if not (low >= -_RANGE_TOLERANCE and high <= 1 + _RANGE_TOLERANCE):
        raise ImageError(
            f"x: expected values in [0, 1], got {low:.4g} … {high:.4g}. Pictures come "
            "unnormalised; the model normalises (unforeseen.load_model does it for you)."
        )
    return x.clamp(0, 1)


def checked_labels(y: Tensor, x: Tensor) -> list[int]:
    """Accepts one class per picture.

    Args:
        y: (B,), whole numbers from 0.
        x: (B, 3, H, W).

    Raises:
        UserError: Anything else.
    """
    if not isinstance(y, Tensor) or y.shape != (len(x),) or y.is_floating_point():
        got = f"{tuple(y.shape)} of {y.dtype}" if isinstance(y, Tensor) else type(y).__name__
        raise UserError(f"y: expected {len(x)} whole numbers of shape ({len(x)},), got {got}.")
    if int(y.min()) < 0:
        raise UserError(f"y: expected classes from 0, got {int(y.min())}.")
    labels: list[int] = y.long().tolist()
    return labels


def radii_of(
    level: str | None, radius: float | Tensor | None, levels: Mapping[Level, float], count: int
) -> list[float]:
    """ε of each of ``count`` pictures.

    Args:
        level: Name of a level, or None.
        radius: One number, one per picture (B,), or None; with no level either it is ``medium``.
        levels: ε of each level.
        count: B.

    Raises:
        UserError: Both are given, or the numbers don't fit.
        UnknownNameError: There is no such level.
    """
    if level is not None and radius is not None:
        raise UserError("level and radius: expected one of them, got both.")
    if radius is None:
        return [levels[level_named(level or "medium")]] * count
    # To the CPU first: not every device has float64.
    values = radius.cpu() if isinstance(radius, Tensor) else radius
    values = torch.as_tensor(values, dtype=torch.float64)
    if values.ndim > 1 or (values.ndim == 1 and len(values) != count):
        raise UserError(f"radius: expected one number or {count}, got shape {tuple(values.shape)}.")
    if not (values.isfinite() & (values > 0)).all():
        raise UserError(f"radius: expected finite numbers above 0, got {radius}.")
    expanded: list[float] = values.expand(count).tolist()
    return expanded


def donors_of(
    donors: Tensor | None, x: Tensor, labels: Sequence[int], ids: Sequence[str], seed: int
) -> Tensor:
    """The picture that each one takes from, (B, 3, H, W).

    Args:
        donors: As given, or None to take them from the batch, each of another class.
        x: (B, 3, H, W), checked.
        labels: Of each.
        ids: Of each; with the seed they decide who takes from whom.
        seed: Of every draw.

    Raises:
        UserError: All labels are equal, or the shapes differ.
        ImageError: They are no pictures in [0, 1].
    """
    if donors is not None:
        donors = checked_images(donors)
        if donors.shape != x.shape:
            raise UserError(
                f"donors: expected pictures of shape {tuple(x.shape)}, as x has, got "
                f"{tuple(donors.shape)}."
            )
        return donors.to(x)
    if len(set(labels)) < 2:
        raise UserError(
            f"y: expected pictures of two classes, as this attack takes from a picture of another "
            f"class, got class {labels[0]} only. Give more pictures, or donors=."
        )
    picks = [
        next(j for j in order_of_picks(seed, ids[i], ids) if labels[j] != labels[i])
        for i in range(len(x))
    ]
    return x[picks]
