"""docs/moderation.md: its way, gone from the first step to the last."""

import io
import json
import math
import shlex
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image
from typing_extensions import override

from documents import CHECKOUT, code_block
from unforeseen.cli import main
from unforeseen.report.evasion_list import Evasion
from unforeseen.run_folder.read_run import read_obfuscation_run
from unforeseen.run_folder.record import read_record
from unforeseen.running.made_again import WantedPicture, open_again

PAGE = "docs/moderation.md"
#: Pictures in each of the two folders.
COUNT = 2
LABELS = ("gun", "knife", "crowd", "landscape", "pet")


class Filter(BaseHTTPRequestHandler):
    """Takes red pictures for weapons, by the colour of their middle."""

    def do_POST(self) -> None:
        png = self.rfile.read(int(self.headers["Content-Length"]))
        middle = np.asarray(Image.open(io.BytesIO(png)))[64:160, 64:160]
        red, _, blue = middle.mean(axis=(0, 1)) / 255
        weapon = 1 / (1 + math.exp(-10 * (red - blue)))
        shares = (0.7 * weapon, 0.3 * weapon, *[(1 - weapon) / 3] * 3)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(dict(zip(LABELS, shares, strict=True))).encode())

    @override
    def log_message(self, format: str, *_: object) -> None:
        """Silence."""


def typed(command: str) -> int:
    """Runs a command of the page and returns its exit code."""
    with pytest.raises(SystemExit) as ended:
        main(shlex.split(command)[1:])
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page's folder after its run: service.py, groups.json, uploads, moderation."""
    folder = tmp_path_factory.mktemp("work")
    service = code_block(PAGE, "python", beginning='"""Asks')
    (folder / "service.py").write_text(service, encoding="utf-8")
    groups = code_block(PAGE, "json", beginning='{"other"')
    (folder / "groups.json").write_text(groups, encoding="utf-8")
    generator = np.random.default_rng(0)
    for name, colour in (("other", [40, 60, 200]), ("weapon", [200, 60, 40])):
        (folder / "uploads" / name).mkdir(parents=True)
        for number in range(COUNT):
            noise = generator.integers(-30, 30, (240, 300, 3))
            picture = (np.array(colour) + noise).astype(np.uint8)
            Image.fromarray(picture).save(folder / "uploads" / name / f"{number}.png")
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Filter) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        patch.chdir(folder)
        patch.setenv("no_proxy", "127.0.0.1")
        patch.setenv("FILTER_URL", f"http://127.0.0.1:{server.server_port}/classify")
        command = code_block(PAGE, "sh", beginning="unforeseen run")
        # Faster than anybody should ask, and fewer draws.
        command = command.replace("rate=5", "rate=1e4").replace("--worst-of 5", "--worst-of 2")
        assert typed(command) == 0
        server.shutdown()
    return folder


@pytest.fixture(autouse=True)
def _there(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    monkeypatch.setenv("COLUMNS", "160")


def test_the_run_judges_the_groups_of_the_page(work: Path) -> None:
    run = read_obfuscation_run(work / "moderation")
    assert [(each.name, each.n) for each in run.summary.classes] == [
        ("other", COUNT),
        ("weapon", COUNT),
    ]
    assert run.summary.complete
    assert run.summary.worst_of == 2
    assert len(run.summary.obfuscations) == 22
    clean = run.summary.clean_accuracy
    assert clean is not None
    assert clean.value == 1
    assert read_record(work / "moderation")["model"]["head"]["class_names"] == ["other", "weapon"]


def test_its_other_commands_list_and_draw_what_got_through(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed(code_block(PAGE, "sh", beginning="unforeseen results")) == 0
    assert "weapon flagged from a probability of 0.5 on" in capsys.readouterr().out
    assert typed(code_block(PAGE, "sh", beginning="unforeseen evasions")) == 0
    assert "weapon flagged from a probability of 0.8 on" in capsys.readouterr().out
    with Image.open(work / "moderation" / "evasions.png") as sheet:
        assert min(sheet.size) > 224
    names: dict[str, Any] = {}
    exec(code_block(PAGE, "python", beginning="import polars"), names)
    through = names["through"]
    assert set(through["true_class"]) == {"weapon"}
    assert (through["probability"] < 0.8).all()
    assert (through["probability_clean"] >= 0.8).all()
    assert names["by_what"]["len"].sum() == len(through)
    # Inverted lines turn half of red into its complement: that can't pass unseen.
    assert "InvertLines" in through["obfuscation"].to_list()


def test_a_line_of_the_list_gives_the_picture_that_was_judged(work: Path) -> None:
    assert typed(code_block(PAGE, "sh", beginning="unforeseen evasions")) == 0
    through = pl.read_csv(work / "moderation" / "evasions.csv")
    names: dict[str, Any] = {"through": through}
    exec(code_block(PAGE, "python", beginning="from torchvision"), names)
    run = read_obfuscation_run(work / "moderation")
    line = names["line"]
    judged = open_again(run.planned, [line["obfuscation"]])
    index_of = judged.find([WantedPicture(line["example_id"], line["file"])])
    expected = judged.obfuscated(
        index_of[line["example_id"]],
        line["example_id"],
        line["obfuscation"],
        line["draw"],
        line["parameters"],
    )
    assert expected is not None
    with Image.open("got-through.png") as again:
        np.testing.assert_array_equal(again, expected)


def test_every_column_of_the_list_is_in_the_table() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition("| column | meaning |")[2].partition("\n\n")[0]
    named = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert named == list(Evasion._fields)


def test_the_list_is_read_by_polars_as_it_was_written(work: Path) -> None:
    assert typed(code_block(PAGE, "sh", beginning="unforeseen evasions")) == 0
    through = pl.read_csv(work / "moderation" / "evasions.csv")
    assert through.columns == list(Evasion._fields)
    assert all(isinstance(json.loads(each), dict) for each in through["parameters"])
