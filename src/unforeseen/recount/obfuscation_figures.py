"""Figures of a run of obfuscations from verdicts, in plain Python.

Shares and numbers of pictures are counted; their intervals are not, which are drawn at random.
"""

__all__ = ["all_values", "claimed_obfuscation_figures", "obfuscation_figures_of"]

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from unforeseen.recount.figures import Figures, Tally, common_figures_of
from unforeseen.rows import CLEAN
from unforeseen.run_folder.planned_obfuscations import PlannedObfuscationRun

_SINGLE = (
    *("benchmark", "seed", "model", "data", "made_by", "ready_made", "worst_of", "images"),
    *("complete", "partial", "nonfinite", "unreadable", "check"),
)
_WEIGHTINGS = ("balanced", "unweighted")


def obfuscation_figures_of(
    run: PlannedObfuscationRun, tallies: Mapping[str, Tally], labels: Mapping[str, int]
) -> Figures:
    """Every figure of a summary that can be counted, of the single most probable class.

    Args:
        run: What was to be run.
        tallies: By the cell's name, for each cell of the run.
        labels: True class by picture.
    """
    figures = common_figures_of(run, tallies) | {
        "made_by": run.made_by,
        "ready_made": run.ready_made,
        "worst_of": run.worst_of,
    }
    if CLEAN in tallies:
        figures |= _shares("clean", tallies[CLEAN].verdicts, labels)
    for name in run.obfuscations:
        figures |= _shares(name, tallies[name].verdicts, labels)
    hold_outs, training = (run.benchmark.names(group) for group in ("hold-out", "training"))
    sets = {"hold-out": hold_outs, "training": training, "all": (*run.benchmark.obfuscations,)}
    for over, names in sets.items():
        if not names:
            continue
        verdicts = [tallies[name].verdicts if name in tallies else {} for name in names]
        joint = [each for each in verdicts[0] if all(each in other for other in verdicts)]
        means = {
            each: Fraction(sum(other[each] for other in verdicts), len(names)) for each in joint
        }
        worst = {each: all(other[each] for other in verdicts) for each in joint}
        figures |= _shares(f"{over} mean", means, labels)
        figures |= _shares(f"{over} worst", worst, labels)
    return figures


def claimed_obfuscation_figures(summary: Mapping[str, Any]) -> Figures:
    """Spreads a summary's content, which may be a stranger's, as the recount does its figures."""
    claimed: Figures = {name: summary[name] for name in _SINGLE if name in summary}
    claimed |= _spread("clean", summary.get("clean"))
    for each in _objects(summary.get("obfuscations")):
        claimed |= _spread(str(each.get("obfuscation")), each)
    for each in _objects(summary.get("sets")):
        for kind in ("mean", "worst"):
            claimed |= _spread(f"{each.get('set')} {kind}", each.get(kind))
    return claimed


def all_values(content: object, at: str = "") -> Figures:
    """Every single value of a summary, by the keys that lead to it."""
    if isinstance(content, dict):
        pairs = [(str(key), value) for key, value in content.items()]
    elif isinstance(content, list):
        pairs = [(str(place), value) for place, value in enumerate(content)]
    else:
        return {at: content}
    values: Figures = {}
    for key, value in pairs:
        values |= all_values(value, f"{at} {key}".lstrip())
    return values


def _shares(
    name: str, verdicts: Mapping[str, bool | Fraction], labels: Mapping[str, int]
) -> Figures:
    """Of all pictures alike, and of all classes alike that have any."""
    # Of a picture without a clean row a rule says so.
    verdicts = {picture: each for picture, each in verdicts.items() if picture in labels}
    if not verdicts:
        return {f"{name} {weighting}": None for weighting in _WEIGHTINGS}
    of_class: dict[int, list[Fraction]] = defaultdict(list)
    for picture, verdict in verdicts.items():
        of_class[labels[picture]].append(Fraction(verdict))
    means = [_mean(each) for each in of_class.values()]
    every = [share for each in of_class.values() for share in each]
    return {
        f"{name} balanced value": float(_mean(means)),
        f"{name} balanced n": len(every),
        f"{name} unweighted value": float(_mean(every)),
        f"{name} unweighted n": len(every),
    }


def _mean(shares: Sequence[Fraction]) -> Fraction:
    return sum(shares, Fraction(0)) / len(shares)


def _spread(name: str, figure: object) -> Figures:
    spread: Figures = {}
    for weighting in _WEIGHTINGS:
        estimate = figure.get(weighting) if isinstance(figure, dict) else None
        if isinstance(estimate, dict):
            spread |= {f"{name} {weighting} {part}": estimate.get(part) for part in ("value", "n")}
        else:
            spread[f"{name} {weighting}"] = estimate
    return spread


def _objects(values: object) -> list[dict[str, Any]]:
    listed = values if isinstance(values, list) else []
    return [each for each in listed if isinstance(each, dict)]
