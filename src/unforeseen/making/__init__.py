"""Making data: the clean copy of pictures and every obfuscation of them, with records."""
