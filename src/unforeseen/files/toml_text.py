"""TOML that a user wrote, or a stranger."""

__all__ = ["parse_toml"]

import tomllib

from unforeseen.errors import UserError, one_line

# A key of n parts costs tomllib n² steps, and a key fits on one line.
_LONGEST_LINE = 2000


def parse_toml(content: bytes, *, origin: str, error: type[UserError]) -> dict[str, object]:
    """What a file says, unchecked.

    Args:
        content: All of it.
        origin: Its name, for messages.
        error: What every complaint is raised as.

    Raises:
        UserError: It is no TOML in UTF-8, or would take long to read.
    """
    if max(map(len, content.split(b"\n"))) > _LONGEST_LINE:
        raise error(f"{origin}: expected lines of at most {_LONGEST_LINE} bytes, got a longer one.")
    try:
        # Editors on Windows write a byte order mark, which TOML forbids.
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as reason:
        raise error(
            f"{origin}: expected UTF-8 text, got other bytes at offset {reason.start}; save it as "
            "UTF-8."
        ) from reason
    except RecursionError as reason:
        raise error(f"{origin}: expected TOML, got tables nested too deep.") from reason
    except (ValueError, OverflowError) as reason:
        text = one_line(str(reason), longest=200)
        raise error(f"{origin}: expected TOML; {text}.") from reason
