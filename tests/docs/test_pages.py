"""Every page: its links lead somewhere, and its commands exist."""

import re
import shlex
from pathlib import Path
from typing import Any

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


def commands_on(page: Path) -> list[list[str]]:
    """Words behind ``unforeseen`` in a page's blocks for a shell."""
    found = []
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:ba)?sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in re.split(r"\n|&&", block.replace("\\\n", " ")):
            words = shlex.split(line, comments=True)
            if words[:1] == ["unforeseen"]:
                found.append(words[1:])
    return found


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
    for words in commands_on(page):
        command: Any = typer.main.get_command(app)
        rest = iter(words)
        while hasattr(command, "commands"):  # a group, such as the program itself
            word = next(rest, "")
            assert word in command.commands, words
            command = command.commands[word]
        known = {name for option in command.params for name in option.opts}
        assert {word for word in words if word.startswith("--")} <= known, words


def test_every_command_of_the_readme_is_found() -> None:
    found = [words[0] for words in commands_on(CHECKOUT / "README.md")]
    assert found == [
        "demo",
        "run",
        "run",
        "run",
        "run",
        "results",
        "results",
        "sweep",
        "transfer",
        "preview",
        "run",
        "results",
        "run",
        "preview",
    ]


def test_the_index_leads_to_every_page_below_it() -> None:
    index = CHECKOUT / "docs" / "index.md"
    linked = {
        (index.parent / target).resolve()
        for target in re.findall(r"\]\(([^)#\s]+)\)", index.read_text(encoding="utf-8"))
    }
    assert {page for page in pages() if page.is_relative_to(index.parent)} - {index} <= linked
