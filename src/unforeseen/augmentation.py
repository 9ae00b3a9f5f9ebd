"""Obfuscations as augmentations: transforms for anybody's training (obfuscations paper, section 4 and appendix B).

They take what ``torchvision.transforms.v2`` transforms take, and stand among them in a pipeline
before pictures are normalised. Random numbers come from torch's generator, so that a loader's workers
and ``torch.manual_seed`` decide about them as about other transforms'.
"""

__all__ = ["HoldOuts", "ObfuscationTransform", "RandomObfuscation"]

import abc
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

import torch
from PIL import Image
from torch import Tensor
from torchvision import tv_tensors
from torchvision.transforms import v2
from torchvision.transforms.v2.functional import pil_to_tensor, to_pil_image
from typing_extensions import override

from unforeseen.errors import ImageError, UserError
from unforeseen.rng import Stream
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import AnyObfuscation, Obfuscation, checked_image

#: What has to be said by whoever trains on what nobody should.
HoldOuts = Literal["I train on the hold-outs"]

#: A pack, or its folder.
_Assets = AssetPack | str | os.PathLike[str]

_CONSENT: str = get_args(HoldOuts)[0]
_LARGEST_SEED = 2**53
_BATCH, _SINGLE = 4, 3
_HALVES = (torch.float16, torch.bfloat16)
_PICTURES = (tv_tensors.Image, tv_tensors.Video, Image.Image)


def _is_picture(value: object) -> bool:
    """Whether a tensor isn't one of torchvision's masks, boxes …, but may be a picture."""
    return isinstance(value, Tensor) and not isinstance(value, tv_tensors.TVTensor)


class _PictureTransform(v2.Transform, abc.ABC):  # type: ignore[misc]  # torchvision has no types
    """Obfuscates each picture of what it is given; labels, boxes and masks stay as they are.

    Args:
        assets: Photos, icons … to use, or their folder; the default pack unless others are given.
    """

    _transformed_types = (_is_picture, *_PICTURES)

    def __init__(self, obfuscations: Sequence[AnyObfuscation], assets: _Assets | None) -> None:
        super().__init__()
        self.assets = _opened(assets)
        self.assets.require(kind for each in obfuscations for kind in each.asset_kinds)

    @abc.abstractmethod
    def choose(self, stream: Stream) -> AnyObfuscation | None:
        """Says by what the next picture is obfuscated, if at all."""

    @override
    def check_inputs(self, flat_inputs: list[Any]) -> None:
        """Raises ImageError where nothing is a picture, which would go through as it is."""
        if not any(_is_picture(each) or isinstance(each, _PICTURES) for each in flat_inputs):
            kinds = ", ".join(dict.fromkeys(type(each).__name__ for each in flat_inputs))
            raise ImageError(
                f"expected a PIL picture or a tensor, got {kinds or 'nothing'}. Use "
                "Image.fromarray or v2.ToImage first."
            )

    # Its name before torchvision 0.21.
    _check_inputs = check_inputs

    @override
    def transform(self, inpt: Any, params: dict[str, Any]) -> Any:
        """Obfuscates a picture, or each one of a batch or video.

        Args:
            inpt: A PIL picture in RGB, or a tensor (3, H, W) or (B, 3, H, W), 8-bit or floating-point
                in [0, 1], at least 32 pixels high and wide.
            params: Nothing.

        Returns:
            The same kind of thing.

        Raises:
            ImageError: It isn't such a picture.
        """
        if isinstance(inpt, Image.Image):
            if inpt.mode != "RGB":
                raise ImageError(
                    f"expected a picture in RGB, got one in {inpt.mode}. Use .convert('RGB') first."
                )
            return to_pil_image(self._obfuscated(pil_to_tensor(inpt)))
        if inpt.ndim == _BATCH:
            made = torch.stack([self._obfuscated(each) for each in inpt]) if len(inpt) else inpt
        elif inpt.ndim == _SINGLE:
            made = self._obfuscated(inpt)
        else:
            raise ImageError(
                "expected pictures (3, H, W) or (B, 3, H, W), got "
                f"{inpt.dtype} {tuple(inpt.shape)}. Pictures come before labels."
            )
        return tv_tensors.wrap(made, like=inpt) if isinstance(inpt, tv_tensors.TVTensor) else made

    # Its name before torchvision 0.21.
    _transform = transform

    def _obfuscated(self, picture: Tensor) -> Tensor:
        """One picture (3, H, W), in its own type."""
        plain = picture.as_subclass(Tensor)
        if plain.dtype == torch.uint8:
            image = plain.float() / 255
        elif plain.dtype in _HALVES:
            image = plain.float()
        else:
            image = plain
        image = checked_image(image)
        seed = int(torch.randint(_LARGEST_SEED, ()))
        stream = Stream("augmentation", seed)
        obfuscation = self.choose(stream)
        if obfuscation is None:
            return plain
        made, _ = obfuscation.obfuscate(image, stream, self.assets)
        if plain.dtype == torch.uint8:
            made = (made * 255).round()
        return made.to(plain.dtype)


class ObfuscationTransform(_PictureTransform):
    """Obfuscates every picture by one obfuscation, with parameters of its own.

    Example:
        >>> swirl = ObfuscationTransform("SwirlWarp")
        >>> swirl(torch.zeros(3, 224, 224, dtype=torch.uint8)).shape
        torch.Size([3, 224, 224])

    Args:
        obfuscation: Its name, in letters of any case; or the obfuscation, with ranges of your own.
        assets: Photos, icons … to use, or their folder; the default pack unless others are given.
        hold_outs: ``"I train on the hold-outs"``, word for word, for an obfuscation that is held out; a
            warning says what follows. None, which is enough for all others, refuses it.

    Raises:
        UnknownNameError: There is no such obfuscation.
        UserError: It is held out, or an argument is something else.
        AssetError: The assets lack something that it needs.
    """

    def __init__(
        self,
        obfuscation: str | AnyObfuscation,
        *,
        assets: _Assets | None = None,
        hold_outs: HoldOuts | None = None,
    ) -> None:
        resolved = _resolved(obfuscation)
        _check_hold_outs([resolved], hold_outs)
        super().__init__([resolved], assets)
        self.obfuscation = resolved

    @override
    def choose(self, stream: Stream) -> AnyObfuscation:
        return self.obfuscation

    @override
    def extra_repr(self) -> str:
        return str(self.obfuscation)


class RandomObfuscation(_PictureTransform):
    """Leaves some pictures clean and obfuscates the others, each by one of several obfuscations.

    The paper trains like this: half the pictures are clean, and for the rest each of the training
    obfuscations is equally likely (its appendix B).

    Args:
        clean: Share of pictures that stay as they are, from 0 to 1.
        obfuscations: Names, or obfuscations with ranges of your own; all that may be trained on unless
            some are named.
        assets: Photos, icons … to use, or their folder; the default pack unless others are given.
        hold_outs: ``"I train on the hold-outs"``, word for word, allows obfuscations that are held out,
            and adds them where none are named. Figures of such a model on the hold-outs say nothing of
            attacks that nobody foresaw, and a warning says so. None leaves them out, and refuses them
            where they are named.

    Raises:
        UnknownNameError: There is no such obfuscation.
        UserError: ``clean`` is out of range, no obfuscation is named, one is held out, or an
            argument is something else.
        AssetError: The assets lack something that is needed.
    """

    def __init__(
        self,
        clean: float = 0.5,
        *,
        obfuscations: Sequence[str | AnyObfuscation] | None = None,
        assets: _Assets | None = None,
        hold_outs: HoldOuts | None = None,
    ) -> None:
        if not isinstance(clean, float | int) or not 0 <= clean <= 1:
            raise UserError(f"clean: expected a share from 0 to 1, got {clean!r}.")
        if obfuscations is None:
            obfuscations = [
                name
                for name, each in OBFUSCATIONS.items()
                if hold_outs is not None or not each.held_out
            ]
        if not isinstance(obfuscations, list | tuple) or not obfuscations:
            raise UserError(f"obfuscations: expected a list of some, got {obfuscations!r}.")
        resolved = tuple(_resolved(each) for each in obfuscations)
        _check_hold_outs(resolved, hold_outs)
        super().__init__(resolved, assets)
        self.clean = clean
        self.obfuscations = resolved

    @override
    def choose(self, stream: Stream) -> AnyObfuscation | None:
        # Both are drawn always: which obfuscation it would be doesn't depend on ``clean``.
        stays = float(stream.uniform(0, 1)) < self.clean
        chosen = self.obfuscations[int(stream.integers(0, len(self.obfuscations) - 1))]
        return None if stays else chosen

    @override
    def extra_repr(self) -> str:
        return f"clean={self.clean}, obfuscations={[each.name for each in self.obfuscations]}"


def _resolved(obfuscation: object) -> AnyObfuscation:
    """An obfuscation or the one of that name; raises UnknownNameError, or UserError of anything else."""
    if isinstance(obfuscation, str):
        return obfuscation_class(obfuscation)()
    if not isinstance(obfuscation, Obfuscation):
        raise UserError(
            "obfuscation: expected a name, or an obfuscation such as SwirlWarp(), got "
            f"{obfuscation!r:.60}."
        )
    return obfuscation


def _opened(assets: object) -> AssetPack:
    """A pack, or the one of a folder; raises AssetError, or UserError of anything else."""
    if assets is None:
        return default_assets()
    if isinstance(assets, str | os.PathLike):
        return AssetPack(Path(assets))
    if not isinstance(assets, AssetPack):
        raise UserError(f"assets: expected an AssetPack or its folder, got {assets!r:.60}.")
    return assets


def _check_hold_outs(obfuscations: Sequence[AnyObfuscation], hold_outs: str | None) -> None:
    """Raises UserError on hold-outs that nobody asked for aloud, and warns of those that are."""
    if hold_outs not in (None, _CONSENT):
        raise UserError(f"hold_outs: expected {_CONSENT!r} or nothing, got {hold_outs!r}.")
    held_out = [each.name for each in obfuscations if each.held_out]
    if held_out and hold_outs is None:
        raise UserError(
            f"{', '.join(held_out)}: held out, to measure how models hold up against what they "
            "weren't trained for. To measure, use 'unforeseen run' or 'unforeseen obfuscate'; to "
            f"train on it all the same, say hold_outs={_CONSENT!r}."
        )
    if held_out:
        warnings.warn(
            f"{', '.join(held_out)}: a model that trains on hold-outs was shown them before: its "
            "figures on them say nothing of unforeseen obfuscations and aren't comparable with "
            "anybody's. Say so wherever you report them.",
            stacklevel=3,
        )
