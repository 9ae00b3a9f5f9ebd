"""What usually stands behind an accuracy that is too low."""

__all__ = ["usual_causes"]

from unforeseen.models.classifier import DifferentiableClassifier, Predictor


def usual_causes(model: Predictor) -> str:
    """A sentence for people, the likeliest cause first.

    Args:
        model: What was looked at. Of a black box neither weights nor normalisation are the user's.
    """
    causes = []
    if model.card.head is not None:
        causes.append(
            "a head that puts outputs into the wrong classes (in its file, names are safer than numbers)"
        )
    if isinstance(model, DifferentiableClassifier):
        causes += [
            "labels in another order than the model's",
            "weights that were not loaded",
            "wrong normalisation or preprocessing",
        ]
    else:
        causes += [
            "labels in another order than the function's probabilities",
            "pictures that it hands on otherwise than it gets them (red, green, blue; 0 to 255)",
        ]
    return f"Usual causes: {', '.join(causes)}."
