"""Materials made of Blender's procedural textures, so that no picture of somebody else's is needed."""

__all__ = ["brick", "glass", "glowing", "surface", "wood"]

from typing import Any

import bpy

from drawing.studio import Colour


def surface(
    colour: Colour,
    second: Colour | None = None,
    *,
    scale: float = 5.0,
    detail: float = 6.0,
    contrast: float = 0.5,
    roughness: float = 0.5,
    metallic: float = 0.0,
    bump: float = 0.0,
    bump_scale: float | None = None,
    coat: float = 0.0,
    sheen: float = 0.0,
    subsurface: float = 0.0,
    subsurface_scale: float = 0.01,
    transmission: float = 0.0,
    uneven_roughness: float = 0.0,
) -> Any:
    """A surface of one colour, or mottled with a second one.

    Args:
        colour: Its colour.
        second: Colour of the mottles.
        scale: Mottles per metre (of the object's own coordinates).
        detail: Octaves of the noise.
        contrast: How hard the mottles' edges are, in [0, 1).
        roughness: 0 is a mirror, 1 is chalk.
        metallic: 1 for bare metal.
        bump: Depth of the relief, in [0, 1].
        bump_scale: Bumps per metre; ``scale`` by default.
        coat: A clear varnish.
        sheen: Of cloth.
        subsurface: Share of the light that goes through skin, wax, leaves.
        subsurface_scale: How far that light goes, in metres.
        transmission: Share of the light that goes through it as through glass.
        uneven_roughness: How much the roughness varies: finger marks, wear.
    """
    material, tree, principled = _principled()
    inputs = principled.inputs
    inputs["Base Color"].default_value = (*colour, 1)
    inputs["Roughness"].default_value = roughness
    inputs["Metallic"].default_value = metallic
    inputs["Coat Weight"].default_value = coat
    inputs["Sheen Weight"].default_value = sheen
    inputs["Subsurface Weight"].default_value = subsurface
    inputs["Subsurface Scale"].default_value = subsurface_scale
    inputs["Subsurface Radius"].default_value = (1.0, 0.4, 0.25)
    inputs["Transmission Weight"].default_value = transmission
    if second is not None:
        noise = _noise(tree, scale, detail)
        low, high = contrast / 2, 1 - contrast / 2
        tree.links.new(_ramp(tree, noise, ((low, colour), (high, second))), inputs["Base Color"])
    if uneven_roughness:
        noise = _noise(tree, scale * 2.7, detail)
        spread = tree.nodes.new("ShaderNodeMapRange")
        spread.inputs["To Min"].default_value = max(0.0, roughness - uneven_roughness)
        spread.inputs["To Max"].default_value = min(1.0, roughness + uneven_roughness)
        tree.links.new(noise, spread.inputs["Value"])
        tree.links.new(spread.outputs["Result"], inputs["Roughness"])
    if bump:
        _relief(tree, principled, _noise(tree, bump_scale or scale, detail), bump)
    return material


def wood(
    light: Colour = (0.35, 0.19, 0.09),
    dark: Colour = (0.14, 0.065, 0.028),
    *,
    scale: float = 3.0,
    stretch: float = 8.0,
    boards: float | None = None,
    roughness: float = 0.4,
    coat: float = 0.0,
) -> Any:
    """Wood with its grain along the object's x axis; with seams every ``boards`` metres of y."""
    material, tree, principled = _principled()
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    mapping = tree.nodes.new("ShaderNodeMapping")
    mapping.inputs["Scale"].default_value = (1, stretch, stretch)
    tree.links.new(coordinates.outputs["Object"], mapping.inputs["Vector"])
    vector = mapping.outputs["Vector"]
    if boards is not None:
        vector = _shifted_boards(tree, coordinates.outputs["Object"], vector, boards)
    coarse = _noise(tree, scale, 3.0, vector=vector, distortion=1.5)
    fine = _noise(tree, scale * 9, 8.0, vector=vector)
    mixed = _math(tree, "MULTIPLY_ADD", coarse, 0.6, _math(tree, "MULTIPLY", fine, 0.4))
    colour = _ramp(tree, mixed, ((0.35, dark), (0.65, light)))
    if boards is not None:
        colour = _seams(tree, coordinates.outputs["Object"], colour, boards)
    tree.links.new(colour, principled.inputs["Base Color"])
    principled.inputs["Roughness"].default_value = roughness
    principled.inputs["Coat Weight"].default_value = coat
    _relief(tree, principled, fine, 0.15)
    return material


def brick(
    colour: Colour = (0.30, 0.09, 0.05),
    second: Colour = (0.16, 0.05, 0.035),
    mortar: Colour = (0.32, 0.29, 0.26),
    *,
    width: float = 0.24,
    height: float = 0.075,
) -> Any:
    """A brick wall in the object's x and y, one metre to the unit."""
    material, tree, principled = _principled()
    coordinates = tree.nodes.new("ShaderNodeTexCoord")
    texture = tree.nodes.new("ShaderNodeTexBrick")
    values = {
        "Color1": (*colour, 1),
        "Color2": (*second, 1),
        "Mortar": (*mortar, 1),
        "Scale": 1.0,
        "Mortar Size": height * 0.09,
        "Mortar Smooth": 0.3,
        "Brick Width": width,
        "Row Height": height,
    }
    for name, value in values.items():
        texture.inputs[name].default_value = value
    tree.links.new(coordinates.outputs["Object"], texture.inputs["Vector"])
    stains = _ramp(
        tree, _noise(tree, 9.0, 8.0), ((0.3, (0.45, 0.45, 0.45)), (0.7, (1.3, 1.3, 1.3)))
    )
    product = tree.nodes.new("ShaderNodeVectorMath")
    product.operation = "MULTIPLY"
    tree.links.new(texture.outputs["Color"], product.inputs[0])
    tree.links.new(stains, product.inputs[1])
    tree.links.new(product.outputs[0], principled.inputs["Base Color"])
    principled.inputs["Roughness"].default_value = 0.9
    depth = _math(tree, "SUBTRACT", _noise(tree, 60.0, 8.0), texture.outputs["Fac"])
    _relief(tree, principled, depth, 0.7, distance=0.012)
    return material


def glass(colour: Colour = (1, 1, 1), *, roughness: float = 0.0, thin: bool = False) -> Any:
    """Glass; ``thin`` lets light and sight straight through and only mirrors."""
    if not thin:
        return surface(colour, roughness=roughness, transmission=1.0)
    material = bpy.data.materials.new("pane")
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    clear = tree.nodes.new("ShaderNodeBsdfTransparent")
    clear.inputs["Color"].default_value = (*colour, 1)
    mirror = tree.nodes.new("ShaderNodeBsdfGlossy")
    mirror.inputs["Roughness"].default_value = roughness
    fresnel = tree.nodes.new("ShaderNodeFresnel")
    mixed = tree.nodes.new("ShaderNodeMixShader")
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(fresnel.outputs["Fac"], mixed.inputs["Fac"])
    tree.links.new(clear.outputs["BSDF"], mixed.inputs[1])
    tree.links.new(mirror.outputs["BSDF"], mixed.inputs[2])
    tree.links.new(mixed.outputs["Shader"], output.inputs["Surface"])
    return material


def glowing(colour: Colour, strength: float) -> Any:
    """Something that shines: a screen, a bulb, a lit window."""
    material, _, principled = _principled()
    principled.inputs["Base Color"].default_value = (0, 0, 0, 1)
    principled.inputs["Emission Color"].default_value = (*colour, 1)
    principled.inputs["Emission Strength"].default_value = strength
    return material


def _principled() -> tuple[Any, Any, Any]:
    material = bpy.data.materials.new("material")
    material.use_nodes = True
    return material, material.node_tree, material.node_tree.nodes["Principled BSDF"]


def _noise(
    tree: Any, scale: float, detail: float, *, vector: Any = None, distortion: float = 0.0
) -> Any:
    """A socket with fractal noise in [0, 1], over the object's coordinates unless told."""
    if vector is None:
        vector = tree.nodes.new("ShaderNodeTexCoord").outputs["Object"]
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = detail
    noise.inputs["Distortion"].default_value = distortion
    tree.links.new(vector, noise.inputs["Vector"])
    return noise.outputs["Fac"]


def _ramp(tree: Any, value: Any, stops: tuple[tuple[float, Colour], ...]) -> Any:
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    elements = ramp.color_ramp.elements
    while len(elements) < len(stops):
        elements.new(0.5)
    for element, (position, colour) in zip(elements, stops, strict=True):
        element.position = position
        element.color = (*colour, 1)
    tree.links.new(value, ramp.inputs["Fac"])
    return ramp.outputs["Color"]


def _relief(
    tree: Any, principled: Any, height: Any, strength: float, distance: float = 0.005
) -> None:
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = strength
    bump.inputs["Distance"].default_value = distance
    tree.links.new(height, bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], principled.inputs["Normal"])


def _board(tree: Any, vector: Any, width: float) -> Any:
    """A socket with y / width: its whole part numbers the boards."""
    split = tree.nodes.new("ShaderNodeSeparateXYZ")
    tree.links.new(vector, split.inputs[0])
    return _math(tree, "DIVIDE", split.outputs["Y"], width)


def _math(tree: Any, operation: str, *values: Any) -> Any:
    node = tree.nodes.new("ShaderNodeMath")
    node.operation = operation
    for index, value in enumerate(values):
        if isinstance(value, int | float):
            node.inputs[index].default_value = value
        else:
            tree.links.new(value, node.inputs[index])
    return node.outputs[0]


def _shifted_boards(tree: Any, plain: Any, vector: Any, width: float) -> Any:
    """Moves the grain of each board by another length."""
    number = _math(tree, "FLOOR", _board(tree, plain, width))
    shift = tree.nodes.new("ShaderNodeCombineXYZ")
    tree.links.new(_math(tree, "MULTIPLY", number, 7.31), shift.inputs["X"])
    tree.links.new(_math(tree, "MULTIPLY", number, 3.17), shift.inputs["Z"])
    added = tree.nodes.new("ShaderNodeVectorMath")
    tree.links.new(vector, added.inputs[0])
    tree.links.new(shift.outputs[0], added.inputs[1])
    return added.outputs[0]


def _seams(tree: Any, vector: Any, colour: Any, width: float) -> Any:
    """Dark lines between boards, and boards of different brightness."""
    place = _board(tree, vector, width)
    inside = _math(tree, "PINGPONG", place, 0.5)
    seam = _math(tree, "SMOOTH_MIN", _math(tree, "MULTIPLY", inside, width / 0.003), 1.0, 0.1)
    random = tree.nodes.new("ShaderNodeTexWhiteNoise")
    random.noise_dimensions = "1D"
    tree.links.new(_math(tree, "FLOOR", place), random.inputs["W"])
    tint = _math(tree, "MULTIPLY_ADD", random.outputs["Value"], 0.6, 0.7)
    factor = _math(tree, "MULTIPLY", seam, tint)
    product = tree.nodes.new("ShaderNodeVectorMath")
    product.operation = "SCALE"
    tree.links.new(colour, product.inputs[0])
    tree.links.new(factor, product.inputs["Scale"])
    return product.outputs[0]
