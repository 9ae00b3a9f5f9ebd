"""What tests of obfuscations share."""

import pytest

from made_assets import made_assets
from unforeseen.transforms.assets.pack import AssetPack


@pytest.fixture(scope="session")
def assets(tmp_path_factory: pytest.TempPathFactory) -> AssetPack:
    """A small pack, drawn by the tests."""
    return made_assets(tmp_path_factory.mktemp("assets"))
