"""What stands out from the walls along a lane: lanterns and signs."""

__all__ = ["shop_sign", "wall_lamp"]

from drawing.materials import glowing, surface
from drawing.meshes import Shape
from drawing.studio import Colour, lamp


def wall_lamp(x: float, y: float, z: float, way: float, *, watts: float = 60) -> None:
    """A lantern that stands out from a wall by 0.8 m towards ``way`` (1 or -1 along x)."""
    iron = surface((0.012, 0.012, 0.014), roughness=0.4)
    glass = glowing((1.0, 0.62, 0.25), 22.0)
    shape = Shape([iron, glass])
    out = x + 0.8 * way
    shape.tube(
        [(x, y, z + 0.55), (x + 0.5 * way, y, z + 0.62), (out, y, z + 0.5)],
        (0.03, 0.025, 0.02),
        0,
        6,
    )
    shape.tube([(x, y, z + 0.1), (x + 0.6 * way, y, z + 0.6)], (0.02, 0.015), 0, 6)
    shape.tube([(out, y, z - 0.05), (out, y, z + 0.30)], (0.10, 0.17), 1, 6)
    shape.tube([(out, y, z + 0.30), (out, y, z + 0.34), (out, y, z + 0.5)], (0.23, 0.2, 0.03), 0, 6)
    shape.tube([(out, y, z - 0.09), (out, y, z - 0.05)], (0.08, 0.12), 0, 6)
    shape.build("Lamp")
    lamp((out, y, z - 0.2), watts=watts, colour=(1.0, 0.58, 0.24), radius=0.12)


def shop_sign(x: float, y: float, z: float, way: float, colour: Colour) -> None:
    """A round sign on a bracket that stands out from a wall towards ``way`` (1 or -1 along x)."""
    iron = surface((0.012, 0.012, 0.014), roughness=0.4)
    shape = Shape(
        [
            iron,
            surface(colour, roughness=0.4),
            surface((0.55, 0.36, 0.10), roughness=0.3, metallic=1),
        ]
    )
    out = x + 0.85 * way
    shape.tube([(x, y, z + 0.5), (out + 0.1 * way, y, z + 0.5)], (0.02, 0.02), 0, 6)
    shape.tube([(x, y, z), (x + 0.45 * way, y, z + 0.48)], (0.014, 0.014), 0, 6)
    shape.tube([(out, y - 0.03, z), (out, y + 0.03, z)], (0.40, 0.40), 2, 32)
    shape.tube([(out, y - 0.045, z), (out, y + 0.045, z)], (0.34, 0.34), 1, 32)
    shape.tube([(out, y - 0.055, z), (out, y + 0.055, z)], (0.16, 0.16), 2, 5)
    shape.build("Sign")
