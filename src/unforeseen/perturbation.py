"""Attacks a batch of pictures in memory: the search, without a run around it."""

__all__ = ["Perturbed", "perturb"]

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from unforeseen.benchmarks import load_benchmark
from unforeseen.benchmarks.benchmark import AttackSetting, Benchmark, Level, level_named
from unforeseen.data.identity import numbered
from unforeseen.errors import ImageError, ModelError, UserError
from unforeseen.models import as_classifier
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.plan import make_attack
from unforeseen.positive import positive_number
from unforeseen.search.examples import Example, Outcome
from unforeseen.search.expectation import expected
from unforeseen.search.losses import cross_entropy
from unforeseen.search.pgd import ProjectedGradientDescent
from unforeseen.transforms.base import AnyAttack
from unforeseen.whole import whole_number

#: How far outside [0, 1] rounding may have carried a pixel.
RANGE_TOLERANCE = 1e-6


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
    restarts: int = 1,
    eot: int = 1,
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
        restarts: Independent starts per picture, until one succeeds.
        eot: Forward passes that every evaluation takes the mean of, for a model that draws at
            random in its forward pass.
        batch_size: Pictures that the model sees at once; None takes all.

    Raises:
        ImageError: ``x`` isn't a batch of RGB pictures in [0, 1].
        UserError: Another argument doesn't fit.
        ModelError: The model has no gradients, and ``steps`` isn't 0.
        UnknownNameError: There is no such attack, level, benchmark or edition.
    """
    classifier = as_classifier(model)
    x = _check_images(x)
    labels = _check_labels(y, x)
    names = _ids(x) if ids is None else list(ids)
    if len(names) != len(x) or len(set(names)) != len(x):
        raise UserError(f"ids: expected {len(x)} distinct names, got {len(names)}: {names[:5]}…")

    source = benchmark if isinstance(benchmark, Benchmark) else load_benchmark(benchmark)
    chosen = source.edition(edition)
    if isinstance(attack, str):
        setting = source.attack(attack)
        painter = make_attack(setting, chosen)
    else:
        setting = _setting_of(attack, source, radius=radius, steps=steps, step_size=step_size)
        painter = attack
    search = ProjectedGradientDescent(
        steps=setting.steps if steps is None else whole_number("steps", steps, minimum=0),
        step_size=setting.step_size
        if step_size is None
        else positive_number("step_size", step_size),
        judging=chosen.judging,
        gradient_batch=chosen.gradient_batch,
        restarts=whole_number("restarts", restarts, minimum=1),
        seed=whole_number("seed", seed, minimum=0),
        eot=whole_number("eot", eot, minimum=1),
    )
    if search.steps and not isinstance(classifier, DifferentiableClassifier):
        raise ModelError(
            f"{classifier.card.uri} has no gradients: give an nn.Module, or steps=0 for attacks "
            "that aren't optimised."
        )
    radii = _radii(level, radius, setting.radii, len(x))
    size = len(x)
    if batch_size is not None:
        # Batches are padded: a larger one than there are pictures would only cost.
        size = min(size, whole_number("batch_size", batch_size, minimum=1))

    with classifier.inference():
        _check_classes(classifier, x, labels)
        outcomes = (
            _misclassified(classifier, x, labels, names, size, eot=search.eot)
            if chosen.judging == "any"
            else {}
        )
        examples = [
            Example(id=names[i], image=x[i], label=labels[i], radius=radii[i])
            for i in range(len(x))
            if names[i] not in outcomes
        ]
        for outcome in search.run(painter, classifier, examples, batch_size=size):
            outcomes[outcome.id] = outcome
    return _gather([outcomes[each] for each in names], x)


def _setting_of(
    attack: AnyAttack,
    source: Benchmark,
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


def _check_images(x: Tensor) -> Tensor:
    """Accepts RGB pictures in [0, 1]; clamps what rounding carried over the edge by ≤ 1e-6.

    Args:
        x: (B, 3, H, W).

    Raises:
        ImageError: Anything else.
    """
    got = f"{tuple(x.shape)} of {x.dtype}" if isinstance(x, Tensor) else type(x).__name__
    if not isinstance(x, Tensor) or x.ndim != 4 or x.shape[1] != 3 or len(x) == 0:
        hint = ""
        if isinstance(x, Tensor) and x.ndim == 4 and x.shape[1] == 1:
            hint = " Repeat a grey-scale picture's channel: x.expand(-1, 3, -1, -1)."
        elif isinstance(x, Tensor) and x.ndim == 4 and x.shape[-1] == 3:
            hint = " Put the channels second: x.permute(0, 3, 1, 2)."
        elif isinstance(x, Tensor) and x.ndim == 3:
            hint = " Add an axis to a single picture: x[None]."
        raise ImageError(f"x: expected RGB pictures (B, 3, H, W), got {got}.{hint}")
    if not x.is_floating_point():
        raise ImageError(
            f"x: expected floating point in [0, 1], got {x.dtype}; for 8-bit pictures: x / 255."
        )
    if min(x.shape[2:]) < 32:
        raise ImageError(f"x: expected at least 32 × 32 pixels, got {tuple(x.shape[2:])}.")
    x = x.detach()
    low, high = float(x.min()), float(x.max())
    if not (low >= -RANGE_TOLERANCE and high <= 1 + RANGE_TOLERANCE):
        raise ImageError(
            f"x: expected values in [0, 1], got {low:.4g} … {high:.4g}. Pictures come "
            "unnormalised; the model normalises (unforeseen.load_model does it for you)."
        )
    return x.clamp(0, 1)


def _check_labels(y: Tensor, x: Tensor) -> list[int]:
    if not isinstance(y, Tensor) or y.shape != (len(x),) or y.is_floating_point():
        got = f"{tuple(y.shape)} of {y.dtype}" if isinstance(y, Tensor) else type(y).__name__
        raise UserError(f"y: expected {len(x)} whole numbers of shape ({len(x)},), got {got}.")
    if int(y.min()) < 0:
        raise UserError(f"y: expected classes from 0, got {int(y.min())}.")
    labels: list[int] = y.long().tolist()
    return labels


def _ids(x: Tensor) -> list[str]:
    """Hashes of the pixels as float32, 32 hex digits each; the same picture again gets #2, #3 …."""
    pixels = (picture.contiguous().numpy().tobytes() for picture in x.float().cpu())
    return numbered(hashlib.sha256(each).hexdigest()[:32] for each in pixels)


def _radii(
    level: str | None, radius: float | Tensor | None, levels: Mapping[Level, float], count: int
) -> list[float]:
    if level is not None and radius is not None:
        raise UserError("level and radius: expected one of them, got both.")
    if radius is None:
        return [levels[level_named(level or "medium")]] * count
    values = torch.as_tensor(radius, dtype=torch.float64).cpu()
    if values.ndim > 1 or (values.ndim == 1 and len(values) != count):
        raise UserError(f"radius: expected one number or {count}, got shape {tuple(values.shape)}.")
    if not (values.isfinite() & (values > 0)).all():
        raise UserError(f"radius: expected finite numbers above 0, got {radius}.")
    expanded: list[float] = values.expand(count).tolist()
    return expanded


def _check_classes(classifier: Predictor, x: Tensor, labels: list[int]) -> None:
    with torch.no_grad():
        classes = classifier.logits(x[:1]).shape[1]
    if max(labels) >= classes:
        raise UserError(
            f"y: expected classes below {classes}, the number of outputs of "
            f"{classifier.card.uri}; got {max(labels)}."
        )


def _misclassified(
    classifier: Predictor,
    x: Tensor,
    labels: list[int],
    names: list[str],
    batch_size: int,
    *,
    eot: int,
) -> dict[str, Outcome]:
    """Pictures that are wrong as they are, which edition strict doesn't attack."""
    outcomes = {}
    y = torch.tensor(labels, device=x.device)
    for begin in range(0, len(x), batch_size):
        part = slice(begin, begin + batch_size)
        with torch.no_grad():
            asked = expected(classifier, x[part], y[part], loss=cross_entropy, passes=eot)
        logits, losses = asked.logits, asked.loss.tolist()
        finite = logits.isfinite().all(dim=1).tolist()
        wrong = (logits.argmax(dim=1) != y[part]).tolist()
        for offset, loss in enumerate(losses):
            if not (wrong[offset] or not finite[offset]):
                continue
            name = names[begin + offset]
            outcomes[name] = Outcome(
                id=name,
                picture=x[begin + offset],
                logits=logits[offset].cpu(),
                loss=loss,
                finite=finite[offset],
                correct=False,
                correct_any=False,
                correct_8bit=False,
                steps=0,
                first_success_step=None,
                gradient_evaluations=0,
                norm=0.0,
                zero_gradient_share=None,
                nonfinite_gradients=0,
                restart=0,
                seconds=0.0,
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
