"""Photos, scenes, patterns, icons and texts that obfuscations lay over, under and around pictures."""
