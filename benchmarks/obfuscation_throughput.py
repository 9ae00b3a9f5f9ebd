"""Pictures per second that each obfuscation makes with one thread, alternating in one process.

    python benchmarks/obfuscation_throughput.py [NAME …] [--size 224] [--rounds 7] [--assets DIR]

Parameters are drawn and applied; reading and writing pictures is not counted. Each round makes 20
pictures by each obfuscation in turn. Prints, per obfuscation, the median over rounds and their range,
by the wall clock and by the processor's time of this process, which a busy machine distorts less.
"""

import argparse
import statistics
import time
from pathlib import Path

import torch

from unforeseen.rng import ExampleKey
from unforeseen.transforms import OBFUSCATIONS, obfuscation_class
from unforeseen.transforms.assets.pack import AssetPack, default_assets
from unforeseen.transforms.obfuscation import AnyObfuscation

PICTURES = 20


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", default=list(OBFUSCATIONS), metavar="NAME")
    parser.add_argument("--size", type=int, default=224, help="side of the pictures in pixels")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--assets", type=Path, help="a folder of assets instead of the default pack"
    )
    options = parser.parse_args()
    torch.set_num_threads(1)
    assets = default_assets() if options.assets is None else AssetPack(options.assets)
    obfuscations = [obfuscation_class(name)() for name in options.names]
    generator = torch.Generator().manual_seed(0)
    image = torch.rand(3, options.size, options.size, generator=generator)
    wall: dict[str, list[float]] = {each.name: [] for each in obfuscations}
    processor: dict[str, list[float]] = {each.name: [] for each in obfuscations}
    for turn in range(options.rounds + 1):
        for obfuscation in obfuscations:
            began, used = time.perf_counter(), time.process_time()
            make_pictures(obfuscation, image, assets, first=turn * PICTURES)
            if turn:  # the first round warms up, and reads the assets
                wall[obfuscation.name].append(PICTURES / (time.perf_counter() - began))
                processor[obfuscation.name].append(PICTURES / (time.process_time() - used))
    print(f"{'pictures a second':<26} {'by the clock':>22} {'by the processor':>22}")
    for name, rates in wall.items():
        print(f"{name:<26} {spread(rates):>22} {spread(processor[name]):>22}")


def make_pictures(
    obfuscation: AnyObfuscation, image: torch.Tensor, assets: AssetPack, *, first: int
) -> None:
    """Makes 20 pictures, each with parameters of its own."""
    for number in range(first, first + PICTURES):
        key = ExampleKey(seed=0, transform=obfuscation.name, example_id=str(number))
        obfuscation.obfuscate(image, key.stream("parameters"), assets)


def spread(rates: list[float]) -> str:
    """Median and range."""
    return f"{statistics.median(rates):.0f} ({min(rates):.0f} … {max(rates):.0f})"


if __name__ == "__main__":
    main()
