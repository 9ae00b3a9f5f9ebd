"""The folder that ``unforeseen obfuscate`` writes, as files; needs neither torch nor data."""
