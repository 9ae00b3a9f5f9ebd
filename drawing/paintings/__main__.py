"""Draws the paintings that are asked for, or all: each takes a few seconds."""

from drawing.by_name import draw_by_name
from drawing.paintings import PAINTINGS, draw_painting

draw_by_name("drawing.paintings", __doc__, PAINTINGS, draw_painting)
