"""Draws the textures that are asked for, or all."""

from drawing.by_name import draw_by_name
from drawing.textures import TEXTURES, draw_texture

draw_by_name("drawing.textures", __doc__, TEXTURES, draw_texture)
