"""The image transformer: any size, one style a picture, and nothing else that matters."""

import pytest
import torch
import torch.nn.functional as F

from made_stylization import made_stylization
from oracles import pictures
from unforeseen.stylization.names import StyleNames
from unforeseen.stylization.network import ConditionalInstanceNorm, StylizationNetwork

NAMES = StyleNames(paintings=("a", "b"), textures=("c",))


@pytest.fixture(scope="module")
def network() -> StylizationNetwork:
    return made_stylization(NAMES).network


@pytest.mark.parametrize("size", [(32, 32), (33, 47), (56, 120), (224, 224), (225, 223)], ids=str)
def test_every_size_comes_out_as_it_went_in_and_in_range(
    network: StylizationNetwork, size: tuple[int, int]
) -> None:
    """Pitfall 8: sizes that no benchmark has."""
    made = network(pictures(2, *size), torch.tensor([0, 2]))
    assert made.shape == (2, 3, *size)
    assert 0 <= float(made.min()) <= float(made.max()) <= 1


def test_each_picture_of_a_batch_is_made_as_alone_and_in_its_own_style(
    network: StylizationNetwork,
) -> None:
    x = pictures(3, 40, 48)
    style = torch.tensor([2, 0, 1])
    together = network(x, style)
    for row in range(3):
        alone = network(x[row : row + 1], style[row : row + 1])
        torch.testing.assert_close(together[row : row + 1], alone)


def test_styles_differ_in_nothing_but_scales_and_shifts(network: StylizationNetwork) -> None:
    """Section 3 of Dumoulin et al.: two numbers per channel are all that is a style's."""
    of_a_style = [name for name, value in network.named_parameters() if value.shape[0] == 3]
    assert of_a_style == [
        name
        for name, _ in network.named_parameters()
        if name.endswith((".scale", ".shift")) or name.startswith("to_colour")
    ]
    x = pictures(1, 32, 32)
    made = [network(x, torch.tensor([row])) for row in range(3)]
    assert not torch.equal(made[0], made[1])
    assert not torch.equal(made[1], made[2])


def test_normalisation_is_instance_norm_with_the_row_of_the_style() -> None:
    norm = ConditionalInstanceNorm(3, 5)
    with torch.no_grad():
        norm.scale.copy_(torch.arange(15.0).reshape(3, 5))
        norm.shift.copy_(torch.arange(15.0).reshape(3, 5) - 7)
    x = torch.randn(2, 5, 9, 7, generator=torch.Generator().manual_seed(0)) * 3 + 1
    seen = norm(x, torch.tensor([2, 1]))
    for row, style in enumerate((2, 1)):
        expected = F.instance_norm(
            x[row : row + 1], weight=norm.scale[style], bias=norm.shift[style]
        )
        torch.testing.assert_close(seen[row : row + 1], expected)


def test_a_channel_of_one_value_gives_the_shift_and_no_nan() -> None:
    norm = ConditionalInstanceNorm(1, 2)
    seen = norm(torch.full((1, 2, 8, 8), 1000.0), torch.tensor([0]))
    torch.testing.assert_close(seen, torch.zeros_like(seen), atol=1.0, rtol=0)


def test_gradients_reach_every_weight(network: StylizationNetwork) -> None:
    trained = StylizationNetwork(3)
    trained.load_state_dict(network.state_dict())
    trained(pictures(3, 64, 64), torch.tensor([0, 1, 2])).square().sum().backward()
    for name, value in trained.named_parameters():
        assert value.grad is not None, name
        assert value.grad.abs().sum() > 0, name


def test_seventeen_styles_have_less_than_two_megabytes_of_weights() -> None:
    """The specification allows four."""
    assert 4 * sum(value.numel() for value in StylizationNetwork(17).parameters()) < 2e6
