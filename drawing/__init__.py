"""What draws and renders the default pack of assets; it lies beside the package, not in it.

Photos and scenes need Blender's module ``bpy``; patterns, icons, texts and textures don't.
"""
