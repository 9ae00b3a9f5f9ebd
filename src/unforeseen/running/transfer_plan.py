"""What a target model of a transfer does: it judges the pictures of a source model's run.

The paper's appendix L. Nothing is searched for: to the target, the pictures are as given.
"""

__all__ = ["refuse_without_pictures", "transfer_plan"]

from dataclasses import replace
from pathlib import Path

from unforeseen.errors import UserError
from unforeseen.models.cards import ModelCard
from unforeseen.rows import CLEAN
from unforeseen.running.plan import Plan
from unforeseen.running.source_model import SourceModel


def refuse_without_pictures(plan: Plan) -> None:
    """Refuses a source's run that leaves pictures unattacked, or ends with the first that fools it.

    Of such a run, what reaches a target would be pictures that nothing was done to, and pictures
    that were taken no further than it took to fool the source.

    Args:
        plan: The source's.

    Raises:
        UserError: Any visited point counts in it.
    """
    if all(cell.search is None or cell.search.judging == "last" for cell in plan.cells):
        return
    if plan.search.visits:
        raise UserError(
            f"transfer: search {plan.search.name} ends where the source is fooled, and leaves alone "
            "what it gets wrong anyway, so that it makes no pictures for others. Give --search pgd "
            "(any --loss and --restarts) or none."
        )
    others = [
        name for name, edition in plan.benchmark.editions.items() if edition.judging == "last"
    ]
    remedy = f"Give --edition {others[0]}" if others else "Use a benchmark with an edition in which"
    raise UserError(
        f"transfer: edition {plan.edition.name} ends where the source is fooled, and leaves alone "
        f"what it gets wrong anyway, so that it makes no pictures for others. {remedy}"
        f"{'' if others else ' judging is last'}."
    )


def transfer_plan(plan: Plan, source: ModelCard, target: ModelCard, *, folder: Path) -> Plan:
    """A target's run: its own clean row, and the source's attacked pictures.

    Both see the same pixels: the source's preprocessing holds, whatever the target's own is.

    Args:
        plan: The source's; see :func:`refuse_without_pictures`.
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
        cells=tuple(
            replace(cell, model=target.fingerprint, head=head)
            if cell.transform == CLEAN
            else replace(
                cell,
                model=target.fingerprint,
                head=head,
                attack=None,
                search=None,
                source=cell,
            )
            for cell in plan.cells
        ),
    )
