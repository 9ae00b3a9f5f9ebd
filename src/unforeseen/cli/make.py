"""``unforeseen make``: making what obfuscations are made with."""

__all__ = ["make"]

import typer

from unforeseen.cli.make_patches import make_patches
from unforeseen.cli.make_styles import make_styles

make = typer.Typer(
    name="make",
    invoke_without_command=True,
    rich_markup_mode=None,
    help="Make adversarial patches, or the network of styles.",
)


@make.callback()
def _program(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


make.command("patches")(make_patches)
make.command("styles")(make_styles)
