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

from unforeseen.benchmarks.benchmark import LEVELS, AttackSetting, Benchmark, Edition, Level
from unforeseen.benchmarks.loader import BENCHMARKS, load_benchmark
