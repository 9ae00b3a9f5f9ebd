"""Pictures in the style of paintings and textures: one image transformer, its weights, its styles.

How it is trained: :mod:`unforeseen.asset_making.styles`.
"""

__all__: list[str] = []
