"""Daylight, dusk and night: the sun, the sky and its clouds."""

__all__ = ["Clouds", "daylight"]

import math
from dataclasses import dataclass

import bpy

from drawing.nodes import Graph, Socket
from drawing.studio import Colour, sun


@dataclass(frozen=True, kw_only=True)
class Clouds:
    """Clouds on a flat ceiling.

    Attributes:
        scale: How many to a unit of the ceiling; larger is smaller clouds.
        cover: Share of the sky, roughly.
        softness: How wide their edges are.
        lit: Colour of the sunny side.
        shaded: Colour of the other.
        stretch: How much they are drawn out across the view.
        offset: Another one is another sky.
    """

    scale: float = 1.0
    cover: float = 0.5
    softness: float = 0.15
    lit: Colour = (1.0, 0.97, 0.93)
    shaded: Colour = (0.42, 0.47, 0.56)
    stretch: float = 1.0
    offset: float = 0.0


def daylight(
    *,
    elevation: float,
    bearing: float,
    strength: float = 0.12,
    shine: float = 3.5,
    shine_colour: Colour = (1.0, 0.93, 0.84),
    clouds: Clouds | None = None,
    dust: float = 1.0,
    backdrop: tuple[Colour, Colour] | None = None,
    afterglow: Colour | None = None,
) -> None:
    """Lights a scene from outside.

    Args:
        elevation: Of the sun, in degrees above the horizon.
        bearing: Of the sun, in degrees; 0 is along +y, 90 along +x.
        strength: Of the sky.
        shine: Of the sun, in W/m².
        shine_colour: Of the sun.
        clouds: Before the sky.
        dust: In the air, for the sky's colour.
        backdrop: Colours at the horizon and in the zenith instead of a physical sky.
        afterglow: What the sky has more of around the sun's place.
    """
    world = bpy.data.worlds.new("Sky")
    # Blender's own choice of resolution takes longer than the picture.
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 128
    bpy.context.scene.world = world
    graph = Graph.emptied(world)
    direction = graph.add("ShaderNodeTexCoord").outputs["Generated"]
    up = graph.add("ShaderNodeSeparateXYZ", {0: direction}).outputs["Z"]
    if backdrop is None:
        settings = {
            "sky_type": "NISHITA",
            "sun_disc": False,
            "sun_elevation": math.radians(max(elevation, 1.0)),
            "sun_rotation": math.radians(bearing),
            "dust_density": dust,
        }
        air = graph.add("ShaderNodeTexSky", settings=settings).outputs[0]
        colour = graph.mix(1.0, air, (strength,) * 3, "MULTIPLY")
    else:
        share = graph.math("POWER", graph.range(up, 0.0, 0.7), 0.6)
        colour = graph.mix(share, *backdrop)
    if afterglow is not None:
        azimuth, height = math.radians(bearing), math.radians(elevation)
        towards = (
            math.sin(azimuth) * math.cos(height),
            math.cos(azimuth) * math.cos(height),
            math.sin(height),
        )
        near = graph.add(
            "ShaderNodeVectorMath", {0: direction, 1: towards}, {"operation": "DOT_PRODUCT"}
        )
        nearness = graph.math("POWER", graph.math("MAXIMUM", near.outputs["Value"], 0.0), 14.0)
        colour = graph.mix(nearness, colour, graph.mix(1.0, colour, afterglow, "ADD"))
    if clouds is not None:
        colour = _with_clouds(graph, direction, up, colour, clouds, bearing)
    background = graph.add("ShaderNodeBackground", {0: colour, 1: 1.0}).outputs[0]
    graph.add("ShaderNodeOutputWorld", {0: background})
    if shine:
        sun(elevation=elevation, azimuth=bearing, strength=shine, colour=shine_colour, size=0.6)


def _with_clouds(
    graph: Graph, direction: Socket, up: Socket, colour: Socket, clouds: Clouds, bearing: float
) -> Socket:
    ceiling = graph.math("MAXIMUM", up, 0.02)
    flat = graph.add(
        "ShaderNodeVectorMath", {0: direction, 1: ceiling}, {"operation": "DIVIDE"}
    ).outputs[0]
    scale = (clouds.scale / clouds.stretch, clouds.scale, 0.0)
    placed = graph.add(
        "ShaderNodeVectorMath",
        {0: flat, 1: scale, 2: (clouds.offset, clouds.offset, clouds.offset)},
        {"operation": "MULTIPLY_ADD"},
    ).outputs[0]
    threshold = 0.64 - 0.28 * clouds.cover

    def density(vector: Socket) -> Socket:
        return graph.range(
            graph.noise(vector, 1.0, 9, 0.56), threshold, threshold + clouds.softness
        )

    towards = math.radians(bearing)
    step = (0.16 * math.sin(towards), 0.16 * math.cos(towards), 0.0)
    nearer_sun = graph.add("ShaderNodeVectorMath", {0: placed, 1: step}).outputs[0]
    here = density(placed)
    light = graph.range(graph.math("SUBTRACT", here, density(nearer_sun)), -0.35, 0.6)
    thick = graph.math("MULTIPLY", here, 0.6)
    body = graph.mix(
        graph.math("MAXIMUM", light, graph.math("SUBTRACT", 0.75, thick)), clouds.shaded, clouds.lit
    )
    fading = graph.range(up, 0.015, 0.12)
    return graph.mix(graph.math("MULTIPLY", here, fading), colour, body)
