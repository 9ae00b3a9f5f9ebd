"""``unforeseen assets``: is a folder of assets as it must be, what does it look like, and one of several."""

__all__ = ["assets"]

from pathlib import Path
from typing import Annotated

import typer

from unforeseen.cli.formats import png_file
from unforeseen.cli.making_progress import MakingProgress
from unforeseen.stage_reporter import in_one

#: As for any mistake that the user can mend.
UNUSABLE = 2

Folder = Annotated[
    Path | None,
    typer.Argument(
        metavar="DIR",
        help="A folder with a file assets.toml. [default: the pack that comes with the program]",
    ),
]

assets = typer.Typer(
    name="assets",
    invoke_without_command=True,
    rich_markup_mode=None,
    help="Check, draw or combine packs of photos, icons, styles …",
)


@assets.callback()
def _program(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@assets.command("check")
def check_assets(folder: Folder = None) -> None:
    """Say all that is wrong with a folder of assets, and what there is in it.

    Every picture is decoded. Exit code 2 where something can't be used.
    """
    from unforeseen.cli.check_output import print_asset_check

    place = _folder(folder)
    from unforeseen.asset_check.examination import examine_assets

    examination = examine_assets(place)
    print_asset_check(place, examination)
    if examination.faults:
        raise typer.Exit(UNUSABLE)


@assets.command("preview")
def preview_assets(
    folder: Folder = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where the sheet goes: a file that ends in .png.")
    ] = Path("assets.png"),
) -> None:
    """Draw a sheet of all assets: scenes with a picture in their place, patterns as they repeat.

    Beside every patch, painting and texture stands a photo as it shows it.
    """
    from unforeseen.cli.output import say

    out = png_file(out, "--out")
    place = _folder(folder)
    from unforeseen.asset_check.sheet import sections_of
    from unforeseen.report.sheet import draw_sheet
    from unforeseen.transforms.assets.pack import AssetPack

    sections = sections_of(AssetPack(place))
    with MakingProgress() as progress, in_one(progress, "drawing the sheet"):
        draw_sheet(out, sections)
    say(f"The assets of {place}: {out}")


@assets.command("combine")
def combine_assets(
    out: Annotated[
        Path,
        typer.Option(metavar="DIR", help="Folder to write, new or empty.", file_okay=False),
    ],
    folders: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DIR",
            help="Folders with a file assets.toml, the ones to be taken from first. [default: none: the "
            "pack that comes with the program is copied]",
        ),
    ] = None,
) -> None:
    """Make one pack of several: your own patches or styles beside the program's other assets.

    Each kind comes from the first pack that has any of it, what none has from the pack that comes with the
    program. Paintings, textures and the network that knows them come from one pack. What there is in the end, and
    where from, is printed as by: unforeseen assets check. What was stopped is made by the same command.
    """
    from unforeseen.cli.check_output import print_asset_check
    from unforeseen.cli.making_progress import MakingProgress
    from unforeseen.cli.output import say, saying_how_to_go_on
    from unforeseen.typed_command import as_typed
    from unforeseen.uri import path_of, path_to_write

    out = path_to_write("--out", out)
    from unforeseen.asset_check.examination import examine_assets
    from unforeseen.asset_making.combined_pack import combine_packs

    packs = [path_of(str(each)) for each in folders or ()]
    with saying_how_to_go_on(out, kept="What was copied"), MakingProgress() as progress:
        made = combine_packs(packs, out, reporter=progress)
    print_asset_check(out, examine_assets(out), origins=made.origins)
    say(
        f"The pack is in {out}; --assets takes it wherever obfuscations are made. To look at it: "
        f"{as_typed('assets', 'preview', out)}"
    )


def _folder(folder: Path | None) -> Path:
    """Where the assets lie."""
    from unforeseen.transforms.assets.pack import default_assets
    from unforeseen.uri import path_of

    return default_assets().folder if folder is None else path_of(str(folder))
