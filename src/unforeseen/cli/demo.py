"""``unforeseen demo``: a real network on real pictures, in minutes on a laptop."""

__all__ = ["demo"]

from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[
        Path, typer.Option(help="Run folder; a demo that is there is continued.", file_okay=False)
    ] = Path("unforeseen-demo"),
) -> None:
    """Attack a real ImageNet network on 20 real pictures: eight attacks, a table, a gallery."""
