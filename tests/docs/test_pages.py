"""Every page: its links lead somewhere, and its commands exist."""

import re
import shlex
from pathlib import Path

import pytest
import typer

from documents import CHECKOUT, pages
from unforeseen.cli.app import app

each_page = pytest.mark.parametrize(
    "page", pages(), ids=[page.relative_to(CHECKOUT).as_posix() for page in pages()]
)


def anchors(page: Path) -> set[str]:
    """What GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@each_page
def test_every_command_and_option_on_a_page_exists(page: Path) -> None:
    program = typer.main.get_command(app)
    commands = getattr(program, "commands", {})
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["unforeseen"]:
                continue
            assert words[1] in commands, line
            known = {name for option in commands[words[1]].params for name in option.opts}
            assert {word for word in words if word.startswith("--")} <= known, line


def test_the_index_leads_to_every_page_below_it() -> None:
    index = CHECKOUT / "docs" / "index.md"
    linked = {
        (index.parent / target).resolve()
        for target in re.findall(r"\]\(([^)#\s]+)\)", index.read_text(encoding="utf-8"))
    }
    assert {page for page in pages() if page.is_relative_to(index.parent)} - {index} <= linked
