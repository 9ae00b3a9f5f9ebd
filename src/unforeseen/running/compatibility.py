"""Whether plan, model and data fit each other, found out before anything is computed."""

__all__ = ["check_compatibility", "expect_versioned", "of_the_benchmarks_size", "refuse_background"]

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace

from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.counted import counted
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.obfuscated_dataset import ObfuscatedDataset
from unforeseen.data.pictures import Picture, Unreadable
from unforeseen.data.super_classes import super_class_names
from unforeseen.errors import DataError, ModelError
from unforeseen.label_space import OF_IMAGENET
from unforeseen.models.classifier import DifferentiableClassifier, Predictor
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.plan import Plan

#: Without and with a background class.
_IMAGENET_OUTPUTS = (1000, 1001)

_OF_OWN_CLASSES = "For classes of your own: image-obfuscation-own."


def check_compatibility(plan: Plan, classifier: Predictor, dataset: Dataset) -> tuple[str, ...]:
    """Checks all that can be known before the first picture is read.

    Args:
        plan: What is to be run.
        classifier: On what; it is asked about one grey picture where only that tells its classes.
        dataset: With which pictures.

    Returns:
        What the user should be told, one sentence each.

    Raises:
        DataError: There are no pictures, or their labels don't fit the benchmark or the model.
        ModelError: The model has no gradients and the plan needs them, or it fails.
    """
    _check_kind(plan, dataset)
    _check_gradients(plan, classifier)
    _check_budget(plan, classifier)
    _check_label_space(plan, dataset.card)
    _check_lowest_label(dataset)
    _check_class_names(classifier, dataset.card)
    _check_picture_size(plan, classifier)
    classes = classifier.card.classes or classifier.count_classes(plan.picture_size)
    _check_classes(plan, classifier, dataset, classes)
    return (
        *_about_head(classifier),
        *_about_pictures(plan, classifier),
        *_about_labels(plan, classifier, dataset.card, classes),
    )


def of_the_benchmarks_size(
    pictures: Iterable[Picture | Unreadable], plan: Plan, card: DataCard
) -> Iterator[Picture | Unreadable]:
    """Passes pictures on; refuses those of a size that the benchmark isn't defined for.

    Args:
        pictures: After preprocessing.
        plan: Whose benchmark.
        card: Of the data that they come from.

    Raises:
        DataError: A picture is of another size, and the benchmark resizes none.
    """
    expected = plan.picture_size
    stays = not plan.preprocessing.changes_size
    for picture in pictures:
        if stays and isinstance(picture, Picture) and picture.image.shape[1:] != expected:
            height, width = picture.image.shape[1:]
            raise DataError(
                f"{card.uri}: expected pictures of {expected[1]}×{expected[0]} pixels, which "
                f"{plan.benchmark.name} leaves as they are; got {width}×{height}."
            )
        yield picture


def refuse_background(classifier: Predictor, benchmark: Benchmark, classes: int) -> None:
    """Refuses a model of 1,001 outputs where labels are ImageNet's.

    Args:
        classifier: The model, behind its heads.
        benchmark: Says what labels are.
        classes: How many the model has.

    Raises:
        ModelError: The first output is usually a background class.
    """
    if classes == 1001 and benchmark.label_space in OF_IMAGENET:
        raise ModelError(
            f"{classifier.card.uri} has 1,001 outputs, of which the first is usually a background "
            "class, so that every label would be off by one. Give --head imagenet1001 (drops it)."
        )


def expect_versioned(classifier: Predictor) -> None:
    """Raises ModelError where a run folder could be continued with a function that answers otherwise."""
    if not classifier.card.versioned:
        raise ModelError(
            f"{classifier.card.uri}: what answers behind a plain function can't be seen from its "
            "code, so a run folder could be continued with another one. Give black_box(function, "
            "version=NAME), with another name whenever its answers may have changed."
        )


def _about_head(classifier: Predictor) -> tuple[str, ...]:
    head, classes = classifier.card.head, classifier.card.classes
    if head is None:
        return ()
    return (f"head {head.name}: makes {classes:,} classes of the model's {head.outputs:,} outputs",)


def _about_pictures(plan: Plan, classifier: Predictor) -> tuple[str, ...]:
    """That a model gets pictures that weren't prepared as it declares."""
    whose, own = plan.prepared_for, classifier.card.preprocessing
    # Where pictures are ready-made nothing more is done to them.
    shared = plan.benchmark.preprocessing if plan.benchmark.prepares_alike else plan.preprocessing
    if whose is None or own is None or not plan.benchmark.preprocessing.changes_size:
        return ()
    own = replace(own, exif_rotation=shared.exif_rotation)
    if own == shared:
        return ()
    note = (
        f"{classifier.card.uri} declares {own.in_words()}; it judges pictures that were prepared for "
        f"{whose}: {shared.in_words()}."
    )
    return (note,)


def _about_labels(
    plan: Plan, classifier: Predictor, card: DataCard, classes: int
) -> tuple[str, ...]:
    """What labels are taken to mean where neither the benchmark nor the model's names say so."""
    wanted, said = plan.benchmark.label_space, classifier.card.class_names == card.class_names
    if card.label_space is not None:
        return ()
    if card.class_names:
        note = (
            f"labels are the data's own: {_shown(card.class_names)}; the model's must be the same."
        )
        return () if said else (note,)
    if wanted is not None and classes == plan.benchmark.classes:
        note = f"nothing in {card.uri} says that its labels are {wanted}'s; they are taken as they are."
        return (note,)
    return ()


def _shown(names: tuple[str, ...]) -> str:
    """Labels and what they stand for: ``0 = bad, 1 = ok``."""
    pairs = [f"{label} = {name}" for label, name in enumerate(names[:10])]
    return ", ".join(pairs) + (" …" if len(names) > 10 else "")


def _check_kind(plan: Plan, dataset: Dataset) -> None:
    if isinstance(plan, AttackPlan) and isinstance(dataset, ObfuscatedDataset):
        raise DataError(
            f"{dataset.card.uri} holds pictures that were cut and obfuscated for a benchmark of "
            f"obfuscations, such as image-obfuscation; {plan.benchmark.name} is one of attacks. Give "
            "it the pictures that these were made of."
        )


def _check_gradients(plan: Plan, classifier: Predictor) -> None:
    optimised = [cell for cell in plan.attacked if cell.search.needs_gradient]
    if optimised and not isinstance(classifier, DifferentiableClassifier):
        raise ModelError(
            f"{classifier.card.uri} is a plain function without gradients, which "
            f"{optimised[0].transform} needs. Give an nn.Module, or --steps 0 (--search none) for "
            "attacks that aren't optimised; all but transfer take --search random too."
        )


def _check_picture_size(plan: Plan, classifier: Predictor) -> None:
    """Where the size of pictures is another's to say, the model must take it, made for it or not.

    Of a function, which may cost something, only the first picture tells.
    """
    if plan.prepared_for is None or not isinstance(classifier, DifferentiableClassifier):
        return
    try:
        classifier.count_classes(plan.picture_size)
    except ModelError as error:
        height, width = plan.picture_size
        size = f"{width}×{height} pixels"
        problem = (
            f"pictures of {size}, which those of {plan.benchmark.name} are for every model. Wrap it in "
            "one that resizes them."
            if plan.benchmark.prepares_alike
            else f"the source's pictures of {size}. Leave it out, or choose a source that takes what all "
            "targets take."
        )
        raise ModelError(f"{classifier.card.uri} can't judge {problem} ({error})") from error


def _check_budget(plan: Plan, classifier: Predictor) -> None:
    """A budget that doesn't reach for one row would be spent by each command, and none come of it."""
    asked, left = classifier.queries, classifier.queries_left
    if asked is None or left is None:
        return
    # Behind a head the classes are known; it may have taken a question to count the outputs.
    grey = classifier.card.classes is None or (classifier.card.head is not None and asked > 0)
    if asked + left >= plan.eot + grey:
        return
    why = [f"{plan.eot} for each row (--eot {plan.eot})"] if plan.eot > 1 else []
    if grey:
        why.append("one for a grey picture, to count the classes, unless class_names say how many")
    raise ModelError(
        f"{classifier.card.uri}: expected a budget of {counted(plan.eot + grey, 'picture')} at "
        f"least, got {asked + left}, of which no row could come: {', and '.join(why)}."
    )


def _check_label_space(plan: Plan, card: DataCard) -> None:
    wanted, there = plan.benchmark.label_space, card.label_space
    if wanted is not None and there is not None and wanted != there:
        raise DataError(
            f"{card.uri} has the labels of {there}, but {plan.benchmark.name} is for {wanted}."
        )
    if (
        wanted == "imagenet16"
        and there is None
        and card.class_names not in ((), super_class_names())
    ):
        raise DataError(
            f"{card.uri} has labels of its own ({_shown(card.class_names)}), but {plan.benchmark.name} is "
            f"for the 16 super-classes of ImageNet. {_OF_OWN_CLASSES}"
        )


def _check_lowest_label(dataset: Dataset) -> None:
    if not len(dataset.labels):
        raise DataError(f"{dataset.card.uri}: expected labelled pictures, found none.")
    lowest = int(dataset.labels.min())
    if lowest < 0:
        raise DataError(
            f"{dataset.card.uri}: expected classes from 0 as labels, got {lowest}, which often "
            "marks pictures without one. Leave those out."
        )


def _check_classes(plan: Plan, classifier: Predictor, dataset: Dataset, classes: int) -> None:
    """Where the label space is known the classes are exactly its own, else at least the labels."""
    wanted = plan.benchmark.label_space
    named_otherwise = dataset.card.label_space is None and bool(dataset.card.class_names)
    expected = plan.benchmark.classes
    if not named_otherwise:
        refuse_background(classifier, plan.benchmark, classes)
    if wanted is not None and dataset.card.label_space == wanted and classes != expected:
        raise ModelError(
            f"{classifier.card.uri} has {classes:,} {_noun(classifier)}, but {wanted} has "
            f"{expected:,} classes. {_remedy(classifier, dataset.card)}"
        )
    if wanted == "imagenet16" and classes != expected:
        raise ModelError(
            f"{classifier.card.uri} has {classes:,} {_noun(classifier)}, but {plan.benchmark.name} is for "
            f"the 16 super-classes of ImageNet. {_OF_OWN_CLASSES}"
        )
    if named_otherwise and classifier.card.head is None and classes in _IMAGENET_OUTPUTS:
        _expect_own_classes(classifier, dataset.card, classes)
    highest = int(dataset.labels.max())
    if highest >= classes:
        raise DataError(
            f"{dataset.card.uri} has labels up to {highest}, but {classifier.card.uri} has only "
            f"{classes} {_noun(classifier)} (0 … {classes - 1}). Use the model's own classes as labels."
        )


def _expect_own_classes(classifier: Predictor, card: DataCard, classes: int) -> None:
    """Raises ModelError where a model of ImageNet's classes would be asked about a few other ones."""
    names = card.class_names
    if len(names) < classes and classifier.card.class_names[: len(names)] != names:
        raise ModelError(
            f"{classifier.card.uri} has {classes:,} outputs, as for ImageNet's classes, but {card.uri} has "
            f"labels of its own ({_shown(names)}). Give --head FILE, which says what outputs stand for "
            "which class, or a model of these classes."
        )


def _check_class_names(classifier: Predictor, card: DataCard) -> None:
    """The same names in another order are labels that mean something else."""
    models, datas = classifier.card.class_names, card.class_names
    folded = [[name.casefold() for name in names] for names in (models, datas)]
    if folded[0] != folded[1] and sorted(folded[0]) == sorted(folded[1]):
        raise DataError(
            f"{card.uri} numbers its classes {_shown(datas)}; {classifier.card.uri} numbers them "
            f"{_shown(models)}. {_reordering(classifier, card)}"
        )


def _reordering(classifier: Predictor, card: DataCard) -> str:
    """How a model's classes come into the data's order."""
    if classifier.card.head is not None:
        return f"Write the groups of {classifier.card.head.name} in the order of the data."
    name_of = {name.casefold(): name for name in classifier.card.class_names}
    groups = {name: [name_of[name.casefold()]] for name in card.class_names[:3]}
    text = json.dumps(groups, ensure_ascii=False)
    file = text if len(card.class_names) <= 3 else f"{text[:-1]}, …}}"
    return (
        f"Put the model's into the order of the data with --head FILE.json, a file that holds {file}; "
        "of a function of yours change its class_names, if they are wrong."
    )


def _remedy(classifier: Predictor, card: DataCard) -> str:
    """What to do about a number of classes that isn't the benchmark's."""
    if classifier.card.head is None:
        return (
            "Give --head FILE, which says what output stands for which class, or a model of "
            f"{card.label_space}'s classes."
        )
    return (
        f"The pictures of {card.uri} have {card.label_space}'s labels. Groups need pictures that are "
        f"labelled by them, such as an image folder with the subfolders "
        f"{', '.join(classifier.card.class_names[:3]) or 'of their names'}"
        f"{' …' if len(classifier.card.class_names) > 3 else ''}."
    )


def _noun(classifier: Predictor) -> str:
    return "outputs" if classifier.card.head is None else "classes after its head"
