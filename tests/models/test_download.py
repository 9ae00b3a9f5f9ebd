"""Files of published weights, from addresses that a test can serve: its own files."""

import hashlib
from pathlib import Path
from threading import Timer

import pytest
import torch

from unforeseen.errors import ModelError, UnknownNameError
from unforeseen.models.download import download, fetching


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(torch.hub, "get_dir", lambda: str(tmp_path / "hub"))
    return tmp_path / "hub" / "checkpoints"


def served(folder: Path, content: bytes, digits: str) -> str:
    file = folder / f"network-{digits}.pth"
    file.write_bytes(content)
    return file.as_uri()


def test_a_file_is_downloaded_once(tmp_path: Path, hub: Path) -> None:
    url = served(tmp_path, b"weights", hashlib.sha256(b"weights").hexdigest()[:8])
    path = download(url)
    assert path.parent == hub
    assert path.read_bytes() == b"weights"
    path.write_bytes(b"kept")
    assert download(url).read_bytes() == b"kept"


def test_content_that_its_name_does_not_promise_is_not_kept(tmp_path: Path, hub: Path) -> None:
    url = served(tmp_path, b"something else", "01234567")
    says = r"^m: .*invalid hash.*write m\?checkpoint=FILE$"
    with pytest.raises(ModelError, match=says), fetching("m", "m?checkpoint=FILE"):
        download(url)
    assert list(hub.iterdir()) == []


def test_what_the_user_can_mend_passes_unchanged() -> None:
    with pytest.raises(UnknownNameError, match="unknown thing"), fetching("m", "n"):
        raise UnknownNameError("thing", "x", [])


class Impatient(Timer):
    """Whose time is up as soon as it starts."""

    def start(self) -> None:
        self.function(*self.args, **self.kwargs)


def test_what_is_waited_for_is_said_only_where_it_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with fetching("timm:x", "n"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("unforeseen.models.download.Timer", Impatient)
    with fetching("timm:x", "n"):
        pass
    assert capsys.readouterr().err == "getting the weights of timm:x …\n"
