"""What a target model of a transfer does: it judges the pictures of a source model's run.

The paper's appendix L. Nothing is searched for: to the target, the pictures are as given.
"""

__all__ = ["transfer_plan"]

from dataclasses import replace
from pathlib import Path

from unforeseen.models.cards import ModelCard
from unforeseen.running.attack_plan import AttackPlan
from unforeseen.running.cell_kinds import TransferredCell
from unforeseen.running.source_model import SourceModel


def transfer_plan(
    plan: AttackPlan, source: ModelCard, target: ModelCard, *, folder: Path
) -> AttackPlan:
    """A target's run: its own clean row, and the source's attacked pictures.

    Both see the same pixels: the source's preprocessing holds, whatever the target's own is.

    Args:
        plan: The source's, in which every picture is attacked.
        source: The source's card.
        target: The target's card.
        folder: The source's run folder.
    """
    head = None if target.head is None else target.head.mapping
    return replace(
        plan,
        source=SourceModel(
            uri=source.uri,
            fingerprint=source.fingerprint,
            head=source.head,
            preprocessing=source.preprocessing,
            folder=folder,
        ),
        cells=(
            replace(plan.clean, model=target.fingerprint, head=head),
            *(
                TransferredCell(
                    transform=cell.transform,
                    level=cell.level,
                    radius=cell.radius,
                    model=target.fingerprint,
                    head=head,
                    preprocessing=cell.preprocessing,
                    eot=cell.eot,
                    source=cell,
                )
                for cell in plan.attacked
            ),
        ),
    )
