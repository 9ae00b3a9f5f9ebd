"""Grass, flowers and stones: objects that are strewn, not shown themselves."""

__all__ = ["flower", "stone", "stone_material", "tuft"]

import math
from typing import Any

import bmesh
import bpy
import numpy as np

from drawing.meshes import Shape
from drawing.nodes import Graph
from drawing.noise import perlin


def stone_material() -> Any:
    """Grey stone with a rough skin."""
    material, graph = Graph.material("Stone")
    noise = graph.noise(graph.local(), 4, 10, 0.65)
    colour = graph.ramp(
        noise, [(0.3, (0.06, 0.055, 0.05)), (0.55, (0.21, 0.20, 0.18)), (0.75, (0.36, 0.35, 0.31))]
    )
    graph.finish(graph.surface(colour, 0.75, graph.bump(noise, 0.06)))
    return material


def tuft(
    seed: int, material: Any, *, blades: int = 36, height: float = 0.3, lean: float = 0.5
) -> Any:
    """A tuft of grass, ``height`` metres high."""
    generator = np.random.default_rng(seed)
    shape = Shape([material])
    for _ in range(blades):
        turn, bend = generator.uniform(0, 2 * math.pi), generator.uniform(0.1, 1) * lean
        root = generator.normal(0, 0.10 * height, 2)
        tall, wide = (
            height * generator.uniform(0.5, 1.1),
            0.018 * height * generator.uniform(0.7, 1.4),
        )
        way, side = (
            np.array([math.cos(turn), math.sin(turn)]),
            np.array([-math.sin(turn), math.cos(turn)]),
        )
        points = []
        for step, width in ((0, 1.0), (0.4, 0.9), (0.75, 0.6), (1.0, 0.05)):
            middle = root + way * bend * tall * step**2
            z = tall * step * (1 - 0.25 * bend * step)
            points += [(*(middle - side * wide * width), z), (*(middle + side * wide * width), z)]
        shape.add(points, [(i, i + 1, i + 3, i + 2) for i in (0, 2, 4)])
    return shape.build("Tuft", smooth=True, show=False)


def flower(
    seed: int,
    petals: Any,
    centre: Any,
    stem: Any,
    *,
    height: float = 0.3,
    radius: float = 0.03,
    count: int = 9,
) -> Any:
    """A flower on a stalk, facing up and a little to one side."""
    generator = np.random.default_rng(seed)
    shape = Shape([petals, centre, stem])
    head = np.array([*generator.normal(0, 0.12 * height, 2), height])
    shape.tube(
        [(0, 0, 0), (head[0] * 0.3, head[1] * 0.3, height / 2), head],
        [0.05 * radius + 0.001] * 3,
        2,
        5,
    )
    facing = np.array([*np.add(generator.normal(0, 0.35, 2), (0, -0.35)), 1.0])
    facing /= np.linalg.norm(facing)
    across = np.cross(facing, (0, 1, 0.2))
    across /= np.linalg.norm(across)
    along = np.cross(facing, across)
    for turn in np.linspace(0, 2 * math.pi, count, endpoint=False):
        out = math.cos(turn) * across + math.sin(turn) * along
        side = -math.sin(turn) * across + math.cos(turn) * along
        wide = 2.3 * radius / count
        rise = facing * radius * generator.uniform(0.05, 0.3)
        shape.add(
            [
                head + out * 0.1 * radius,
                head + out * 0.6 * radius + side * wide + rise * 0.6,
                head + out * radius * generator.uniform(0.9, 1.1) + rise,
                head + out * 0.6 * radius - side * wide + rise * 0.6,
            ],
            [(0, 1, 2, 3)],
        )
    ring = [
        head + 0.3 * radius * (math.cos(a) * across + math.sin(a) * along) + facing * 0.12 * radius
        for a in np.linspace(0, 2 * math.pi, 8, endpoint=False)
    ]
    shape.add([*ring, head + facing * 0.25 * radius], [(i, (i + 1) % 8, 8) for i in range(8)], 1)
    return shape.build("Flower", show=False)


def stone(seed: int, material: Any, *, cuts: int = 14, finer: int = 4) -> Any:
    """A stone about one metre wide: a ball cut by planes, with a rough skin."""
    generator = np.random.default_rng(seed)
    ball = bmesh.new()
    bmesh.ops.create_icosphere(ball, subdivisions=finer, radius=0.5)
    points = np.array([vertex.co[:] for vertex in ball.verts])
    for _ in range(cuts):
        normal = generator.normal(0, 1, 3)
        normal /= np.linalg.norm(normal)
        over = points @ normal - generator.uniform(0.27, 0.42)
        points -= np.clip(over, 0, None)[:, None] * normal
    rough = perlin(points[:, 0] * 9 + seed, points[:, 1] * 9 + points[:, 2] * 7, seed)
    points *= (1 + 0.05 * rough)[:, None] * (
        1,
        generator.uniform(0.7, 1),
        generator.uniform(0.55, 0.8),
    )
    for vertex, point in zip(ball.verts, points, strict=True):
        vertex.co = point
    mesh = bpy.data.meshes.new("Stone")
    ball.to_mesh(mesh)
    ball.free()
    mesh.materials.append(material)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    return bpy.data.objects.new("Stone", mesh)
