"""Scenes in rooms: a window, and paintings."""

__all__ = ["easel", "gallery", "window"]

import math
import random
from functools import partial

from drawing.frames import moulding
from drawing.materials import glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import group, plant
from drawing.shapes import (
    ball,
    box,
    cloth,
    copied,
    mesh,
    panel,
    put,
    rod,
    tube,
)
from drawing.studio import area_light, camera, new_scene, plain_world, spot, sun


def easel() -> Place:
    """A canvas on an easel in a painter's studio."""
    new_scene(exposure=0.25)
    plain_world((0.75, 0.83, 1), 0.25)
    camera((-0.95, -2.1, 1.5), (0.12, 0, 1.12), lens=47, aperture=8)
    plaster = surface(
        (0.55, 0.53, 0.5),
        (0.42, 0.4, 0.38),
        scale=1.5,
        detail=8,
        roughness=0.95,
        bump=0.25,
        bump_scale=18,
    )
    mesh([(-4, 1.3, 0), (4, 1.3, 0), (4, 1.3, 4), (-4, 1.3, 4)], [(0, 1, 2, 3)], plaster)
    mesh(
        [(-4, -4, 0), (4, -4, 0), (4, 1.3, 0), (-4, 1.3, 0)],
        [(0, 1, 2, 3)],
        wood((0.4, 0.27, 0.16), (0.22, 0.13, 0.07), boards=0.14, scale=3, roughness=0.6),
    )
    beech = wood((0.55, 0.33, 0.15), (0.36, 0.19, 0.08), scale=3, roughness=0.45)
    made = group((0, 0, 0), (-9, 0, 0))
    for x, turn in ((-0.3, 80), (0.3, 100)):
        box(
            (1.75, 0.045, 0.03), (x * 0.82, 0.05, 0.85), beech, bevel=0.004, turn=(0, turn, 0)
        ).parent = made
    box((1.95, 0.05, 0.03), (0, 0.03, 1.0), beech, bevel=0.004, turn=(0, 90, 0)).parent = made
    box((0.9, 0.1, 0.03), (0, -0.02, 0.74), beech, bevel=0.004).parent = made
    box((0.62, 0.03, 0.06), (0, 0.03, 0.4), beech, bevel=0.004).parent = made
    box((0.1, 0.1, 0.05), (0, -0.01, 1.505), beech, bevel=0.005).parent = made
    box((0.05, 0.02, 0.09), (0, -0.055, 1.48), beech, bevel=0.004).parent = made
    linen = surface((0.8, 0.77, 0.7), roughness=0.9, bump=0.3, bump_scale=600)
    box((0.72, 0.03, 0.72), (0, -0.02, 1.118), linen, bevel=0.004).parent = made
    place = square_panel(0.72, 0.72, (0, -0.0365, 1.118), (0, 0, 0), linen, parent=made)
    put(box((1.75, 0.035, 0.03), (0, 0, 0), beech, bevel=0.004), (0, 0.52, 0.84), (0, 72, 90))
    _painters_things(beech)
    area_light((-2.6, -0.6, 2.6), (0, 0, 1.0), size=(1.2, 1.8), watts=150, colour=(0.9, 0.95, 1))
    area_light((2.2, -1.6, 1.8), (0, 0, 1), size=1, watts=25, colour=(1, 0.8, 0.6))
    return place


def _painters_things(beech: object) -> None:
    generator = random.Random(5)
    box((0.62, 0.45, 0.03), (0.8, -0.1, 0.66), beech, bevel=0.005)
    for x in (0.54, 1.06):
        for y in (-0.28, 0.08):
            rod(0.02, 0.65, (x, y, 0.325), beech)
    tin = surface((0.5, 0.5, 0.52), metallic=1, roughness=0.35, uneven_roughness=0.2)
    for x, y, count in ((0.62, 0.05, 9), (0.76, 0.06, 6)):
        rod(0.045, 0.12, (x, y, 0.735), tin)
        for _ in range(count):
            brush = group(
                (x + generator.uniform(-0.02, 0.02), y + generator.uniform(-0.02, 0.02), 0.86),
                (generator.uniform(-14, 14), generator.uniform(-14, 14), 0),
            )
            handle = surface(
                generator.choice(
                    ((0.5, 0.3, 0.12), (0.4, 0.03, 0.03), (0.02, 0.02, 0.02), (0.05, 0.15, 0.3))
                ),
                roughness=0.3,
            )
            for radius, length, z, material in (
                (0.005, 0.2, 0, handle),
                (0.006, 0.03, 0.11, tin),
                (
                    0.008,
                    0.035,
                    0.14,
                    surface(
                        generator.choice(
                            (
                                (0.15, 0.08, 0.03),
                                (0.5, 0.05, 0.03),
                                (0.05, 0.2, 0.5),
                                (0.7, 0.5, 0.1),
                            )
                        )
                    ),
                ),
            ):
                rod(radius, length, (0, 0, z), material, bevel=0).parent = brush
    ball(
        0.17,
        (0.86, -0.17, 0.682),
        wood((0.45, 0.25, 0.1), (0.3, 0.15, 0.06), scale=8),
        scale=(1.2, 0.85, 0.03),
        turn=(0, 0, 20),
    )
    for number, colour in enumerate(
        (
            (0.7, 0.03, 0.02),
            (0.85, 0.35, 0.02),
            (0.85, 0.7, 0.05),
            (0.1, 0.35, 0.06),
            (0.03, 0.12, 0.5),
            (0.2, 0.04, 0.3),
            (0.85, 0.83, 0.8),
        )
    ):
        angle = math.radians(20 + 38 * number)
        ball(
            0.024,
            (0.86 + 0.14 * math.cos(angle), -0.17 + 0.1 * math.sin(angle), 0.688),
            surface(colour, roughness=0.25),
            scale=(1.2, 0.9, 0.45),
            turn=(0, 0, generator.uniform(0, 180)),
        )
    for x, wide, high, lean, one, two in (
        (-0.95, 0.7, 0.9, 8, (0.1, 0.2, 0.35), (0.7, 0.6, 0.4)),
        (-0.55, 0.5, 0.6, 14, (0.45, 0.15, 0.08), (0.75, 0.6, 0.35)),
        (0.95, 0.8, 1.05, 7, (0.12, 0.3, 0.2), (0.7, 0.7, 0.5)),
    ):
        leaning = group((x, 1.02 - 0.1 * abs(x), 0), (-lean, 0, 0))
        box(
            (wide, 0.03, high),
            (0, 0, high / 2),
            surface(one, two, scale=3, contrast=0.6, roughness=0.7),
            bevel=0.003,
        ).parent = leaning
    for colour in ((0.4, 0.05, 0.05), (0.05, 0.15, 0.4), (0.6, 0.5, 0.1), (0.7, 0.7, 0.7)) * 7:
        ball(
            generator.uniform(0.008, 0.025),
            (generator.uniform(-0.7, 0.9), generator.uniform(-0.8, 0.3), 0.001),
            surface(colour, roughness=0.4),
            scale=(1, generator.uniform(0.5, 1), 0.05),
        )


def gallery() -> Place:
    """A painting in a gilt frame on a gallery's wall."""
    new_scene(exposure=0.1)
    plain_world((1, 0.9, 0.75), 0.1)
    camera((1.35, -2.2, 1.45), (0.03, 0, 1.44), lens=48)
    damask = surface(
        (0.03, 0.10, 0.075), (0.045, 0.14, 0.10), scale=12, contrast=0.8, roughness=0.8, sheen=0.2
    )
    mesh([(-5, 0, 0), (4, 0, 0), (4, 0, 4), (-5, 0, 4)], [(0, 1, 2, 3)], damask)
    mesh(
        [(-5, -6, 0), (4, -6, 0), (4, 0, 0), (-5, 0, 0)],
        [(0, 1, 2, 3)],
        wood(boards=0.09, scale=3, roughness=0.2),
    )
    box((9, 0.03, 0.16), (-0.5, -0.01, 0.08), wood((0.2, 0.1, 0.05), (0.1, 0.05, 0.02)), bevel=0.01)
    box((9, 0.03, 0.06), (-0.5, -0.01, 0.9), wood((0.2, 0.1, 0.05), (0.1, 0.05, 0.02)), bevel=0.01)
    _gilt(0, 1.55, 0.72, 0.72)
    place = square_panel(
        0.72,
        0.72,
        (0, -0.02, 1.55),
        (0, 0, 0),
        surface((0.1, 0.08, 0.06), roughness=0.4),
        gloss=0.03,
    )
    for x, z, wide, high, one, two in (
        (-1.25, 1.6, 0.5, 0.65, (0.02, 0.03, 0.02), (0.3, 0.25, 0.15)),
        (1.1, 1.72, 0.38, 0.3, (0.03, 0.05, 0.09), (0.45, 0.4, 0.3)),
        (1.1, 1.24, 0.38, 0.3, (0.1, 0.04, 0.02), (0.4, 0.3, 0.15)),
    ):
        _gilt(x, z, wide, high, slim=0.6)
        put(
            panel(wide, high, surface(one, two, scale=5, contrast=0.4, roughness=0.4)),
            (x, -0.02, z),
        )
    brass = surface((0.75, 0.52, 0.2), metallic=1, roughness=0.22)
    tube([(0, -0.03, 2.06), (0, -0.1, 2.14), (0, -0.2, 2.15)], 0.008, brass)
    rod(0.024, 0.42, (0, -0.21, 2.14), brass, turn=(0, 90, 0))
    area_light((0, -0.24, 2.1), (0, -0.02, 1.5), size=(0.4, 0.04), watts=3, colour=(1, 0.8, 0.52))
    for x in (-1.25, 0.0, 1.1):
        spot(
            (x + 0.2, -1.6, 3.3),
            (x, 0, 1.55),
            watts=130,
            angle=34,
            colour=(1, 0.84, 0.62),
            radius=0.06,
        )
    box((0.13, 0.006, 0.05), (0.62, -0.004, 1.17), brass, bevel=0.002)
    area_light((0, -4, 3.8), (0, -2, 0), size=3, watts=60, colour=(1, 0.93, 0.85))
    for x in (-0.75, 0.62):
        rod(0.018, 0.9, (x, -0.62, 0.45), brass)
        rod(0.14, 0.02, (x, -0.62, 0.01), brass)
        ball(0.032, (x, -0.62, 0.92), brass)
    velvet = surface((0.25, 0.01, 0.02), roughness=0.9, sheen=0.8)
    for start, end in ((-2.1, -0.75), (-0.75, 0.62), (0.62, 2.0)):
        tube(
            [
                (start + (end - start) * k / 8, -0.62, 0.88 - 0.2 * (1 - (k / 4 - 1) ** 2))
                for k in range(9)
            ],
            0.02,
            velvet,
        )
    return place


def _gilt(x: float, z: float, wide: float, high: float, *, slim: float = 1.0) -> None:
    """An ornate frame."""
    gold = surface(
        (0.83, 0.55, 0.17),
        (0.5, 0.28, 0.07),
        scale=22,
        contrast=0.2,
        metallic=1,
        roughness=0.33,
        uneven_roughness=0.15,
        bump=0.35,
        bump_scale=45,
    )
    profile = [
        (-0.004, 0.005),
        (-0.004, 0.03),
        (0.006, 0.036),
        (0.014, 0.03),
        (0.022, 0.026),
        (0.04, 0.034),
        (0.062, 0.058),
        (0.08, 0.082),
        (0.095, 0.09),
        (0.108, 0.084),
        (0.114, 0.07),
        (0.122, 0.066),
        (0.13, 0.05),
        (0.13, 0.0),
    ]
    put(moulding(wide, high, [(a * slim, b * slim) for a, b in profile], gold), (x, 0, z))
    bead = ball(0.0085 * slim, (x, -0.034 * slim, z + high / 2 + 0.018 * slim), gold)
    step = 0.021 * slim
    out_x, out_z = wide / 2 + 0.018 * slim, high / 2 + 0.018 * slim
    for number in range(round(2 * out_x / step)):
        for side in (-1, 1):
            copied(bead, (x - out_x + number * step, -0.032 * slim, z + side * out_z))
    for number in range(round(2 * out_z / step)):
        for side in (-1, 1):
            copied(bead, (x + side * out_x, -0.032 * slim, z - out_z + number * step))
    far_x, far_z = wide / 2 + 0.085 * slim, high / 2 + 0.085 * slim
    for a, b, reach in (
        (-1, -1, 1.0),
        (-1, 1, 1.0),
        (1, -1, 1.0),
        (1, 1, 1.0),
        (0, 1, 0.8),
        (0, -1, 0.8),
        (1, 0, 0.8),
        (-1, 0, 0.8),
    ):
        middle = (x + a * far_x, -0.075 * slim, z + b * far_z)
        ball(0.03 * slim * reach, middle, gold, scale=(1, 0.6, 1))
        for petal in range(8):
            angle = math.tau * petal / 8
            place = (
                middle[0] + 0.042 * slim * reach * math.cos(angle),
                middle[1] + 0.012 * slim,
                middle[2] + 0.042 * slim * reach * math.sin(angle),
            )
            ball(
                0.022 * slim * reach,
                place,
                gold,
                scale=(1.2, 0.6, 0.75),
                turn=(0, -math.degrees(angle), 0),
            )


def window() -> Place:
    """A window of a house with glazing bars, curtains and pots on its sill, from inside."""
    new_scene(exposure=-0.1)
    plain_world((0.7, 0.8, 1.0), 0.35)
    camera((-1.15, -1.75, 1.25), (0.1, 0, 1.38), lens=36)
    wall = surface(
        (0.55, 0.36, 0.24), (0.5, 0.32, 0.21), scale=3, roughness=0.95, bump=0.12, bump_scale=60
    )
    wide, high, middle = 1.0, 1.1, 1.5
    left, right, low, top = -wide / 2, wide / 2, middle - high / 2, middle + high / 2
    for x1, x2, z1, z2 in (
        (-4, left, 0, 3.6),
        (right, 8, 0, 3.6),
        (left, right, 0, low),
        (left, right, top, 3.6),
    ):
        box((x2 - x1, 0.3, z2 - z1), ((x1 + x2) / 2, 0.15, (z1 + z2) / 2), wall, bevel=0)
    white = surface((0.78, 0.76, 0.72), roughness=0.35, bump=0.05, bump_scale=40)
    for x in (left + 0.03, right - 0.03):
        box((0.06, 0.07, high), (x, 0.1, middle), white, bevel=0.006)
    for z in (low + 0.03, top - 0.03):
        box((wide, 0.07, 0.06), (0, 0.1, z), white, bevel=0.006)
    box((0.045, 0.05, high), (0, 0.1, middle), white, bevel=0.006)
    box((wide, 0.05, 0.04), (0, 0.1, middle + 0.1), white, bevel=0.006)
    box(
        (0.02, 0.03, 0.09),
        (0.02, 0.06, middle - 0.03),
        surface((0.6, 0.42, 0.16), metallic=1, roughness=0.25),
        bevel=0.004,
    )
    box((wide + 0.28, 0.26, 0.035), (0, -0.05, low - 0.0175), white, bevel=0.008)
    for x in (left - 0.05, right + 0.05):
        box((0.1, 0.03, high + 0.1), (x, -0.012, middle + 0.02), white, bevel=0.006)
    box((wide + 0.26, 0.035, 0.11), (0, -0.012, top + 0.055), white, bevel=0.006)
    place = square_panel(
        wide - 0.1, high - 0.1, (0, 0.14, middle), (0, 0, 0), glowing((0.85, 0.92, 1.0), 0.5)
    )
    place.panel.visible_shadow = False
    # What the frame and the curtain leave of it, seen from here.
    west, east, north, south = -0.3825, 0.432, middle + 0.465, middle - 0.45
    place = place._replace(
        corners=((west, 0.14, north), (east, 0.14, north), (east, 0.14, south), (west, 0.14, south))
    )
    _curtains(left, right, top)
    for z, one, two in (
        (1.72, (0.08, 0.2, 0.24), (0.6, 0.5, 0.3)),
        (1.2, (0.5, 0.15, 0.06), (0.7, 0.55, 0.35)),
    ):
        oak = wood(scale=6)
        box((0.36, 0.02, 0.42), (1.55, -0.01, z), oak, bevel=0.004)
        box((0.31, 0.02, 0.37), (1.55, -0.012, z), surface((0.75, 0.73, 0.68)), bevel=0)
        art = surface(one, two, scale=11, contrast=0.6)
        box((0.19, 0.02, 0.24), (1.55, -0.0135, z), art, bevel=0)
    plant(
        (-0.27, -0.06, low),
        seed=3,
        leaves=24,
        length=0.13,
        width=0.05,
        pot=0.06,
        pot_colour=(0.6, 0.24, 0.12),
        spread=(5, 75),
    )
    plant(
        (0.29, -0.05, low),
        seed=9,
        leaves=30,
        length=0.17,
        width=0.022,
        pot=0.05,
        pot_colour=(0.2, 0.35, 0.4),
        spread=(0, 50),
        stems=0.1,
    )
    sun(elevation=32, azimuth=38, strength=5, colour=(1, 0.86, 0.66), size=1)
    area_light(
        (0, 0.5, middle), (0, -1, middle - 0.4), size=(1, 1), watts=40, colour=(0.85, 0.93, 1)
    )
    area_light((-2.5, -2.5, 2.2), (0, 0, 1.2), size=1.2, watts=32, colour=(1, 0.85, 0.68))
    return place


def _curtains(left: float, right: float, top: float) -> None:
    linen = surface(
        (0.72, 0.68, 0.6),
        (0.66, 0.62, 0.54),
        scale=200,
        roughness=1,
        sheen=0.3,
        subsurface=0.3,
        subsurface_scale=0.03,
        bump=0.2,
        bump_scale=500,
    )
    for x, phase in ((left - 0.18, 0.0), (right + 0.2, 1.0)):
        put(
            cloth(
                0.42,
                1.9,
                linen,
                partial(_curtain_depth, phase=phase),
                steps=150,
            ),
            (x, -0.12, top - 0.8),
        )
    brass = surface((0.5, 0.36, 0.16), metallic=1, roughness=0.3)
    rod(0.012, 2.0, (0, -0.12, top + 0.16), brass, turn=(0, 90, 0))
    for x in (-1.0, 1.0):
        ball(0.025, (x, -0.12, top + 0.16), brass)


def _curtain_depth(x: float, z: float, *, phase: float) -> float:
    return 0.03 * math.sin(62 * x + phase + 2.0 * math.sin(1.5 * z)) * (1 - 0.25 * z)
