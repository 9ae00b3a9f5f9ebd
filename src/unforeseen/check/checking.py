"""The check from Python: model and data in, verdict out."""

__all__ = ["check_model"]

from collections.abc import Sequence

import torch

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.of_data import benchmark_for
from unforeseen.check.before_run import THOROUGH, check_first
from unforeseen.check.result import CheckResult
from unforeseen.counted import counted
from unforeseen.data.selection import select
from unforeseen.errors import DataError, UserError
from unforeseen.fitting import Data, Model, fit
from unforeseen.models.classifier import DifferentiableClassifier
from unforeseen.models.heads import Head
from unforeseen.running.batch_size import batch_size_for
from unforeseen.running.compatibility import check_compatibility
from unforeseen.running.options import AttackOptions, RunOptions
from unforeseen.running.reporter import Reporter, Silent


def check_model(
    model: Model,
    data: Data,
    benchmark: str | Benchmark | None = None,
    *,
    head: str | Head | Sequence[str | Head] = (),
    edition: str | None = None,
    attacks: Sequence[str] | None = None,
    limit: int = THOROUGH,
    seed: int | None = None,
    steps: int | None = None,
    eot: int = 1,
    device: str | torch.device | None = None,
    expect_accuracy: float | None = None,
    reporter: Reporter | None = None,
) -> CheckResult:
    """Looks if the set-up is right and the model can be attacked at all, as in the run to come.

    Args:
        model: A URI (see :func:`unforeseen.load_model`), an nn.Module on [0, 1], or a function
            from uint8 pictures (B, H, W, 3) to probabilities.
        data: A URI (see :func:`unforeseen.load_data`), a data set, or a pair of pictures and labels.
        benchmark: Name, file or object, for the preprocessing and the attacks of the run to come;
            None takes the built-in one whose labels the data has.
        head: What maps the model's outputs to the benchmark's classes, as in
            :func:`unforeseen.evaluate`.
        edition: ``published`` or ``strict``; None takes the benchmark's default.
        attacks: Which of the benchmark's attacks the run will have; None takes all but the
            optional ones.
        limit: How many pictures, spread over the classes.
        seed: Seed of every draw and of the choice of pictures; None as in :func:`unforeseen.evaluate`.
        steps: Of the run to come, instead of every attack's own; with 0, which is what a function
            gets, gradients aren't looked at.
        eot: Forward passes that the run will take the mean of.
        device: Where a model named by URI goes; None takes cuda, else mps, else the CPU.
        expect_accuracy: Accuracy in [0, 1] that the model should have on such pictures; None takes
            what its card says.
        reporter: Who watches; None is silent.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    if expect_accuracy is not None and not 0 < expect_accuracy <= 1:
        raise UserError(
            f"expected accuracy: expected a share above 0 and up to 1, such as 0.76; got "
            f"{expect_accuracy}."
        )
    watching = reporter or Silent()
    source, classifier, dataset = fit(
        model,
        data,
        benchmark_for if benchmark is None else benchmark,
        head=head,
        device=device,
        reporter=watching,
    )
    before = classifier.queries
    has_gradients = isinstance(classifier, DifferentiableClassifier)
    if steps is None and isinstance(source, AttackBenchmark) and not has_gradients:
        steps = 0
    attack = AttackOptions(edition=edition, attacks=attacks, steps=steps)
    asked = RunOptions(attack=attack, seed=seed, eot=eot)
    plan = asked.plan(source, classifier.card, dataset)
    watching.run_begins(plan)
    classifier.report_to(watching.note)
    for note in (*check_compatibility(plan, classifier, dataset), *dataset.card.notes):
        watching.note(note)
    result = check_first(
        plan,
        classifier,
        dataset,
        select(dataset, limit, plan.seed).tolist(),
        batch_size=batch_size_for(plan, classifier.device),
        reporter=watching,
        expected=expect_accuracy,
    )
    if result is None:
        raise DataError(
            f"{dataset.card.uri}: expected pictures, could read none of the first {limit}. Look "
            "whether the files are complete."
        )
    if before is not None and classifier.queries is not None:
        questions = classifier.queries - before
        watching.note(f"{classifier.card.uri}: asked about {counted(questions, 'picture')}.")
    return result
