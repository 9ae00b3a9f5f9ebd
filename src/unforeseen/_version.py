"""The version, in one place; hatchling reads it at build time."""

__version__ = "0.1.0"
