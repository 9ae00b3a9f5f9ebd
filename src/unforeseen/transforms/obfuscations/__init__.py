"""One obfuscation a file; :data:`unforeseen.transforms.OBFUSCATIONS` lists them."""
