"""What does an attack do whose perturbation is 0?

Some attacks paint even then (Wood's rings), and in edition ``published`` some shift or resample the
picture, because the program that made the paper's tables did. What that alone costs belongs beside
the accuracies.
"""

__all__ = ["cells_to_try", "right_at_zero"]

from collections.abc import Container

import torch
from torch import Tensor

from unforeseen.check.asking import Asker
from unforeseen.check.findings import AtZero
from unforeseen.check.right import correct
from unforeseen.check.sample import Sample
from unforeseen.rng import ExampleKey
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.cell_kinds import AttackedCell
from unforeseen.running.plan import Plan
from unforeseen.search.user_attacks import begun, blaming_attack, check_painted

#: Resampling a picture at its own pixels rounds; a fortieth of a grey level changes no verdict.
_ROUNDING = 1e-4


def cells_to_try(plan: Plan, known: Container[str] = ()) -> tuple[AttackedCell, ...]:
    """One cell of each attack of a plan of edition ``published``; levels make no difference.

    Args:
        plan: What is to be run.
        known: Attacks that were tried before.
    """
    if not isinstance(plan, AttackPlan) or plan.edition.geometry != "published":
        return ()
    cells: dict[str, AttackedCell] = {}
    for cell in plan.attacked:
        if cell.transform not in known:
            cells.setdefault(cell.transform, cell)
    return tuple(cells.values())


def right_at_zero(asker: Asker, cell: AttackedCell, sample: Sample, right: Tensor) -> AtZero:
    """Counts the pictures that are classified right under an attack with δ = 0.

    Args:
        asker: Whom to ask, about pictures that the attack doesn't leave as they are.
        cell: The attack's.
        sample: On which pictures.
        right: Whether each is classified right as it is, (N,).
    """
    painted = asker.halving(lambda batch_size: _painted(asker, cell, sample, batch_size))
    apart = (painted - sample.pictures.float() / 255).abs() > _ROUNDING
    changed = apart.flatten(1).any(dim=1)
    if changed.any():
        answers = correct(asker.logits(painted[changed]), sample.labels[changed])
        right = right.masked_scatter(changed, answers)
    return AtZero(cell.transform, int(right.sum()), len(right))


def _painted(asker: Asker, cell: AttackedCell, sample: Sample, batch_size: int) -> Tensor:
    """(N, 3, H, W) in [0, 1] on the CPU, as they are judged."""
    attack = cell.attack
    parts = []
    for first in range(0, len(sample.ids), batch_size):
        x = asker.on_device(sample.pictures[first : first + batch_size])
        keys = [
            ExampleKey(seed=cell.seed, transform=attack.name, example_id=each)
            for each in sample.ids[first : first + batch_size]
        ]
        with torch.no_grad(), blaming_attack(type(attack), whole=True):
            scene = attack.draw_scene(x, keys)
            radius = x.new_full((len(x),), cell.radius)
            zero = begun(attack, x, scene, radius, keys).map(torch.zeros_like)
            painted = attack.paint(x, zero, scene)
            final = attack.finish(painted)
            check_painted(attack, x, painted, final, differentiable=False)
            parts.append(final.cpu())
    return torch.cat(parts)
