"""Published weights: fetched by the libraries that publish them, told in one line if they can't be."""

__all__ = ["download", "fetching"]

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from threading import Timer
from urllib.parse import urlparse

import torch

from unforeseen.errors import ModelError, UserError, first_line
from unforeseen.models.files import quiet

#: torch's convention: the first digits of a file's SHA-256 stand at the end of its name.
_HASH = re.compile(r"-([a-f0-9]{8,})\.")
#: Seconds, after which somebody wonders.
_PATIENCE = 3.0


@contextmanager
def fetching(uri: str, instead: str) -> Iterator[None]:
    """Turns whatever a library raises while it fetches weights into one line.

    Where that takes long, says on standard error what is waited for.

    Args:
        uri: How the user named the model.
        instead: What to write where there is no connection, e.g. ``timm:resnet50?checkpoint=FILE``.

    Raises:
        ModelError: Anything was raised inside, other than a UserError.
    """
    waiting = Timer(_PATIENCE, sys.stderr.write, [f"getting the weights of {uri} …\n"])
    waiting.daemon = True
    waiting.start()
    try:
        with quiet("huggingface_hub"):
            yield
    except UserError:
        raise
    except Exception as error:  # each of the libraries that download has its own tree
        raise ModelError(
            f"{uri}: the published weights can't be had: {type(error).__name__}: "
            f"{first_line(error).rstrip('.')}. If there is no connection, download them elsewhere and "
            f"write {instead}"
        ) from error
    finally:
        waiting.cancel()


def download(url: str) -> Path:
    """Downloads a file of weights to where torch keeps them, unless it is there.

    Where its name holds a hash, a download of other content is refused.

    Returns:
        The file's path.

    Raises:
        Exception: It can't be had; call this inside :func:`fetching`.
    """
    name = PurePosixPath(urlparse(url).path).name
    folder = Path(torch.hub.get_dir()) / "checkpoints"
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        digits = _HASH.search(name)
        torch.hub.download_url_to_file(url, str(path), digits and digits.group(1), progress=True)
    return path
