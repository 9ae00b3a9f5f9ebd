"""Sets of obfuscations, by groups and by names."""

import pytest

from made_obfuscations import HOLD_OUTS, obfuscation_benchmark
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.obfuscation_sets import ObfuscationSet, usual_sets


def test_groups_stand_for_their_members_and_names_are_taken_in_any_case() -> None:
    benchmark = obfuscation_benchmark()
    assert set(ObfuscationSet.of("hold-out", benchmark).obfuscations) == set(HOLD_OUTS)
    assert ObfuscationSet.of("All", benchmark).obfuscations == tuple(benchmark.obfuscations)
    named = ObfuscationSet.of("swirlwarp, LineShift,SwirlWarp", benchmark)
    assert named == ("SwirlWarp+LineShift", ("SwirlWarp", "LineShift"))
    both = ObfuscationSet.of(["hold-out", "SwirlWarp"], benchmark)
    assert both.obfuscations == (*benchmark.names("hold-out"), "SwirlWarp")


def test_the_usual_sets_are_disjoint_groups_and_their_union() -> None:
    hold_out, training, everything = usual_sets(obfuscation_benchmark())
    assert hold_out.name == "hold-out"
    assert set(hold_out.obfuscations).isdisjoint(training.obfuscations)
    assert {*hold_out.obfuscations, *training.obfuscations} == {*everything.obfuscations}


def test_what_there_is_not_is_refused() -> None:
    benchmark = obfuscation_benchmark()
    with pytest.raises(UnknownNameError, match="Did you mean SwirlWarp"):
        ObfuscationSet.of("SwirlWrap", benchmark)
    with pytest.raises(UserError, match="got none"):
        ObfuscationSet.of(" ,", benchmark)
