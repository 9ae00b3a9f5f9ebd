"""``unforeseen list``: names stay whole, and programs can read what it lists."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from made_assets import made_assets
from unforeseen.benchmarks import BENCHMARKS
from unforeseen.cli import main
from unforeseen.data import DATA_SCHEMES
from unforeseen.models import MODEL_SCHEMES
from unforeseen.models.heads import HEADS
from unforeseen.models.papers import PAPERS, models_of_paper
from unforeseen.search.settings import SEARCHES
from unforeseen.transforms import ATTACKS, OBFUSCATIONS
from unforeseen.transforms.assets.pack import default_assets

#: What each list has at least.
NAMES: Mapping[str, Iterable[str]] = {
    "assets": [name for assets in default_assets().manifest.assets.values() for name in assets],
    "attacks": ATTACKS,
    "benchmarks": BENCHMARKS,
    "data": DATA_SCHEMES,
    "heads": HEADS,
    "models": MODEL_SCHEMES,
    "obfuscations": OBFUSCATIONS,
    "searches": SEARCHES,
}

each_list = pytest.mark.parametrize("what", NAMES)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["list", *arguments])
    out, err = capsys.readouterr()
    assert ended.value.code == 0, err
    return out


def test_the_programs_help_says_of_lists_all_or_that_there_are_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    (line,) = (each for each in capsys.readouterr().out.splitlines() if each.startswith("  list "))
    assert line.endswith(" and more.") or all(name in line for name in NAMES)
    with pytest.raises(SystemExit):
        main(["list", "--help"])
    said = capsys.readouterr().out
    assert all(name in said for name in NAMES)


@each_list
@pytest.mark.parametrize("width", ["30", "80"])
def test_no_name_is_broken_or_cut_off_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert set(NAMES[what]) <= set(printed(capsys, what).split())


@pytest.mark.parametrize("width", ["30", "40", "80"])
def test_short_words_of_a_table_stay_whole_on_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    words = set(printed(capsys, "obfuscations").split())
    assert {"training", "hold-out", "transformation", "machine-learning"} <= words


def test_where_there_is_room_for_names_longer_words_are_broken_first(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "67")
    out = printed(capsys, "obfuscations")
    assert {"training", "hold-out"} <= set(out.split())
    assert max(map(len, out.splitlines())) <= 67


@each_list
def test_a_table_fits_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, printed(capsys, what).splitlines())) <= 80


@each_list
def test_csv_and_json_hold_the_same_names_and_keys(
    capsys: pytest.CaptureFixture[str], what: str
) -> None:
    lines = [*csv.DictReader(io.StringIO(printed(capsys, what, "--format", "csv")))]
    objects = json.loads(printed(capsys, what, "--format", "json"))
    assert [each["name"] for each in lines] == [each["name"] for each in objects]
    assert set(NAMES[what]) <= {each["name"] for each in objects}
    assert [[*each] for each in lines] == [[*each] for each in objects]


def test_assets_of_a_pack_are_listed_by_kind_and_name_with_their_licence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pack = made_assets(tmp_path / "pack")
    given = ("assets", "--assets", str(pack.folder), "--format", "json")
    listed = json.loads(printed(capsys, *given))
    assert {(each["kind"], each["name"]) for each in listed} == {
        (kind, name) for kind, assets in pack.manifest.assets.items() for name in assets
    }
    assert {each["licence"] for each in listed} == {
        each.licence for assets in pack.manifest.assets.values() for each in assets.values()
    }
    with pytest.raises(SystemExit) as ended:
        main(["list", "attacks", "--assets", str(pack.folder)])
    assert ended.value.code == 2
    assert "unforeseen list assets" in capsys.readouterr().err


def test_what_an_obfuscation_draws_from_is_shown_by_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["show", "StyleTransfer"])
    shown = " ".join(capsys.readouterr().out.split())
    assert all(name in shown for name in default_assets().names("painting"))
    assert not any(name in shown for name in default_assets().names("texture"))


def test_several_values_are_a_list_in_json_and_joined_in_csv(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (first, *_) = json.loads(printed(capsys, "data", "--format", "json"))
    assert first["examples"] == [*DATA_SCHEMES[first["name"]].examples]
    (first, *_) = csv.DictReader(io.StringIO(printed(capsys, "data", "--format", "csv")))
    assert first["examples"] == ", ".join(DATA_SCHEMES[first["name"]].examples)


@pytest.mark.parametrize("number", PAPERS)
def test_of_a_papers_models_what_is_not_known_is_null(
    capsys: pytest.CaptureFixture[str], number: int
) -> None:
    listed = json.loads(printed(capsys, "models", "--paper", str(number), "--format", "json"))
    by_key = {(each["name"], each["where"], each["dataset"]): each for each in listed}
    models = models_of_paper(number)
    assert len(listed) == len(models)
    for model in models:
        found = by_key[model.model, model.where, model.dataset]
        assert found["clean_accuracy"] == model.clean_accuracy
        assert found["score"] == model.score
        assert found["uri"] == (model.uri or None)


@each_list
def test_markdown_has_a_line_for_each_with_words_to_the_left(
    capsys: pytest.CaptureFixture[str], what: str
) -> None:
    title, _, heading, rule, *rows = printed(capsys, what, "--format", "markdown").splitlines()
    assert title.startswith("### ")
    assert heading.count("|") == rule.count("|")
    assert set(rule.replace("|", "").split()) == {"---"}
    assert len(rows) == len(json.loads(printed(capsys, what, "--format", "json")))
