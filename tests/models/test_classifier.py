"""The two kinds of classifier."""

import pytest
import torch
from torch import Tensor, nn

from unforeseen.errors import ModelError
from unforeseen.models import DifferentiableClassifier


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(0.5), nn.Flatten(), nn.Linear(144, 5)
    )


class Flattening(nn.Module):
    """Old-style code: `view`, which tensors with channels last can't take."""

    def __init__(self) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(3, 4, 3)
        self.linear = nn.Linear(144, 5)

    def forward(self, x: Tensor) -> Tensor:
        scores: Tensor = self.linear(self.convolution(x).view(len(x), -1))
        return scores


class Raising(nn.Module):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def forward(self, x: Tensor) -> Tensor:
        del x
        raise self.error


class Returning(nn.Module):
    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value

    def forward(self, x: Tensor) -> object:
        del x
        return self.value


def test_inference_restores_each_modules_own_training_flag() -> None:
    module = network()
    module[1].eval()  # frozen batch statistics in a network that is being trained
    before = [part.training for part in module.modules()]
    assert len(set(before)) == 2
    with DifferentiableClassifier(module).inference():
        assert not any(part.training for part in module.modules())
    assert [part.training for part in module.modules()] == before


def test_inference_restores_flags_after_an_error() -> None:
    module = network()
    with pytest.raises(KeyError), DifferentiableClassifier(module).inference():
        raise KeyError
    assert all(part.training for part in module.modules())
    assert all(parameter.requires_grad for parameter in module.parameters())


def test_inference_restores_each_parameters_own_gradient_flag() -> None:
    module = network()
    module[0].requires_grad_(requires_grad=False)
    before = [parameter.requires_grad for parameter in module.parameters()]
    with DifferentiableClassifier(module).inference():
        assert not any(parameter.requires_grad for parameter in module.parameters())
    assert [parameter.requires_grad for parameter in module.parameters()] == before


def test_buffers_and_weights_are_byte_equal_and_laid_out_alike_after_inference() -> None:
    module = network()
    before = {name: (t.clone(), t.stride()) for name, t in module.state_dict().items()}
    classifier = DifferentiableClassifier(module)
    with classifier.inference():
        x = torch.rand(6, 3, 8, 8, requires_grad=True)
        torch.autograd.grad(classifier.logits(x).sum(), x)
    for name, value in module.state_dict().items():
        assert torch.equal(value, before[name][0]), name
        assert value.stride() == before[name][1], name
    assert all(parameter.grad is None for parameter in module.parameters())


def test_logits_are_the_modules_and_carry_its_gradient() -> None:
    module = network().eval()
    x = torch.rand(6, 3, 8, 8, requires_grad=True)
    logits = DifferentiableClassifier(module).logits(x)
    expected = module(x)
    torch.testing.assert_close(logits, expected)
    torch.testing.assert_close(
        torch.autograd.grad(logits.square().sum(), x),
        torch.autograd.grad(expected.square().sum(), x),
    )


def test_modules_that_flatten_with_view_work() -> None:
    module = Flattening()
    x = torch.rand(3, 3, 8, 8)
    classifier = DifferentiableClassifier(module)
    first, second = classifier.logits(x), classifier.logits(x)
    assert torch.equal(first, module(x))
    assert torch.equal(second, first)


def test_classes_are_counted_by_asking() -> None:
    classifier = DifferentiableClassifier(network())
    assert classifier.count_classes(8) == 5
    assert classifier.count_classes((8, 8)) == 5


@pytest.mark.parametrize("side", [8, 2**31 - 1])
def test_a_single_picture_beyond_memory_is_a_model_error_when_counting(side: int) -> None:
    classifier = DifferentiableClassifier(Raising(RuntimeError("MPS backend out of memory")))
    with pytest.raises(ModelError, match=f"one picture of {side}×{side} pixels"):
        classifier.count_classes(side)


def test_double_precision_stays_double() -> None:
    x = torch.rand(2, 3, 8, 8, dtype=torch.float64)
    assert DifferentiableClassifier(network().double().eval()).logits(x).dtype == torch.float64


def test_nonfinite_logits_come_through() -> None:
    scores = torch.tensor([[float("nan"), 1.0], [float("inf"), 0.0]])
    logits = DifferentiableClassifier(Returning(scores)).logits(torch.rand(2, 3, 8, 8))
    assert not logits.isfinite().all(dim=1).any()


def test_a_failing_module_is_one_line_with_the_shape() -> None:
    classifier = DifferentiableClassifier(network().eval())
    with pytest.raises(ModelError, match=r"\(2, 3, 9, 9\): RuntimeError: mat1 and mat2") as caught:
        classifier.logits(torch.rand(2, 3, 9, 9))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_a_module_that_fails_by_the_type_of_its_weights_is_told_what_to_do(
    dtype: torch.dtype,
) -> None:
    classifier = DifferentiableClassifier(network().eval().to(dtype))
    name = str(dtype).removeprefix("torch.")
    with pytest.raises(ModelError, match=rf"type {name}, pictures are float32.*call \.float\(\)"):
        classifier.logits(torch.rand(2, 3, 8, 8))
    with pytest.raises(ModelError) as caught:
        DifferentiableClassifier(network()).logits(torch.rand(2, 3, 9, 8))
    assert "float" not in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        torch.cuda.OutOfMemoryError("CUDA"),
        RuntimeError("MPS backend out of memory"),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        MemoryError(),
    ],
)
def test_lack_of_memory_passes_so_that_the_runner_can_halve_the_batch(error: Exception) -> None:
    with pytest.raises(type(error)):
        DifferentiableClassifier(Raising(error)).logits(torch.rand(1, 3, 8, 8))


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (torch.zeros(2, 3, 4), r"\(2, 3, 4\)"),
        (torch.zeros(1, 3), r"\(1, 3\)"),
        ((torch.zeros(2, 3), None), "tuple"),
        (torch.zeros(2, 3, dtype=torch.int64), "int64"),
        (torch.zeros(2, 1), "at least 2 classes"),
    ],
)
def test_other_things_than_logits_are_refused(value: object, got: str) -> None:
    with pytest.raises(ModelError, match=got):
        DifferentiableClassifier(Returning(value)).logits(torch.rand(2, 3, 8, 8))
