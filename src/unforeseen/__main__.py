"""``python -m unforeseen``: the program ``unforeseen``."""

from unforeseen.cli import main

main()
