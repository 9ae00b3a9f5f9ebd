"""Parameters of many pictures, as a run draws them."""

__all__ = ["drawn"]

from unforeseen.rng import ExampleKey
from unforeseen.transforms.assets.pack import AssetPack
from unforeseen.transforms.obfuscation import ImageSize, Obfuscation, ParametersT


def drawn(
    obfuscation: Obfuscation[ParametersT],
    assets: AssetPack,
    *,
    number: int = 400,
    size: ImageSize = (224, 224),
) -> list[ParametersT]:
    """The parameters of ``number`` pictures of one size."""
    return [
        obfuscation.sample(
            ExampleKey(seed=0, transform=obfuscation.name, example_id=str(example)).stream(
                "parameters"
            ),
            size,
            assets,
        )
        for example in range(number)
    ]
