"""Packs of what obfuscations lay over, under and around pictures, and of the styles that they take."""
