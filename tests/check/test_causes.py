"""What is named as the usual cause fits what was looked at."""

from small import SmallNet, as_function
from unforeseen.check.causes import usual_causes
from unforeseen.models import as_classifier
from unforeseen.models.headed import with_head
from unforeseen.models.heads import Head


def test_of_a_network_weights_and_normalisation_are_named() -> None:
    causes = usual_causes(as_classifier(SmallNet()))
    assert "weights" in causes
    assert "normalisation" in causes
    assert "head" not in causes


def test_behind_a_head_it_comes_first() -> None:
    head = Head(name="halves", outputs=4, groups=((0, 2), (1, 3)))
    for model in (SmallNet(), as_function(SmallNet())):
        causes = usual_causes(with_head(as_classifier(model), head))
        assert causes.startswith("Usual causes: a head that puts outputs into the wrong classes")


def test_of_a_black_box_neither_is_as_the_user_can_mend_neither() -> None:
    causes = usual_causes(as_classifier(as_function(SmallNet())))
    assert "weights" not in causes
    assert "normalisation" not in causes
    assert "function's probabilities" in causes
