"""What a check measured, as lines for people: percent, one decimal."""

__all__ = ["figures_of"]

from unforeseen.check.findings import MEASUREMENTS, Measurement
from unforeseen.check.result import CheckResult

#: All others are shares.
_NO_SHARES = ("gap",)
#: They stand beside the accuracy.
_ENDS = ("accuracy_low", "accuracy_high")


def figures_of(result: CheckResult) -> list[tuple[str, str, str]]:
    """Words, value and number of pictures of each figure, in the order of the table."""
    return [
        (MEASUREMENTS[each.name], _value(each, result), "" if each.n is None else str(each.n))
        for each in result.measurements
        if each.name not in _ENDS
    ]


def _value(measurement: Measurement, result: CheckResult) -> str:
    if measurement.name in _NO_SHARES:
        return f"{measurement.value:.3g}"
    shown = _percent(measurement.value)
    low, high = map(result.measured, _ENDS)
    if measurement.name != "accuracy" or low is None or high is None:
        return shown
    return f"{shown} [{100 * low:.1f}, {100 * high:.1f}]"


def _percent(share: float) -> str:
    # "0.0" would hide that it isn't none.
    return "< 0.1 %" if 0 < share < 0.0005 else f"{100 * share:.1f} %"
