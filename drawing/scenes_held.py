"""Scenes with something in a hand, or hung up close to the eye."""

__all__ = ["phone", "polaroid"]

import random
from typing import Any

from drawing.materials import glowing, surface, wood
from drawing.place import Place, square_panel
from drawing.props import bulbs, flesh, foliage, group
from drawing.shapes import ball, box, cloth, panel, put, scattered, tube
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
    put(panel(16, 5, leaves), (0, 6, 2.0))
    put(
        panel(16, 8, surface((0.07, 0.16, 0.03), (0.25, 0.3, 0.08), scale=1.2)),
        (0, 3, -1.3),
        (90, 0, 0),
    )
    put(panel(1.6, 9, surface((0.5, 0.45, 0.38))), (0.9, 3, -1.28), (90, 0, 25))
    for x in (-1.9, -0.8, 1.7):
        box((0.22, 0.22, 5), (x, 5.4, 1), surface((0.06, 0.035, 0.02)), bevel=0.05)
    bulbs(
        scattered(generator, 26, (-2.2, 4, 0.1), (2.2, 5.8, 2.4)),
        0.035,
        [(1, 0.95, 0.6), (0.8, 1, 0.5)],
        14,
    )
    area_light((-0.5, -0.6, 0.4), (0, 0, 0), size=0.5, watts=2.5)


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
        panel(5, 4, surface((0.03, 0.035, 0.08), (0.12, 0.06, 0.09), scale=2)),
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
