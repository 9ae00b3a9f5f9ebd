"""What tells runs of obfuscations apart, beside their models and data, in words."""

__all__ = ["settings_of"]

from collections.abc import Iterator, Sequence

from unforeseen.asset_names import asset_in_words
from unforeseen.run_folder.obfuscation_summary import ObfuscationSummary

#: Digits of a fingerprint that tell folders apart.
_SHOWN = 8


def settings_of(summaries: Sequence[ObfuscationSummary]) -> list[tuple[str, ...]]:
    """Settings of each run of a table, as many from every one; the same text where runs are alike.

    Of photos, icons … only those kinds are named of which two runs took different ones: a run of fewer
    obfuscations takes fewer kinds from the same pack.

    Args:
        summaries: Of the runs.
    """
    sources = _sources(summaries)
    return [(*each.settings, source) for each, source in zip(summaries, sources, strict=True)]


def _sources(summaries: Sequence[ObfuscationSummary]) -> Iterator[str]:
    """Where the pictures of each run come from, as far as that differs."""
    taken: dict[str, set[str]] = {}
    for each in summaries:
        for kind, fingerprint in (each.assets or {}).items():
            taken.setdefault(kind, set()).add(fingerprint)
    differing = [kind for kind, fingerprints in taken.items() if len(fingerprints) > 1]
    for each in summaries:
        if each.made is not None:
            yield f"ready-made {each.made[:_SHOWN]}"
        else:
            words = [_asset(each, kind) for kind in differing]
            yield ", ".join(words) or "pictures made on the fly"


def _asset(summary: ObfuscationSummary, kind: str) -> str:
    fingerprint = (summary.assets or {}).get(kind)
    if fingerprint is None:
        return f"no {kind}"
    return asset_in_words(kind, fingerprint, own=kind in summary.own_kinds)
