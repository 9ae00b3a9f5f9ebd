"""Things that stand about in several pictures: plants, trees, books, cups, flesh."""

__all__ = [
    "book_row",
    "bulbs",
    "flesh",
    "foliage",
    "group",
    "leaf",
    "mug",
    "pencil",
    "plant",
]

import colorsys
import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import bmesh
import bpy
from mathutils import Matrix, Vector

from drawing.materials import glowing, surface
from drawing.shapes import ball, box, copied, mesh, put, rod, tube, turned
from drawing.studio import Colour, Point

_PENCILS = ((0.8, 0.5, 0.04), (0.6, 0.05, 0.04), (0.03, 0.2, 0.5), (0.04, 0.3, 0.1))


def group(at: Point, turn: Point = (0, 0, 0)) -> Any:
    """An empty object: what has it as its parent moves with it."""
    made = bpy.data.objects.new("group", None)
    bpy.context.scene.collection.objects.link(made)
    return put(made, at, turn)


def leaf(
    length: float, width: float, material: Any, *, droop: float = 0.4, fold: float = 0.15
) -> Any:
    """A leaf from the origin along y that bends down by its ``droop`` and is folded along its middle."""
    steps, sides = 12, 4
    vertices = []
    for step in range(steps + 1):
        share = step / steps
        half = width / 2 * math.sin(math.pi * min(1.0, share**0.75)) + width * 0.02
        angle = droop * share
        y, z = length * share * math.cos(angle), -length * share * math.sin(angle)
        for side in range(-sides, sides + 1):
            across = side / sides
            vertices.append((half * across, y, z + fold * half * abs(across)))
    row = 2 * sides + 1
    faces = [
        (a, a + 1, a + row + 1, a + row)
        for step in range(steps)
        for a in range(step * row, step * row + row - 1)
    ]
    return mesh(vertices, faces, material, rounded=True)


def plant(
    at: Point,
    *,
    seed: int,
    leaves: int = 14,
    length: float = 0.16,
    width: float = 0.05,
    pot: float = 0.06,
    pot_colour: Colour = (0.7, 0.68, 0.64),
    green: Colour = (0.05, 0.17, 0.03),
    stems: float = 0.5,
    spread: tuple[float, float] = (15, 70),
) -> None:
    """A potted plant whose pot's bottom is at ``at``; ``pot`` is the pot's radius."""
    generator = random.Random(seed)
    x, y, z = at
    high = pot * 1.9
    profile = ((0, 0), (pot * 0.72, 0), (pot * 0.98, high), (pot, high), (pot, high * 1.02))
    turned(
        (*profile, (pot * 0.9, high * 1.02), (pot * 0.85, high * 0.88), (0, high * 0.88)),
        at,
        surface(pot_colour, bump=0.1, bump_scale=120, roughness=0.6),
    )
    light = tuple(min(1.0, each * 1.9) for each in green)
    foliage_material = surface(
        green,
        (light[0], light[1], light[2]),
        scale=9,
        roughness=0.35,
        subsurface=0.15,
        bump=0.25,
        bump_scale=60,
    )
    stalk = surface((0.08, 0.16, 0.04))
    for number in range(leaves):
        heading = number * 137.5 + generator.uniform(-15, 15)
        lean = generator.uniform(*spread)
        size = length * generator.uniform(0.75, 1.2)
        made = leaf(
            size,
            width * generator.uniform(0.8, 1.2),
            foliage_material,
            droop=generator.uniform(0.2, 0.9),
        )
        reach = stems * length * generator.uniform(0.5, 1.5)
        direction = (
            Matrix.Rotation(math.radians(heading), 3, "Z")
            @ Matrix.Rotation(math.radians(90 - lean), 3, "X")
            @ Vector((0, 1, 0))
        )
        foot = Vector((x, y, z + high * 0.9))
        end = foot + direction * reach
        if reach > 0.01:
            middle = foot + Vector((0, 0, 1)) * reach * 0.5 + direction * reach * 0.2
            tube([tuple(foot), tuple(middle), tuple(end)], length * 0.012, stalk)
        put(made, (end.x, end.y, end.z), (90 - lean, 0, heading))


def foliage(
    clumps: Sequence[tuple[Point, float]],
    material: Any,
    *,
    seed: int,
    count: int = 6000,
    size: float = 0.08,
) -> Any:
    """One mesh of small leaves in balls, mostly near their surfaces."""
    generator = random.Random(seed)
    vertices: list[Point] = []
    faces = []
    for _ in range(count):
        centre, radius = generator.choice(clumps)
        direction = Vector([generator.gauss(0, 1) for _ in range(3)]).normalized()
        middle = Vector(centre) + direction * radius * generator.random() ** 0.35
        along = (direction + Vector([generator.gauss(0, 0.8) for _ in range(3)])).normalized()
        across = along.orthogonal().normalized()
        across.rotate(Matrix.Rotation(generator.uniform(0, math.tau), 3, along))
        long, wide = size * generator.uniform(0.6, 1.3), size * generator.uniform(0.25, 0.45)
        first = len(vertices)
        sides = (
            middle - along * long / 2,
            middle + across * wide,
            middle + along * long / 2,
            middle - across * wide,
        )
        vertices.extend((point.x, point.y, point.z) for point in sides)
        faces.append((first, first + 1, first + 2, first + 3))
    return mesh(vertices, faces, material)


def book_row(
    at: Point, length: float, *, seed: int, depth: float = 0.16, turn: float = 0.0
) -> None:
    """Books upright in a row along x from ``at``, their backs to -y."""
    generator = random.Random(seed)
    shelf = group(at, (0, 0, turn))
    paper = surface((0.75, 0.7, 0.6))
    x = 0.0
    while x < length:
        thick = generator.uniform(0.015, 0.042)
        high = generator.uniform(0.17, 0.25)
        colour = colorsys.hsv_to_rgb(
            generator.random(), generator.uniform(0.2, 0.8), generator.uniform(0.08, 0.5)
        )
        cover = surface(colour, roughness=0.5)
        for size, middle, made_of in (
            ((thick, depth, high), (x + thick / 2, depth / 2, high / 2), cover),
            (
                (thick * 0.8, depth, high * 0.97),
                (x + thick / 2, depth / 2 + 0.003, high / 2 + 0.004),
                paper,
            ),
            (
                (thick * 1.01, depth * 0.2, high * 0.05),
                (x + thick / 2, depth * 0.1 - 0.0006, high * 0.8),
                paper,
            ),
        ):
            box(size, middle, made_of, bevel=0.002).parent = shelf
        x += thick + generator.uniform(0, 0.002)


def mug(
    at: Point,
    material: Any,
    *,
    drink: Colour = (0.05, 0.02, 0.01),
    turn: float = 0.0,
    size: float = 1.0,
) -> None:
    """A cup with a handle (towards +x before its turn) and something to drink."""
    cup = group(at, (0, 0, turn))
    profile = [
        (0, 0),
        (0.03, 0),
        (0.036, 0.006),
        (0.04, 0.03),
        (0.042, 0.09),
        (0.0405, 0.092),
        (0.039, 0.09),
        (0.037, 0.03),
        (0.03, 0.01),
        (0, 0.008),
    ]
    parts = [turned([(r * size, h * size) for r, h in profile], (0, 0, 0), material)]
    handle: list[Point] = [
        (0.036, 0, 0.075),
        (0.06, 0, 0.078),
        (0.068, 0, 0.05),
        (0.056, 0, 0.024),
        (0.034, 0, 0.025),
    ]
    parts.append(
        tube([(a * size, b * size, c * size) for a, b, c in handle], 0.005 * size, material)
    )
    surface_of_drink = ball(
        0.0385 * size, (0, 0, 0.078 * size), surface(drink, roughness=0.1), scale=(1, 1, 0.02)
    )
    for each in (*parts, surface_of_drink):
        each.parent = cup


def bulbs(
    points: Sequence[Point], radius: float, colours: Sequence[Colour], strength: float
) -> None:
    """Small shining balls: a blurred background's lights."""
    first = [ball(radius, points[0], glowing(colour, strength)) for colour in colours]
    for number, point in enumerate(points):
        copied(first[number % len(first)], point)


def flesh(
    chains: Sequence[Sequence[tuple[Point, float]]],
    material: Any,
    *,
    voxel: float = 0.0015,
    rounds: int = 12,
) -> Any:
    """A body grown together from chains of balls: (centre, radius) from joint to joint."""
    made = bmesh.new()
    for chain in chains:
        pairs = list(pairwise(chain)) or [(chain[0], chain[0])]
        for (start, first), (end, last) in pairs:
            apart = (Vector(end) - Vector(start)).length
            steps = max(1, math.ceil(apart / (0.25 * min(first, last))))
            for step in range(steps + 1):
                share = step / steps
                middle = Vector(start).lerp(Vector(end), share)
                bmesh.ops.create_icosphere(
                    made,
                    subdivisions=2,
                    radius=first + (last - first) * share,
                    matrix=Matrix.Translation(middle),
                )
    data = bpy.data.meshes.new("flesh")
    made.to_mesh(data)
    made.free()
    body = bpy.data.objects.new("flesh", data)
    bpy.context.scene.collection.objects.link(body)
    data.materials.append(material)
    remesh = body.modifiers.new("one", "REMESH")
    remesh.mode, remesh.voxel_size, remesh.use_smooth_shade = "VOXEL", voxel, True
    soft = body.modifiers.new("soft", "SMOOTH")
    soft.factor, soft.iterations = 0.5, rounds
    return body


def pencil(at: Point, heading: float, *, lean: float = 0.0, hue: int = 0) -> Any:
    """A pencil around ``at``; lying, or leaning by degrees; returns the group of its parts."""
    made = group(at, (0, -lean, heading))
    for radius, end, length, x, colour in (
        (0.0038, 0.0038, 0.15, 0.0, _PENCILS[hue % len(_PENCILS)]),
        (0.0038, 0.001, 0.016, 0.083, (0.65, 0.42, 0.22)),
        (0.001, 0.0002, 0.004, 0.093, (0.02, 0.02, 0.02)),
    ):
        rod(
            radius,
            length,
            (x, 0, 0),
            surface(colour, roughness=0.4),
            turn=(0, 90, 0),
            bevel=0.0,
            end_radius=end,
        ).parent = made
    return made
