"""Times of attacks whose ratios can be counted by hand."""

__all__ = ["TIMES"]

from unforeseen.experiment_folder.cost_times import AttackTimes, CostTimes, Pair

STEADY = Pair(1.0, 3.0, 1.0, 3.0)
TIMES = CostTimes(
    benchmark="small",
    edition="published",
    level="medium",
    model="py:model.py:make",
    data=None,
    picture_size=(32, 48),
    batch_size=10,
    timed_steps=2,
    rounds=2,
    environment={"device": "cpu", "device_name": "x86", "threads": 1},
    attacks=(
        AttackTimes(attack="fog", updates=7),
        # 5 s and 4 s per step of ten pictures, beside 1 s and 2 s.
        AttackTimes(
            attack="wood", updates=10, rounds=(Pair(10, 20, 1, 3), Pair(4.0, 12.0, 4.0, 8.0))
        ),
        AttackTimes(attack="pgd", updates=4, rounds=(STEADY, STEADY)),
    ),
)
