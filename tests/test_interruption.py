"""A run that is killed or stopped in the middle goes on as if nothing had happened."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from obfuscation_runs import obfuscation_benchmark, rows_of_obfuscations
from small import BENCHMARK_FILE, SmallNet, small_dataset
from small_runs import assert_same_results, rows_of
from unforeseen.cli import main
from unforeseen.run_folder.runlog import RunLog

COUNT, BATCH = 16, 4
#: A batch of pgd: its start, four steps, and the judged pictures in 8 bits.
PASSES = 6

#: Slow enough to be interrupted in the middle of an attack: 0.25 s a forward pass.
MODEL = """
import os, time
from pathlib import Path
from small import SmallNet

class Slow(SmallNet):
    def forward(self, x):
        time.sleep(float(os.environ.get("SLOWNESS", "0")))
        with Path(os.environ["CALLS"]).open("a") as file:
            file.write(f"{len(x)}\\n")
        return super().forward(x)
"""

#: A slow service; the process that asks it dies in the middle of a call, when all that was answered
#: before is older than the two seconds in which rows reach the disk.
SERVICE = """
import os, time
from small import SmallNet, as_function

calls = []

def predict(pictures):
    calls.append(len(pictures))
    if str(len(calls)) == os.environ.get("DIES_AT"):
        time.sleep(4)
        os._exit(9)
    return as_function(SmallNet())(pictures)
"""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, pictures and a benchmark, and the rows of an undisturbed run."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "model.py").write_text(MODEL, encoding="utf-8")
    (folder / "service.py").write_text(SERVICE, encoding="utf-8")
    (folder / "small.toml").write_text(BENCHMARK_FILE, encoding="utf-8")
    data = small_dataset(COUNT, model=SmallNet())
    for index, label in enumerate(data.labels):
        home = folder / "data" / f"class{label}"
        home.mkdir(parents=True, exist_ok=True)
        content = data.read(index)
        assert not isinstance(content, bytes)
        Image.fromarray(content).save(home / f"{index}.png")
    run_to_the_end(folder, "undisturbed")
    return folder


NETWORK = ("--model", "py:model.py:Slow")
BLACK_BOX = ("--model", "py:service.py:predict?version=1&timeout=60", "--steps", "0")


def arguments(out: str, model: Sequence[str] = NETWORK) -> list[str]:
    return [
        *("run", "small.toml", *model, "--data", "imagefolder:data"),
        *("--out", out, "--attacks", "pgd", "--batch-size", str(BATCH), "--device", "cpu"),
        "--no-check",  # forward passes are counted
    ]


def run_to_the_end(
    folder: Path, out: str, model: Sequence[str] = NETWORK, *, command: Sequence[str] = ()
) -> None:
    """The same command in this process, which has everything imported already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("CALLS", str(folder / f"{out}.calls"))
        with pytest.raises(SystemExit) as ended:
            main([*command, out] if command else arguments(out, model))
    assert ended.value.code == 0


@contextmanager
def running(
    folder: Path, out: str, model: Sequence[str] = NETWORK, *, command: Sequence[str] = ()
) -> Iterator[subprocess.Popen[str]]:
    program = "from unforeseen.cli import main; main()"
    asked = [*command, out] if command else arguments(out, model)
    environment = os.environ | {
        "CALLS": str(folder / f"{out}.calls"),
        "SLOWNESS": "0.25",
        "OMP_NUM_THREADS": "1",
        # This process's own modules, whatever way it found them.
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    with subprocess.Popen(
        [sys.executable, "-c", program, *asked],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def calls(folder: Path, out: str) -> list[int]:
    """Pictures in each forward pass so far."""
    file = folder / f"{out}.calls"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def wait_for_pass(number: int, work: Path, out: str, process: subprocess.Popen[str]) -> None:
    """Waits until that many forward passes on attacked pictures have begun."""
    deadline = time.monotonic() + 90
    while calls(work, out).count(BATCH) < COUNT // BATCH + number:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline, calls(work, out)
        time.sleep(0.05)


def attacked(rows: pl.DataFrame) -> int:
    return rows.filter(pl.col("transform") == "pgd").height


def assert_completes(work: Path, out: str, there: pl.DataFrame) -> None:
    before = len(calls(work, out))
    run_to_the_end(work, out)
    assert_same_results(rows_of(work / out), rows_of(work / "undisturbed"))
    # What was on disk was not computed again: those rows stand with the times they took.
    now = RunLog.open_for_reading(work / out).rows()
    keys = ["cell", "example_id", "seconds"]
    assert there.join(now, on=keys, how="anti").is_empty()
    assert len(calls(work, out)) - before < len(calls(work, "undisturbed"))


def test_killed_at_any_time_it_loses_at_most_what_was_under_way(work: Path) -> None:
    with running(work, "killed") as process:
        # By then the rows of the first batch are 2.5 s old, and after 2 s they must be on disk.
        wait_for_pass(2 * PASSES + 4, work, "killed", process)
        process.kill()
        process.wait(timeout=30)
    rows = RunLog.open_for_reading(work / "killed").rows()
    assert BATCH <= attacked(rows) < COUNT
    assert_completes(work, "killed", rows)


def test_killed_in_the_middle_of_a_slow_service_it_loses_the_call_under_way(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first call is about a grey picture, four are clean; the third of four attacked ones dies.
    monkeypatch.setenv("DIES_AT", "8")
    with running(work, "service", BLACK_BOX) as process:
        assert process.wait(timeout=90) == 9, process.communicate()[1]
    rows = RunLog.open_for_reading(work / "service").rows()
    assert attacked(rows) == 2 * BATCH
    monkeypatch.delenv("DIES_AT")
    for out in ("service", "service undisturbed"):
        run_to_the_end(work, out, BLACK_BOX)
    assert_same_results(rows_of(work / "service"), rows_of(work / "service undisturbed"))


def test_killed_among_the_draws_of_an_obfuscation_it_goes_on_to_the_same_rows(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    obfuscation_benchmark(work)
    service = ("--model", BLACK_BOX[1], "--worst-of", "3", "--obfuscations", "HighContrastBorder")
    command = ["run", "small-obfuscation.toml", *service, *arguments("")[4:6], "--no-check"]
    command += ["--batch-size", str(BATCH), "--out"]
    # A grey picture, four clean batches; of 48 draws the fifth batch dies, two draws into a picture.
    monkeypatch.setenv("DIES_AT", "10")
    with running(work, "draws", command=command) as process:
        assert process.wait(timeout=90) == 9, process.communicate()[1]
    rows = RunLog.open_for_reading(work / "draws").rows()
    assert rows.filter(pl.col("transform") != "clean").height == 16 // 3
    monkeypatch.delenv("DIES_AT")
    for out in ("draws", "draws undisturbed"):
        run_to_the_end(work, out, command=command)
    assert_same_results(
        rows_of_obfuscations(work / "draws"), rows_of_obfuscations(work / "draws undisturbed")
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals for one process")
@pytest.mark.parametrize(
    ("signals", "code"),
    [(["SIGINT"], 130), (["SIGTERM"], 143), (["SIGINT", "SIGINT"], 130)],
    ids=["Ctrl-C", "SIGTERM", "Ctrl-C twice"],
)
def test_a_signal_keeps_every_row_and_says_how_to_go_on(
    work: Path, signals: list[str], code: int
) -> None:
    out = "-".join(signals)
    with running(work, out) as process:
        wait_for_pass(2 * PASSES + 1, work, out, process)
        for each in signals:
            process.send_signal(signal.Signals[each])
        _, said = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in said
    (line,) = [line for line in said.splitlines() if "unforeseen run small.toml" in line]
    assert line.split()[1:] == arguments(out)
    rows = RunLog.open_for_reading(work / out).rows()
    assert 2 * BATCH <= attacked(rows) < COUNT, "two batches were through"
    assert_completes(work, out, rows)
