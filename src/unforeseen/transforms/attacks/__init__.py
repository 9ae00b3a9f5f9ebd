"""One attack a file; :data:`unforeseen.transforms.ATTACKS` lists them."""
