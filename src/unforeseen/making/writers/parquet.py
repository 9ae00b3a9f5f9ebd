"""Parquet shards as on the Hugging Face hub: ``SwirlWarp/SwirlWarp-00003-of-00098.parquet``.

Source: the hub's page on data set cards, which say what columns are:
``datasets.load_dataset(FOLDER, "SwirlWarp")`` gives pictures and named classes.
"""

__all__ = ["finish_parquet", "write_parquet"]

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from unforeseen.files.atomic import save_file
from unforeseen.making.writers.encoded import Encoded, Place
from unforeseen.obfuscated_folder.layout import RECORD_FILE, pictures_folder, shard_name
from unforeseen.obfuscated_folder.record import MadeRecord

#: Rows that are read together.
_ROWS_OF_A_GROUP = 100
_TEXTS = ("example_id", "file_name", "class_name", "obfuscation", "parameters", "sha256")
_SCHEMA = pl.Schema(
    {
        "image": pl.Struct({"bytes": pl.Binary(), "path": pl.String()}),
        "label": pl.Int64(),
        **{name: pl.String() for name in _TEXTS},
    }
)


def write_parquet(
    folder: Path, record: MadeRecord, name: str, number: int, pictures: Sequence[Encoded]
) -> list[Place]:
    """See :class:`~unforeseen.making.writers.encoded.Writer`."""
    file = shard_name(record.format, name, number, record.batches)
    rows = [
        {
            "image": {
                "bytes": content,
                "path": f"{described.position:08d}.{record.encoding}",
            },
            "label": described.label,
            **{text: getattr(described, text) for text in _TEXTS},
        }
        for content, described in pictures
    ]
    buffer = io.BytesIO()
    pl.DataFrame(rows, schema=_SCHEMA).write_parquet(
        buffer,
        # Pictures are compressed themselves.
        compression="uncompressed",
        row_group_size=_ROWS_OF_A_GROUP,
        metadata={"huggingface": json.dumps({"info": {"features": _features(record)}})},
    )
    save_file(folder / pictures_folder(record.format, name) / file, buffer.getvalue(), root=folder)
    return [Place(file, row) for row in range(len(pictures))]


def finish_parquet(folder: Path, record: MadeRecord, shards: Mapping[str, Sequence[int]]) -> None:
    """Writes the card that says which files and columns there are.

    Args:
        folder: Of everything.
        record: How pictures are made.
        shards: Obfuscation, or ``Clean`` → number of pictures of each shard.
    """
    # JSON is YAML too; the columns are said once.
    configs = [{"config_name": name, "data_files": f"{name}/*.parquet"} for name in shards]
    columns: list[dict[str, object]] = [{"name": "image", "dtype": "image"}]
    names = {str(label): name for label, name in enumerate(record.declared_names)}
    label = {"class_label": {"names": names}} if names else "int64"
    columns.append({"name": "label", "dtype": label})
    columns += [{"name": text, "dtype": "string"} for text in _TEXTS]
    first, *others = shards
    lines = [
        "---",
        f"configs: {_as_yaml(configs)}",
        "dataset_info:",
        f"- config_name: {first}",
        f"  features: &columns {_as_yaml(columns)}",
        *(f"- config_name: {name}\n  features: *columns" for name in others),
        "---",
        "",
        f"Obfuscated pictures, made by unforeseen; {RECORD_FILE} says how.",
        "",
    ]
    save_file(folder / "README.md", "\n".join(lines).encode())


def _as_yaml(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def _features(record: MadeRecord) -> dict[str, object]:
    """The columns' types in the words of files that the package datasets itself writes."""
    label: dict[str, object] = {"dtype": "int64", "_type": "Value"}
    if record.declared_names:
        label = {"names": list(record.declared_names), "_type": "ClassLabel"}
    texts = {text: {"dtype": "string", "_type": "Value"} for text in _TEXTS}
    return {"image": {"_type": "Image"}, "label": label, **texts}
