"""A benchmark from Python: model, data, benchmark in; rows and summary out."""

__all__ = ["evaluate", "evaluate_with"]

import os
import tempfile
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import torch

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.errors import UserError
from unforeseen.fitting import Data, Model, fit
from unforeseen.models.heads import Head
from unforeseen.results import AttackResults, ObfuscationResults, load_results
from unforeseen.running.compatibility import expect_versioned
from unforeseen.running.options import AttackOptions, ObfuscationOptions, RunOptions
from unforeseen.running.reporter import Reporter, Silent
from unforeseen.running.runner import run
from unforeseen.stage_reporter import in_one


def evaluate(
    model: Model,
    data: Data,
    benchmark: str | Benchmark = "imagenet-ua",
    *,
    head: str | Head | Sequence[str | Head] = (),
    obfuscations: Sequence[str] | None = None,
    worst_of: int | None = None,
    assets: str | os.PathLike[str] | None = None,
    edition: str | None = None,
    attacks: Sequence[str] | None = None,
    levels: Sequence[str] | None = None,
    limit: int | None = None,
    seed: int | None = None,
    steps: int | None = None,
    eot: int = 1,
    search: str | None = None,
    loss: str | None = None,
    restarts: int | None = None,
    draws: int | None = None,
    batch_size: int | None = None,
    device: str | torch.device | None = None,
    out: str | os.PathLike[str] | None = None,
    save_images: bool = False,
    check: bool = True,
    deterministic: bool = False,
    reporter: Reporter | None = None,
) -> AttackResults | ObfuscationResults:
    """Runs a benchmark, or continues it where ``out`` holds a part of it.

    Args:
        model: A URI or path (see :func:`unforeseen.load_model`), an nn.Module on [0, 1], or a
            function from uint8 pictures (B, H, W, 3) to probabilities (with ``steps=0``; to keep a
            run folder, as a :func:`unforeseen.black_box` with a version).
        data: A URI or path (see :func:`unforeseen.load_data`), a data set, or pictures and labels
            in memory: uint8, or floats that are n/255, as files hold them (see
            :func:`unforeseen.data.from_arrays`).
        benchmark: Name, file or object.
        head: What maps the model's outputs to the benchmark's classes: ``imagenet1001``,
            ``imagenet100``, a file class → group, or several that are applied in order.
        obfuscations: Of a benchmark of obfuscations: which, or ``hold-out`` or ``training``; None takes
            all.
        worst_of: Likewise: how often each is drawn for a picture, of which the worst is kept: as of
            somebody who tries until a picture passes. None draws once.
        assets: Likewise: folder of the photos, icons … that they take; None takes those that ship.
        edition: ``published`` or ``strict``; None takes the benchmark's default.
        attacks: Which of the benchmark's attacks; None takes all but the optional ones.
        levels: Which of ``low``, ``medium``, ``high``; None takes ``medium``.
        limit: How many pictures, spread over the classes; None takes all.
        seed: Seed of every draw and of the choice of pictures; None takes 0, or the one with which
            pictures were obfuscated before.
        steps: Overrides every attack's number of updates; 0 doesn't optimise.
        eot: Forward passes that every evaluation takes the mean of, for a model that draws at
            random in its forward pass.
        search: ``pgd``, ``apgd``, ``random``, ``none`` or ``autoattack-lite``; see
            :data:`unforeseen.search.settings.SEARCHES`. None takes ``pgd``.
        loss: What ``pgd`` and ``apgd`` climb: ``cross_entropy``, ``margin``, ``dlr`` or
            ``targeted_dlr``; None takes cross-entropy.
        restarts: Starts per picture of ``pgd`` and ``apgd``; None takes 1, of ``targeted_dlr`` 9.
        draws: Points per picture of ``random``; None takes 1,000.
        batch_size: Pictures that the model sees at once; None chooses.
        device: Where a model named by URI goes; None takes cuda, else mps, else the CPU.
        out: Run folder; None keeps nothing but what is returned.
        save_images: Whether to keep every judged picture under ``out``/images.
        check: Whether to look first if the set-up is right and the model can be attacked at all.
        deterministic: Whether to ask torch for the same bits again; slower. Operations that can't
            give them are named, to the reporter and in ``run.json``.
        reporter: Who watches; None is silent.

    Returns:
        The kind that belongs to the benchmark.

    Raises:
        UserError: Something doesn't fit; the message says what to do.
    """
    options = RunOptions(
        head=head,
        attack=AttackOptions(
            edition=edition,
            attacks=attacks,
            levels=levels,
            steps=steps,
            search=search,
            loss=loss,
            restarts=restarts,
            draws=draws,
        ),
        obfuscation=ObfuscationOptions(
            obfuscations=obfuscations,
            worst_of=worst_of,
            assets=assets,
        ),
        limit=limit,
        seed=seed,
        eot=eot,
        batch_size=batch_size,
        device=device,
        save_images=save_images,
        check=check,
        deterministic=deterministic,
    )
    return evaluate_with(options, model, data, benchmark, out=out, reporter=reporter)


def evaluate_with(
    options: RunOptions,
    model: Model,
    data: Data,
    benchmark: str | Benchmark,
    *,
    out: str | os.PathLike[str] | None = None,
    reporter: Reporter | None = None,
) -> AttackResults | ObfuscationResults:
    """Does what :func:`evaluate` does, which takes the options one by one, and raises what it raises."""
    if options.save_images and out is None:
        raise UserError(
            "save_images: expected a run folder to keep the pictures in, got out=None. Give out=DIR."
        )
    watching = reporter or Silent()
    fitted = fit(
        model, data, benchmark, head=options.head, device=options.device, reporter=watching
    )
    if out is not None:
        expect_versioned(fitted.classifier)
    with in_one(watching, "laying the run out"):
        plan = options.plan(fitted.benchmark, fitted.classifier.card, fitted.dataset)
    if options.seed is None and plan.seed:
        watching.note(f"seed {plan.seed}, with which these pictures were obfuscated.")
    place: AbstractContextManager[str | os.PathLike[str]] = (
        tempfile.TemporaryDirectory(prefix="unforeseen-") if out is None else nullcontext(out)
    )
    with place as folder:
        run(
            plan,
            fitted.classifier,
            fitted.dataset,
            Path(folder),
            settings=options.settings,
            reporter=watching,
        )
        return load_results(Path(folder))
