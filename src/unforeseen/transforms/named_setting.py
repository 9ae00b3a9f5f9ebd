"""Which of a benchmark's attacks a user means, who may name the class of one instead."""

__all__ = ["setting_named"]

from pathlib import Path

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.attack_setting import PYTHON, AttackSetting
from unforeseen.errors import UnknownNameError, UserError
from unforeseen.transforms import attack_class


def setting_named(attack: str, benchmark: AttackBenchmark) -> AttackSetting:
    """Looks an attack of a benchmark up.

    Args:
        attack: What the benchmark calls it; or ``py:WHERE:CLASS``, relative to the current folder.
        benchmark: Whose attack it is.

    Raises:
        UnknownNameError: The benchmark has no such attack.
        AttackError: It is the user's, and can't be used.
        UserError: The benchmark has the class more than once.
    """
    if not attack.startswith(PYTHON):
        return benchmark.attack(attack)
    kind = attack_class(attack, folder=Path.cwd())
    found = [
        setting
        for setting in benchmark.attacks.values()
        if setting.user_made and attack_class(setting.attack, folder=setting.folder) is kind
    ]
    if len(found) > 1:
        names = " and ".join(setting.name for setting in found)
        raise UserError(f"{benchmark.name} has {attack} as {names}: give one of these names.")
    if not found:
        raise UnknownNameError(f"attack of {benchmark.name}", attack, benchmark.attacks)
    return found[0]
