"""Haze, water and the glow of lights: what lies between the camera and things out of doors."""

__all__ = ["add_haze", "bloom", "still_water"]

from typing import Any

import bpy

from drawing.nodes import Graph
from drawing.studio import Colour


def add_haze(colour: Colour, distance: float, floor: float = 0.0) -> None:
    """Lets all materials fade with their distance from the camera.

    Args:
        colour: Of the haze.
        distance: At which 63 % is haze, in metres.
        floor: Height at whose multiple of e the haze thins, in metres; 0 for the same everywhere.
    """
    for material in bpy.data.materials:
        if not material.use_nodes:
            continue
        graph = Graph(material.node_tree)
        ends = [node for node in graph.tree.nodes if node.type == "OUTPUT_MATERIAL"]
        if not ends or not ends[0].inputs[0].links:
            continue
        shader = ends[0].inputs[0].links[0].from_socket
        far = graph.add("ShaderNodeCameraData").outputs["View Distance"]
        depth = graph.math("DIVIDE", far, distance)
        if floor:
            thin = graph.math("DIVIDE", graph.height(), -floor)
            depth = graph.math(
                "MULTIPLY", depth, graph.math("EXPONENT", graph.math("MINIMUM", thin, 0.0))
            )
        clear = graph.math("EXPONENT", graph.math("MULTIPLY", depth, -1.0))
        graph.tree.links.new(graph.blend(clear, graph.glow(colour, 1.0), shader), ends[0].inputs[0])
        # Otherwise each hazy triangle would be sampled as a lamp.
        material.cycles.emission_sampling = "NONE"


def bloom(strength: float = 0.6, threshold: float = 1.0) -> None:
    """Lets bright spots shine over their edges, as a lens does."""
    scene = bpy.context.scene
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    source, target = (
        tree.nodes.new("CompositorNodeRLayers"),
        tree.nodes.new("CompositorNodeComposite"),
    )
    glare = tree.nodes.new("CompositorNodeGlare")
    glare.glare_type, glare.quality, glare.threshold, glare.size = "FOG_GLOW", "HIGH", threshold, 7
    # Its mix is -1 for the picture alone, 1 for the glare alone.
    glare.mix = strength - 1
    tree.links.new(source.outputs["Image"], glare.inputs["Image"])
    tree.links.new(glare.outputs["Image"], target.inputs["Image"])


def still_water(
    level: float, size: float, ripple: float, scale: tuple[float, float, float], colour: Colour
) -> Any:
    """A lake: a plane that mirrors, with ripples ``ripple`` metres high, ``scale`` to a metre."""
    material, graph = Graph.material("Water")
    point = graph.position(scale)
    waves = graph.noise(point, 1.0, 3, 0.5)
    calm = graph.range(
        graph.noise(graph.position((0.004, 0.012, 0)), 1.0, 2), 0.4, 0.62, (0.25, 1.0)
    )
    normal = graph.bump(graph.math("MULTIPLY", waves, calm), ripple)
    graph.finish(graph.surface(colour, 0.03, normal, {"IOR": 1.33, "Specular IOR Level": 0.6}))
    mesh = bpy.data.meshes.new("Water")
    corners = [
        (-size, -size, level),
        (size, -size, level),
        (size, size, level),
        (-size, size, level),
    ]
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    mesh.materials.append(material)
    made = bpy.data.objects.new("Water", mesh)
    bpy.context.scene.collection.objects.link(made)
    return made
