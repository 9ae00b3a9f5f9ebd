import pytest
from hypothesis import given
from hypothesis import strategies as st

from unforeseen.data.label_spaces import imagenet_wnids
from unforeseen.making.safe_names import class_folders, file_stem, safe_name

FORBIDDEN = set('<>:"/\\|?*') | {chr(code) for code in range(32)}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("tabby cat", "tabby cat"),
        ("Bottle / Jug", "Bottle _ Jug"),
        ("../../etc/passwd", "_.._.._etc_passwd"),
        ("C:\\x", "C__x"),
        ("what?", "what_"),
        ("dot.", "dot"),
        (" spaces ", "spaces"),
        (".hidden", "_.hidden"),
        ("", "_"),
        ("...", "_"),
        ("NUL", "_NUL"),
        ("con.tar", "_con.tar"),
        ("console", "console"),
        ("a\nb\x00c", "a_b_c"),
        ("Zürich ねこ", "Zürich ねこ"),
        ("e\u0301", "\u00e9"),
    ],
)
def test_a_name_is_as_near_to_the_words_as_every_system_allows(words: str, name: str) -> None:
    assert safe_name(words) == name


@given(st.text(max_size=200))
def test_any_words_become_a_name_that_windows_takes(words: str) -> None:
    name = safe_name(words)
    assert name
    assert not FORBIDDEN & set(name)
    assert not name.startswith(".")
    assert not name.endswith((".", " "))
    assert name.partition(".")[0].lower() not in {"con", "prn", "aux", "nul", "com1", "lpt1"}
    assert len(name.encode()) <= 90


def test_long_names_that_begin_alike_are_told_apart() -> None:
    one, other = safe_name("x" * 100 + "a"), safe_name("x" * 100 + "b")
    assert one != other
    assert len(one) == len(other) == 80


@pytest.mark.parametrize(
    ("key", "stem"),
    [
        ("n01443537/ILSVRC2012_val_00000236.JPEG", "ILSVRC2012_val_00000236"),
        ("folder\\a.b.png", "a.b"),
        ("row 7", "row 7"),
        ("x.jpg row 7", "x.jpg row 7"),
        ("0001.tar/x/../../y.webp", "y"),
    ],
)
def test_a_files_stem_is_its_name_without_folders_and_suffix(key: str, stem: str) -> None:
    assert file_stem(key) == stem


def test_imagenets_folders_are_wnids() -> None:
    assert class_folders("imagenet", (), 1000)(1) == "n01443537"
    assert class_folders("imagenet100", (), 100)(3) == imagenet_wnids()[30]


@pytest.mark.parametrize(
    ("names", "folders"),
    [
        (("cat", "dog"), ("cat", "dog")),
        (("dog", "cat"), ("0-dog", "1-cat")),
        (("Cat", "cat"), ("0-Cat", "1-cat")),
        (("a/b", "a\\b"), ("0-a_b", "1-a_b")),
        (("1", "2"), ("0-1", "1-2")),
        ((), ("0-class", "1-class")),
        (("cat",), ("0-cat", "1-class")),
    ],
)
def test_sorted_folders_are_in_the_order_of_the_labels(
    names: tuple[str, ...], folders: tuple[str, ...]
) -> None:
    folder_of = class_folders(None, names, 2)
    assert tuple(map(folder_of, range(2))) == folders


@given(st.lists(st.text(max_size=30), min_size=1, max_size=12))
def test_folders_of_any_names_sort_as_their_labels_and_differ_on_every_system(
    names: list[str],
) -> None:
    folder_of = class_folders(None, names, len(names))
    folders = [folder_of(label) for label in range(len(names))]
    assert folders == sorted(folders)
    assert len({folder.casefold() for folder in folders}) == len(names)
