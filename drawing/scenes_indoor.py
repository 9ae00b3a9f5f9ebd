"""Scenes in rooms: screens."""

__all__ = ["monitor", "tablet", "television"]

import random

from drawing.materials import glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import book_row, group, mug, pencil, plant
from drawing.shapes import ball, box, mesh, put, rod, tube, turned
from drawing.studio import area_light, camera, lamp, new_scene, plain_world


def tablet() -> Place:
    """A tablet on a wooden desk, with a cup of coffee and a plant."""
    new_scene(exposure=0.1)
    plain_world((0.6, 0.7, 0.85), 0.25)
    area_light((-1.1, 0.7, 1.0), (0, 0, 0), size=(0.7, 0.9), watts=28, colour=(1, 0.95, 0.86))
    area_light((0.9, -0.6, 1.2), (0, 0, 0), size=1.0, watts=5, colour=(0.8, 0.88, 1))
    camera(
        (0.05, -0.42, 0.47), (0.012, 0.022, 0.0), lens=52, aperture=5.6, focus=(0, 0, 0.01), roll=4
    )
    box(
        (2.4, 1.6, 0.04),
        (0, 0.2, -0.02),
        wood((0.42, 0.24, 0.12), (0.2, 0.1, 0.045), boards=0.14, roughness=0.35),
        bevel=0.003,
    )
    lying = group((-0.005, 0.0, 0.0), (0, 0, 24))
    box(
        (0.25, 0.19, 0.008),
        (0, 0, 0.004),
        surface((0.35, 0.36, 0.38), roughness=0.3, metallic=0.9),
        bevel=0.004,
    ).parent = lying
    box(
        (0.244, 0.184, 0.0012),
        (0, 0, 0.008),
        surface((0.008, 0.008, 0.01), roughness=0.08),
        bevel=0.0006,
    ).parent = lying
    place = square_panel(
        0.216, 0.162, (0, 0, 0.0088), (-90, 0, 0), glowing((0.3, 0.32, 0.35), 0.6), parent=lying
    )
    mug(
        (0.205, 0.085, 0),
        surface((0.75, 0.3, 0.12), (0.7, 0.26, 0.1), roughness=0.25, coat=0.6, scale=30),
        turn=25,
        drink=(0.09, 0.035, 0.012),
    )
    turned(
        ((0, 0), (0.05, 0.002), (0.072, 0.01), (0.073, 0.012), (0.05, 0.006), (0, 0.005)),
        (0.205, 0.085, -0.001),
        surface((0.75, 0.72, 0.66), roughness=0.2, coat=0.5),
    )
    plant(
        (-0.165, 0.135, 0),
        seed=5,
        leaves=24,
        length=0.125,
        width=0.05,
        pot=0.05,
        pot_colour=(0.7, 0.68, 0.64),
        spread=(25, 85),
        stems=0.7,
    )
    pencil((0.13, -0.165, 0.0042), 62)
    box(
        (0.12, 0.17, 0.014),
        (-0.25, -0.1, 0.007),
        surface((0.04, 0.1, 0.13), roughness=0.6, bump=0.15, bump_scale=300),
        bevel=0.004,
        turn=(0, 0, 12),
    )
    box(
        (0.006, 0.171, 0.0145),
        (-0.205, -0.092, 0.0072),
        surface((0.7, 0.3, 0.05)),
        bevel=0.001,
        turn=(0, 0, 12),
    )
    return place


def television() -> Place:
    """A television on the wall of a living room in the evening."""
    new_scene(exposure=0.35)
    plain_world((0.25, 0.35, 0.6), 0.12)
    camera((-1.75, -2.75, 1.35), (0.16, 0, 1.05), lens=48)
    wall = surface(
        (0.42, 0.40, 0.36), (0.36, 0.345, 0.31), scale=3, roughness=0.9, bump=0.08, bump_scale=90
    )
    mesh([(-5, 0, 0), (3, 0, 0), (3, 0, 3), (-5, 0, 3)], [(0, 1, 2, 3)], wall)
    mesh([(2.0, 0, 0), (2.0, -5, 0), (2.0, -5, 3), (2.0, 0, 3)], [(0, 1, 2, 3)], wall)
    mesh(
        [(-5, -6, 0), (3, -6, 0), (3, 0, 0), (-5, 0, 0)],
        [(0, 1, 2, 3)],
        wood(boards=0.16, roughness=0.3, scale=2),
    )
    box((8, 0.015, 0.09), (-1, -0.008, 0.045), surface((0.7, 0.68, 0.64)), bevel=0.004)
    box(
        (2.1, 1.5, 0.02),
        (0.1, -1.5, 0.01),
        surface(
            (0.32, 0.12, 0.07),
            (0.5, 0.33, 0.2),
            scale=14,
            roughness=1,
            sheen=0.5,
            bump=0.6,
            bump_scale=150,
        ),
        bevel=0.008,
    )
    box(
        (1.24, 0.045, 0.715),
        (0, -0.03, 1.28),
        surface((0.01, 0.01, 0.012), roughness=0.25),
        bevel=0.006,
    )
    place = square_panel(
        1.2, 0.675, (0, -0.0535, 1.28), (0, 0, 0), glowing((0.45, 0.55, 0.75), 0.4)
    )
    area_light((0, -0.08, 1.28), (0, -2, 1.0), size=(1.1, 0.6), watts=9, colour=(0.6, 0.75, 1))
    cabinet = wood((0.3, 0.17, 0.08), (0.16, 0.08, 0.035), scale=2.5, roughness=0.35)
    box((1.9, 0.42, 0.4), (0.05, -0.22, 0.36), cabinet, bevel=0.006)
    for x in (-0.58, 0.05, 0.68):
        box((0.6, 0.02, 0.35), (x, -0.435, 0.36), cabinet, bevel=0.004)
        ball(0.013, (x + 0.22, -0.455, 0.36), surface((0.7, 0.5, 0.2), metallic=1, roughness=0.3))
    for x in (-0.8, 0.9):
        rod(0.014, 0.16, (x, -0.36, 0.08), surface((0.02, 0.02, 0.02)))
        rod(0.014, 0.16, (x, -0.08, 0.08), surface((0.02, 0.02, 0.02)))
    book_row((0.45, -0.3, 0.56), 0.32, seed=2)
    plant(
        (-0.72, -0.25, 0.56),
        seed=8,
        leaves=22,
        length=0.26,
        width=0.09,
        pot=0.085,
        spread=(10, 75),
        stems=0.8,
    )
    turned(
        ((0, 0), (0.045, 0), (0.045, 0.11), (0.043, 0.11), (0.04, 0.1), (0, 0.1)),
        (0.28, -0.28, 0.56),
        glowing((1, 0.55, 0.22), 2.2),
    )
    _floor_lamp((1.42, -0.4, 0))
    for x, z, wide, high, colour in (
        (1.12, 1.62, 0.3, 0.4, (0.1, 0.28, 0.3)),
        (1.12, 1.12, 0.3, 0.3, (0.5, 0.2, 0.1)),
    ):
        box(
            (wide, 0.02, high),
            (x, -0.012, z),
            surface((0.04, 0.03, 0.02), roughness=0.4),
            bevel=0.003,
        )
        box(
            (wide - 0.04, 0.02, high - 0.04),
            (x, -0.0135, z),
            surface((0.75, 0.72, 0.66), roughness=0.6),
            bevel=0,
        )
        box(
            (wide * 0.5, 0.02, high * 0.5),
            (x, -0.015, z),
            surface(colour, (0.6, 0.5, 0.3), scale=9, contrast=0.7),
            bevel=0,
        )
    area_light((-4, -4, 2.2), (0, -0.5, 0.8), size=1.6, watts=90, colour=(0.6, 0.75, 1))
    return place


def _floor_lamp(at: tuple[float, float, float]) -> None:
    x, y, _ = at
    metal = surface((0.5, 0.33, 0.13), metallic=1, roughness=0.3)
    rod(0.15, 0.02, (x, y, 0.01), metal)
    rod(0.011, 1.5, (x, y, 0.76), metal)
    turned(
        ((0.24, 0), (0.16, 0.3), (0.158, 0.3), (0.238, 0)),
        (x, y, 1.38),
        glowing((1, 0.62, 0.3), 1.6),
    )
    lamp((x, y, 1.5), watts=38, colour=(1, 0.66, 0.36), radius=0.12)
    lamp((x, y, 1.75), watts=14, colour=(1, 0.66, 0.36), radius=0.1)
    lamp((x, y, 1.3), watts=12, colour=(1, 0.66, 0.36), radius=0.1)


def monitor() -> Place:
    """A computer's monitor on a desk at a window."""
    new_scene(exposure=0.1)
    plain_world((0.65, 0.75, 0.9), 0.35)
    camera((0.52, -0.98, 0.46), (0.035, -0.02, 0.25), lens=46, aperture=8, focus=(0, 0, 0.3))
    mesh(
        [(-3, 0.45, -1), (3, 0.45, -1), (3, 0.45, 2.5), (-3, 0.45, 2.5)],
        [(0, 1, 2, 3)],
        surface(
            (0.10, 0.20, 0.22),
            (0.085, 0.175, 0.19),
            scale=2,
            roughness=0.9,
            bump=0.1,
            bump_scale=60,
        ),
    )
    box(
        (2.4, 0.9, 0.035),
        (0, 0.0, -0.0175),
        surface((0.72, 0.70, 0.67), (0.66, 0.64, 0.6), scale=2.0, roughness=0.4),
        bevel=0.004,
    )
    metal = surface((0.45, 0.46, 0.48), metallic=1, roughness=0.3)
    box((0.22, 0.17, 0.01), (0, 0.06, 0.005), metal, bevel=0.004)
    box((0.05, 0.014, 0.25), (0, 0.09, 0.125), metal, bevel=0.004)
    box(
        (0.615, 0.03, 0.365),
        (0, 0.05, 0.315),
        surface((0.015, 0.015, 0.017), roughness=0.35),
        bevel=0.005,
    )
    box((0.595, 0.002, 0.345), (0, 0.0345, 0.317), glowing((0.06, 0.16, 0.33), 0.8), bevel=0)
    front = 0.0330
    light, dark = glowing((0.82, 0.84, 0.87), 0.8), glowing((0.2, 0.22, 0.26), 0.8)
    box((0.43, 0.0006, 0.315), (0.05, front, 0.321), light, bevel=0)
    box((0.43, 0.0006, 0.018), (0.05, front - 0.0006, 0.4695), dark, bevel=0)
    for number, colour in enumerate(((0.9, 0.15, 0.1), (0.9, 0.6, 0.05), (0.1, 0.65, 0.15))):
        ball(
            0.0042,
            (-0.153 + 0.013 * number, front - 0.001, 0.4695),
            glowing(colour, 1),
            scale=(1, 0.1, 1),
        )
    for row in range(7):
        box(
            (0.06 - 0.008 * (row % 3), 0.0006, 0.006),
            (-0.125 - 0.004 * (row % 3), front - 0.0006, 0.44 - 0.022 * row),
            dark,
            bevel=0,
        )
    for row in range(5):
        box(
            (0.045, 0.0006, 0.045),
            (-0.255, front, 0.45 - 0.062 * row),
            glowing(
                (
                    (0.8, 0.3, 0.2),
                    (0.2, 0.6, 0.4),
                    (0.8, 0.7, 0.3),
                    (0.5, 0.4, 0.8),
                    (0.3, 0.7, 0.9),
                )[row],
                0.7,
            ),
            bevel=0,
        )
    place = square_panel(
        0.325, 0.28, (0.095, front - 0.0012, 0.313), (0, 0, 0), glowing((0.5, 0.5, 0.5), 0.6)
    )
    box(
        (0.075, 0.0008, 0.075),
        (0.27, front - 0.012, 0.46),
        surface((0.9, 0.72, 0.1), roughness=0.9),
        bevel=0,
        turn=(8, 6, 0),
    )
    _desk_lamp()
    rod(0.037, 0.1, (-0.43, 0.2, 0.05), surface((0.6, 0.14, 0.08), roughness=0.4))
    generator = random.Random(4)
    for number in range(8):
        pencil(
            (-0.43 + generator.uniform(-0.02, 0.02), 0.2 + generator.uniform(-0.02, 0.02), 0.1),
            generator.uniform(0, 360),
            lean=generator.uniform(75, 88),
            hue=number,
        )
    book_row((-0.9, 0.2, 0), 0.4, seed=7)
    box(
        (0.21, 0.15, 0.012),
        (0.02, -0.3, 0.006),
        surface((0.75, 0.73, 0.68), roughness=0.9),
        bevel=0.002,
        turn=(0, 0, -14),
    )
    box(
        (0.212, 0.152, 0.004),
        (0.02, -0.3, 0.002),
        surface((0.5, 0.1, 0.06), roughness=0.6),
        bevel=0.001,
        turn=(0, 0, -14),
    )
    for row in range(8):
        box(
            (0.17 - 0.02 * (row % 3), 0.0025, 0.0003),
            (0.015 - 0.014 * row + 0.05, -0.3 + 0.05 - 0.0135 * row, 0.0121),
            surface((0.15, 0.15, 0.25)),
            bevel=0,
            turn=(0, 0, -14),
        )
    pencil((0.17, -0.3, 0.016), 40, hue=2)
    plant(
        (0.46, 0.22, 0),
        seed=11,
        leaves=26,
        length=0.15,
        width=0.045,
        pot=0.06,
        spread=(5, 65),
        stems=0.6,
        pot_colour=(0.75, 0.73, 0.7),
    )
    area_light((2.0, -0.5, 1.4), (0, 0, 0.2), size=(1.2, 1.4), watts=60, colour=(0.92, 0.96, 1))
    return place


def _desk_lamp() -> None:
    metal = surface((0.8, 0.42, 0.04), roughness=0.35, coat=0.3)
    rod(0.075, 0.018, (-0.36, 0.06, 0.009), metal)
    tube([(-0.36, 0.06, 0.01), (-0.41, 0.08, 0.2), (-0.44, 0.09, 0.34)], 0.007, metal)
    tube([(-0.44, 0.09, 0.33), (-0.37, 0.05, 0.46), (-0.3, 0.0, 0.56)], 0.007, metal)
    ball(0.014, (-0.44, 0.09, 0.335), metal)
    shade = turned(((0.085, 0), (0.065, 0.06), (0.028, 0.11), (0.0, 0.115)), (0, 0, 0), metal)
    put(shade, (-0.265, -0.035, 0.49), (-28, -24, 0))
    ball(0.035, (-0.265, -0.03, 0.5), glowing((1, 0.75, 0.42), 8))
    lamp((-0.26, -0.05, 0.47), watts=4, radius=0.03)
