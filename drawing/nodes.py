"""Blender's shader nodes, written as expressions."""

__all__ = ["Graph", "Inputs", "Ramp", "Socket"]

from collections.abc import Mapping, Sequence
from typing import Any, Self

import bpy

#: An output or input of a node: bpy is published without types.
Socket = Any
#: Stops of a gradient: positions in [0, 1] and linear colours.
Ramp = Sequence[tuple[float, tuple[float, float, float]]]

#: Values or sockets for a node's inputs, by their name or number.
Inputs = Mapping[str | int, Any]


class Graph:
    """The nodes of one material or world.

    Args:
        tree: What they lie in; nodes are added to those that are there.
    """

    def __init__(self, tree: Any) -> None:
        self.tree = tree

    @classmethod
    def emptied(cls, owner: Any) -> Self:
        """The nodes of a material or world, all thrown away."""
        owner.use_nodes = True
        owner.node_tree.nodes.clear()
        return cls(owner.node_tree)

    @classmethod
    def material(cls, name: str) -> tuple[Any, Self]:
        """A new material, without nodes."""
        material = bpy.data.materials.new(name)
        return material, cls.emptied(material)

    def add(
        self,
        kind: str,
        inputs: Inputs | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> Any:
        """Adds a node; an input is a value or another node's socket."""
        node = self.tree.nodes.new(kind)
        for name, value in (settings or {}).items():
            setattr(node, name, value)
        for key, value in (inputs or {}).items():
            self._feed(node.inputs[key], value)
        return node

    def position(self, scale: tuple[float, float, float] = (1, 1, 1)) -> Socket:
        """Where the shaded point lies in the world, in metres, times ``scale``."""
        point = self.add("ShaderNodeNewGeometry").outputs["Position"]
        return self._scaled(point, scale)

    def local(self, scale: tuple[float, float, float] = (1, 1, 1)) -> Socket:
        """Where the shaded point lies on its own object, in metres, times ``scale``."""
        return self._scaled(self.add("ShaderNodeTexCoord").outputs["Object"], scale)

    def upward(self) -> Socket:
        """The z of the surface's normal: 1 where it lies flat, 0 where it stands upright."""
        normal = self.add("ShaderNodeNewGeometry").outputs["Normal"]
        return self.add("ShaderNodeSeparateXYZ", {0: normal}).outputs["Z"]

    def height(self) -> Socket:
        """The z of the shaded point in the world."""
        return self.add("ShaderNodeSeparateXYZ", {0: self.position()}).outputs["Z"]

    def chance(self) -> Socket:
        """A random number in [0, 1) for each object or instance."""
        return self.add("ShaderNodeObjectInfo").outputs["Random"]

    def attribute(self, name: str) -> Socket:
        """A mesh's own numbers per point or face."""
        return self.add("ShaderNodeAttribute", settings={"attribute_name": name}).outputs["Color"]

    def noise(
        self, vector: Socket, scale: float, detail: float = 6, roughness: float = 0.55
    ) -> Socket:
        """Fractal noise in [0, 1], about 0.5 on average."""
        values: Inputs = {
            "Vector": vector,
            "Scale": scale,
            "Detail": detail,
            "Roughness": roughness,
        }
        return self.add("ShaderNodeTexNoise", values).outputs[0]

    def cells(self, vector: Socket, scale: float, output: str = "Distance") -> Socket:
        """Voronoi cells: the distance to the nearest centre, or each cell's own "Color"."""
        values: Inputs = {"Vector": vector, "Scale": scale}
        return self.add("ShaderNodeTexVoronoi", values).outputs[output]

    def cracks(self, vector: Socket, scale: float) -> Socket:
        """The distance to the edges of Voronoi cells."""
        return self.add(
            "ShaderNodeTexVoronoi",
            {"Vector": vector, "Scale": scale},
            {"feature": "DISTANCE_TO_EDGE"},
        ).outputs["Distance"]

    def math(self, operation: str, first: Any, second: Any = 0.0) -> Socket:
        """Arithmetic on numbers: an ``operation`` is "ADD", "MULTIPLY", "POWER" and so on."""
        return self.add("ShaderNodeMath", {0: first, 1: second}, {"operation": operation}).outputs[
            0
        ]

    def range(
        self, value: Socket, low: float, high: float, to: tuple[float, float] = (0, 1)
    ) -> Socket:
        """Maps [low, high] to ``to``, clamped."""
        values: Inputs = {"Value": value, 1: low, 2: high, 3: to[0], 4: to[1]}
        return self.add("ShaderNodeMapRange", values).outputs[0]

    def ramp(self, value: Socket, stops: Ramp) -> Socket:
        """A colour for each number."""
        node = self.add("ShaderNodeValToRGB", {0: value})
        elements = node.color_ramp.elements
        for _ in stops[2:]:
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position = position
            element.color = (*colour, 1)
        return node.outputs[0]

    def mix(self, share: Any, first: Any, second: Any, blend: str = "MIX") -> Socket:
        """Colours mixed: ``first`` where the share is 0, ``second`` where it is 1."""
        node = self.add("ShaderNodeMix", settings={"data_type": "RGBA", "blend_type": blend})
        for index, value in ((0, share), (6, first), (7, second)):
            self._feed(node.inputs[index], value)
        return node.outputs[2]

    def bump(self, height: Socket, distance: float, strength: float = 1.0) -> Socket:
        """A normal as though the surface rose by ``height`` × ``distance`` metres."""
        values: Inputs = {"Height": height, "Distance": distance, "Strength": strength}
        return self.add("ShaderNodeBump", values).outputs[0]

    def surface(
        self,
        colour: Any,
        roughness: Any = 0.7,
        normal: Socket | None = None,
        more: Inputs | None = None,
    ) -> Socket:
        """A principled surface."""
        values: dict[str | int, Any] = {
            "Base Color": colour,
            "Roughness": roughness,
            **(more or {}),
        }
        if normal is not None:
            values["Normal"] = normal
        return self.add("ShaderNodeBsdfPrincipled", values).outputs[0]

    def glow(self, colour: Any, strength: Any) -> Socket:
        """A surface that gives light."""
        return self.add("ShaderNodeEmission", {0: colour, 1: strength}).outputs[0]

    def blend(self, share: Any, first: Socket, second: Socket) -> Socket:
        """Two surfaces mixed."""
        return self.add("ShaderNodeMixShader", {0: share, 1: first, 2: second}).outputs[0]

    def finish(self, shader: Socket) -> None:
        """Makes a shader what is seen of a material."""
        self.add("ShaderNodeOutputMaterial", {0: shader})

    def _scaled(self, vector: Socket, scale: tuple[float, float, float]) -> Socket:
        node = self.add("ShaderNodeVectorMath", {0: vector, 1: scale}, {"operation": "MULTIPLY"})
        return node.outputs[0]

    def _feed(self, target: Socket, value: Any) -> None:
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, target)
        elif target.type == "RGBA" and not isinstance(value, float | int) and len(value) == 3:
            target.default_value = (*value, 1)
        else:
            target.default_value = value
