"""A photographer's studio in Blender (module ``bpy`` 4.2, Cycles): camera, light and the shutter.

Lengths are metres, z points upwards, angles are degrees. Everything is drawn from fixed seeds on the CPU.
"""

__all__ = [
    "Colour",
    "Point",
    "area_light",
    "camera",
    "lamp",
    "new_scene",
    "picture_shares",
    "plain_world",
    "render",
    "spot",
    "sun",
    "visibility",
]

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector
from PIL import Image

Point = tuple[float, float, float]
#: Linear red, green and blue.
Colour = tuple[float, float, float]

_SIDE = 512
#: Less of a place than this in a pixel tells nothing.
_FAINT = 0.02


def new_scene(*, exposure: float = 0.0, look: str = "AgX - Medium High Contrast") -> None:
    """Throws everything away; ``exposure`` is in stops."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.seed = 0
    scene.cycles.use_denoising = True
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.max_bounces = 8
    scene.cycles.sample_clamp_indirect = 6.0
    scene.cycles.caustics_reflective = False
    scene.cycles.caustics_refractive = False
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = look
    scene.view_settings.exposure = exposure
    scene.render.image_settings.file_format = "PNG"
    scene.render.image_settings.color_mode = "RGB"


def camera(
    at: Point,
    towards: Point,
    *,
    lens: float = 50.0,
    aperture: float | None = None,
    focus: Point | None = None,
    roll: float = 0.0,
) -> Any:
    """Puts the camera at a point, looking to another.

    Args:
        at: Where it stands.
        towards: What is in the middle of the picture.
        lens: Focal length in mm on a sensor of 36 mm × 36 mm.
        aperture: f-number of the depth of field; everything is sharp without.
        focus: What is sharp; ``towards`` by default.
        roll: Anticlockwise turn of the camera, thus clockwise of the picture's content.
    """
    data = bpy.data.cameras.new("camera")
    data.lens = lens
    data.clip_start, data.clip_end = 0.005, 5000
    if aperture is not None:
        data.dof.use_dof = True
        data.dof.aperture_fstop = aperture
        data.dof.focus_distance = (Vector(focus or towards) - Vector(at)).length
    made = _linked("camera", data)
    made.matrix_world = (
        Matrix.Translation(at) @ _facing(at, towards) @ Matrix.Rotation(math.radians(roll), 4, "Z")
    )
    bpy.context.scene.camera = made
    return made


def sun(
    *,
    elevation: float,
    azimuth: float,
    strength: float,
    colour: Colour = (1, 1, 1),
    size: float = 0.5,
) -> Any:
    """Sunlight from a direction; azimuth 0 is +y, 90 is +x; ``size`` softens the shadows."""
    data = bpy.data.lights.new("sun", "SUN")
    data.energy, data.color, data.angle = strength, colour, math.radians(size)
    made = _linked("sun", data)
    up, around = math.radians(elevation), math.radians(azimuth)
    source = (
        math.cos(up) * math.sin(around),
        math.cos(up) * math.cos(around),
        math.sin(up),
    )
    made.matrix_world = _facing(source, (0, 0, 0))
    return made


def area_light(
    at: Point,
    towards: Point,
    *,
    size: float | tuple[float, float],
    watts: float,
    colour: Colour = (1, 1, 1),
) -> Any:
    """A shining rectangle that the camera doesn't see."""
    data = bpy.data.lights.new("area", "AREA")
    data.energy, data.color = watts, colour
    data.shape = "RECTANGLE"
    data.size, data.size_y = size if isinstance(size, tuple) else (size, size)
    made = _linked("area", data)
    made.matrix_world = Matrix.Translation(at) @ _facing(at, towards)
    made.visible_camera = False
    return made


def lamp(at: Point, *, watts: float, colour: Colour = (1, 0.75, 0.5), radius: float = 0.05) -> Any:
    """A bulb that shines in all directions; the camera doesn't see it."""
    data = bpy.data.lights.new("lamp", "POINT")
    data.energy, data.color, data.shadow_soft_size = watts, colour, radius
    made = _linked("lamp", data)
    made.location = at
    made.visible_camera = False
    return made


def spot(
    at: Point,
    towards: Point,
    *,
    watts: float,
    angle: float,
    colour: Colour = (1, 0.85, 0.65),
    radius: float = 0.05,
    blend: float = 0.6,
) -> Any:
    """A lamp that shines in a cone of ``angle`` degrees."""
    data = bpy.data.lights.new("spot", "SPOT")
    data.energy, data.color, data.shadow_soft_size = watts, colour, radius
    data.spot_size, data.spot_blend = math.radians(angle), blend
    made = _linked("spot", data)
    made.matrix_world = Matrix.Translation(at) @ _facing(at, towards)
    return made


def plain_world(colour: Colour, strength: float = 1.0) -> Any:
    """The same light from all sides. Returns the world's node tree."""
    tree = _world()
    background = tree.nodes["Background"]
    background.inputs["Color"].default_value = (*colour, 1)
    background.inputs["Strength"].default_value = strength
    return tree


def render(side: int = _SIDE, *, samples: int = 128) -> Image.Image:
    """Takes the photograph, ``side`` × ``side`` pixels."""
    scene = bpy.context.scene
    scene.render.resolution_x = scene.render.resolution_y = side
    scene.render.resolution_percentage = 100
    scene.cycles.samples = samples
    scene.cycles.use_adaptive_sampling = True
    scene.cycles.adaptive_threshold = 0.03
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        scene.render.filepath = str(file)
        bpy.ops.render.render(write_still=True)
        with Image.open(file) as picture:
            return picture.convert("RGB")


def picture_shares(points: Sequence[Point]) -> list[tuple[float, float]]:
    """Where points of the scene are in the picture: shares of its width and height, from the upper left."""
    scene = bpy.context.scene
    scene.render.resolution_x = scene.render.resolution_y = _SIDE
    bpy.context.view_layer.update()
    seen = [world_to_camera_view(scene, scene.camera, Vector(each)) for each in points]
    return [(each.x, 1 - each.y) for each in seen]


def visibility(
    panel: Any, outline: Any, side: int = _SIDE, *, samples: int = 16
) -> np.ndarray[Any, Any]:
    """The share of a place for a picture that is seen in each pixel.

    Args:
        panel: Where a picture may be seen.
        outline: The flat quadrilateral that a picture fills; the panel may be smaller or the same.
        side: Of the result, in pixels.
        samples: Rays per pixel.

    Returns:
        (side, side) in [0, 1]; 1 outside the outline. All materials are lost: it is the last thing
        to do with a scene. Objects with the property ``clear`` hide nothing.
    """
    scene = bpy.context.scene
    black, white = _glowing("black", 0.0), _glowing("white", 1.0)
    for each in bpy.data.objects:
        each.hide_render = each.hide_render or each.type == "LIGHT" or bool(each.get("clear"))
        if hasattr(each.data, "materials"):
            each.data.materials.clear()
            each.data.materials.append(white if each in (panel, outline) else black)
    scene.world.use_nodes = False
    scene.world.color = (0, 0, 0)
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces = 0
    scene.view_settings.view_transform = "Raw"
    scene.view_settings.look = "None"
    scene.view_settings.exposure = 0
    outline.hide_render = outline != panel
    seen = _grey(side, samples)
    for each in bpy.data.objects:
        each.hide_render = each != outline
    alone = _grey(side, samples)
    return np.where(alone > _FAINT, np.clip(seen / np.maximum(alone, _FAINT), 0, 1), 1.0)


def _grey(side: int, samples: int) -> np.ndarray[Any, Any]:
    return np.asarray(render(side, samples=samples).convert("L"), dtype=np.float64) / 255


def _glowing(name: str, strength: float) -> Any:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    emission = tree.nodes.new("ShaderNodeEmission")
    emission.inputs["Strength"].default_value = strength
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(emission.outputs["Emission"], output.inputs["Surface"])
    return material


def _world() -> Any:
    world = bpy.data.worlds.new("world")
    world.use_nodes = True
    bpy.context.scene.world = world
    return world.node_tree


def _linked(name: str, data: Any) -> Any:
    made = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(made)
    return made


def _facing(at: Sequence[float], towards: Sequence[float]) -> Matrix:
    """The turn by which something that looks along -z looks from one point to another, upright."""
    return (Vector(towards) - Vector(at)).to_track_quat("-Z", "Y").to_matrix().to_4x4()
