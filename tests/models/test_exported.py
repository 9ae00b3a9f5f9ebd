"""Programs that torch.export wrote."""

import zipfile
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.models import load_model

BATCH = torch.export.Dim("batch")


def network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(0.5), nn.Flatten(), nn.Linear(144, 5)
    )


def export(module: nn.Module, file: Path, *, dynamic: bool = True) -> str:
    program = torch.export.export(
        module, (torch.rand(2, 3, 8, 8),), dynamic_shapes=({0: BATCH},) if dynamic else None
    )
    torch.export.save(program, file)
    return str(file)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    return export(network().eval(), tmp_path_factory.mktemp("exported") / "model.pt2")


@pytest.mark.parametrize("batch", [1, 2, 5])
def test_outputs_and_gradients_are_the_modules(program: str, batch: int) -> None:
    model = load_model(program, device="cpu")
    reference = network().eval()
    x = torch.rand(batch, 3, 8, 8, requires_grad=True)
    with model.inference():
        logits = model.logits(x)
        torch.testing.assert_close(logits, reference(x))
        torch.testing.assert_close(
            torch.autograd.grad(logits.square().sum(), x),
            torch.autograd.grad(reference(x).square().sum(), x),
        )
    assert model.card.classes == model.count_classes(8) == 5


def test_the_fingerprint_is_that_of_the_files_bytes(program: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.pt2"
    copy.write_bytes(Path(program).read_bytes())
    loaded = load_model(program, device="cpu").card.fingerprint
    assert load_model(f"pt2:{copy}", device="cpu").card.fingerprint == loaded
    other = network().eval()
    with torch.no_grad():
        next(other.parameters())[0, 0, 0, 0] += 1
    changed = load_model(export(other, tmp_path / "other.pt2"), device="cpu")
    assert changed.card.fingerprint != loaded


def test_another_picture_size_is_one_line(program: str) -> None:
    with pytest.raises(ModelError, match=r"failed on pictures of shape \(1, 3, 9, 9\)") as caught:
        load_model(program, device="cpu").count_classes(9)
    assert "\n" not in str(caught.value)


def test_a_fixed_batch_size_is_refused_with_the_way_out(tmp_path: Path) -> None:
    file = export(network().eval(), tmp_path / "model.pt2", dynamic=False)
    with pytest.raises(ModelError, match=r"exactly 2 pictures .*dynamic batch dimension.*Dim"):
        load_model(file, device="cpu")


@pytest.mark.parametrize("layer", [nn.Dropout(0.5), nn.BatchNorm2d(3)])
def test_a_program_exported_in_training_mode_is_refused(tmp_path: Path, layer: nn.Module) -> None:
    module = nn.Sequential(layer, nn.Flatten(), nn.Linear(192, 5)).train()
    with pytest.raises(ModelError, match=r"training mode.*model\.eval\(\)"):
        load_model(export(module, tmp_path / "model.pt2"), device="cpu")


def test_a_program_with_two_outputs_is_refused(tmp_path: Path) -> None:
    class Two(nn.Module):
        def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
            return x.mean((2, 3)), x.amax((2, 3))

    with pytest.raises(ModelError, match=r"one output .* got 1 and 2"):
        load_model(export(Two(), tmp_path / "model.pt2"), device="cpu")


def test_a_missing_file_and_a_web_page_are_called_so(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such file"):
        load_model(str(tmp_path / "model.pt2"), device="cpu")
    (tmp_path / "model.pt2").write_text("<html><body>404</body></html>", encoding="utf-8")
    with pytest.raises(ModelError, match="got a web page"):
        load_model(str(tmp_path / "model.pt2"), device="cpu")


def test_a_checkpoint_named_pt2_is_told_how_to_be_loaded(tmp_path: Path) -> None:
    torch.save(network().state_dict(), tmp_path / "model.pt2")
    (tmp_path / "text.pt2").write_text("weights", encoding="utf-8")
    with pytest.raises(ModelError, match="got something else"):
        load_model(str(tmp_path / "text.pt2"), device="cpu")
    with pytest.raises(ModelError, match=r"another archive.*timm:ARCHITECTURE\?checkpoint=FILE"):
        load_model(str(tmp_path / "model.pt2"), device="cpu")


@pytest.mark.parametrize("kept", ["all", "models/model.json"])
def test_a_damaged_program_is_one_line_and_nothing_is_logged(
    program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], kept: str
) -> None:
    if not any(name.endswith("model.json") for name in zipfile.ZipFile(program).namelist()):
        pytest.skip("this older torch lays a program out in other files")
    damaged = tmp_path / "damaged.pt2"
    with zipfile.ZipFile(program) as source, zipfile.ZipFile(damaged, "w") as target:
        for name in source.namelist():
            if kept == "all" or name.endswith(kept):
                target.writestr(name, b"{}" if name.endswith("model.json") else source.read(name))
    with pytest.raises(ModelError, match="can't load this program") as caught:
        load_model(str(damaged), device="cpu")
    assert "\n" not in str(caught.value)
    assert "Traceback" not in capfd.readouterr().err
