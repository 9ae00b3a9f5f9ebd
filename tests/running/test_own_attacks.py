"""Runs of benchmarks with a user-made attack: rows, identity, recounts, and code that fails."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch

from own_attacks import own_benchmark, write_attack
from small import SmallNet, small_pictures
from small_runs import COUNT, rows_of, run_small
from unforeseen import load_results, perturb
from unforeseen.benchmarks import load_attack_benchmark
from unforeseen.errors import AttackError, RunError
from unforeseen.recount import recount
from unforeseen.run_folder.record import RECORD_FILE
from unforeseen.run_folder.runlog import RunLog
from unforeseen.search.settings import search_settings

PAINTED = "        return (x + self.gain * latents.shift[:, :, None, None]).clamp(0, 1)\n"
DRAWS = "    def start(self, x, scene, radius, keys):\n"
NO_ATTACK = "    @classmethod\n    def from_parameters(cls, *_, **__): pass\n\n"
TWO_ONLY = "        keys, radius = keys[:2], radius[:2]\n"
START = "return FadeLatents(shift=uniform_start(keys, (3,), radius, x, low=-1))"


def run_own(
    work: Path,
    out: str = "run",
    attacks: Sequence[str] = ("wood", "fade"),
    edition: str = "published",
) -> Path:
    """Runs the user's benchmark; returns the run folder."""
    benchmark = load_attack_benchmark(work / "own.toml")
    run_small(work / out, benchmark=benchmark, attacks=attacks, edition=edition)
    return work / out


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an attack and a benchmark file."""
    monkeypatch.chdir(tmp_path)
    write_attack(tmp_path)
    own_benchmark(tmp_path)
    return tmp_path


def test_a_run_is_recounted_and_read_without_running_the_code(work: Path) -> None:
    folder = run_own(work)
    (work / "fade.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    results = load_results(folder)
    assert {"wood", "fade"} < set(results.rows["transform"])
    assert results.rows.filter(transform="fade").height == COUNT
    assert recount(folder).agrees
    (work / "fade.py").unlink()
    assert recount(folder).agrees


def test_a_cell_without_its_code_does_not_pass_a_recount(work: Path) -> None:
    folder = run_own(work)
    record = json.loads((folder / RECORD_FILE).read_text(encoding="utf-8"))
    del record["cells"][2]["code"]
    (folder / RECORD_FILE).write_text(json.dumps(record), encoding="utf-8")
    assert "a cell is what the run's benchmark, edition and options make it" in {
        each.rule for each in recount(folder).violations
    }


def test_the_file_is_part_of_the_identity_of_its_own_cells_only(work: Path) -> None:
    def ids() -> dict[str, str]:
        cells = json.loads((work / out / RECORD_FILE).read_text(encoding="utf-8"))["cells"]
        return {cell["transform"]: cell["id"] for cell in cells}

    out = "run"
    run_own(work, out)
    before = ids()
    write_attack(work, ('"a colour cast"', '"another cast"'))
    out = "other"
    run_own(work, out)
    assert {name for name, each in ids().items() if each != before[name]} == {"fade"}


def test_changed_code_is_not_continued_and_said_to_be_the_cause(work: Path) -> None:
    folder = run_own(work)
    before = rows_of(folder)
    run_own(work)
    write_attack(work, ("self.gain *", "self.gain * 0.9 *"))
    with pytest.raises(
        RunError, match=r"other code: what py:fade\.py:Fade names has changed since"
    ):
        run_own(work)
    write_attack(work)
    run_own(work)
    assert rows_of(folder).equals(before)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (PAINTED, "        return 1 / 0\n", r"fade\.py, line 42: ZeroDivisionError: division"),
        (PAINTED, "        import sys; sys.exit(0)\n", r"fade\.py, line 42: SystemExit: 0"),
        (START, "return [][1]", r"fade\.py, line 39: IndexError: list index out of range"),
        (START, "return radius", "expected a subclass of Latents, got a Tensor"),
        (START, START.replace("shift=", "other="), "line 39: TypeError: .*'other'"),
        ('"shift": Ball', '"shirt": Ball', "latents shift, but balls for shirt"),
        (DRAWS, f"{DRAWS}{TWO_ONLY}", r"shift of 4 pictures has shape \(2, 3\) instead of a row"),
        (
            DRAWS,
            f"    start_is_projected = False\n\n{DRAWS}{TWO_ONLY}",
            r"FadeLatents\.shift of 4 pictures has shape \(2, 3\) instead of a row for each",
        ),
        (
            START,
            START.replace("low=-1)", "low=-1).double()"),
            "shift is torch.float64 on cpu instead of torch.float32",
        ),
        (".clamp(0, 1)\n", "\n", r"paint\(\): values from -0\.\d+ to 1\.\d+ instead of 0 to 1"),
        (
            ".clamp(0, 1)\n",
            ".clamp(0, 1)[:, :1]\n",
            r"paint\(\): shape \(4, 1, 32, 32\) instead of \(4, 3,",
        ),
        (
            ".clamp(0, 1)\n",
            ".clamp(0, 1).detach()\n",
            r"paint\(\): no gradient with respect to the latents: detached",
        ),
        (
            ".clamp(0, 1)\n",
            ".clamp(0, 1)\n\n    def finish(self, picture): return picture + 1\n",
            r"finish\(\): values from 1 to 2 instead of 0 to 1",
        ),
        (PAINTED, "        return x.numpy()\n", r"paint\(\): a ndarray instead of a tensor"),
        (".clamp(0, 1)\n", ".log().clamp(-1, 1)\n", r"paint\(\): \d+ of \d+ values aren't finite"),
    ],
)
def test_code_that_fails_ends_the_run_in_one_line_and_keeps_the_rows(
    work: Path, old: str, new: str, words: str
) -> None:
    write_attack(work, (old, new))
    with pytest.raises(AttackError, match=words) as caught:
        run_own(work)
    assert str(caught.value).startswith("py:fade.py:Fade: ")
    assert "unforeseen contract py:fade.py:Fade" in str(caught.value)
    kept = rows_of(work / "run")
    assert set(kept["transform"]) == {"clean", "wood"}
    assert kept.height == 2 * COUNT


def test_only_the_finished_picture_must_lie_in_the_range(work: Path) -> None:
    benchmark = load_attack_benchmark(work / "own.toml")
    run_small(work / "run", benchmark=benchmark, attacks=["fade"], steps=0)
    finish = "\n\n    def finish(self, picture): return picture.clamp(0, 1)\n"
    write_attack(work, (".clamp(0, 1)\n", finish))
    run_small(work / "finished", benchmark=benchmark, attacks=["fade"], steps=0)
    rows = [rows_of(work / out) for out in ("run", "finished")]
    verdicts = [each.select("transform", "example_id", "correct", "loss") for each in rows]
    assert verdicts[0].equals(verdicts[1])
    run_own(work, "optimised")


def test_what_a_restart_begins_with_is_looked_at_too(work: Path) -> None:
    slip = START.replace("return ", "found = ") + (
        "\n        if keys[0].restart: found = found.map(lambda value: value.double())"
        "\n        return found"
    )
    write_attack(work, (START, slip))
    benchmark = load_attack_benchmark(work / "own.toml")
    search = search_settings("pgd", restarts=3)
    with pytest.raises(AttackError, match=r"shift is torch\.float64 on cpu instead of"):
        run_small(
            work / "run", benchmark=benchmark, attacks=["fade"], levels=["low"], search=search
        )


@pytest.mark.parametrize("edition", ["published", "strict"])
def test_a_file_that_is_mended_before_it_attacked_anything_is_gone_on_with(
    work: Path, edition: str
) -> None:
    write_attack(work, (PAINTED, "        return 1 / 0\n"))
    with pytest.raises(AttackError):
        run_own(work, "run", edition=edition)
    before = rows_of(work / "run").filter(transform="wood")
    write_attack(work)
    run_own(work, "run", edition=edition)
    after = rows_of(work / "run")
    assert after.filter(transform="wood").equals(before)
    assert after.filter(transform="fade").height == COUNT
    assert recount(work / "run").agrees
    run_own(work, "fresh", edition=edition)
    assert rows_of(work / "fresh").equals(after)


def test_rows_of_before_the_file_was_mended_are_gone_though_a_kill_came_between(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    write_attack(work, (PAINTED, "        return 1 / 0\n"))
    with pytest.raises(AttackError):
        run_own(work, edition="strict")
    write_attack(work)
    with monkeypatch.context() as patched:
        patched.setattr(RunLog, "discard", killed)
        with pytest.raises(KeyboardInterrupt):
            run_own(work, edition="strict")
    run_own(work, edition="strict")
    assert recount(work / "run").agrees


def test_a_model_that_fails_is_not_blamed_on_the_attack(work: Path) -> None:
    class Broken(SmallNet):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            if x.requires_grad:
                raise ValueError("of the model")
            return super().forward(x)

    benchmark = load_attack_benchmark(work / "own.toml")
    with pytest.raises(Exception, match="of the model") as caught:
        run_small(work / "run", Broken(), benchmark=benchmark, attacks=["fade"])
    assert not isinstance(caught.value, AttackError)


def test_a_lack_of_memory_halves_the_batch_also_in_the_users_code(work: Path) -> None:
    line = "        if len(x) > 2: raise MemoryError\n"
    write_attack(work, (PAINTED, line + PAINTED))
    run_own(work)
    write_attack(work)
    run_own(work, "other")
    verdicts = [
        rows_of(work / out).select("transform", "example_id", "correct") for out in ("run", "other")
    ]
    assert verdicts[0].equals(verdicts[1])


def test_a_lack_of_memory_of_the_users_code_is_not_blamed_on_the_model(work: Path) -> None:
    write_attack(work, (PAINTED, f"        raise MemoryError\n{PAINTED}"))
    words = r"^py:fade\.py:Fade: fade\.py, line 42: MemoryError.*with a single picture"
    with pytest.raises(AttackError, match=words):
        run_own(work)


@pytest.mark.parametrize(
    "raised",
    [
        "error = SyntaxError('x'); error.filename = 3; raise error",
        "raise type('E', (Exception,), {'__str__': lambda _: exit(9)})",
    ],
)
def test_exceptions_that_cannot_be_told_are_one_line_too(work: Path, raised: str) -> None:
    write_attack(work, (PAINTED, f"        {raised}\n"))
    with pytest.raises(AttackError, match=r"fade\.py, line 42: (SyntaxError|E): "):
        run_own(work)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'return "sign"',
            'return "sign" if self.geometry == "centred" else "adam"',
            "step_rule: expected 'sign' or 'l2', got 'adam'",
        ),
        (
            DRAWS,
            f"{NO_ATTACK}{DRAWS}",
            r"from_parameters\(\): expected a Fade, got a NoneType",
        ),
    ],
)
def test_what_is_wrong_in_one_geometry_or_as_made_is_refused_before_the_run_begins(
    work: Path, old: str, new: str, words: str
) -> None:
    write_attack(work, (old, new))
    with pytest.raises(AttackError, match=words):
        run_own(work)
    assert not (work / "run").exists()


def test_perturb_takes_it_from_the_users_benchmark(work: Path) -> None:
    x = small_pictures(2).float()
    y = SmallNet()(x).argmax(dim=1)
    attacked = perturb(SmallNet(), x, y, "fade", benchmark=str(work / "own.toml"))
    moved = (attacked.images - x).amax(dim=(2, 3))
    assert (moved.abs() <= 2 * 0.1 + 1e-6).all()
    assert (moved != 0).any()
