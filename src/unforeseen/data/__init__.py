"""Labelled pictures, named by a URI. Nothing imported here needs torch."""

__all__ = ["DATA_SCHEMES", "DataCard", "DataScheme", "Dataset", "load_data"]

from unforeseen.data.dataset import DataCard, Dataset
from unforeseen.data.uri import DATA_SCHEMES, DataScheme, load_data
