"""The record of an estimate is the documented one."""

import json

from unforeseen.metrics import Estimate


def test_an_estimate_becomes_the_documented_record() -> None:
    record = json.loads(json.dumps(Estimate(0.5, 0.25, 0.75, 4, "bootstrap").to_record()))
    assert record == {"value": 0.5, "low": 0.25, "high": 0.75, "n": 4, "interval": "bootstrap"}
