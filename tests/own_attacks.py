"""Attacks and benchmark files as users write them."""

__all__ = ["FADE", "own_benchmark", "write_attack"]

from pathlib import Path

from small import BENCHMARK_FILE

#: A complete attack in a file of its own: the picture is mixed towards one optimised colour.
FADE = '''
from dataclasses import dataclass
from typing import ClassVar

from unforeseen.attacks import Ball, Latents, SceneFreeAttack, parameter, uniform_start


@dataclass(frozen=True, kw_only=True)
class FadeLatents(Latents):
    """``shift``: added to each channel, (B, 3)."""

    shift: object


@dataclass(frozen=True, kw_only=True)
class Fade(SceneFreeAttack[FadeLatents]):
    """x_adv = clamp(x + gain · δ, 0, 1).

    Attributes:
        gain: What δ is multiplied with.
    """

    name: ClassVar[str] = "fade"
    summary: ClassVar[str] = "a colour cast"
    formula: ClassVar[str] = "x_adv = clamp(x + gain · δ, 0, 1)"
    source: ClassVar[str] = "a test"

    gain: float = parameter(1.0, "what δ is multiplied with", minimum=0.5)

    @property
    def balls(self):
        return {"shift": Ball(norm="linf")}

    @property
    def step_rule(self):
        return "sign"

    def start(self, x, scene, radius, keys):
        return FadeLatents(shift=uniform_start(keys, (3,), radius, x, low=-1))

    def paint(self, x, latents, scene):
        return (x + self.gain * latents.shift[:, :, None, None]).clamp(0, 1)
'''

_SETTING = """
[attacks.fade]
attack = "py:fade.py:Fade"
group = "core"
steps = 2
step_size = 0.05
radii = { low = 0.05, medium = 0.1, high = 0.2 }
parameters = { gain = 2.0 }
"""


def write_attack(folder: Path, *changes: tuple[str, str]) -> Path:
    """Writes :data:`FADE` to ``fade.py``, with some texts replaced that must stand there."""
    code = FADE
    for old, new in changes:
        assert old in code
        code = code.replace(old, new)
    file = folder / "fade.py"
    file.write_text(code, encoding="utf-8")
    return file


def own_benchmark(folder: Path, setting: str = _SETTING) -> Path:
    """Writes the small benchmark with a user-made attack to ``own.toml``."""
    file = folder / "own.toml"
    file.write_text(BENCHMARK_FILE + setting, encoding="utf-8")
    return file
