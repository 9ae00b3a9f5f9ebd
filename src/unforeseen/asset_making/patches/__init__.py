"""Making the patches of AdversarialPatches: optimising them against networks, and measuring them."""

__all__: list[str] = []
