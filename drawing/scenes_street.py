"""Scenes in the street."""

__all__ = ["poster", "shop"]

import math
import random

from drawing.frames import letters
from drawing.materials import brick, glass, glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import foliage, group
from drawing.shapes import ball, box, cloth, mesh, put, rod, tube, turned
from drawing.studio import area_light, camera, lamp, new_scene, plain_world, spot


def poster() -> Place:
    """A poster on a brick wall under a street lamp at dusk."""
    new_scene(exposure=0.7)
    plain_world((0.16, 0.24, 0.5), 0.45)
    camera((-2.2, -3.1, 1.45), (0.3, 0, 1.6), lens=46)
    wall = mesh([(-8, -0.3, 0), (6, -0.3, 0), (6, 5, 0), (-8, 5, 0)], [(0, 1, 2, 3)], brick())
    put(wall, (0, 0, 0), (90, 0, 0))
    stone = surface(
        (0.14, 0.14, 0.15),
        (0.09, 0.09, 0.1),
        scale=2.5,
        roughness=0.3,
        uneven_roughness=0.25,
        bump=0.25,
        bump_scale=40,
    )
    mesh([(-8, -8, 0), (6, -8, 0), (6, 0, 0), (-8, 0, 0)], [(0, 1, 2, 3)], stone)
    for x in range(-8, 7):
        box((0.006, 1.6, 0.004), (x * 0.8, -0.8, 0.0), surface((0.02, 0.02, 0.02)), bevel=0)
    box(
        (14, 0.2, 0.12),
        (-1, -1.65, -0.02),
        surface((0.25, 0.25, 0.25), (0.18, 0.18, 0.18), scale=6, roughness=0.8),
        bevel=0.02,
    )
    box(
        (14, 0.06, 0.35),
        (-1, -0.03, 0.17),
        surface(
            (0.12, 0.12, 0.12), (0.2, 0.2, 0.2), scale=4, roughness=0.9, bump=0.3, bump_scale=30
        ),
        bevel=0.01,
    )
    paper = surface(
        (0.75, 0.7, 0.58), (0.62, 0.56, 0.45), scale=6, roughness=0.85, bump=0.15, bump_scale=40
    )
    hung = group((0.15, -0.012, 1.62), (0, 2.5, 0))
    sheet = put(
        cloth(
            1.24,
            1.36,
            paper,
            lambda x, z: (
                -0.09 * max(0.0, x / 0.62 + z / 0.68 - 1.62) ** 1.2
                + 0.003 * math.sin(11 * x) * math.sin(9 * z)
            ),
            steps=90,
        ),
        (0, 0, 0),
    )
    sheet.parent = hung
    place = square_panel(
        1.08,
        1.08,
        (0, -0.006, 0.06),
        (0, 0, 0),
        surface((0.3, 0.3, 0.3), roughness=0.8),
        parent=hung,
    )
    for middle, wide in ((-0.2, 0.5), (0.28, 0.3)):
        box(
            (wide, 0.001, 0.035), (middle, -0.005, -0.585), surface((0.08, 0.05, 0.04)), bevel=0
        ).parent = hung
    tape = surface((0.7, 0.62, 0.4), roughness=0.3)
    for across, up, turn in ((-0.56, 0.62, -45), (0.52, -0.6, -45), (-0.58, -0.6, 45)):
        box(
            (0.22, 0.002, 0.06), (across, -0.012, up), tape, bevel=0, turn=(0, turn, 0)
        ).parent = hung
    _other_bills()
    _street_lamp(0.98)
    box(
        (0.09, 0.09, 4.6),
        (2.2, -0.06, 2.3),
        surface((0.12, 0.13, 0.14), metallic=0.7, roughness=0.5),
        bevel=0.04,
    )
    return place


def _other_bills() -> None:
    generator = random.Random(4)
    ink = surface((0.05, 0.04, 0.04), roughness=0.9)
    for x, z, wide, high in (
        (-1.05, 1.75, 0.5, 0.7),
        (-1.05, 0.95, 0.42, 0.55),
        (1.5, 1.55, 0.55, 0.8),
    ):
        bill = group((x, -0.006, z), (0, generator.uniform(-4, 4), 0))
        colour = generator.choice(((0.55, 0.42, 0.1), (0.4, 0.08, 0.06), (0.08, 0.22, 0.3)))
        faded = surface(colour, (0.6, 0.5, 0.3), scale=7, contrast=0.2, roughness=0.9)
        box((wide, 0.003, high), (0, 0, 0), faded, bevel=0).parent = bill
        for share, long, thick in (
            (0.36, 0.75, 0.09),
            (0.22, 0.5, 0.05),
            (-0.3, 0.7, 0.03),
            (-0.38, 0.6, 0.03),
        ):
            line = (wide * long, 0.001, high * thick)
            box(line, (0, -0.003, high * share), ink, bevel=0).parent = bill
        rod(
            wide * 0.24, 0.001, (0, -0.003, -0.02 * high), ink, turn=(90, 0, 0), bevel=0
        ).parent = bill


def _street_lamp(x: float) -> None:
    iron = surface((0.012, 0.02, 0.018), roughness=0.35, metallic=0.4)
    tube([(x, 0, 2.75), (x, -0.3, 2.95), (x, -0.62, 2.93), (x, -0.7, 2.8)], 0.022, iron)
    tube([(x, 0, 2.45), (x, -0.12, 2.6), (x, -0.2, 2.84)], 0.012, iron)
    rod(0.09, 0.03, (x, -0.01, 2.75), iron, turn=(90, 0, 0))
    turned(((0.19, 0), (0.13, 0.08), (0.05, 0.13), (0.03, 0.17), (0, 0.18)), (x, -0.7, 2.62), iron)
    ball(0.075, (x, -0.7, 2.6), glowing((1, 0.62, 0.25), 14))
    spot(
        (x, -0.7, 2.5),
        (x - 0.25, -0.35, 0),
        watts=230,
        angle=125,
        colour=(1, 0.62, 0.28),
        radius=0.08,
        blend=0.8,
    )
    lamp((x, -0.72, 2.5), watts=18, colour=(1, 0.62, 0.28), radius=0.08)


def shop() -> Place:
    """A café's window in the evening; the street is mirrored in its panes."""
    new_scene(exposure=0.25)
    plain_world((0.35, 0.45, 0.75), 0.4)
    camera((1.5, -4.6, 1.55), (0.06, 0, 1.62), lens=44)
    plaster = surface(
        (0.5, 0.42, 0.33),
        (0.42, 0.35, 0.27),
        scale=2,
        detail=8,
        roughness=0.95,
        bump=0.3,
        bump_scale=25,
    )
    green = surface(
        (0.02, 0.085, 0.07), (0.016, 0.07, 0.058), scale=4, roughness=0.4, bump=0.08, bump_scale=60
    )
    for x1, x2, z1, z2 in ((-6, -1.75, 0, 6), (1.75, 6, 0, 6), (-1.75, 1.75, 2.95, 6)):
        box((x2 - x1, 0.3, z2 - z1), ((x1 + x2) / 2, 0.15, (z1 + z2) / 2), plaster, bevel=0)
    box((3.5, 0.16, 0.7), (0, 0.06, 0.35), green, bevel=0.01)
    for x in (-1.05, 0.0, 1.05):
        box((0.85, 0.03, 0.42), (x, -0.03, 0.38), green, bevel=0.012)
    for x in (-1.68, -0.72, 0.72, 1.68):
        box((0.1, 0.14, 2.3), (x, 0.05, 1.8), green, bevel=0.012)
    for z in (0.74, 2.3):
        box((3.5, 0.14, 0.09), (0, 0.05, z), green, bevel=0.012)
    box((3.6, 0.2, 0.09), (0, -0.02, 0.72), green, bevel=0.012)
    box((3.6, 0.14, 0.42), (0, -0.02, 2.72), green, bevel=0.012)
    box((3.7, 0.22, 0.06), (0, -0.04, 2.96), green, bevel=0.012)
    letters("CAFE", (-0.6, -0.11, 2.6), 0.25, glowing((1, 0.72, 0.35), 1.4))
    place = square_panel(
        1.36,
        1.46,
        (0, 0.06, 1.52),
        (0, 0, 0),
        surface((0.05, 0.05, 0.06), roughness=0.04),
        gloss=0.12,
    )
    for x in (-1.2, 1.2):
        pane = mesh(
            [
                (x - 0.48, 0.06, 0.78),
                (x + 0.48, 0.06, 0.78),
                (x + 0.48, 0.06, 2.26),
                (x - 0.48, 0.06, 2.26),
            ],
            [(0, 1, 2, 3)],
            glass(thin=True),
        )
        pane["clear"] = True
    _inside()
    _awning()
    _pavement()
    _houses_opposite()
    generator = random.Random(3)
    for x in (-1.2, 0.0, 1.2):
        box(
            (0.9, 0.2, 0.16),
            (x, -0.14, 0.82),
            wood((0.35, 0.2, 0.1), (0.2, 0.1, 0.05)),
            bevel=0.008,
        )
        clumps = [
            ((x - 0.4 + 0.11 * k, -0.15, 0.93 + generator.uniform(-0.02, 0.03)), 0.09)
            for k in range(8)
        ]
        foliage(
            clumps,
            surface((0.03, 0.12, 0.02), (0.08, 0.22, 0.04), scale=10, roughness=0.5),
            seed=int(10 + x * 5),
            count=900,
            size=0.05,
        )
        foliage(
            clumps,
            surface(
                ((0.7, 0.05, 0.12), (0.8, 0.3, 0.05), (0.75, 0.1, 0.35))[int(x) % 3], roughness=0.7
            ),
            seed=int(30 + x * 5),
            count=260,
            size=0.034,
        )
    area_light((-3, -6, 5), (0, 0, 1.5), size=3, watts=160, colour=(0.6, 0.72, 1))
    for x in (-2.15, 2.15):
        _wall_lamp(x)
    return place


def _wall_lamp(x: float) -> None:
    iron = surface((0.015, 0.015, 0.015), roughness=0.4, metallic=0.5)
    box((0.06, 0.03, 0.16), (x, -0.01, 2.2), iron, bevel=0.008)
    tube([(x, -0.02, 2.22), (x, -0.12, 2.32), (x, -0.16, 2.22)], 0.01, iron)
    ball(0.075, (x, -0.16, 2.14), glowing((1, 0.72, 0.4), 6))
    lamp((x, -0.25, 2.14), watts=16, colour=(1, 0.7, 0.4), radius=0.07)


def _inside() -> None:
    warm = surface((0.6, 0.35, 0.18), roughness=0.9)
    mesh([(-1.8, 2.2, 0), (1.8, 2.2, 0), (1.8, 2.2, 3), (-1.8, 2.2, 3)], [(0, 1, 2, 3)], warm)
    for x in (-1.8, 1.8):
        mesh([(x, 0.2, 0), (x, 2.2, 0), (x, 2.2, 3), (x, 0.2, 3)], [(0, 1, 2, 3)], warm)
    mesh([(-1.8, 0.2, 3), (1.8, 0.2, 3), (1.8, 2.2, 3), (-1.8, 2.2, 3)], [(0, 1, 2, 3)], warm)
    for z in (1.15, 1.6, 2.05):
        box((3.4, 0.25, 0.03), (0, 2.05, z), wood(), bevel=0.003)
        for k in range(14):
            rod(
                0.05,
                0.14,
                (-1.5 + 0.22 * k, 2.0, z + 0.09),
                surface(
                    ((0.7, 0.2, 0.08), (0.75, 0.7, 0.6), (0.1, 0.3, 0.3))[k % 3], roughness=0.3
                ),
            )
    for x in (-1.25, 1.1):
        tube([(x, 0.9, 3), (x, 0.9, 2.2)], 0.005, surface((0.01, 0.01, 0.01)))
        turned(
            ((0.15, 0), (0.1, 0.1), (0.03, 0.14), (0, 0.145)),
            (x, 0.9, 2.05),
            surface((0.02, 0.02, 0.02)),
        )
        ball(0.055, (x, 0.9, 2.06), glowing((1, 0.7, 0.35), 20))
        lamp((x, 0.9, 1.95), watts=26, colour=(1, 0.66, 0.34))


def _awning() -> None:
    cream, red = (
        surface((0.78, 0.72, 0.6), roughness=0.9),
        surface((0.45, 0.03, 0.03), roughness=0.9),
    )
    count, wide = 18, 3.5
    for number in range(count):
        x1, x2 = -wide / 2 + wide * number / count, -wide / 2 + wide * (number + 1) / count
        colour = red if number % 2 else cream
        mesh(
            [(x1, 0, 2.52), (x2, 0, 2.52), (x2, -0.95, 2.2), (x1, -0.95, 2.2)],
            [(0, 1, 2, 3)],
            colour,
        )
        middle = (x1 + x2) / 2
        edge = [
            (middle + (x2 - x1) / 2 * math.cos(a), -0.951, 2.1 - 0.05 * math.sin(a))
            for a in (0, 0.5, 1, 1.57, 2.1, 2.6, 3.1416)
        ]
        mesh([(x2, -0.95, 2.2), *edge, (x1, -0.95, 2.2)], [tuple(range(9))], colour)


def _pavement() -> None:
    slab = surface(
        (0.3, 0.29, 0.28),
        (0.2, 0.2, 0.2),
        scale=3,
        roughness=0.35,
        uneven_roughness=0.2,
        bump=0.2,
        bump_scale=50,
    )
    mesh(
        [(-9, -20, -0.03), (9, -20, -0.03), (9, 0.1, -0.03), (-9, 0.1, -0.03)], [(0, 1, 2, 3)], slab
    )
    for x in range(-9, 8):
        for y in range(7):
            box(
                (0.69, 0.69, 0.05),
                (x * 0.7 + 0.35 * (y % 2), -0.4 - 0.7 * y, -0.025),
                slab,
                bevel=0.008,
            )


def _houses_opposite() -> None:
    """Behind the camera: what the panes mirror."""
    generator = random.Random(7)
    stone = surface((0.3, 0.25, 0.2), roughness=0.9)
    for number in range(-4, 5):
        x, high = number * 3.1, generator.uniform(6, 10)
        box((3, 2, high), (x, -16, high / 2), stone, bevel=0)
        for storey in range(2, int(high), 2):
            for shift in (-0.8, 0.0, 0.8):
                lit = glowing((1, 0.75, 0.4), generator.choice((0.1, 0.2, 2.5)))
                box((0.5, 0.1, 1.0), (x + shift, -14.98, float(storey)), lit, bevel=0)
