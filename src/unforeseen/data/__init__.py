"""Labelled pictures, named by a URI or in memory. Nothing imported here needs torch."""

__all__ = ["DATA_SCHEMES", "DataCard", "DataScheme", "Dataset", "from_arrays", "load_data"]

from unforeseen.data.arrays import from_arrays
from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.uri import DATA_SCHEMES, DataScheme, load_data
