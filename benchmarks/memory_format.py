"""Compares memory formats of weights and pictures on the CPU, alternating in one process.

    python benchmarks/memory_format.py [ROUNDS]

Prints the time per picture (forward and backward, batch 16, demo network) as a ratio to the
default format's, one line per format: median, and range over rounds.
"""

import statistics
import sys
import time

import torch

from unforeseen.models import load_model

BATCH = 16


def main() -> None:
    """Measures and prints."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    networks = {}
    for name in ("contiguous", "pictures", "pictures and weights"):
        module = load_model("demo:efficientnet-lite0", device="cpu").module.eval()  # type: ignore[attr-defined]  # this URI's is a module
        module.requires_grad_(False)
        networks[name] = module
    networks["pictures and weights"].to(memory_format=torch.channels_last)
    x = torch.rand(BATCH, 3, 224, 224)
    seconds: dict[str, list[float]] = {name: [] for name in networks}
    for turn in range(rounds + 1):
        for name, module in networks.items():
            layout = torch.contiguous_format if name == "contiguous" else torch.channels_last
            began = time.perf_counter()
            batch = x.clone(memory_format=layout).requires_grad_(True)
            torch.autograd.grad(module(batch).logsumexp(dim=1).sum(), batch)
            if turn:  # the first round warms up
                seconds[name].append(time.perf_counter() - began)
    for name, times in seconds.items():
        ratios = [time / base for time, base in zip(times, seconds["contiguous"], strict=True)]
        print(
            f"{name:<22} {statistics.median(ratios):.2f} × ({min(ratios):.2f} … {max(ratios):.2f}), "
            f"{1e3 * statistics.median(times) / BATCH:.1f} ms per picture"
        )


if __name__ == "__main__":
    main()
