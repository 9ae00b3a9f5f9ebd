"""Meshes built from points and faces, and many copies of them strewn about."""

__all__ = ["Shape", "scatter", "surface_grid"]

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Point = tuple[float, float, float]


class Shape:
    """Points and faces of one object, gathered before it is built.

    Args:
        materials: What the faces are made of; faces name them by number.
    """

    def __init__(self, materials: Sequence[Any]) -> None:
        self._materials = materials
        self._points: list[Array] = []
        self._faces: list[tuple[int, ...]] = []
        self._of_face: list[int] = []
        self._count = 0

    def add(self, points: Any, faces: Sequence[Sequence[int]], material: int = 0) -> None:
        """Adds points (N, 3) and faces that number them from 0."""
        array = np.asarray(points, dtype=np.float64).reshape(-1, 3)
        self._points.append(array)
        self._faces += [tuple(self._count + index for index in face) for face in faces]
        self._of_face += [material] * len(faces)
        self._count += len(array)

    def box(self, low: Point, high: Point, material: int = 0) -> None:
        """Adds a box along the axes."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        points = [(x, y, z) for z in (z0, z1) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
        self.add(points, _BOX, material)

    def tube(self, path: Any, radii: Sequence[float], material: int = 0, sides: int = 8) -> None:
        """Adds a tube along points (N, 3), with a radius at each."""
        centres = np.asarray(path, dtype=np.float64)
        along = np.gradient(centres, axis=0)
        along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-9
        helper = (
            np.array([0.0, 1.0, 0.0]) if abs(along[:, 2]).mean() > 0.7 else np.array([0, 0, 1.0])
        )
        first = np.cross(along, helper)
        first /= np.linalg.norm(first, axis=1, keepdims=True) + 1e-9
        second = np.cross(along, first)
        angles = np.linspace(0, 2 * math.pi, sides, endpoint=False)
        rings = [
            centre + radius * (np.cos(angles)[:, None] * a + np.sin(angles)[:, None] * b)
            for centre, radius, a, b in zip(centres, radii, first, second, strict=True)
        ]
        faces: list[tuple[int, ...]] = [
            (
                row * sides + side,
                (row + 1) * sides + side,
                (row + 1) * sides + (side + 1) % sides,
                row * sides + (side + 1) % sides,
            )
            for row in range(len(rings) - 1)
            for side in range(sides)
        ]
        faces.append(tuple(range(sides)))
        faces.append(tuple(range((len(rings) - 1) * sides, len(rings) * sides))[::-1])
        self.add(np.concatenate(rings), faces, material)

    def turn(
        self,
        radii: Sequence[float],
        heights: Sequence[float],
        material: int = 0,
        *,
        sides: int = 24,
        lobes: int = 0,
        depth: float = 0.0,
        at: Point = (0, 0, 0),
    ) -> None:
        """Adds what a potter's wheel turns, from the bottom up; ``lobes`` are bulges around it."""
        angles = np.linspace(0, 2 * math.pi, sides, endpoint=False)
        bulge = (
            1 - depth * np.abs(np.sin(lobes * angles / 2 + 0.3)) ** 0.7 if lobes else 1 + 0 * angles
        )
        bulge = (
            1 - depth + depth * (bulge - bulge.min()) / (np.ptp(bulge) + 1e-9) if lobes else bulge
        )
        r, z = np.asarray(radii)[:, None], np.asarray(heights)[:, None]
        points = np.stack(
            [r * bulge * np.cos(angles), r * bulge * np.sin(angles), z + 0 * angles], axis=-1
        )
        rows = range(len(radii) - 1)
        faces = [
            (
                a * sides + b,
                a * sides + (b + 1) % sides,
                (a + 1) * sides + (b + 1) % sides,
                (a + 1) * sides + b,
            )
            for a in rows
            for b in range(sides)
        ]
        self.add(points.reshape(-1, 3) + np.asarray(at), faces, material)

    def build(
        self, name: str, *, smooth: bool = False, bevel: float = 0.0, show: bool = True
    ) -> Any:
        """Makes the object; ``bevel`` rounds its edges, in metres; only shown ones are rendered."""
        mesh = bpy.data.meshes.new(name)
        points = np.concatenate(self._points)
        mesh.from_pydata(points.tolist(), [], self._faces)
        for material in self._materials:
            mesh.materials.append(material)
        mesh.polygons.foreach_set("material_index", self._of_face)
        mesh.polygons.foreach_set("use_smooth", [smooth] * len(self._faces))
        mesh.update()
        made = bpy.data.objects.new(name, mesh)
        if bevel:
            modifier = made.modifiers.new("Bevel", "BEVEL")
            modifier.width, modifier.segments, modifier.limit_method = bevel, 2, "ANGLE"
        if show:
            bpy.context.scene.collection.objects.link(made)
        return made


def surface_grid(
    name: str, points: Array, material: Any, *, values: Array | None = None, closed: bool = False
) -> Any:
    """A smooth surface through points.

    Args:
        name: Of the object.
        points: (rows, columns, 3) in metres.
        material: What it is made of.
        values: (rows, columns), for the material's attribute "value".
        closed: Whether the last column joins the first.
    """
    rows, columns, _ = points.shape
    index = np.arange(rows * columns).reshape(rows, columns)
    right = np.roll(index, -1, axis=1)
    if not closed:
        index, right = index[:, :-1], right[:, :-1]
    quads = np.stack([index[:-1], right[:-1], right[1:], index[1:]], axis=-1).reshape(-1, 4)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(rows * columns)
    mesh.vertices.foreach_set("co", points.astype(np.float32).ravel())
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.astype(np.int32).ravel())
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    mesh.update(calc_edges=True)
    mesh.polygons.foreach_set("use_smooth", [True] * len(quads))
    if values is not None:
        mesh.attributes.new("value", "FLOAT", "POINT").data.foreach_set(
            "value", values.astype(np.float32).ravel()
        )
    mesh.materials.append(material)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    return made


def scatter(
    name: str,
    prototypes: Sequence[Any],
    places: Array,
    sizes: Array,
    generator: np.random.Generator,
    tilt: float = 0.0,
) -> Any:
    """Copies of objects, taken and turned at random, that share their meshes.

    Args:
        name: Of the whole.
        prototypes: Objects that aren't shown themselves.
        places: (N, 3) in metres.
        sizes: (N,) factors.
        generator: Draws which, and how they are turned.
        tilt: How far from upright they lean at most, in radians.
    """
    count = len(places)
    turns = generator.uniform(-1, 1, (count, 3)) * (tilt, tilt, math.pi)
    collection = bpy.data.collections.new(name)
    for each in prototypes:
        collection.objects.link(each)
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(count)
    mesh.vertices.foreach_set("co", places.astype(np.float32).ravel())
    mesh.attributes.new("turn", "FLOAT_VECTOR", "POINT").data.foreach_set(
        "vector", turns.astype(np.float32).ravel()
    )
    mesh.attributes.new("size", "FLOAT", "POINT").data.foreach_set(
        "value", sizes.astype(np.float32)
    )
    picks = generator.integers(0, len(prototypes), count).astype(np.int32)
    mesh.attributes.new("pick", "INT", "POINT").data.foreach_set("value", picks)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(made)
    made.modifiers.new("Scatter", "NODES").node_group = _scattering(collection)
    return made


def _scattering(collection: Any) -> Any:
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    start, end = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    source = tree.nodes.new("GeometryNodeCollectionInfo")
    source.inputs["Collection"].default_value = collection
    source.inputs["Separate Children"].default_value = True
    source.inputs["Reset Children"].default_value = True
    copies = tree.nodes.new("GeometryNodeInstanceOnPoints")
    copies.inputs["Pick Instance"].default_value = True
    tree.links.new(start.outputs[0], copies.inputs["Points"])
    tree.links.new(source.outputs[0], copies.inputs["Instance"])
    for attribute, kind, target in (
        ("pick", "INT", "Instance Index"),
        ("turn", "FLOAT_VECTOR", "Rotation"),
        ("size", "FLOAT", "Scale"),
    ):
        reader = tree.nodes.new("GeometryNodeInputNamedAttribute")
        reader.data_type = kind
        reader.inputs["Name"].default_value = attribute
        value = next(socket for socket in reader.outputs if socket.enabled)
        tree.links.new(value, copies.inputs[target])
    tree.links.new(copies.outputs[0], end.inputs[0])
    return tree


_BOX = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
