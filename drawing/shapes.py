"""Shapes: boxes, rods, tubes, panels and cloth, all of real size."""

__all__ = [
    "ball",
    "box",
    "cloth",
    "copied",
    "mesh",
    "panel",
    "placed",
    "put",
    "rod",
    "scattered",
    "smooth",
    "tube",
    "turned",
]

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import bmesh
import bpy
from mathutils import Matrix, Vector

from drawing.studio import Point


def mesh(
    vertices: Sequence[Point],
    faces: Sequence[Sequence[int]],
    material: Any,
    *,
    rounded: bool = False,
) -> Any:
    """An object of vertices and faces; ``rounded`` shades it smoothly."""
    data = bpy.data.meshes.new("mesh")
    data.from_pydata(list(vertices), [], [tuple(each) for each in faces])
    data.update()
    return _linked(data, material, rounded=rounded)


def box(
    size: Point, at: Point, material: Any, *, bevel: float = 0.003, turn: Point = (0, 0, 0)
) -> Any:
    """A box with bevelled edges around its centre ``at``, turned by degrees about x, y and z."""
    half = [each / 2 for each in size]
    corners = [
        (x * half[0], y * half[1], z * half[2]) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)
    ]
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    made = mesh(corners, faces, material)
    if bevel:
        _bevelled(made, min(bevel, min(size) * 0.45))
    return put(made, at, turn)


def rod(
    radius: float,
    length: float,
    at: Point,
    material: Any,
    *,
    turn: Point = (0, 0, 0),
    bevel: float = 0.001,
    end_radius: float | None = None,
) -> Any:
    """A round rod along z around its centre ``at``; conical with an ``end_radius`` at its top."""
    made = bmesh.new()
    bmesh.ops.create_cone(
        made,
        cap_ends=True,
        segments=48,
        radius1=radius,
        radius2=radius if end_radius is None else end_radius,
        depth=length,
    )
    shape = _from_bmesh(made, material, rounded=True)
    if bevel:
        _bevelled(shape, bevel)
    return put(shape, at, turn)


def ball(
    radius: float, at: Point, material: Any, *, scale: Point = (1, 1, 1), turn: Point = (0, 0, 0)
) -> Any:
    """A ball, or an ellipsoid."""
    made = bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=48, v_segments=24, radius=radius)
    shape = _from_bmesh(made, material, rounded=True)
    put(shape, at, turn)
    shape.scale = scale
    return shape


def tube(
    points: Sequence[Point], radius: float | Sequence[float], material: Any, *, closed: bool = False
) -> Any:
    """A round tube along a smooth curve through points; a radius, or one for each point."""
    data = bpy.data.curves.new("tube", "CURVE")
    data.dimensions = "3D"
    data.use_fill_caps = True
    data.bevel_depth = 1.0
    data.bevel_resolution = 6
    data.resolution_u = 16
    spline = data.splines.new("NURBS")
    spline.points.add(len(points) - 1)
    radii = [radius] * len(points) if isinstance(radius, int | float) else radius
    for point, place, size in zip(spline.points, points, radii, strict=True):
        point.co = (*place, 1)
        point.radius = size
    spline.use_cyclic_u = closed
    spline.use_endpoint_u = not closed
    spline.order_u = min(4, len(points))
    return _linked(data, material)


def turned(
    profile: Sequence[tuple[float, float]], at: Point, material: Any, *, segments: int = 64
) -> Any:
    """A vessel as from a potter's wheel: radii and heights, from the bottom's centre outwards."""
    vertices = [
        (radius * math.cos(angle), radius * math.sin(angle), height)
        for radius, height in profile
        for angle in (math.tau * step / segments for step in range(segments))
    ]
    faces = [
        (
            ring * segments + step,
            ring * segments + (step + 1) % segments,
            (ring + 1) * segments + (step + 1) % segments,
            (ring + 1) * segments + step,
        )
        for ring in range(len(profile) - 1)
        for step in range(segments)
    ]
    made = mesh(vertices, faces, material, rounded=True)
    smooth(made, 1)
    return put(made, at)


def panel(width: float, height: float, material: Any) -> Any:
    """An upright rectangle in x and z that is seen from -y, around the origin."""
    x, z = width / 2, height / 2
    return mesh([(-x, 0, z), (x, 0, z), (x, 0, -z), (-x, 0, -z)], [(3, 2, 1, 0)], material)


def cloth(
    width: float,
    height: float,
    material: Any,
    depth: Callable[[float, float], float],
    *,
    steps: int = 160,
) -> Any:
    """An upright sheet in x and z with folds: ``depth`` gives y for x and z in metres."""
    vertices = []
    for row in range(steps + 1):
        for column in range(steps + 1):
            x, z = (column / steps - 0.5) * width, (row / steps - 0.5) * height
            vertices.append((x, depth(x, z), z))
    faces = [
        (a, a + 1, a + steps + 2, a + steps + 1)
        for row in range(steps)
        for a in range(row * (steps + 1), row * (steps + 1) + steps)
    ]
    return mesh(vertices, faces, material, rounded=True)


def put(made: Any, at: Point, turn: Point = (0, 0, 0)) -> Any:
    """Moves an object to a point and turns it by degrees about x, y and z, in this order."""
    made.location = Vector(at)
    made.rotation_euler = tuple(math.radians(each) for each in turn)
    bpy.context.view_layer.update()
    return made


def smooth(made: Any, levels: int = 2) -> Any:
    """Rounds a shape by subdividing it."""
    modifier = made.modifiers.new("smooth", "SUBSURF")
    modifier.levels = modifier.render_levels = levels
    return made


def scattered(generator: random.Random, count: int, low: Point, high: Point) -> list[Point]:
    """Points inside a box."""
    return [
        (
            generator.uniform(low[0], high[0]),
            generator.uniform(low[1], high[1]),
            generator.uniform(low[2], high[2]),
        )
        for _ in range(count)
    ]


def copied(made: Any, at: Point, turn: Point = (0, 0, 0), scale: float = 1.0) -> Any:
    """The same shape once more, without the memory for it."""
    again = made.copy()
    bpy.context.scene.collection.objects.link(again)
    again.scale = (scale, scale, scale)
    return put(again, at, turn)


def placed(made: Any, point: Point) -> Point:
    """Where a point of an object's own coordinates is in the scene."""
    bpy.context.view_layer.update()
    matrix: Matrix = made.matrix_world
    x, y, z = matrix @ Vector(point)
    return (x, y, z)


def _bevelled(made: Any, width: float) -> None:
    modifier = made.modifiers.new("bevel", "BEVEL")
    modifier.width = width
    modifier.segments = 3
    modifier.limit_method = "ANGLE"
    for each in made.data.polygons:
        each.use_smooth = True
    normals = made.modifiers.new("normals", "WEIGHTED_NORMAL")
    normals.keep_sharp = True


def _from_bmesh(made: Any, material: Any, *, rounded: bool) -> Any:
    data = bpy.data.meshes.new("mesh")
    made.to_mesh(data)
    made.free()
    return _linked(data, material, rounded=rounded)


def _linked(data: Any, material: Any, *, rounded: bool = False) -> Any:
    made = bpy.data.objects.new("shape", data)
    bpy.context.scene.collection.objects.link(made)
    data.materials.append(material)
    if rounded:
        for each in data.polygons:
            each.use_smooth = True
    return made
