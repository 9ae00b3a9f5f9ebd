"""Tables of paths and labels."""

import json
import os
from pathlib import Path

import polars as pl
import pytest

from data.in_memory import encoded, noise
from unforeseen.data import load_data
from unforeseen.data.identity import identify
from unforeseen.data.pictures import Picture, Unreadable, stream_pictures
from unforeseen.errors import DataError, UnknownNameError, UserError
from unforeseen.preprocessing import Preprocessing
from unforeseen.uri import Uri

PATHS = ["cat/one.png", "dog/two, three.png", "dog/caf\u00e9.png"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for number, path in enumerate(PATHS):
        file = tmp_path / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(encoded(noise(seed=number)))
    return tmp_path


def frame(
    labels: list[str] | list[int], paths: list[str] | None = None, column: str = "path"
) -> pl.DataFrame:
    return pl.DataFrame({column: paths or PATHS[: len(labels)], "label": labels})


def write(file: Path, table: pl.DataFrame) -> Path:
    match file.suffix:
        case ".csv":
            table.write_csv(file)
        case ".tsv":
            table.write_csv(file, separator="\t")
        case ".parquet":
            table.write_parquet(file)
        case _:
            table.write_ndjson(file)
    return file


@pytest.mark.parametrize(
    "uri",
    ["table:x.csv", "table:x.tsv", "table:x.jsonl", "table:x.parquet", "table:[x] y.csv", "x.csv"],
)
def test_every_kind_of_table_lists_pictures_below_its_folder(uri: str, root: Path) -> None:
    scheme, colon, name = uri.rpartition(":")
    scheme += colon
    file = write(root / name, frame(["cat", "dog", "dog"]))
    data = load_data(f"{scheme}{file}")
    assert data.labels.tolist() == [0, 1, 1]
    assert data.card.class_names == ("cat", "dog")
    assert data.keys == PATHS
    assert [data.read(row) for row in range(3)] == [(root / path).read_bytes() for path in PATHS]
    assert identify(data, [0, 1, 2]) == identify(load_data(f"imagefolder:{root}"), [0, 2, 1])


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.parquet"])
@pytest.mark.parametrize(
    ("labels", "expected", "space"),
    [
        ([10, 2, 0], [10, 2, 0], None),
        (["n15075141", "n01440764", "n02099601"], [999, 0, 207], "imagenet"),
    ],
)
def test_labels_are_numbers_or_wnids(
    name: str, labels: list[int] | list[str], expected: list[int], space: str | None, root: Path
) -> None:
    data = load_data(f"table:{write(root / name, frame(labels))}")
    assert data.labels.tolist() == expected
    assert data.card.label_space == space


def test_categories_of_a_parquet_table_are_text(root: Path) -> None:
    table = frame(["dog", "cat", "cat"]).cast({"label": pl.Categorical})
    assert load_data(f"table:{write(root / 'x.parquet', table)}").labels.tolist() == [1, 0, 0]


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(root: Path) -> None:
    text = "\ufeffpath,label\r\ncat/one.png,3\r\n"
    (root / "x.csv").write_bytes(text.encode())
    assert load_data(f"table:{root / 'x.csv'}").labels.tolist() == [3]


def test_paths_may_be_below_another_folder_or_absolute(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "tables"
    elsewhere.mkdir()
    paths = [PATHS[0], str(root / PATHS[1]), str(elsewhere / "three.png")]
    (elsewhere / "three.png").write_bytes(encoded(noise(seed=2)))
    file = write(elsewhere / "x.csv", frame([0, 1, 2], paths))
    data = load_data(f"table:{file}?root={root}")
    assert [data.read(row) for row in (0, 1)] == [(root / path).read_bytes() for path in PATHS[:2]]
    # Names and no places, so that the choice of pictures is the same on another machine.
    assert data.keys == [PATHS[0], PATHS[1], "tables/three.png"]
    assert load_data(f"table:{file}?root={root / 'cat'}").keys[1:] == [
        "two, three.png",
        "three.png",
    ]


def test_keys_do_not_depend_on_how_the_folder_or_the_paths_are_typed(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = root / "tables"
    tables.mkdir()
    plain = [str(root / path) for path in PATHS]
    detours = [str(tables / ".." / path) for path in PATHS]
    monkeypatch.chdir(tables)
    keys = [
        load_data(f"table:{write(tables / 'x.csv', frame([0, 1, 2], paths))}?root={typed}").keys
        for paths in (plain, detours)
        for typed in (root, "..", "../tables/..", f"{root}/tables/..")
    ]
    assert keys == [PATHS] * 8


def test_columns_are_found_by_usual_names_or_chosen(root: Path) -> None:
    table = frame(["cat", "dog", "dog"], column="file_name").with_columns(
        note=pl.lit("x"), wnid=pl.lit("n01440764"), size=pl.lit(7)
    )
    file = write(root / "x.csv", table)
    data = load_data(f"table:{file}")
    assert data.card.class_names == ("cat", "dog")
    assert data.card.notes == (
        "labels are taken from column label, not from wnid; ?label=NAME chooses",
    )
    assert load_data(f"table:{file}?label=wnid&image=file_name").labels.tolist() == [0, 0, 0]
    assert load_data(f"table:{file}?label=size").labels.tolist() == [7, 7, 7]
    with pytest.raises(UnknownNameError, match=r"label column 'lable'\. Did you mean label"):
        load_data(f"table:{file}?label=lable")
    odd = write(root / "y.csv", table.select(left="file_name", right="file_name", label="label"))
    with pytest.raises(DataError, match=r"could be the images: left, right.*\?image=left"):
        load_data(f"table:{odd}")


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.parquet"])
@pytest.mark.parametrize("column", ["label", "labels", "wnid", "class", "y"])
def test_the_only_usual_column_of_labels_is_taken_without_a_word(
    column: str, name: str, root: Path
) -> None:
    table = frame(["cat", "dog", "dog"]).rename({"label": column})
    assert load_data(f"table:{write(root / name, table)}").card.notes == ()


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.parquet"])
def test_true_and_false_are_names_of_classes_in_every_kind_of_table(name: str, root: Path) -> None:
    table = pl.DataFrame({"path": PATHS, "label": [True, False, True]})
    data = load_data(f"table:{write(root / name, table)}")
    assert data.labels.tolist() == [1, 0, 1]
    assert data.card.class_names == ("false", "true")


@pytest.mark.parametrize("twice", ["path", "label"])
def test_a_column_that_is_there_twice_is_refused(twice: str, root: Path) -> None:
    file = root / "x.csv"
    file.write_text(f"path,label,{twice},x,x\ncat/one.png,3,4,5,6\n", encoding="utf-8")
    with pytest.raises(DataError, match=f"expected one column '{twice}', got several"):
        load_data(f"table:{file}")
    file.write_text("path,label,x,x\ncat/one.png,3,5,6\n", encoding="utf-8")
    assert load_data(f"table:{file}").labels.tolist() == [3]


def test_classes_whose_order_may_be_another_are_noted(root: Path) -> None:
    (note,) = load_data(f"table:{write(root / 'x.csv', frame(['c1', 'c10', 'c2']))}").card.notes
    assert "c10 is 1 and c2 is 2" in note


def test_rows_without_a_file_are_unreadable_pictures_and_stop_nothing(root: Path) -> None:
    """Pitfall 21."""
    paths = [PATHS[0], "gone.png", "cat", "a\0b.png", PATHS[1]]
    data = load_data(f"table:{write(root / 'x.jsonl', frame([0, 1, 1, 1, 1], paths))}")
    chosen = list(zip(range(5), identify(data, range(5)), strict=True))
    results = list(stream_pictures(data, chosen, Preprocessing()))
    kinds = [type(result) for result in results]
    assert kinds == [Picture, Unreadable, Unreadable, Unreadable, Picture]
    reasons = [result.reason for result in results if isinstance(result, Unreadable)]
    assert "not a regular file" in reasons[1]
    assert str(root) not in "".join(reasons)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_table_cannot_make_anybody_read_a_device_or_a_pipe(root: Path) -> None:
    os.mkfifo(root / "pipe.png")
    (root / "link.png").symlink_to("/dev/zero")
    paths = [PATHS[0], "pipe.png", "/dev/zero", "../" * 30 + "dev/random", "link.png"]
    data = load_data(f"table:{write(root / 'x.csv', frame([0] * 5, paths))}")
    for row in range(1, 5):
        with pytest.raises(OSError, match="not a regular file"):
            data.read(row)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("path,label\ncat/one.png,cat\ncat/one.png,\n", r"1 of 2 have none, the first of them row 2 \(cat/one\.png\)"),
        ("path,label\ncat/one.png,cat\ncat/one.png,NA\n", r"1 of 2 have none.*\(cat/one\.png\), which says NA"),
        ("path,label\ncat/one.png,1\n,1\n", "row 2 has none"),
        ("path,label\ncat/one.png,1\ncat/one.png,dog\n", "all whole numbers or all names"),
        ("path,label\n", "expected rows"),
        ("path,label\nx.png,1\ny.png,2\n", r"none of the 2 pictures is there.*\?root=DIR"),
        ("path\ncat/one.png\n", "for the labels; the columns are none"),
        ("path,label\ncat/one.png,3.0\n", r"row 1 \(cat/one\.png\) has '3\.0'"),
        ("", "can't be read as a table"),
        ("path,label\ncat/one.png,1,2,3\n", "can't be read as a table"),
    ],
)  # fmt: skip
def test_tables_that_do_not_say_what_is_needed_are_refused_in_one_line(
    text: str, message: str, root: Path
) -> None:
    (root / "x.csv").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message) as caught:
        load_data(f"table:{root / 'x.csv'}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl", "x.parquet"])
@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00\x80", b"<!DOCTYPE html>\n" * 9, b"{}\n[]\n"]
)
def test_what_is_no_table_is_refused_in_one_line(name: str, content: bytes, root: Path) -> None:
    (root / name).write_bytes(content)
    with pytest.raises(UserError) as caught:
        load_data(f"table:{root / name}")
    assert "\n" not in str(caught.value)


def test_other_files_folders_and_options_are_refused(root: Path) -> None:
    (root / "x.xlsx").write_bytes(b"PK")
    for uri, message in {
        f"table:{root / 'x.xlsx'}": "expected a name that ends in",
        f"table:{root}": "there is no file",
        f"table:{root / 'nowhere.csv'}": "there is no file",
        f"table:{root / 'x.xlsx'}?root={root / 'nowhere'}": "for [?]root=",
        f"table:{root / 'x.xlsx'}?sep=;": "unknown option 'sep'",
    }.items():
        with pytest.raises(UserError, match=message):
            load_data(uri)


def test_rows_of_json_may_have_their_fields_in_any_order(root: Path) -> None:
    rows = [{"label": 1, "path": PATHS[0]}, {"path": PATHS[1], "label": 0, "more": [1]}]
    (root / "x.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert load_data(f"table:{root / 'x.jsonl'}").labels.tolist() == [1, 0]


def test_a_uri_keeps_what_stands_behind_the_first_question_mark_as_options() -> None:
    uri = Uri.parse("table:a.csv?image=file&root=pictures")
    assert dict(uri.options) == {"image": "file", "root": "pictures"}
