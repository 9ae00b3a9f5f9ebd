"""The program ``unforeseen`` and its commands."""

__all__ = ["app"]

from typing import Annotated

import typer

from unforeseen._version import __version__
from unforeseen.cli.assets import assets
from unforeseen.cli.ceiling import ceiling
from unforeseen.cli.check import check
from unforeseen.cli.contract import contract
from unforeseen.cli.cost import cost
from unforeseen.cli.demo import demo
from unforeseen.cli.evasions import evasions
from unforeseen.cli.holdouts import holdouts
from unforeseen.cli.lists import list_things
from unforeseen.cli.make import make
from unforeseen.cli.obfuscate import obfuscate
from unforeseen.cli.preview import preview
from unforeseen.cli.recount import recount
from unforeseen.cli.results import results
from unforeseen.cli.run import run
from unforeseen.cli.show import show
from unforeseen.cli.sweep import sweep
from unforeseen.cli.transfer import transfer

app = typer.Typer(
    name="unforeseen",
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="How an image classifier holds up against attacks and obfuscations nobody trained it for.",
    epilog="Start with: unforeseen demo",
)


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _program(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback does it all
        bool,
        typer.Option(
            "--version",
            help="Print the version and exit.",
            is_eager=True,
            callback=lambda value: _print_version(wanted=value),
        ),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


app.command("demo")(demo)
app.command("check")(check)
app.command("run")(run)
app.command("sweep")(sweep)
app.command("transfer")(transfer)
app.command("results")(results)
app.command("ceiling")(ceiling)
app.command("holdouts")(holdouts)
app.command("evasions")(evasions)
app.command("recount")(recount)
app.command("obfuscate")(obfuscate)
app.command("list")(list_things)
app.command("show")(show)
app.command("preview")(preview)
app.command("contract")(contract)
app.command("cost")(cost)
app.add_typer(assets)
app.add_typer(make)
