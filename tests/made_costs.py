"""Times of attacks whose ratios can be counted by hand."""

__all__ = ["PGD", "TIMES", "made_times"]

from unforeseen.experiment_folder.cost_times import AttackTimes, CostTimes, Pair

#: 1 s per step of a batch.
_STEADY = Pair(1.0, 3.0, 1.0, 3.0)
PGD = AttackTimes(attack="pgd", updates=4, rounds=(_STEADY,) * 3)


def made_times(*attacks: AttackTimes, rounds: int = 3) -> CostTimes:
    """A measurement with searches of 2 steps, on batches of 10 pictures."""
    return CostTimes(
        benchmark="small",
        edition="published",
        level="medium",
        model="py:model.py:make",
        data=None,
        picture_size=(32, 48),
        batch_size=10,
        timed_steps=2,
        rounds=rounds,
        environment={"device": "cpu", "device_name": "x86", "threads": 1},
        attacks=attacks,
    )


TIMES = made_times(
    AttackTimes(attack="fog", updates=7),
    # 5 s and 4 s per step of ten pictures, beside 1 s and 2 s.
    AttackTimes(attack="wood", updates=10, rounds=(Pair(10, 20, 1, 3), Pair(4.0, 12.0, 4.0, 8.0))),
    AttackTimes(attack="pgd", updates=4, rounds=(_STEADY, _STEADY)),
    rounds=2,
)
