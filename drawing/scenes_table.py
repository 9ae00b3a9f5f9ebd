"""Scenes on a table."""

__all__ = ["book", "glasses", "tablet"]

import math
import random
from functools import partial
from typing import Any

from drawing.materials import glass, glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import book_row, bulbs, group, mug, pencil, plant
from drawing.shapes import (
    ball,
    box,
    cloth,
    mesh,
    panel,
    placed,
    put,
    scattered,
    tube,
    turned,
)
from drawing.studio import Point, area_light, camera, new_scene, plain_world


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
    # Nearly all of the lens, whose round corners hide a little of the picture.
    wide, high = 0.0223, 0.0186
    corners = [(a * wide, 0.001, b * high) for a, b in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
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
        panel(8, 4, surface((0.05, 0.035, 0.03), (0.25, 0.12, 0.06), scale=1.5)),
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
