"""Pictures that were obfuscated before: what is known of them, and whether a benchmark may judge them."""

__all__ = ["ReadyMade", "expect_made_so"]

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.benchmarks.obfuscation_setting import ObfuscationSetting
from unforeseen.data.dataset import Dataset
from unforeseen.data.obfuscated_dataset import HowMade, MadeBy, ObfuscatedDataset
from unforeseen.errors import UserError
from unforeseen.transforms import obfuscation_class


class ReadyMade(NamedTuple):
    """What is known of pictures that were obfuscated before.

    Attributes:
        made_by: By whom.
        fingerprint: Hash of how.
        obfuscations: Which obfuscations there are.
        how: What the data say of it, where this program reads that.
        files: By obfuscation, a hash of the files; of those that no record tells of.
    """

    made_by: MadeBy
    fingerprint: str
    obfuscations: tuple[str, ...]
    how: HowMade | None = None
    files: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, dataset: Dataset) -> Self | None:
        """Of a data set; None where its pictures are as they are."""
        if not isinstance(dataset, ObfuscatedDataset):
            return None
        return cls(
            dataset.made_by,
            dataset.fingerprint,
            dataset.obfuscations,
            dataset.how,
            dataset.files,
        )

    @property
    def seed(self) -> int:
        """With which a run must draw; 0 where the data don't say."""
        return 0 if self.how is None else self.how.seed


def expect_made_so(
    benchmark: ObfuscationBenchmark,
    settings: Sequence[ObfuscationSetting],
    seed: int,
    made: ReadyMade,
) -> None:
    """Raises UserError where a run would draw otherwise than ready-made pictures were drawn."""
    if made.how is not None and made.how.seed != seed:
        raise UserError(
            f"seed: expected {made.how.seed}, with which these pictures were drawn, got {seed}. Give "
            f"--seed {made.how.seed}, or none."
        )
    own: list[str] = []
    there = "pictures drawn from other ranges, or by another version"
    if made.made_by == "published":
        own = [setting.name for setting in settings if setting.ranges]
        there = "published pictures, whose ranges nobody may choose"
    elif made.how is not None:
        said = made.how.settings
        own = [each.name for each in settings if _settings(each) != said[each.name]]
    if own:
        raise UserError(
            f"data: expected pictures made as {benchmark.name} says, got {there}: {', '.join(own)}. "
            "Leave these out with --obfuscations, name another benchmark, or let the run obfuscate the "
            "original pictures."
        )


def _settings(setting: ObfuscationSetting) -> dict[str, Any]:
    """As :attr:`unforeseen.transforms.obfuscation.Obfuscation.settings` has them."""
    usual = obfuscation_class(setting.name)().settings
    return usual | {name: list(ends) for name, ends in setting.ranges.items()}
