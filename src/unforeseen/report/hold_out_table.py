"""Every choice of hold-outs that could have been made, and where the benchmark's own one stands.

Appendix C.3 of Stimberg et al. 2023, figures C.8 to C.12.
"""

__all__ = [
    "HoldOutChoices",
    "hold_out_choices_of",
    "hold_outs_to_csv",
    "hold_outs_to_json",
    "hold_outs_to_markdown",
    "hold_outs_to_rich",
]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from statistics import median

from rich.console import Group, RenderableType
from rich.text import Text

from unforeseen.counted import counted
from unforeseen.errors import UserError
from unforeseen.metrics.hold_outs import Choice, Place, choices_over, place_of
from unforeseen.metrics.verdicts import TOP, TopK, labelled_verdicts
from unforeseen.report.grids import escaped, fitting, grid, markdown_table, plain
from unforeseen.report.obfuscation_tables import (
    ORIGINS,
    names_of,
    picture_counts,
    run_notes,
    said_once,
)
from unforeseen.report.run_names import letters_for
from unforeseen.report.serialised import csv_text, json_text
from unforeseen.run_folder.obfuscation_completeness import PAPER_OBFUSCATIONS
from unforeseen.run_folder.obfuscation_figures import Weighting
from unforeseen.run_folder.read_run import ReadObfuscationRun


@dataclass(frozen=True, kw_only=True)
class HoldOutChoices:
    """The choices that one run's obfuscations allow.

    Attributes:
        name: What the run is called.
        hold_outs: The benchmark's own choice.
        place: Where that stands.
        choices: Worst-case accuracy by choice.
        pictures: How many pictures have a verdict under every obfuscation.
        obfuscations: How many obfuscations there were to choose from.
        weighting: What weighs the same.
        top: Among how many of the most probable classes the true one had to be.
        about: Whose pictures they are, how many of which class, why the run is partial, failures.
    """

    name: str
    hold_outs: Choice
    place: Place
    choices: Mapping[Choice, float]
    pictures: int
    obfuscations: int
    weighting: Weighting
    top: TopK
    about: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What must be read before the figures."""
        every = comb(PAPER_OBFUSCATIONS, len(self.hold_outs))
        if self.obfuscations >= PAPER_OBFUSCATIONS:
            return self.about
        fewer = (
            f"{counted(len(self.choices), 'choice')} from {counted(self.obfuscations, 'obfuscation')}; the paper's "
            f"{PAPER_OBFUSCATIONS} allow {every:,}"
        )
        return (*self.about, fewer)

    def sentence(self) -> str:
        """Where the benchmark's choice stands, in words."""
        place = self.place
        ties = f", {place.as_hard:,} as hard" if place.as_hard else ""
        hardest = min(self.choices, key=self.choices.__getitem__)
        return (
            f"{self.name}: worst-case accuracy over {_joined(self.hold_outs)} "
            f"{100 * place.worst:.1f} %; {place.harder:,} of {counted(place.of, 'choice')} "
            f"{'is' if place.of == 1 else 'are'} harder ({100 * place.share_harder:.1f} %){ties}; the hardest is {_joined(hardest)}, "
            f"{100 * self.choices[hardest]:.1f} %"
        )


def hold_out_choices_of(
    runs: Sequence[ReadObfuscationRun], *, weighting: Weighting = "balanced", top: TopK = 1
) -> tuple[HoldOutChoices, ...]:
    """Tries every choice, of as many obfuscations as the benchmark holds out.

    Args:
        runs: Each is counted by itself.
        weighting: What weighs the same.
        top: Among how many of the most probable classes the true one must be.

    Raises:
        UserError: A run has not all hold-outs, or no picture with every verdict.
    """
    return tuple(
        _choices(run, name, weighting, top)
        for run, name in zip(runs, names_of([run.summary for run in runs]), strict=True)
    )


def hold_outs_to_rich(found: Sequence[HoldOutChoices], *, width: int) -> RenderableType:
    """Makes something a :class:`rich.console.Console` prints.

    Args:
        found: Of each run.
        width: Of the terminal in characters; names that leave figures no room become letters.
    """
    shown = found
    if len(fitting(_cells(found), width)) > 1:
        letters = letters_for([each.name for each in found])
        shown = [replace(each, name=name) for each, name in zip(found, letters, strict=True)]
    parts: list[RenderableType] = [Text(_title(found), style="bold")]
    for each, short in zip(found, shown, strict=True):
        key = "" if short.name == each.name else f"{short.name} = "
        parts.append(Text(plain(f"{key}{each.sentence()}"), style="bold"))
    parts += [Text(plain(note), style="yellow") for note in _notes(shown)]
    return Group(*parts, grid(_cells(shown)))


def hold_outs_to_markdown(found: Sequence[HoldOutChoices]) -> str:
    """Writes the places and the ends of the distribution in GitHub's Markdown."""
    blocks = [f"### {escaped(_title(found))}"]
    blocks += [f"**{escaped(each.sentence())}**" for each in found]
    blocks += map(escaped, _notes(found))
    return "\n\n".join([*blocks, markdown_table(_cells(found))]) + "\n"


def hold_outs_to_csv(found: Sequence[HoldOutChoices]) -> str:
    """Writes a line for each choice: model, weighting, top, choice, own (the benchmark's), worst, n, notes."""
    lines = (
        (
            each.name,
            each.weighting,
            each.top,
            "+".join(choice),
            set(choice) == set(each.hold_outs),
            worst,
            each.pictures,
            "; ".join(each.notes),
        )
        for each in found
        for choice, worst in each.choices.items()
    )
    headings = ("model", "weighting", "top", "choice", "own", "worst", "n", "notes")
    return csv_text(headings, lines)


def hold_outs_to_json(found: Sequence[HoldOutChoices]) -> str:
    """Writes a JSON list: of each run its place and the worst case of every choice."""
    content = [
        {
            "model": each.name,
            "weighting": each.weighting,
            "top": each.top,
            "notes": list(each.notes),
            "pictures": each.pictures,
            "hold_outs": list(each.hold_outs),
            "worst": each.place.worst,
            "harder": each.place.harder,
            "as_hard": each.place.as_hard,
            "of": each.place.of,
            "choices": [
                {"choice": list(choice), "worst": worst} for choice, worst in each.choices.items()
            ],
        }
        for each in found
    ]
    return json_text(content)


def _choices(run: ReadObfuscationRun, name: str, weighting: Weighting, top: TopK) -> HoldOutChoices:
    benchmark = run.summary.benchmark
    ran = [each.obfuscation for each in run.summary.obfuscations]
    hold_outs = benchmark.names("hold-out")
    missing = [each for each in hold_outs if each not in ran]
    if missing or not hold_outs:
        raise UserError(
            f"{name}: expected a run of every hold-out, to place the benchmark's choice; not run: "
            f"{', '.join(missing) or 'any, as the benchmark has none'}."
        )
    joint = labelled_verdicts(run.rows, ran, "", TOP[top])
    if not joint.names:
        raise UserError(f"{name}: no picture has a verdict under every obfuscation yet.")
    choices = choices_over(joint, ran, len(hold_outs), balanced=weighting == "balanced")
    place = place_of(hold_outs, choices)
    assert place is not None, "all hold-outs were run"
    return HoldOutChoices(
        name=name,
        hold_outs=hold_outs,
        place=place,
        choices=choices,
        pictures=len(joint.names),
        obfuscations=len(ran),
        weighting=weighting,
        top=top,
        about=(
            ORIGINS[run.summary.made_by],
            *picture_counts(run.summary.classes, benchmark),
            *run_notes([run.summary], [name], top),
        ),
    )


def _title(found: Sequence[HoldOutChoices]) -> str:
    balance = "class-balanced" if found[0].weighting == "balanced" else "unweighted"
    return f"Choices of hold-outs, top {found[0].top}, {balance}"


def _notes(found: Sequence[HoldOutChoices]) -> list[str]:
    return list(said_once([each.notes for each in found], [each.name for each in found]))


def _joined(choice: Choice) -> str:
    return " + ".join(choice)


def _cells(found: Sequence[HoldOutChoices]) -> list[list[str]]:
    """Heading and lines: a run a line, with the ends and the middle of its distribution."""
    heading = ["Model", "n", "Own", "Harder", "As hard", "Of", "Lowest", "Median", "Highest"]
    cells = [heading]
    for each in found:
        shares = sorted(each.choices.values())
        place = each.place
        cells.append(
            [
                *(each.name, f"{each.pictures:,}", f"{100 * place.worst:.1f}"),
                *(f"{place.harder:,}", f"{place.as_hard:,}", f"{place.of:,}"),
                *(f"{100 * share:.1f}" for share in (shares[0], median(shares), shares[-1])),
            ]
        )
    return cells
