"""Small attacks, each of which breaks one thing that an attack must do, subject by subject."""

__all__ = ["BROKEN", "ENTANGLED"]

from contract.broken.balls import BALLS, ENTANGLED_BALLS
from contract.broken.batches import BATCHES, ENTANGLED_BATCHES
from contract.broken.documentation import DOCUMENTATION
from contract.broken.draws import DRAWS, ENTANGLED_DRAWS
from contract.broken.gradients import GRADIENTS
from contract.broken.pictures import PICTURES

#: By the check that finds each, and no other does.
BROKEN = DOCUMENTATION | DRAWS | BATCHES | BALLS | PICTURES | GRADIENTS

#: By a check that finds each, which breaks others too.
ENTANGLED = ENTANGLED_DRAWS | ENTANGLED_BATCHES | ENTANGLED_BALLS
