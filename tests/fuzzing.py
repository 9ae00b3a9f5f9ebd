"""Broken and hostile input for every reader, and what a reader may do with it.

The tests draw the same few hundred inputs each time. ``UNFORESEEN_FUZZ=20000`` draws that many new
ones in each test instead.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from unforeseen.errors import UnforeseenError, UserError

_ASKED = int(os.environ.get("UNFORESEEN_FUZZ", "0"))

#: No message is longer than this, whatever came in.
LONGEST_MESSAGE = 2000

#: Bytes that lengths, counts and offsets are likely to break at.
_EDGES = st.sampled_from([0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF])


def fuzz(examples: int = 150) -> settings:
    """How many inputs a test tries."""
    return settings(
        max_examples=_ASKED or examples,
        derandomize=not _ASKED,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@contextmanager
def a_result_or_one_line(
    *also: type[UnforeseenError], longest: int = LONGEST_MESSAGE
) -> Iterator[None]:
    """Lets user errors pass if they are one printable line; any other exception fails the test.

    Args:
        also: Others that may come.
        longest: Characters that a message may have.
    """
    try:
        yield
    except UnforeseenError as error:
        if not isinstance(error, (UserError, *also)):
            raise
        check_line(str(error), longest=longest)


def check_line(text: str, *, longest: int = LONGEST_MESSAGE) -> None:
    """Fails unless a message is fit for a terminal."""
    assert text
    assert text.isprintable(), ascii(text)
    assert len(text) <= longest


@st.composite
def damaged(draw: st.DrawFn, whole: bytes) -> bytes:
    """Bytes with a few things done to them: changed, cut out, doubled, put in, cut short."""
    content = bytearray(whole)
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([1, 1, 1, 2, 4, 8, 64]))
        match draw(st.sampled_from(["change", "edges", "cut", "double", "put in", "end"])):
            case "change":
                content[place : place + length] = draw(st.binary(min_size=1, max_size=length))
            case "edges":
                content[place : place + length] = bytes([draw(_EDGES)]) * length
            case "cut":
                del content[place : place + length]
            case "double":
                content[place:place] = content[place : place + length]
            case "put in":
                content[place:place] = draw(st.binary(max_size=length))
            case "end":
                del content[place:]
    return bytes(content)


#: Anything that JSON can say, and what Python's reader takes besides: NaN, infinities, lone
#: surrogates, numbers without end.
ANY_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([2**31, 2**63 - 1, 2**63, 2**127, 10**400, -1, -(2**63)]),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(
            ["\x1b[2J", "a\nb", "\ud800", "<b>", "=1+1", "../..", "x" * 5000, "py:os:abort"]
        ),
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def changed(draw: st.DrawFn, record: Any) -> Any:
    """A JSON value in which a few places hold something else, or are gone."""
    copy = json.loads(json.dumps(record))
    for _ in range(draw(st.integers(1, 3))):
        if not isinstance(copy, dict | list) or not copy:
            return draw(ANY_JSON)
        inner: Any = copy
        while True:
            key = draw(
                st.sampled_from(sorted(inner) if isinstance(inner, dict) else range(len(inner)))
            )
            deeper = isinstance(inner[key], dict | list) and inner[key]
            if not deeper or draw(st.integers(0, 4)) == 0:
                break
            inner = inner[key]
        match draw(st.sampled_from(["change", "change", "change", "remove", "double"])):
            case "change":
                inner[key] = draw(ANY_JSON)
            case "remove":
                del inner[key]
            case "double" if isinstance(inner, list):
                inner.append(inner[key])
            case _:
                inner[draw(st.text(max_size=5))] = inner[key]
    return copy
