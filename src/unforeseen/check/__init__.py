"""Is the set-up right, and can the model be attacked at all? Asked before any figure is made."""
