"""The project's own pages, and the code in them."""

__all__ = ["CHECKOUT", "code_block", "pages"]

import re
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """Every Markdown page of the checkout that is meant for readers."""
    return [*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").rglob("*.md"))]


def code_block(page: str, language: str, *, beginning: str) -> str:
    """The one fenced block of a page that begins like this.

    Args:
        page: Its path below the checkout.
        language: What stands behind the fence.
        beginning: The block's first characters.
    """
    text = (CHECKOUT / page).read_text(encoding="utf-8")
    blocks = [
        code
        for kind, code in _BLOCK.findall(text)
        if kind == language and code.startswith(beginning)
    ]
    assert len(blocks) == 1, f"{page}: {len(blocks)} {language} blocks begin with {beginning!r}"
    found: str = blocks[0]
    return found
