"""Zero-shot classifiers: a class is the mean direction of prompts about it.

Radford et al. (2021), *Learning Transferable Visual Models From Natural Language Supervision*,
sections 3.1.3 and 3.1.4.
"""

__all__ = ["ZeroShotClassifier", "class_embeddings"]

from collections.abc import Callable, Sequence

import torch
import torch.nn.functional as F
from rich.console import Console
from rich.progress import track
from torch import Tensor, nn

#: Classes whose prompts are embedded at a time.
_CLASSES_AT_ONCE = 10


class ZeroShotClassifier(nn.Module):
    """logits = s · ⟨image embedding, class embedding⟩ + b, both of length 1.

    Args:
        visual: Pictures (B, 3, H, W), normalised, to embeddings (B, D), or to a tuple that begins
            with them.
        embeddings: One per class, (classes, D), of length 1.
        scale: s, which CLIP calls the inverse temperature.
        bias: b, of models that were trained with a sigmoid; the argmax doesn't depend on it.
    """

    embeddings: Tensor

    def __init__(
        self, visual: nn.Module, embeddings: Tensor, *, scale: float, bias: float = 0.0
    ) -> None:
        super().__init__()
        self.visual = visual
        self.register_buffer("embeddings", embeddings)
        self.scale = scale
        self.bias = bias

    def forward(self, x: Tensor) -> Tensor:
        """Takes normalised pictures; returns logits (B, classes)."""
        features = self.visual(x)
        if isinstance(features, tuple):
            features = features[0]
        return self.scale * (F.normalize(features, dim=-1) @ self.embeddings.T) + self.bias


def class_embeddings(
    encode: Callable[[Sequence[str]], Tensor],
    classes: Sequence[str],
    prompts: Sequence[Callable[[str], str]],
) -> Tensor:
    """The mean over prompts of the texts' directions, itself brought to length 1.

    A progress bar is shown on a terminal, as 80 prompts for each of 1,000 classes take minutes.

    Args:
        encode: Texts to embeddings (texts, D).
        classes: Their names.
        prompts: Each makes a text of a class's name.

    Returns:
        (classes, D).
    """
    console = Console(stderr=True)
    found = []
    for start in track(
        range(0, len(classes), _CLASSES_AT_ONCE),
        "Embedding the classes' names",
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ):
        batch = classes[start : start + _CLASSES_AT_ONCE]
        texts = [prompt(name) for name in batch for prompt in prompts]
        with torch.no_grad():
            directions = F.normalize(encode(texts).float(), dim=-1)
            means = directions.reshape(len(batch), len(prompts), -1).mean(dim=1)
            found.append(F.normalize(means, dim=-1))
    return torch.cat(found)
