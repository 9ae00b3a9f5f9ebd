"""What ``unforeseen preview`` shows of obfuscations."""

__all__ = ["OF_OBFUSCATIONS", "names_obfuscations", "obfuscation_names", "preview_obfuscations"]

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from unforeseen.cli.joined import names_in
from unforeseen.cli.making_progress import MakingProgress, waiting
from unforeseen.errors import UserError
from unforeseen.stage_reporter import in_one
from unforeseen.whole import whole_number

#: Whose ranges where the user names no benchmark.
OF_OBFUSCATIONS = "image-obfuscation"
#: Of a data set.
_PICTURES = 6
#: Of each obfuscation, where there is one picture.
_DRAWS = 6
#: More would make a sheet that no program shows.
_MOST_COLUMNS = 64


def obfuscation_names() -> Sequence[str]:
    """The obfuscations of the usual benchmark."""
    from unforeseen.benchmarks import load_benchmark
    from unforeseen.benchmarks.kinds import expect_obfuscations

    return tuple(expect_obfuscations(load_benchmark(OF_OBFUSCATIONS)).obfuscations)


def names_obfuscations(what: str, benchmark: str | None) -> bool:
    """Whether the user means obfuscations: a benchmark, or one of them.

    Args:
        what: As typed.
        benchmark: Name or file, if the user gives one.

    Raises:
        UserError: A benchmark can't be read, or one that is to be shown as a whole is of attacks.
    """
    from unforeseen.benchmarks import ObfuscationBenchmark, load_benchmark, names_benchmark
    from unforeseen.benchmarks.kinds import expect_obfuscations

    if benchmark is not None:
        return isinstance(load_benchmark(benchmark), ObfuscationBenchmark)
    if names_benchmark(what):
        expect_obfuscations(load_benchmark(what))
        return True
    return what.lower() in {name.lower() for name in obfuscation_names()}


def preview_obfuscations(
    what: str,
    benchmark: str | None,
    out: Path,
    *,
    image: Path | None,
    data: str | None,
    limit: int | None,
    obfuscations: Sequence[str] | None,
    draws: int | None,
    seed: int | None,
    assets: Path | None,
) -> None:
    """Draws the sheet.

    Args:
        what: One of the benchmark's obfuscations; or the benchmark, where that isn't given.
        benchmark: Name or file.
        out: Where to.
        image: The picture; or
        data: Where pictures lie.
        limit: How many of these.
        obfuscations: Names, as the option was given, where ``what`` is a benchmark.
        draws: Of each obfuscation for each picture.
        seed: Of every draw; None takes the one with which pictures were obfuscated before, else 0.
        assets: Folder of a pack.

    Raises:
        UserError: Something isn't there, or doesn't go together.
    """
    from unforeseen.benchmarks import load_benchmark, names_benchmark
    from unforeseen.benchmarks.kinds import expect_obfuscations
    from unforeseen.cli.ahead import load_data_aloud
    from unforeseen.cli.output import say
    from unforeseen.counted import counted
    from unforeseen.data.one_picture import OnePicture
    from unforeseen.obfuscation_sets import ObfuscationSet

    if (image is None) == (data is None):
        both = "both" if image is not None else "neither"
        raise UserError(f"expected --image FILE or --data URI, got {both}.")
    if image is not None and limit is not None:
        raise UserError("--limit: expected --data to go with it; --image is one picture.")
    named = names_in(obfuscations)
    whole = benchmark is None and names_benchmark(what)
    if not whole:
        if named is not None:
            raise UserError(f"--obfuscations: expected a benchmark to choose from, got {what}.")
        named = [what]
    source = expect_obfuscations(load_benchmark(what if whole else benchmark or OF_OBFUSCATIONS))
    ObfuscationSet.of(named or "all", source)
    if draws is None:
        draws = 1 if image is None else _DRAWS
    draws = whole_number("draws", draws, minimum=1, maximum=_MOST_COLUMNS)
    most = _MOST_COLUMNS // draws
    limit = whole_number("limit", _PICTURES if limit is None else limit, minimum=1, maximum=most)
    if image is None:
        dataset = load_data_aloud(str(data))
    else:
        dataset = OnePicture(image)
        # As people take pictures; data sets are of pictures as they are.
        source = replace(source, preprocessing=replace(source.preprocessing, exif_rotation=True))

    # Only now, as torch takes seconds to import.
    with waiting("loading libraries"):
        from unforeseen.obfuscation_preview import preview_obfuscations as obfuscated_pictures
        from unforeseen.report.contact_sheet import draw_contact_sheet

    with MakingProgress() as progress:
        shown = obfuscated_pictures(
            source,
            dataset,
            obfuscations=named,
            limit=limit,
            seed=seed,
            draws=draws,
            assets=assets,
            reporter=progress,
        )
        if shown.unreadable:
            progress.note(
                f"{counted(shown.unreadable, 'picture')} can't be read; the sheet is without."
            )
        with in_one(progress, "drawing the sheet"):
            draw_contact_sheet(
                out,
                title=f"{source.name}, seed {shown.seed}: {dataset.card.uri}",
                columns=shown.columns,
                rows=shown.rows,
                captions=shown.drawn,
                # Of several draws, headings say which one: the original is none of them.
                headed=0 if draws == 1 else 1,
            )
    say(f"The pictures, and what the obfuscations make of them: {out}")
