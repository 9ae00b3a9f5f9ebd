"""``python -m unforeseen``: the program ``unforeseen``."""

from unforeseen.cli import main

if __name__ == "__main__":
    main()
