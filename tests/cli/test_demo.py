"""The demo, cut short: one attack and one step, but the real network and real pictures."""

import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from unforeseen import benchmarks, load_results
from unforeseen.benchmarks import AttackBenchmark
from unforeseen.cli import main
from unforeseen.cli.demo import DATA, MODEL
from unforeseen.running import runner


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = benchmarks.load_attack_benchmark("imagenet-ua")
    attacks = {"pixel": replace(whole.attacks["pixel"], steps=1)}

    def cut(name: str) -> AttackBenchmark:
        assert name == "imagenet-ua"
        return replace(whole, attacks=attacks)

    monkeypatch.setattr(benchmarks, "load_attack_benchmark", cut)
    monkeypatch.setattr(sys, "argv", ["unforeseen", "demo"])


@pytest.mark.usefixtures("_short")
def test_the_demo_prints_a_table_draws_a_gallery_and_says_what_to_do_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "demo"
    for _ in range(2):  # the second one finds everything there
        with pytest.raises(SystemExit) as ended:
            main(["demo", "--out", str(folder)])
        out, err = capsys.readouterr()
        assert ended.value.code == 0, err
        assert "demo:efficientnet-lite0" in out
        assert "not an ImageNet-UA score" in err
        assert "unforeseen run imagenet-ua --model" in err
        assert f"unforeseen run image-obfuscation --model {MODEL} --data {DATA} --out" in err
        assert "6 of the 20 pictures" in err
    assert "was there" in err

    rows = load_results(folder).rows
    assert rows.height == 2 * 20
    clean = rows.filter(pl.col("transform") == "clean")["correct"]
    assert clean.sum() > 10, "a real network knows most of these pictures"
    with Image.open(folder / "gallery.png") as gallery:
        assert gallery.format == "PNG"
        assert gallery.height > 2 * gallery.width, "six lines of two pictures"


@pytest.mark.usefixtures("_short")
def test_a_demo_in_which_nothing_was_right_has_no_gallery_and_still_ends_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unforeseen.report.run_gallery.tiles_of_run", lambda *_, **__: [])
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--out", str(tmp_path)])
    said = capsys.readouterr().err
    assert ended.value.code == 0, said
    assert "gallery.png" not in said
    assert not (tmp_path / "gallery.png").exists()


@pytest.mark.usefixtures("_short")
def test_a_demo_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run", stop)
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--out", str(tmp_path)])
    assert ended.value.code == 130
    said = capsys.readouterr().err
    assert f"Every finished row is in {tmp_path}." in said
    assert "run the same command again:\n  unforeseen demo\n" in said
