"""Photos, scenes, patterns, icons, texts and patches that obfuscations lay over, under and around pictures."""
