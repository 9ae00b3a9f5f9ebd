"""What an attack does to one picture: each level as it starts, and optimised against a model."""

__all__ = ["AT_THE_START", "Preview", "preview"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch import Tensor

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.levels import LEVELS, Level
from unforeseen.data.identity import identify
from unforeseen.data.label_spaces import class_names_of
from unforeseen.data.one_picture import OnePicture
from unforeseen.data.pictures import Picture, read_picture
from unforeseen.errors import DataError, UnknownNameError, UserError, one_line
from unforeseen.models.classifier import Predictor
from unforeseen.perturbation import perturb
from unforeseen.pixels import pixels_of
from unforeseen.report.gallery import Tile, class_in_words
from unforeseen.running.attack_plan import AttackPlan, make_attack_plan
from unforeseen.running.compatibility import of_the_benchmarks_size, refuse_background
from unforeseen.search.settings import search_settings

START, OPTIMISED, DRAWN = "start", "optimised", "worst drawn"
#: Below a picture that is judged wherever the search goes, and was given up before its first step.
AT_THE_START = "(at the start)"


@dataclass(frozen=True, kw_only=True)
class Preview:
    """Pictures for :func:`unforeseen.report.gallery.draw_gallery`.

    Attributes:
        edition: Whose geometry and judging they have.
        first_counts: Whether a search ends at the first point that fools the model, and leaves a
            picture alone that is misclassified as it is: in edition strict, and with searches that
            visit many points.
        label: The class that counts as right, in words.
        columns: The original, then the levels with their radii.
        rows: The attack's start, and, unless no steps are taken, what it is optimised to, or the
            worst of random draws.
    """

    edition: str
    first_counts: bool
    label: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Tile | None, ...]], ...]

    @property
    def right_when_clean(self) -> bool:
        """Whether the model is right before the attack."""
        original = self.rows[0][1][0]
        return original is not None and original.right


def preview(
    attack: str,
    file: Path,
    classifier: Predictor,
    benchmark: AttackBenchmark,
    *,
    label: str | None = None,
    donor: Path | None = None,
    edition: str | None = None,
    seed: int = 0,
    steps: int | None = None,
    search: str = "pgd",
    loss: str | None = None,
    restarts: int | None = None,
    draws: int | None = None,
) -> Preview:
    """Attacks one picture at each level of a benchmark.

    A run with the same seed makes the same draws for this file. It differs in that a camera's
    rotation tag is obeyed here, whatever the benchmark.

    Args:
        attack: One of the benchmark's.
        file: A picture; it is preprocessed as in a run of the model.
        classifier: Whom to fool.
        benchmark: Whose radii, steps and parameters to use.
        label: True class: a number, or a name that the model or the benchmark knows. None takes
            the model's answer to the original.
        donor: Another picture, for an attack that takes from one; a run picks one of the data.
        edition: Name of an edition; None takes the benchmark's default.
        seed: Seed of every draw.
        steps: Overrides the benchmark's number of updates; 0 shows the start only.
        search: ``pgd``, ``apgd``, ``random``, ``none`` or ``autoattack-lite``, as in
            :func:`unforeseen.evaluate`.
        loss: What ``pgd`` and ``apgd`` climb.
        restarts: Starts of ``pgd`` and ``apgd``.
        draws: Points of ``random``.

    Raises:
        UnknownNameError: The benchmark has no such attack or edition, or the model no such class.
        DataError: The file is no picture, or not of the benchmark's size.
        UserError: A number is out of range, the search doesn't take what it is told, or a donor is
            missing.
        ModelError: The model fails, or has no gradients and ``steps`` isn't 0; or it has 1,001
            outputs, of which one may be a background class, and ``label`` is given.
    """
    plan = make_attack_plan(
        benchmark,
        classifier.card,
        edition=edition,
        attacks=[attack],
        levels=LEVELS,
        seed=seed,
        steps=steps,
        search=search_settings(search, loss=loss, restarts=restarts, draws=draws, steps=steps),
    )
    cell = plan.attacked[-1]
    if cell.attack.needs_donor and donor is None:
        raise UserError(f"{attack} takes from another picture: say which (--donor FILE).")
    picture = _read(file, plan)
    given = None if donor is None else _read(donor, plan).image.float()[None] / 255
    classes = classifier.card.classes or classifier.count_classes(plan.picture_size)
    if label is not None:
        refuse_background(classifier, benchmark, classes)
    words = _words(classifier, benchmark, classes)
    x = picture.image.float()[None].to(classifier.device) / 255
    with classifier.inference(), torch.no_grad():
        clean = _answer(classifier.logits(x)[0])
    truth = clean if label is None else _class(label, words, classes)
    if truth is None:
        raise UserError(
            f"{classifier.card.uri}: expected finite scores for {file.name}, got others. Give the "
            "true class: --label."
        )
    original = Tile.of(pixels_of(picture.image), clean, truth=truth, words=words)

    def attacked(level: Level, *, at_start: bool) -> Tile:
        result = perturb(
            classifier,
            x,
            torch.tensor([truth], device=x.device),
            attack,
            level=level,
            benchmark=benchmark,
            edition=plan.edition.name,
            seed=seed,
            ids=[picture.example_id],
            donors=given,
            search="none" if at_start else search,
            loss=None if at_start else loss,
            restarts=None if at_start else restarts,
            draws=None if at_start else draws,
            steps=None if at_start else steps,
        )
        prediction = int(result.prediction[0])
        at_once = not at_start and clean == truth and not result.steps[0]
        return Tile.of(
            pixels_of(result.images[0]),
            prediction if prediction >= 0 else None,
            truth=truth,
            words=words,
            remark=AT_THE_START if at_once else "",
        )

    rows: list[tuple[str, tuple[Tile | None, ...]]] = [
        (START, (original, *(attacked(level, at_start=True) for level in LEVELS)))
    ]
    if cell.search.steps:
        name = OPTIMISED if cell.search.needs_gradient else DRAWN
        rows.append((name, (None, *(attacked(level, at_start=False) for level in LEVELS))))
    radii = benchmark.attack(attack).radii
    return Preview(
        edition=plan.edition.name,
        first_counts=not cell.search.attacks(correct=False),
        label=class_in_words(truth, words),
        columns=("original", *(f"{level} (ε {radii[level]:.3g})" for level in LEVELS)),
        rows=tuple(rows),
    )


def _read(file: Path, plan: AttackPlan) -> Picture:
    """The file as a run's picture, upright; raises DataError."""
    dataset = OnePicture(file)
    (name,) = identify(dataset, [0])
    read = read_picture(dataset, 0, name, replace(plan.preprocessing, exif_rotation=True))
    (picture,) = of_the_benchmarks_size([read], plan, dataset.card)
    if not isinstance(picture, Picture):
        raise DataError(f"{file}: expected a picture: {picture.reason}.")
    return picture


def _words(classifier: Predictor, benchmark: AttackBenchmark, classes: int) -> Sequence[str]:
    """Class names: the model's own, else those of the benchmark's labels; empty if neither fit."""
    space = benchmark.label_space
    for names in (classifier.card.class_names, class_names_of(space) if space else ()):
        if len(names) == classes:
            return names
    return ()


def _class(label: str, words: Sequence[str], classes: int) -> int:
    """The class of a number or a name; raises UserError."""
    if label.strip().isdecimal():
        try:
            number = int(label)
        except ValueError:  # Python reads no number of thousands of digits
            number = classes
        if number >= classes:
            got = one_line(label, longest=80)
            raise UserError(f"label: expected a class from 0 to {classes - 1}, got {got}.")
        return number
    numbers: Mapping[str, int] = {word.casefold(): number for number, word in enumerate(words)}
    if label.strip().casefold() not in numbers:
        raise UnknownNameError("class", label, words, f"Or give its number, 0 to {classes - 1}.")
    return numbers[label.strip().casefold()]


def _answer(logits: Tensor) -> int | None:
    return int(logits.argmax()) if bool(logits.isfinite().all()) else None
