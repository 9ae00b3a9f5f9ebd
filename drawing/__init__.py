"""What draws the default pack of assets. Not part of the package: it needs Blender's module ``bpy``."""
