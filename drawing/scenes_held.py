"""Scenes with something held, worn or hung up close to the eye."""

__all__ = ["book", "glasses", "phone", "polaroid"]

import math
import random
from functools import partial
from typing import Any

from drawing.materials import glass, glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import book_row, bulbs, flesh, foliage, group, mug, pencil, plant
from drawing.shapes import ball, box, cloth, mesh, placed, put, scattered, tube
from drawing.studio import Point, area_light, camera, new_scene, plain_world, sun


def phone() -> Place:
    """A phone in a hand, in a park."""
    new_scene(exposure=0.2)
    plain_world((0.55, 0.7, 0.9), 0.7)
    sun(elevation=50, azimuth=215, strength=2.5, colour=(1, 0.93, 0.82), size=3)
    camera((0.0, -0.305, 0.012), (0.0, 0, -0.006), lens=54, aperture=2.4, roll=-13)
    _park()
    held = group((0, 0, 0), (0, 0, -14))
    case = surface((0.015, 0.016, 0.02), roughness=0.25, metallic=0.6)
    screen = glowing((0.93, 0.94, 0.96), 0.85)
    box((0.074, 0.008, 0.152), (0, 0, 0), case, bevel=0.0038).parent = held
    box((0.0695, 0.0004, 0.1475), (0, -0.0041, 0), screen, bevel=0).parent = held
    front = -0.0046
    grey, dark = glowing((0.55, 0.56, 0.6), 0.8), glowing((0.06, 0.06, 0.08), 1)
    for width, high, x, z, material in (
        (0.018, 0.0022, 0.0, 0.0705, dark),
        (0.026, 0.0028, -0.004, 0.0592, dark),
        (0.017, 0.002, -0.0085, 0.0542, grey),
        (0.052, 0.0026, -0.0055, -0.0305, dark),
        (0.058, 0.0022, -0.0025, -0.0365, grey),
        (0.044, 0.0022, -0.0095, -0.0415, grey),
        (0.03, 0.0016, 0.0, -0.0705, dark),
    ):
        box((width, 0.0003, high), (x, front, z), material, bevel=0).parent = held
    for x, z, radius, material in (
        (-0.0255, 0.057, 0.0052, glowing((0.85, 0.3, 0.12), 1)),
        (-0.028, -0.0225, 0.0032, glowing((0.85, 0.06, 0.1), 1)),
        (-0.019, -0.0225, 0.0028, grey),
        (-0.011, -0.0225, 0.0028, grey),
    ):
        ball(radius, (x, front, z), material, scale=(1, 0.05, 1)).parent = held
    place = square_panel(
        0.0675,
        0.0675,
        (0, front - 0.0003, 0.0145),
        (0, 0, 0),
        glowing((0.4, 0.4, 0.4), 0.5),
        parent=held,
    )
    _hand(held)
    return place


def _hand(parent: Any) -> None:
    """A left hand around a phone at the origin that looks to -y."""
    skin = surface(
        (0.62, 0.34, 0.24),
        (0.5, 0.24, 0.16),
        scale=60,
        contrast=0.2,
        roughness=0.45,
        subsurface=0.35,
        subsurface_scale=0.006,
        bump=0.12,
        bump_scale=700,
    )
    fingers = [
        [
            ((-0.022, 0.03, z0), 0.0125),
            ((0.022, 0.034, z1), 0.011),
            ((0.0475, 0.016, z2), 0.0095),
            ((0.0465, -0.0035, z3), 0.0085),
            ((0.0355, -0.0105, z3 + 0.0008), 0.0072),
        ]
        for z0, z1, z2, z3 in (
            (0.01, 0.024, 0.031, 0.034),
            (-0.012, 0.001, 0.009, 0.0115),
            (-0.033, -0.022, -0.0135, -0.0105),
            (-0.053, -0.044, -0.036, -0.032),
        )
    ]
    thumb = [
        ((-0.02, 0.026, -0.088), 0.02),
        ((-0.0475, 0.012, -0.06), 0.0155),
        ((-0.0505, -0.0065, -0.033), 0.012),
        ((-0.042, -0.0145, -0.011), 0.0112),
        ((-0.033, -0.0145, 0.006), 0.0092),
    ]
    palm: list[list[tuple[Point, float]]] = [
        [
            ((-0.022, 0.03, 0.012), 0.013),
            ((-0.024, 0.032, -0.05), 0.02),
            ((-0.012, 0.036, -0.095), 0.024),
            ((-0.008, 0.042, -0.15), 0.023),
            ((-0.004, 0.05, -0.26), 0.03),
        ],
        [
            ((0.0, 0.034, 0.0), 0.013),
            ((0.008, 0.036, -0.05), 0.02),
            ((0.012, 0.038, -0.095), 0.023),
            ((0.01, 0.042, -0.15), 0.022),
            ((0.012, 0.05, -0.26), 0.03),
        ],
        [
            ((0.022, 0.034, -0.04), 0.012),
            ((0.026, 0.036, -0.075), 0.017),
            ((0.014, 0.04, -0.12), 0.02),
        ],
    ]
    flesh([*fingers, thumb, *palm], skin, voxel=0.0011, rounds=8).parent = parent
    nail = surface((0.72, 0.44, 0.37), roughness=0.2, coat=0.4)
    ball(
        0.0062, (-0.0345, -0.0222, 0.0035), nail, scale=(0.85, 0.28, 1.25), turn=(-4, 0, -27)
    ).parent = parent
    sleeve = surface(
        (0.05, 0.09, 0.2),
        (0.09, 0.14, 0.28),
        scale=400,
        roughness=0.95,
        sheen=0.5,
        bump=0.4,
        bump_scale=500,
    )
    flesh(
        [
            [
                ((0.002, 0.046, -0.165), 0.035),
                ((0.006, 0.05, -0.19), 0.037),
                ((0.01, 0.055, -0.3), 0.045),
            ]
        ],
        sleeve,
        voxel=0.003,
        rounds=3,
    ).parent = parent


def _park() -> None:
    generator = random.Random(3)
    leaves = surface((0.02, 0.09, 0.012), (0.35, 0.5, 0.08), scale=1.6, detail=8, contrast=0.3)
    put(cloth(16, 5, leaves, _flat, steps=2), (0, 6, 2.0))
    put(
        cloth(16, 8, surface((0.07, 0.16, 0.03), (0.25, 0.3, 0.08), scale=1.2), _flat, steps=2),
        (0, 3, -1.3),
        (90, 0, 0),
    )
    put(cloth(1.6, 9, surface((0.5, 0.45, 0.38)), _flat, steps=2), (0.9, 3, -1.28), (90, 0, 25))
    for x in (-1.9, -0.8, 1.7):
        box((0.22, 0.22, 5), (x, 5.4, 1), surface((0.06, 0.035, 0.02)), bevel=0.05)
    bulbs(
        scattered(generator, 26, (-2.2, 4, 0.1), (2.2, 5.8, 2.4)),
        0.035,
        [(1, 0.95, 0.6), (0.8, 1, 0.5)],
        14,
    )
    area_light((-0.5, -0.6, 0.4), (0, 0, 0), size=0.5, watts=2.5)


def glasses() -> Place:
    """A lens of a pair of glasses on a table of a café."""
    new_scene(exposure=0.15)
    plain_world((0.9, 0.75, 0.6), 0.25)
    camera(
        (-0.075, -0.17, 0.03), (0.013, 0.0, -0.002), lens=58, aperture=9, focus=(0, 0, 0), roll=-7
    )
    worn = group((0, 0, 0), (-4, 0, 3))
    rim = surface(
        (0.30, 0.03, 0.06), (0.05, 0.008, 0.012), scale=70, contrast=0.3, roughness=0.12, coat=0.8
    )
    metal = surface((0.8, 0.6, 0.3), metallic=1, roughness=0.25)
    apart = 0.07
    outline = _lens(0.0265, 0.0225)
    for x in (0.0, apart):
        front = [(x + a if x == 0 else x - a, 0.0, b) for a, b in outline]
        tube(front, 0.0026, rim, closed=True).parent = worn
        tube([(a, 0.0022, b) for a, _, b in front], 0.0023, rim, closed=True).parent = worn
    tube(
        [
            (0.0255, 0, 0.008),
            (0.03, -0.002, 0.012),
            (0.035, -0.003, 0.0132),
            (0.04, -0.002, 0.012),
            (0.0445, 0, 0.008),
        ],
        0.0024,
        rim,
    ).parent = worn
    for x, side in ((-0.0275, -1), (apart + 0.0275, 1)):
        box(
            (0.007, 0.006, 0.006), (x - side * 0.001, 0.001, 0.012), rim, bevel=0.0015
        ).parent = worn
        ball(0.0009, (x, -0.0022, 0.012), metal).parent = worn
        tube(
            [
                (x + side * 0.003, 0.003, 0.012),
                (x + side * 0.005, 0.02, 0.012),
                (x + side * 0.004, 0.095, 0.010),
                (x + side * 0.002, 0.118, -0.002),
                (x, 0.14, -0.024),
            ],
            [0.0026, 0.0024, 0.002, 0.0024, 0.003],
            rim,
        ).parent = worn
    for x, side in ((0.027, 1), (0.043, -1)):
        ball(
            0.0055,
            (x, 0.006, -0.003),
            surface((0.85, 0.8, 0.72), roughness=0.1, transmission=0.6),
            scale=(0.35, 0.5, 1.2),
            turn=(0, side * 14, side * 30),
        ).parent = worn
    far = mesh(
        [(apart - a, 0.001, b) for a, b in outline],
        [tuple(range(len(outline)))[::-1]],
        glass(thin=True),
    )
    far.parent = worn
    far["clear"] = True
    near = mesh(
        [(a, 0.001, b) for a, b in outline],
        [tuple(range(len(outline)))[::-1]],
        surface((0.16, 0.17, 0.18), roughness=0.03),
    )
    near.parent = worn
    _cafe_table()
    half, turn = 0.0258, math.radians(9)
    corners = [
        (
            half * (a * math.cos(turn) - b * math.sin(turn)),
            0.001,
            half * (a * math.sin(turn) + b * math.cos(turn)),
        )
        for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    first, second, third, fourth = (placed(near, each) for each in corners)
    return Place(near, (first, second, third, fourth), gloss=0.1)


def _lens(wide: float, high: float) -> list[tuple[float, float]]:
    """A lens's edge: a superellipse that is a little pointed at its upper outer corner."""
    edge = []
    for step in range(48):
        angle = math.tau * step / 48
        x, z = math.cos(angle), math.sin(angle)
        bent = (abs(x) ** 2.6 + abs(z) ** 2.6) ** (-1 / 2.6)
        outer = 1 + 0.06 * max(0.0, math.cos(angle - math.radians(145))) ** 4
        edge.append((wide * x * bent * outer, high * z * bent * outer))
    return edge


def _cafe_table() -> None:
    generator = random.Random(6)
    box(
        (3, 2, 0.03),
        (0, 0.55, -0.0405),
        wood((0.33, 0.19, 0.1), (0.13, 0.065, 0.03), scale=6, roughness=0.25, coat=0.3),
        bevel=0.003,
    )
    plant(
        (0.13, 0.42, -0.0255),
        seed=3,
        leaves=16,
        length=0.13,
        width=0.04,
        pot=0.05,
        pot_colour=(0.1, 0.25, 0.3),
    )
    book_row((-0.3, 0.42, -0.0255), 0.22, seed=12, turn=12)
    put(
        cloth(8, 4, surface((0.05, 0.035, 0.03), (0.25, 0.12, 0.06), scale=1.5), _flat, steps=2),
        (0, 3.2, 0.8),
    )
    bulbs(
        scattered(generator, 34, (-1.3, 1.8, -0.1), (2.6, 2.9, 1.5)),
        0.022,
        [(1, 0.6, 0.25), (1, 0.8, 0.5), (0.3, 0.6, 1), (1, 0.35, 0.3)],
        26,
    )
    area_light((-0.5, -0.3, 0.5), (0, 0, 0), size=0.5, watts=5, colour=(0.85, 0.92, 1))
    area_light((0.5, 0.6, 0.5), (0, 0.05, 0), size=0.3, watts=4, colour=(1, 0.75, 0.5))


def polaroid() -> Place:
    """An instant photograph on a string with clothes-pegs, before lights."""
    new_scene(exposure=0.1)
    plain_world((0.5, 0.45, 0.6), 0.35)
    camera(
        (0.09, -0.42, -0.055), (0.004, 0, -0.037), lens=64, aperture=3.2, focus=(0, -0.002, -0.04)
    )
    paper = surface(
        (0.86, 0.84, 0.79), (0.8, 0.78, 0.72), scale=30, roughness=0.45, bump=0.05, bump_scale=500
    )
    string = surface(
        (0.55, 0.42, 0.27), (0.3, 0.2, 0.12), scale=600, roughness=1, bump=0.6, bump_scale=900
    )
    tube(
        [(x / 100, 0.002, 0.016 + 0.35 * (x / 100 - 0.03) ** 2) for x in range(-40, 41, 5)],
        0.0011,
        string,
    )
    hung = group((0, 0, 0.022), (3, 7, -13))
    card = put(
        cloth(
            0.088,
            0.107,
            paper,
            lambda x, z: 0.004 * (x / 0.044) ** 4 * (0.5 - z / 0.107) ** 2,
            steps=24,
        ),
        (0, 0, -0.0575),
    )
    card.parent = hung
    card.modifiers.new("thick", "SOLIDIFY").thickness = 0.0005
    place = square_panel(
        0.077,
        0.077,
        (0, -0.0009, -0.0495),
        (0, 0, 0),
        surface((0.05, 0.05, 0.05), roughness=0.2),
        parent=hung,
        gloss=0.04,
    )
    _peg((0.004, 0, 0.0215), -6)
    for x, turn, swing, seed in ((-0.135, -6, 18, 1), (0.145, 9, -22, 2)):
        z = 0.022 + 0.35 * (x - 0.03) ** 2
        other = group((x, 0.003, z), (2, turn, swing))
        box((0.088, 0.0005, 0.107), (0, 0, -0.0575), paper, bevel=0).parent = other
        box(
            (0.077, 0.0004, 0.077),
            (0, -0.0006, -0.0495),
            surface(
                ((0.05, 0.2, 0.3), (0.4, 0.15, 0.05))[seed - 1],
                ((0.5, 0.4, 0.2), (0.7, 0.6, 0.4))[seed - 1],
                scale=25,
                contrast=0.5,
                roughness=0.3,
            ),
            bevel=0,
        ).parent = other
        _peg((x, 0.003, z), turn)
    generator = random.Random(9)
    put(
        cloth(5, 4, surface((0.03, 0.035, 0.08), (0.12, 0.06, 0.09), scale=2), _flat, steps=2),
        (0, 2.2, 0),
    )
    bulbs(
        scattered(generator, 60, (-0.8, 1.2, -0.65), (0.7, 2.0, 0.5)),
        0.009,
        [(1, 0.6, 0.25), (1, 0.72, 0.4), (1, 0.5, 0.2)],
        60,
    )
    foliage(
        [((-0.55 + 0.25 * k, 1.1 + 0.2 * (k % 2), -0.42), 0.16) for k in range(6)],
        surface((0.03, 0.1, 0.03), (0.08, 0.2, 0.05), scale=8),
        seed=4,
        count=2500,
        size=0.05,
    )
    area_light((-0.5, -0.5, 0.35), (0, 0, -0.03), size=0.4, watts=7, colour=(1, 0.9, 0.78))
    area_light((0.4, 0.3, 0.3), (0, 0, -0.03), size=0.3, watts=3, colour=(0.6, 0.7, 1))
    return place


def _peg(at: Point, turn: float) -> None:
    peg = group(at, (0, turn, 0))
    beech = wood((0.72, 0.5, 0.28), (0.55, 0.35, 0.17), scale=40, roughness=0.5)
    for y, lean in ((-0.0045, -3), (0.0045, 3)):
        box(
            (0.01, 0.0055, 0.058), (0, y, 0.001), beech, bevel=0.0015, turn=(lean, 0, 0)
        ).parent = peg
    spring = surface((0.6, 0.6, 0.62), metallic=1, roughness=0.25)
    for z in (0.003, 0.0055, 0.008):
        tube(
            [
                (-0.0058, -0.006, z),
                (0.0058, -0.006, z),
                (0.0062, 0.0, z),
                (0.0058, 0.006, z),
                (-0.0058, 0.006, z),
                (-0.0062, 0.0, z),
            ],
            0.0007,
            spring,
            closed=True,
        ).parent = peg


def book() -> Place:
    """An open magazine on a linen cloth, with a pencil across it."""
    new_scene(exposure=0.1)
    plain_world((0.75, 0.82, 0.95), 0.35)
    area_light((-0.9, 0.8, 0.7), (0, 0, 0), size=(0.5, 0.8), watts=22, colour=(1, 0.9, 0.74))
    camera((0.045, -0.33, 0.42), (0.035, 0.01, 0), lens=47, aperture=8, roll=-3)
    linen = surface(
        (0.36, 0.45, 0.5),
        (0.30, 0.39, 0.45),
        scale=500,
        roughness=1,
        sheen=0.4,
        bump=0.5,
        bump_scale=900,
    )
    put(
        cloth(
            1.6,
            1.6,
            linen,
            lambda x, z: (
                0.004 * math.sin(9 * x + 3 * z) * math.sin(5 * z - 2 * x)
                + 0.003 * math.sin(17 * x - 11 * z) * math.exp(-8 * (x - 0.3) ** 2)
            ),
            steps=220,
        ),
        (0, 0.2, -0.008),
        (-90, 0, 0),
    )
    lying = group((0.0, 0, 0), (0, 0, -21))
    paper = surface((0.82, 0.81, 0.78), roughness=0.35, coat=0.1)
    for side in (-1, 1):
        for sheet in range(5):
            page = put(
                cloth(0.2, 0.27, paper, partial(_page_depth, side=side, sheet=sheet), steps=48),
                (side * (0.1 + 0.0012 * sheet), 0, 0),
                (-90, 0, 0),
            )
            page.parent = lying
    place = _printed(lying)
    lower = pencil((0.088, -0.012, 0.0215), 118)
    lower.parent = lying
    mug(
        (0.26, 0.2, 0),
        surface(
            (0.75, 0.72, 0.66), (0.35, 0.3, 0.26), scale=150, contrast=0.9, roughness=0.3, coat=0.4
        ),
        turn=-60,
        drink=(0.28, 0.15, 0.07),
    )
    plant(
        (-0.27, 0.26, 0),
        seed=21,
        leaves=18,
        length=0.1,
        width=0.035,
        pot=0.05,
        pot_colour=(0.55, 0.22, 0.12),
        spread=(20, 80),
    )
    for x, y in ((-0.26, -0.1), (-0.29, -0.13), (-0.235, -0.145)):
        ball(
            0.014,
            (x, y, 0.01),
            surface((0.3, 0.02, 0.025), roughness=0.15, coat=0.5, subsurface=0.3),
        )
    return place


def _flat(_x: float, _z: float) -> float:
    return 0.0


def _page_depth(x: float, _z: float, *, side: int, sheet: int) -> float:
    return -_page_height(x * side + 0.1) * (1 - 0.16 * sheet) - 0.0005


def _page_height(x: float) -> float:
    """Height of a lying page, x metres from the fold: round at the fold, then straight."""
    return 0.016 * math.sin(math.pi / 2 * min(1.0, x / 0.02)) - 0.06 * max(0.0, x - 0.02)


def _printed(lying: Any) -> Place:
    """Text and the place for a picture on both pages, a hair above them."""
    ink, grey = (
        surface((0.02, 0.02, 0.02), roughness=0.6),
        surface((0.35, 0.35, 0.36), roughness=0.6),
    )
    generator = random.Random(2)

    def strip(x: float, y: float, wide: float, high: float, material: Any) -> None:
        points: list[Point] = []
        steps = 8
        for row in (y - high / 2, y + high / 2):
            for step in range(steps + 1):
                along = x + wide * step / steps
                points.append((along, row, _page_height(abs(along)) + 0.0011))
        faces = [(a, a + 1, a + steps + 2, a + steps + 1) for a in range(steps)]
        mesh(points, faces, material).parent = lying

    for row in range(17):
        for left in (-0.178, -0.098):
            strip(
                left,
                0.05 - 0.0098 * row,
                0.07 - (generator.uniform(0.01, 0.05) if row % 6 == 5 else 0),
                0.0034,
                grey,
            )
    strip(-0.178, 0.103, 0.12, 0.013, ink)
    strip(-0.178, 0.083, 0.085, 0.009, surface((0.55, 0.05, 0.04)))
    for row in range(7):
        strip(0.03, -0.052 - 0.0098 * row, 0.068, 0.0034, grey)
        strip(0.109, -0.052 - 0.0098 * row, 0.068 - (0.03 if row == 6 else 0), 0.0034, grey)
    strip(0.03, -0.036, 0.1, 0.007, ink)
    x1, x2, y1, y2 = 0.024, 0.186, -0.024, 0.124
    high = [_page_height(x1) + 0.0013, _page_height(x2) + 0.0013]
    panel = mesh(
        [(x1, y2, high[0]), (x2, y2, high[1]), (x2, y1, high[1]), (x1, y1, high[0])],
        [(3, 2, 1, 0)],
        surface((0.2, 0.2, 0.2), roughness=0.3),
    )
    panel.parent = lying
    one, two, three, four = (
        placed(panel, each)
        for each in ((x1, y2, high[0]), (x2, y2, high[1]), (x2, y1, high[1]), (x1, y1, high[0]))
    )
    return Place(panel, (one, two, three, four), gloss=0.05)
