"""A run of obfuscations on pictures that lie in a folder, of which some get through."""

__all__ = ["CLASSES", "moderated_run", "write_pictures"]

from pathlib import Path

import numpy as np
import torch
from PIL import Image

from data.in_memory import noise
from obfuscation_runs import run_obfuscated
from small import SmallNet
from unforeseen.data import load_data
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary

CLASSES = ("allow", "block", "gore", "weapon")


def write_pictures(folder: Path, count: int = 12) -> None:
    """PNGs of 32×32 pixels, each in the class folder that SmallNet takes it for."""
    for name in CLASSES:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for number in range(count):
        coarse = Image.fromarray(noise(4, 4, seed=number)).resize((32, 32))
        pixels = torch.from_numpy(np.array(coarse)).permute(2, 0, 1)[None] / 255
        label = int(SmallNet()(pixels).argmax())
        coarse.save(folder / CLASSES[label] / f"{number}.png")


def moderated_run(work: Path, out: str = "run", *, worst_of: int = 2) -> ObfuscationSummary:
    """Runs on ``uploads``, seen from the current folder, with a pack beside it; keeps what was judged."""
    if not (work / "uploads").exists():
        write_pictures(work / "uploads")
    return run_obfuscated(
        Path(out),
        data=load_data("imagefolder:uploads"),
        worst_of=worst_of,
        save_images=True,
    )
