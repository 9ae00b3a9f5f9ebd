"""Options of runs, put together by their names alone."""

__all__ = ["asked"]

from dataclasses import fields, replace
from typing import Any

from unforeseen.running.options import AttackOptions, ObfuscationOptions, RunOptions


def asked(usual: RunOptions | None = None, **changes: Any) -> RunOptions:
    """``usual``, or what is asked for where nothing is said, with changes of any kind."""
    options = usual or RunOptions()
    of_attacks = _taken(changes, AttackOptions)
    of_obfuscations = _taken(changes, ObfuscationOptions)
    return replace(
        options,
        attack=replace(options.attack, **of_attacks),
        obfuscation=replace(options.obfuscation, **of_obfuscations),
        **changes,
    )


def _taken(
    changes: dict[str, Any], kind: type[AttackOptions | ObfuscationOptions]
) -> dict[str, Any]:
    names = {field.name for field in fields(kind)} & changes.keys()
    return {name: changes.pop(name) for name in names}
