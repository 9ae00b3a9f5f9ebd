"""Finding and reading benchmark files: the built-in ones by name, a user's own by path."""

__all__ = ["BENCHMARKS", "load_attack_benchmark", "load_benchmark", "names_benchmark"]

from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import SCHEMA, Benchmark
from unforeseen.benchmarks.kinds import benchmark_of, expect_attacks
from unforeseen.errors import BenchmarkError, UnknownNameError, one_line
from unforeseen.files.table import Table
from unforeseen.files.toml_text import parse_toml

#: Built-in benchmarks and their titles; each has a file of its name beside this one.
BENCHMARKS: dict[str, str] = {
    "cifar10-ua": "CIFAR-10-UA: eight unforeseen attacks on CIFAR-10 at 32 px",
    "cifar10-ua-full": "CIFAR-10-UA-full: all nineteen unforeseen attacks on CIFAR-10 at 32 px",
    "imagenet-ua": "ImageNet-UA: eight unforeseen attacks on ImageNet at 224 px",
    "imagenet-ua-full": "ImageNet-UA-full: all nineteen unforeseen attacks on ImageNet at 224 px",
    "imagenet100-ua": "ImageNet100-UA: eight unforeseen attacks on 100 classes of ImageNet at 224 px",
    "imagenet100-ua-full": "ImageNet100-UA-full: all nineteen unforeseen attacks on 100 classes of ImageNet at 224 px",
    "image-obfuscation": "Image obfuscation: 22 obfuscations of 16 super-classes of ImageNet at 224 px",
    "image-obfuscation-own": "Image obfuscation: 22 obfuscations of pictures with labels of their own at 224 px",
}

#: What two benchmarks don't share.
_OF_ITS_OWN = ("name", "title", "source")
_LARGEST_FILE = 2**16


def names_benchmark(text: str) -> bool:
    """Whether that is how a benchmark is named: a built-in one's name, or the path of a file."""
    return text.lower() in BENCHMARKS or text.lower().endswith(".toml")


def load_benchmark(name_or_path: str | Path) -> Benchmark:
    """Reads a benchmark.

    Args:
        name_or_path: A name in :data:`BENCHMARKS`, whatever the case of its letters, or the path of a
            ``.toml`` file.

    Raises:
        UnknownNameError: Neither a built-in name nor a path ending in ``.toml``.
        BenchmarkError: The file can't be read or its content can't be used.
    """
    name = str(name_or_path)
    folder = None
    if name.lower() in BENCHMARKS:
        name = name.lower()
        content = _built_in(name)
    elif name.lower().endswith(".toml"):
        content = _read(name)
        folder = Path(name).parent.resolve()
    else:
        raise UnknownNameError(
            "benchmark", name, BENCHMARKS, hint="Or give the path of a .toml file."
        )
    whole = _extended(parse_toml(content, origin=name, error=BenchmarkError), origin=name)
    benchmark = benchmark_of(whole, origin=name, folder=folder)
    if isinstance(benchmark, AttackBenchmark):
        _expect_visible_code(benchmark, content, origin=name)
    return benchmark


def load_attack_benchmark(name_or_path: str | Path) -> AttackBenchmark:
    """Reads a benchmark of attacks; takes and raises what :func:`load_benchmark` does.

    Raises:
        BenchmarkError: Likewise, or it is one of obfuscations.
    """
    return expect_attacks(load_benchmark(name_or_path))


def _expect_visible_code(benchmark: AttackBenchmark, content: bytes, *, origin: str) -> None:
    """Raises where a file names code that a search for ``py:`` in it wouldn't show."""
    for setting in benchmark.attacks.values():
        # A Windows path has its backslashes doubled.
        written = {setting.attack.encode(), setting.attack.replace("\\", "\\\\").encode()}
        if setting.user_made and not any(each in content for each in written):
            raise BenchmarkError(
                f"{origin}: attacks.{setting.name}.attack: expected it written as it is, so that "
                f"whoever looks for py: sees it; got escapes for {one_line(setting.attack, longest=60)}."
            )


def _built_in(name: str) -> bytes:
    return resources.files(__package__).joinpath(f"{name}.toml").read_bytes()


def _extended(content: dict[str, object], *, origin: str) -> dict[str, object]:
    """The built-in benchmark that ``extends`` names, with what the file says instead."""
    if "extends" not in content:
        return content
    table = Table.of(content, origin=origin, error=BenchmarkError)
    table.expect_schema(SCHEMA)
    base = table.choice("extends", tuple(BENCHMARKS))
    missing = [key for key in _OF_ITS_OWN if key not in content]
    if missing:
        raise BenchmarkError(
            f"{origin}: a file that extends another says {', '.join(_OF_ITS_OWN)} of its own; it "
            f"lacks {', '.join(missing)}."
        )
    below = _extended(parse_toml(_built_in(base), origin=base, error=BenchmarkError), origin=base)
    return _merged(below, {key: value for key, value in content.items() if key != "extends"})


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    """``above`` over ``below``, tables key by key."""
    whole = dict(below)
    for key, value in above.items():
        there = whole.get(key)
        if isinstance(there, Mapping) and isinstance(value, Mapping):
            value = _merged(there, value)  # noqa: PLW2901 – a table takes the place of its part
        whole[key] = value
    return whole


def _read(name: str) -> bytes:
    try:
        path = Path(name)
        if not path.is_file():
            raise BenchmarkError(f"{name}: expected a benchmark file, found none there.")
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, BenchmarkError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise BenchmarkError(f"{name!r}: the benchmark file can't be read: {reason}.") from error
    if len(content) > _LARGEST_FILE:
        raise BenchmarkError(
            f"{name}: expected a benchmark file of at most 64 KiB, got a larger one."
        )
    return content
