"""A village in the snow, at night."""

__all__ = ["snowy_village"]

from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from drawing.meshes import scatter, surface_grid
from drawing.nodes import Graph
from drawing.noise import fractal, ridged
from drawing.outdoors import add_haze, bloom
from drawing.sky import daylight
from drawing.studio import camera, lamp, new_scene
from drawing.terrain import apart, fan, height_at, on_land, smooth_step
from drawing.trees import bark_material, conifer, needle_material
from drawing.village import church, fence, hut

Array = NDArray[np.float64]


def snowy_village() -> None:
    """A village below mountains, in a starry night with moonlight on the snow."""
    new_scene(exposure=1.25)
    camera((0, 0, 6.5), (0, 60, 7.2), lens=30)
    daylight(
        elevation=34,
        bearing=-60,
        shine=0.55,
        shine_colour=(0.55, 0.70, 1.0),
        backdrop=((0.06, 0.10, 0.22), (0.010, 0.018, 0.055)),
    )
    _stars()
    surface_grid("Land", fan(2, 3800, 44, 560, 560, _snow_land), _snow_material())
    generator = np.random.default_rng(12)
    bark, needles = (
        bark_material(),
        needle_material((0.008, 0.018, 0.012), (0.02, 0.035, 0.02), snow=0.62),
    )
    trees = [conifer(seed, needles, bark) for seed in range(4)]
    houses = np.array(
        [
            [-9, 30, 0.5],
            [10, 36, -0.4],
            [-22, 50, 0.2],
            [0, 58, -0.2],
            [24, 58, -0.7],
            [-36, 76, 0.6],
            [10, 84, 0.3],
            [36, 92, -0.3],
            [-14, 88, 0.1],
            [58, 104, -0.5],
            [-60, 108, 0.4],
        ]
    )
    for x, y, turn in houses:
        hut(x, y, height_at(_snow_land, x, y), turn, lit=True, snow=0.55, size=1.05)
        lamp(
            (x + 1.5, y - 5.5, height_at(_snow_land, x, y) + 2.6),
            watts=90,
            colour=(1.0, 0.52, 0.2),
            radius=0.3,
        )
    fence([(-26, 25), (-12, 19), (1, 17.5), (12, 19), (26, 26)], _snow_land, snow=True)
    church(-3, 112, height_at(_snow_land, -3, 112), 0.35, snow=0.4)
    lamp(
        (-6, 102, height_at(_snow_land, -6, 102) + 4),
        watts=500,
        colour=(1.0, 0.6, 0.28),
        radius=0.5,
    )
    places = np.concatenate(
        [
            on_land(generator, 260, (20, 130), 40, _snow_land),
            on_land(generator, 14000, (120, 900), 42, _snow_land),
        ]
    )
    free = (
        np.min(
            np.hypot(
                places[:, None, 0] - houses[None, :, 0], places[:, None, 1] - houses[None, :, 1]
            ),
            axis=1,
        )
        > 8
    )
    shown = (
        (np.abs(places[:, None, 0] - houses[None, :, 0] * 0.8) < 6)
        & (places[:, None, 1] < houses[None, :, 1])
        & (places[:, None, 1] > houses[None, :, 1] - 26)
    )
    free &= ~shown.any(axis=1)
    free &= (np.hypot(places[:, 0] + 3, places[:, 1] - 112) > 17) & (
        np.abs(places[:, 0]) > 0.06 * places[:, 1]
    )
    wood = fractal(places[:, 0] / 80, places[:, 1] / 80, 63, 3)
    places = places[free & ((wood > -0.12) | (places[:, 1] < 130))]
    places = np.concatenate(
        [apart(places[places[:, 1] < 130], 4.5), places[places[:, 1] >= 130][:5000]]
    )
    sizes = np.where(
        places[:, 1] < 130,
        generator.uniform(5, 12, len(places)),
        generator.uniform(10, 22, len(places)),
    )
    scatter("Trees", trees, places, sizes, generator, 0.03)
    add_haze((0.035, 0.055, 0.115), 1700)
    bloom(0.4)


def _snow_land(x: Array, y: Array) -> Array:
    near = 0.9 * fractal(x / 16, y / 16, 6, 5) + 0.00045 * x**2 * np.exp(-((y / 200) ** 2))
    rise = 0.055 * np.clip(y - 30, 0, 260) + 60 * smooth_step(y, 200, 900)
    peaks = ridged(x / 1300 + 0.2, y / 1300 + 0.62, 51, 9, 0.48) * 560 * smooth_step(y, 350, 2300)
    return near + rise + peaks


def _snow_material() -> Any:
    material, graph = Graph.material("Snow")
    point = graph.position()
    rock = graph.mix(graph.noise(point, 0.03, 8), (0.03, 0.035, 0.045), (0.12, 0.12, 0.13))
    bare = graph.math(
        "ADD", graph.upward(), graph.math("MULTIPLY", graph.noise(point, 0.02, 10, 0.65), 0.5)
    )
    colour = graph.mix(graph.range(bare, 0.84, 0.98), rock, (0.80, 0.84, 0.92))
    relief = graph.math(
        "ADD", graph.noise(point, 0.7, 6), graph.math("MULTIPLY", graph.noise(point, 9, 3), 0.12)
    )
    graph.finish(graph.surface(colour, 0.75, graph.bump(relief, 0.25)))
    return material


def _stars() -> None:
    """Adds stars to the world's sky."""
    graph = Graph(bpy.context.scene.world.node_tree)
    background = next(node for node in graph.tree.nodes if node.type == "BACKGROUND")
    before = background.inputs[0].links[0].from_socket
    direction = graph.add("ShaderNodeTexCoord").outputs["Generated"]
    size = graph.add("ShaderNodeSeparateColor", {0: graph.cells(direction, 85, "Color")}).outputs[0]
    star = graph.math(
        "LESS_THAN",
        graph.cells(direction, 85),
        graph.math("MULTIPLY", graph.math("POWER", size, 5.0), 0.13),
    )
    graph.tree.links.new(graph.mix(star, before, (2.2, 2.3, 2.6)), background.inputs[0])
