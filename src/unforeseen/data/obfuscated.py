"""``obfuscated:DIR``: pictures that were obfuscated before, by ``unforeseen obfuscate`` or published.

Which of them a folder holds, its files say: ``obfuscated.json``, or ``features.json`` of TensorFlow
Datasets.
"""

__all__ = ["load_obfuscated"]

from unforeseen.data.made_obfuscations import load_made
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.published_obfuscations import find_version, load_published
from unforeseen.errors import DataError
from unforeseen.obfuscated_folder.layout import RECORD_FILE
from unforeseen.uri import Uri, path_of

#: What the paper names for its data.
_WHERE = "https://github.com/deepmind/image_obfuscation_benchmark"


def load_obfuscated(uri: Uri) -> ObfuscatedDataset:
    """Opens clean and obfuscated pictures; decodes none.

    Raises:
        UserError: An option that there isn't.
        DataError: Neither is there, the clean pictures are missing, or something is damaged.
        MissingExtraError: Published ones, without the package for their checksums.
    """
    folder = path_of(uri.path)
    if (folder / RECORD_FILE).is_file():
        uri.expect_options(())
        return load_made(uri, folder)
    uri.expect_options(("split",))
    version = find_version(folder)
    if version is None:
        raise DataError(
            f"{uri.text!r}: expected a folder that unforeseen obfuscate wrote (with {RECORD_FILE}), "
            "or the published one of TensorFlow Datasets (obfuscated_imagenet/1.0.0, with "
            f"features.json and .tfrecord files, see {_WHERE}); {uri.path!r} is neither."
        )
    return load_published(uri, version)
