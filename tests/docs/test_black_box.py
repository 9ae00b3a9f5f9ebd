"""docs/black-box.md: its function, command and snippets work on a service like the one it describes."""

import io
import json
import shlex
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from PIL import Image
from typing_extensions import override

from documents import CHECKOUT, code_block
from unforeseen import load_results
from unforeseen.cli import main
from unforeseen.models.call_policy import CALL_OPTIONS
from unforeseen.models.python_objects import VERSION
from unforeseen.results import AttackResults

PAGE = "docs/black-box.md"
#: Pictures in each of the two folders.
COUNT = 2


class Moderation(BaseHTTPRequestHandler):
    """Calls red pictures unsafe; every third answer is an error."""

    answers = 0

    def do_POST(self) -> None:
        type(self).answers += 1
        png = self.rfile.read(int(self.headers["Content-Length"]))
        red, _, blue = np.asarray(Image.open(io.BytesIO(png))).mean(axis=(0, 1)) / 255
        overloaded = self.answers % 3 == 0
        answer = {"error": "overloaded"} if overloaded else {"unsafe": 0.5 + (red - blue) / 2}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    @override
    def log_message(self, format: str, *_: object) -> None:
        """Silence."""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page's folder after its command: service.py, uploads, moderation."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "service.py").write_text(
        code_block(PAGE, "python", beginning='"""Asks'), encoding="utf-8"
    )
    generator = np.random.default_rng(0)
    for name, colour in (("allow", [40, 60, 200]), ("block", [200, 60, 40])):
        (folder / "uploads" / name).mkdir(parents=True)
        for number in range(COUNT):
            noise = generator.integers(-30, 30, (256, 256, 3))
            picture = (np.array(colour) + noise).astype(np.uint8)
            Image.fromarray(picture).save(folder / "uploads" / name / f"{number}.png")
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Moderation) as server,
        pytest.MonkeyPatch.context() as patch,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        patch.chdir(folder)
        patch.setenv("no_proxy", "127.0.0.1")
        patch.setenv("MODERATION_URL", f"http://127.0.0.1:{server.server_port}/moderate")
        # Faster than anybody should ask.
        command = code_block(PAGE, "sh", beginning="unforeseen run").replace("rate=5", "rate=1e4")
        patch.setattr("unforeseen.models.calls.FIRST_WAIT", 0.0)
        with pytest.raises(SystemExit) as ended:
            main(shlex.split(command)[1:])
        assert ended.value.code == 0
        yield folder
        server.shutdown()


def test_the_command_measures_the_service(work: Path) -> None:
    results = load_results(work / "moderation")
    assert isinstance(results, AttackResults)
    clean = results.summary.clean_accuracy
    assert clean is not None
    assert (clean.value, clean.n) == (1.0, 2 * COUNT)
    assert {each.attack for each in results.summary.attacks} == {"wood", "snow", "jpeg"}
    assert "0 steps instead of the benchmark's" in results.table()
    rows = results.rows
    assert rows["correct"].equals(rows["correct_8bit"])
    record = json.loads((work / "moderation" / "run.json").read_bytes())
    assert record["model"]["uri"] == "py:service.py:predict?version=2026-11"
    assert record["model"]["classes"] == 2


def test_the_snippets_run(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(work)
    monkeypatch.syspath_prepend(str(work))
    names: dict[str, Any] = {}
    reading = code_block(PAGE, "python", beginning="import polars")
    exec(compile(reading, PAGE, "exec"), names)
    assert names["passed"].equals(
        names["rows"].filter(
            (pl.col("transform") == "wood") & (pl.col("label") == 1) & (pl.col("prediction") == 0)
        )
    )
    asking = code_block(PAGE, "python", beginning="import unforeseen")
    monkeypatch.setattr("unforeseen.models.calls.FIRST_WAIT", 0.0)
    exec(compile(asking.replace("rate=5", "rate=1e4"), PAGE, "exec"), names)
    assert names["model"].queries >= 2 * 2 * COUNT
    assert names["model"].card.class_names == ("allow", "block")
    assert capsys.readouterr().out.strip()


def test_every_option_is_in_the_table() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition("## How it is asked\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| `")]
    assert [line.split("`")[1] for line in lines] == [VERSION, *CALL_OPTIONS]
