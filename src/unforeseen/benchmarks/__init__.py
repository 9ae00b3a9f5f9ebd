"""Benchmarks as data: which attacks or obfuscations, how strong, and what is published."""

__all__ = [
    "BENCHMARKS",
    "LEVELS",
    "AttackBenchmark",
    "AttackSetting",
    "Benchmark",
    "Edition",
    "Level",
    "ObfuscationBenchmark",
    "ObfuscationSetting",
    "load_attack_benchmark",
    "load_benchmark",
    "names_benchmark",
]

from unforeseen.benchmarks.attack_benchmark import AttackBenchmark
from unforeseen.benchmarks.attack_setting import AttackSetting
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.edition import Edition
from unforeseen.benchmarks.levels import LEVELS, Level
from unforeseen.benchmarks.loader import (
    BENCHMARKS,
    load_attack_benchmark,
    load_benchmark,
    names_benchmark,
)
from unforeseen.benchmarks.obfuscation_benchmark import ObfuscationBenchmark
from unforeseen.benchmarks.obfuscation_setting import ObfuscationSetting
