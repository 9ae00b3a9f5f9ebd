"""Pictures in the style of paintings and textures: one image transformer, its weights, its styles.

How it is trained: :mod:`unforeseen.style_training`.
"""

__all__: list[str] = []
