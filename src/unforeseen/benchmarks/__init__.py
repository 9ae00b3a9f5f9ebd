"""Benchmarks as data: which attacks, radii, steps and editions, and what is published."""

__all__ = [
    "BENCHMARKS",
    "LEVELS",
    "AttackSetting",
    "Benchmark",
    "Edition",
    "Level",
    "load_benchmark",
]

from unforeseen.benchmarks.attack_setting import AttackSetting
from unforeseen.benchmarks.benchmark import Benchmark
from unforeseen.benchmarks.edition import Edition
from unforeseen.benchmarks.levels import LEVELS, Level
from unforeseen.benchmarks.loader import BENCHMARKS, load_benchmark
