"""Names of folders and files that every operating system takes, made of a stranger's words."""

__all__ = ["class_folders", "file_stem", "safe_name"]

import hashlib
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from unforeseen.data.class_labels import is_number
from unforeseen.data.file_names import is_picture_name, portable
from unforeseen.data.label_spaces import IMAGENET100_EVERY, imagenet_wnids
from unforeseen.label_space import LabelSpace
from unforeseen.windows_names import is_device_name

# Windows takes none of these, whatever it was that wrote them.
_NOT_IN_A_NAME = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_LONGEST = 80


def safe_name(words: str) -> str:
    """Words as the name of a folder or of a file without its suffix.

    Characters that not every system takes become ``_``; what is long is cut and told apart by a hash.
    Different words may get the same name.
    """
    name = _NOT_IN_A_NAME.sub("_", portable(words)).strip(" ").rstrip(".")
    if not name or name.startswith(".") or is_device_name(name):
        name = f"_{name}"
    if len(name.encode()) > _LONGEST:
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        name = f"{name.encode()[: _LONGEST - 9].decode(errors='ignore')}~{digest}"
    return name


def file_stem(key: str) -> str:
    """What a picture's file is called without folders and suffix, as a safe name."""
    name = key.replace("\\", "/").rpartition("/")[2]
    return safe_name(name.rpartition(".")[0] if is_picture_name(name) else name)


def class_folders(
    label_space: LabelSpace | None, class_names: Sequence[str], classes: int
) -> Callable[[int], str]:
    """The folder of each class; sorted, as those who read image folders do, they are in order.

    ImageNet's classes are called by their WNIDs, others by their words; where these aren't in the
    order of the labels, or could be taken for each other, their number stands in front.

    Args:
        label_space: What the labels count, where it is known.
        class_names: Label → words; may be empty, or lack some.
        classes: How many classes there are at least.

    Returns:
        Label → name of the folder.
    """
    if label_space in ("imagenet", "imagenet100"):
        wnids = imagenet_wnids()[:: 1 if label_space == "imagenet" else IMAGENET100_EVERY]
        return wnids.__getitem__
    words = [safe_name(name) for name in class_names]
    if len(words) >= classes and _tell_apart(words):
        return words.__getitem__
    digits = len(str(max(classes, len(words)) - 1))

    def numbered(label: int) -> str:
        word = words[label] if label < len(words) else "class"
        return f"{label:0{digits}d}-{word}"

    return numbered


def _tell_apart(words: Sequence[str]) -> bool:
    """Whether folders of these names are in this order, on every system, and no numbers."""
    in_order = all(one < other for one, other in pairwise(words))
    different = len({word.casefold() for word in words}) == len(words)
    return in_order and different and not any(map(is_number, words))
