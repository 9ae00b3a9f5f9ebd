"""Attacks a batch of pictures in memory: the search, without a run around it."""

__all__ = ["Perturbed", "perturb"]

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.attack_setting import AttackSetting
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.kinds import expect_attacks
from unforeseen.data.identity import numbered
from unforeseen.errors import ModelError, UserError
from unforeseen.models import as_classifier
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.perturbation_inputs import checked_images, checked_labels, donors_of, radii_of
from unforeseen.positive import positive_number
from unforeseen.running.attack_plan import make_attack
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.expectation import expected
from unforeseen.search.search import Search
from unforeseen.search.searches import make_search
from unforeseen.search.settings import search_settings
from unforeseen.transforms.base import AnyAttack
from unforeseen.whole import whole_number


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class Perturbed:
    """What became of a batch. All tensors have the leading axis B of the pictures that came.

    Attributes:
        images: The judged pictures (B, 3, H, W) in [0, 1], device and dtype as they came.
        correct: Whether each is classified right, (B,).
        correct_any: Whether no evaluated point fooled the classifier, (B,).
        correct_8bit: Whether each is classified right when rounded to 8 bits, (B,).
        prediction: Class of each, −1 where the logits aren't finite, (B,).
        loss: Cross-entropy of each in nats, (B,).
        steps: Updates made until each, (B,).
        gradient_evaluations: Gradients spent on each, (B,).
    """

    images: Tensor
    correct: Tensor
    correct_any: Tensor
    correct_8bit: Tensor
    prediction: Tensor
    loss: Tensor
    steps: Tensor
    gradient_evaluations: Tensor

    def __repr__(self) -> str:
        return f"Perturbed({len(self.images)} pictures, {int(self.correct.sum())} still right)"


def perturb(
    model: nn.Module | Predictor,
    x: Tensor,
    y: Tensor,
    attack: str | AnyAttack,
    *,
    level: str | None = None,
    radius: float | Tensor | None = None,
    benchmark: str | Benchmark = "imagenet-ua",
    edition: str | None = None,
    seed: int = 0,
    ids: Sequence[str] | None = None,
    steps: int | None = None,
    step_size: float | None = None,
    search: str = "pgd",
    loss: str | None = None,
    restarts: int | None = None,
    draws: int | None = None,
    eot: int = 1,
    donors: Tensor | None = None,
    batch_size: int | None = None,
) -> Perturbed:
    """Attacks pictures with one attack, as a benchmark would.

    Edition ``strict`` leaves pictures alone that are misclassified as they are, and stops at each
    picture's first success.

    Args:
        model: On pictures in [0, 1]; it is evaluated in evaluation mode, its flags restored.
        x: Pictures, (B, 3, H, W) in [0, 1], floating point, on the model's device.
        y: True classes, (B,).
        attack: An attack's name, or an attack with parameters and a geometry of your own. One that
            the benchmark doesn't list needs ``radius``, ``steps`` and ``step_size``.
        level: ``low``, ``medium``, ``high``; ``medium`` where no radius is given either.
        radius: ε instead of a level: one number, or one per picture (B,).
        benchmark: Name, file or object whose radii, steps and parameters are used.
        edition: Name of an edition; None takes the benchmark's default.
        seed: Seed of every draw.
        ids: What each picture's draws are keyed by; None takes a hash of its pixels, so that a
            picture's draws don't depend on the batch that it comes in.
        steps: Overrides the benchmark's number of updates; 0 doesn't optimise.
        step_size: Overrides the benchmark's step size.
        search: ``pgd``, ``apgd``, ``random``, ``none`` or ``autoattack-lite``, as in
            :func:`unforeseen.evaluate`.
        loss: What ``pgd`` and ``apgd`` climb.
        restarts: Independent starts per picture, until one succeeds; None takes 1, of a targeted
            loss 9.
        draws: Points per picture of ``random``.
        eot: Forward passes that every evaluation takes the mean of, for a model that draws at
            random in its forward pass.
        donors: For an attack that takes from other pictures, one for each, shaped like ``x``; None
            takes them from ``x``, of another class each.
        batch_size: Pictures that the model sees at once; None takes all.

    Raises:
        ImageError: ``x`` isn't a batch of RGB pictures in [0, 1].
        UserError: Another argument doesn't fit.
        ModelError: The model has no gradients, and ``steps`` isn't 0.
        UnknownNameError: There is no such attack, level, benchmark or edition.
    """
    classifier = as_classifier(model)
    x = checked_images(x)
    labels = checked_labels(y, x)
    names = _ids(x) if ids is None else list(ids)
    if len(names) != len(x) or len(set(names)) != len(x):
        raise UserError(f"ids: expected {len(x)} distinct names, got {len(names)}: {names[:5]}…")

    chosen_search = search_settings(search, loss=loss, restarts=restarts, draws=draws, steps=steps)
    source = expect_attacks(
        benchmark if isinstance(benchmark, Benchmark) else load_benchmark(benchmark)
    )
    chosen = source.edition(edition)
    if isinstance(attack, str):
        setting = source.attack(attack)
        painter = make_attack(setting, chosen)
    else:
        moves = chosen_search.name in ("pgd", "apgd", "autoattack-lite")
        setting = _setting_of(
            attack,
            source,
            radius=radius,
            steps=steps if moves else 0,
            step_size=step_size if chosen_search.name == "pgd" else 1.0,
        )
        painter = attack
    optimiser = make_search(
        chosen_search,
        steps=setting.steps if steps is None else whole_number("steps", steps, minimum=0),
        step_size=setting.step_size
        if step_size is None
        else positive_number("step_size", step_size),
        judging=chosen.judging,
        gradient_batch=chosen.gradient_batch,
        seed=whole_number("seed", seed, minimum=0),
        eot=whole_number("eot", eot, minimum=1),
    )
    if optimiser.needs_gradient and not isinstance(classifier, DifferentiableClassifier):
        raise ModelError(
            f"{classifier.card.uri} has no gradients: give an nn.Module, or steps=0 or search='random' for "
            "attacks that aren't optimised."
        )
    radii = radii_of(level, radius, setting.radii, len(x))
    if painter.needs_donor:
        donors = donors_of(donors, x, labels, names, optimiser.seed)
    size = len(x)
    if batch_size is not None:
        # Batches are padded: a larger one than there are pictures would only cost.
        size = min(size, whole_number("batch_size", batch_size, minimum=1))

    with classifier.inference():
        _check_classes(classifier, x, labels)
        outcomes = _left_alone(optimiser, classifier, x, labels, names, size)
        examples = [
            Example(
                id=names[i],
                image=x[i],
                label=labels[i],
                radius=radii[i],
                donor=None if donors is None else donors[i],
            )
            for i in range(len(x))
            if names[i] not in outcomes
        ]
        for outcome in optimiser.run(painter, classifier, examples, batch_size=size):
            outcomes[outcome.id] = outcome
    return _gather([outcomes[each] for each in names], x)


def _setting_of(
    attack: AnyAttack,
    source: AttackBenchmark,
    *,
    radius: float | Tensor | None,
    steps: int | None,
    step_size: float | None,
) -> AttackSetting:
    """The benchmark's setting of an attack object, or one made of the arguments alone."""
    if attack.name in source.attacks:
        return source.attack(attack.name)
    if radius is None or steps is None or step_size is None:
        raise UserError(
            f"{source.name} doesn't say how to run {attack.name!r}: give radius, steps and step_size."
        )
    return AttackSetting(
        name=attack.name,
        attack=attack.name,
        group="extra",
        steps=steps,
        step_size=step_size,
        radii={},
    )


def _ids(x: Tensor) -> list[str]:
    """Hashes of the pixels as float32, 32 hex digits each; the same picture again gets #2, #3 …."""
    pixels = (picture.contiguous().numpy().tobytes() for picture in x.float().cpu())
    return numbered(hashlib.sha256(each).hexdigest()[:32] for each in pixels)


def _check_classes(classifier: Predictor, x: Tensor, labels: list[int]) -> None:
    with torch.no_grad():
        classes = classifier.logits(x[:1]).shape[1]
    if max(labels) >= classes:
        raise UserError(
            f"y: expected classes below {classes}, the number of outputs of "
            f"{classifier.card.uri}; got {max(labels)}."
        )


def _left_alone(
    search: Search,
    classifier: Predictor,
    x: Tensor,
    labels: list[int],
    names: list[str],
    batch_size: int,
) -> dict[str, Outcome]:
    """Pictures that the search doesn't attack, as they are."""
    if search.attacks(correct=False):
        return {}
    outcomes = {}
    y = torch.tensor(labels, device=x.device)
    for begin in range(0, len(x), batch_size):
        part = slice(begin, begin + batch_size)
        with torch.no_grad():
            asked = expected(classifier, x[part], y[part], passes=search.eot)
        logits, losses = asked.logits, asked.loss.tolist()
        right = logits.isfinite().all(dim=1) & (logits.argmax(dim=1) == y[part])
        for offset, (loss, correct) in enumerate(zip(losses, right.tolist(), strict=True)):
            if search.attacks(correct=correct):
                continue
            name = names[begin + offset]
            outcomes[name] = Outcome.unattacked(
                name, x[begin + offset], logits[offset].cpu(), loss=loss
            )
    return outcomes


def _gather(outcomes: list[Outcome], x: Tensor) -> Perturbed:
    def tensor(values: list[bool] | list[int] | list[float]) -> Tensor:
        return torch.tensor(values, device=x.device)

    return Perturbed(
        images=torch.stack([outcome.picture for outcome in outcomes]).to(x),
        correct=tensor([outcome.correct for outcome in outcomes]),
        correct_any=tensor([outcome.correct_any for outcome in outcomes]),
        correct_8bit=tensor([outcome.correct_8bit for outcome in outcomes]),
        prediction=tensor(
            [int(outcome.logits.argmax()) if outcome.finite else -1 for outcome in outcomes]
        ),
        loss=tensor([outcome.loss for outcome in outcomes]),
        steps=tensor([outcome.steps for outcome in outcomes]),
        gradient_evaluations=tensor([outcome.gradient_evaluations for outcome in outcomes]),
    )
