"""A plain function as a classifier: a black box, which can only be asked and may cost something."""

__all__ = ["FunctionPredictor", "black_box", "function_card", "versioned_card"]

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from typing_extensions import override

from unforeseen.counted import counted
from unforeseen.errors import ModelError, UserError
from unforeseen.models.answer_memory import AnswerMemory, picture_key
from unforeseen.models.call_policy import CallPolicy
from unforeseen.models.calls import Clock, PatientCaller, PredictFunction
from unforeseen.models.cards import ModelCard
from unforeseen.models.classifier import Predictor
from unforeseen.models.fingerprint import fingerprint_of_bytes, fingerprint_of_function
from unforeseen.models.function_answers import as_array

#: How far a row of probabilities may be from adding up to 1, and one from 0: services round.
_TOLERANCE, _BELOW_0 = 1e-2, 1e-6


class FunctionPredictor(Predictor):
    """A plain function: uint8 pictures (B, H, W, 3) → probabilities (B, classes).

    The function sees pictures rounded to 8 bits, as a service behind an upload would, and each
    picture once (of several passes: once in each): answers are remembered, in a batch and
    afterwards. So it may get fewer pictures at once than a batch has. A row of probabilities with NaN or infinity in it is passed on.

    Args:
        function: Takes and returns numpy arrays.
        card: What is known of it.
        policy: How it may be called.
        clock: Where time comes from.
        memory: Where answers are remembered.
    """

    def __init__(
        self,
        function: PredictFunction,
        card: ModelCard,
        policy: CallPolicy | None = None,
        *,
        clock: Clock | None = None,
        memory: AnswerMemory | None = None,
    ) -> None:
        self.card = card
        self.device = torch.device("cpu")
        self._caller = PatientCaller(function, policy or CallPolicy(), card.uri, clock)
        self._memory = AnswerMemory() if memory is None else memory
        self._classes = card.classes

    @property
    @override
    def queries(self) -> int:
        return self._caller.queries

    @property
    @override
    def queries_left(self) -> int | None:
        budget = self._caller.policy.budget
        return None if budget is None else budget - self._caller.queries

    @override
    def afford(self, x: Tensor, *, passes: int) -> None:
        pictures = _eight_bits(x)
        keys = {picture_key(each, number) for each in pictures for number in range(passes)}
        self._caller.afford(sum(self._memory.recall(key) is None for key in keys))

    def forget(self) -> None:
        """Drops remembered answers, so that it is asked again about the same picture."""
        self._memory.forget()

    @override
    def report_to(self, note: Callable[[str], None]) -> None:
        self._caller.note = note

    @override
    def logits(self, x: Tensor, *, pass_number: int = 0) -> Tensor:
        """Logarithm of the probabilities that the function returns; see the base class."""
        probabilities = self._probabilities(_eight_bits(x), pass_number)
        scores = torch.from_numpy(probabilities).clamp_min(1e-38).log()
        return scores if x.dtype == torch.float64 else scores.float()

    def _probabilities(self, pictures: NDArray[np.uint8], pass_number: int) -> NDArray[np.float64]:
        """(B, H, W, 3) → (B, classes); asks about those that it doesn't know, each once."""
        keys = [picture_key(picture, pass_number) for picture in pictures]
        known: dict[bytes, NDArray[np.float64]] = {}
        unknown: dict[bytes, int] = {}
        for number, key in enumerate(keys):
            answer = self._memory.recall(key)
            if answer is not None:
                known[key] = answer
            else:
                unknown.setdefault(key, number)
        self._caller.afford(len(unknown))
        places = list(unknown.values())
        at_once = self._caller.policy.largest_call or max(len(places), 1)
        for begin in range(0, len(places), at_once):
            asked = places[begin : begin + at_once]
            answers = self._checked(self._caller.ask(pictures[asked]), len(asked))
            for number, row in zip(asked, answers, strict=True):
                known[keys[number]] = row
                self._memory.keep(keys[number], row)
        return np.stack([known[key] for key in keys])

    def _checked(self, answer: object, count: int) -> NDArray[np.float64]:
        """What the function returned, as probabilities; a row that isn't finite is all NaN."""
        expected = f"{self.card.uri}: expected probabilities of shape ({count}, classes)"
        array = as_array(answer, expected)
        if array.ndim != 2 or len(array) != count:
            got = array.shape if array.ndim else type(answer).__name__
            raise ModelError(f"{expected} for {counted(count, 'picture')}, got {got}.")
        if array.dtype.kind not in "fiu":
            raise ModelError(f"{expected}, real numbers; got {array.dtype}.")
        self._check_classes(array.shape[1])
        probabilities = array.astype(np.float64)
        finite = np.isfinite(probabilities).all(axis=1)
        self._check_values(probabilities[finite])
        probabilities[~finite] = np.nan
        return np.maximum(probabilities, 0.0)

    def _check_classes(self, classes: int) -> None:
        if classes < 2:
            raise ModelError(
                f"{self.card.uri}: expected at least 2 classes, got {classes}: with one, every "
                "picture is right. A single probability p of two classes becomes the row (1 − p, p)."
            )
        if self._classes is not None and classes != self._classes:
            said = "as its class_names say" if self.card.classes else "as in its first answer"
            raise ModelError(
                f"{self.card.uri}: expected {self._classes} classes, {said}; got {classes}. Return "
                "one probability for every class, in the same order each time."
            )
        self._classes = classes

    def _check_values(self, finite: NDArray[np.float64]) -> None:
        sums = finite.sum(axis=1)
        if (finite < -_BELOW_0).any() or (np.abs(sums - 1) > _TOLERANCE).any():
            raise ModelError(
                f"{self.card.uri}: expected probabilities (≥ 0, each row adding up to 1); got "
                f"values from {finite.min():.3g} to {finite.max():.3g} and sums from "
                f"{sums.min():.3g} to {sums.max():.3g}. Apply a softmax to logits, or divide "
                "scores by their sum, inside the function."
            )


def black_box(
    function: PredictFunction,
    *,
    version: str,
    retries: int = 0,
    timeout: float | None = None,
    rate: float | None = None,
    budget: int | None = None,
) -> FunctionPredictor:
    """Makes a classifier of a function that asks a service, or anything else without gradients.

    Args:
        function: uint8 pictures (B, H, W, 3) → probabilities (B, classes). What it says twice about
            the same picture is asked once. If it has an attribute ``class_names``, these are its
            classes. With a ``timeout`` it runs in a thread of its own, and a call that takes too
            long goes on there, unheard.
        version: Names what answers behind the function. Rows of a run are continued under the
            same version only, whatever becomes of the function's code.
        retries: Further tries after a call that raised or took too long; before them 1, 2, 4 … s,
            60 at most, are waited.
        timeout: Seconds that a call may take; None waits for ever.
        rate: Pictures per second on average, one a day at least, and at most one second's worth in
            one call; None has no limit.
        budget: Pictures that the function may be handed in all, repeated tries included; None
            has no limit.

    Raises:
        UserError: A number is out of range, or the version is empty.
        ModelError: It is no function.
    """
    policy = CallPolicy(retries=retries, timeout=timeout, rate=rate, budget=budget)
    if not callable(function) or isinstance(function, type):
        raise ModelError(f"function: expected a function of pictures, got {function!r:.80}.")
    if not (isinstance(version, str) and version):
        raise UserError(f"version: expected a name for what answers now, got {version!r:.80}.")
    name = _name(function)
    home = getattr(function, "__module__", None)
    card = versioned_card(
        function, uri=f"function:{name}?version={version}", name=f"{home}.{name}", version=version
    )
    return FunctionPredictor(function, card, policy)


def function_card(function: PredictFunction) -> ModelCard:
    """The card of a function of which only its code is known."""
    names = _class_names(function)
    return ModelCard(
        uri=f"function:{_name(function)}",
        fingerprint=fingerprint_of_function(function),
        classes=len(names) or None,
        class_names=names,
        versioned=False,
    )


def versioned_card(function: PredictFunction, *, uri: str, name: str, version: str) -> ModelCard:
    """The card of a function whose user says by a version when its answers change.

    Args:
        function: The user's.
        uri: How the user named it, with its version.
        name: Tells functions of the same version apart; the same wherever their files lie.
        version: What answers behind it.
    """
    card = function_card(function)
    fingerprint = fingerprint_of_bytes(b"", "black box", name, version)
    return replace(card, uri=uri, fingerprint=fingerprint, code=card.fingerprint, versioned=True)


def _eight_bits(x: Tensor) -> NDArray[np.uint8]:
    """(B, 3, H, W) in [0, 1] → (B, H, W, 3)."""
    bytes_ = (x.detach().clamp(0, 1) * 255).round().to(torch.uint8).permute(0, 2, 3, 1)
    eight_bits: NDArray[np.uint8] = bytes_.contiguous().cpu().numpy()
    return eight_bits


def _name(function: PredictFunction) -> str:
    name: str = getattr(function, "__name__", type(function).__name__)
    return name


def _class_names(function: PredictFunction) -> tuple[str, ...]:
    """What a function calls its classes; empty where it doesn't say."""
    names = getattr(function, "class_names", ())
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ModelError(
            f"function:{_name(function)}: class_names: expected a list of names, one for each "
            f"class, got {names!r:.80}."
        )
    return tuple(names)
