"""Scenes with a screen in a room."""

__all__ = ["cinema", "monitor", "television"]

import math
import random

from drawing.materials import glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import book_row, flesh, pencil, plant
from drawing.shapes import (
    ball,
    box,
    cloth,
    mesh,
    put,
    rod,
    tube,
    turned,
)
from drawing.studio import Point, area_light, camera, lamp, new_scene, plain_world


def cinema() -> Place:
    """A projector's screen in a dark room, before the audience's heads."""
    new_scene(exposure=0.4)
    plain_world((0.3, 0.4, 0.8), 0.012)
    camera((0.75, -5.2, 1.55), (0.05, 0, 1.62), lens=32)
    dark = surface(
        (0.06, 0.055, 0.07), (0.045, 0.04, 0.05), scale=2, roughness=0.9, bump=0.1, bump_scale=30
    )
    mesh([(-4, 0.1, 0), (4, 0.1, 0), (4, 0.1, 4), (-4, 0.1, 4)], [(0, 1, 2, 3)], dark)
    mesh(
        [(-4, -8, 3.6), (4, -8, 3.6), (4, 0.1, 3.6), (-4, 0.1, 3.6)],
        [(0, 1, 2, 3)],
        surface((0.15, 0.15, 0.16), roughness=0.9),
    )
    mesh(
        [(-4, -8, 0), (4, -8, 0), (4, 0.1, 0), (-4, 0.1, 0)],
        [(0, 1, 2, 3)],
        surface((0.1, 0.05, 0.04), roughness=0.25),
    )
    velvet = surface((0.22, 0.012, 0.02), roughness=1, sheen=0.6)
    for x in (-2.35, 2.35):
        put(
            cloth(
                1.5,
                3.6,
                velvet,
                lambda a, b: 0.09 * math.sin(26 * a + 0.6 * math.sin(b)),
                steps=180,
            ),
            (x, -0.05, 1.8),
        )
    box(
        (2.9, 0.04, 2.36),
        (0, -0.03, 1.95),
        surface((0.008, 0.008, 0.008), roughness=0.9),
        bevel=0.004,
    )
    place = square_panel(2.7, 2.16, (0, -0.0535, 1.95), (0, 0, 0), glowing((0.75, 0.83, 1), 0.35))
    area_light((0, -0.1, 1.95), (0, -3, 1.6), size=(2.6, 2.1), watts=45, colour=(0.75, 0.83, 1))
    for x in (-2.3, 2.3):
        area_light(
            (x * 1.05, -0.8, 0.05), (x, 0, 2.2), size=(1.0, 0.3), watts=14, colour=(1, 0.5, 0.3)
        )
    generator = random.Random(8)
    skin = surface((0.3, 0.18, 0.12), roughness=0.6)
    for row, (y, height) in enumerate(((-2.2, 0.98), (-3.3, 0.93))):
        for number in range(-2, 3):
            x = 0.78 * number + 0.33 * row + generator.uniform(-0.08, 0.08) + 0.1
            _onlooker((x, y, height + generator.uniform(-0.06, 0.06)), skin, generator)
    for x in (-3.6, 3.6):
        for y in (-1.2, -2.6):
            lamp((x, y, 2.3), watts=4, colour=(1, 0.5, 0.2), radius=0.06)
    return place


def _onlooker(at: Point, skin: object, generator: random.Random) -> None:
    """Head and shoulders, from behind."""
    x, y, z = at
    lean = generator.uniform(-0.03, 0.03)
    flesh(
        [
            [((x, y, z - 0.1), 0.075), ((x + lean, y, z + 0.04), 0.066)],
            [((x + lean, y, z + 0.1), 0.095), ((x + lean, y + 0.025, z + 0.07), 0.085)],
        ],
        skin,
        voxel=0.012,
        rounds=4,
    )
    cloth_colour = generator.choice(
        ((0.1, 0.12, 0.2), (0.2, 0.08, 0.06), (0.08, 0.14, 0.1), (0.18, 0.16, 0.12))
    )
    flesh(
        [
            [
                ((x - 0.19, y, z - 0.2), 0.075),
                ((x, y, z - 0.11), 0.09),
                ((x + 0.19, y, z - 0.2), 0.075),
            ],
            [((x - 0.2, y, z - 0.22), 0.08), ((x - 0.23, y, z - 0.5), 0.075)],
            [((x + 0.2, y, z - 0.22), 0.08), ((x + 0.23, y, z - 0.5), 0.075)],
            [((x, y, z - 0.2), 0.13), ((x, y, z - 0.6), 0.19), ((x, y, -0.1), 0.22)],
        ],
        surface(cloth_colour, roughness=1, sheen=0.3),
        voxel=0.015,
        rounds=6,
    )
    colour = generator.choice(
        ((0.03, 0.02, 0.015), (0.1, 0.05, 0.02), (0.3, 0.2, 0.1), (0.015, 0.012, 0.012))
    )
    long = generator.random() < 0.45
    strands = [[((x + lean, y - 0.018, z + 0.12), 0.107)]]
    if long:
        strands.append(
            [((x + lean, y - 0.03, z + 0.1), 0.1), ((x + lean, y - 0.05, z - 0.1), 0.085)]
        )
    flesh(strands, surface(colour, roughness=0.45, bump=0.5, bump_scale=120), voxel=0.01, rounds=3)


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
