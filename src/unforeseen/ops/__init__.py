"""Differentiable operations on batches of pictures, of which attacks are made."""
