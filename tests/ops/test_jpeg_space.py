"""The cosine transform against scipy's, colours against the standard's matrix."""

import numpy as np
import pytest
import torch
from scipy import fft

from oracles import YCBCR, pictures
from unforeseen.ops.jpeg_space import dct_matrix, decode_blocks

LIKE = torch.zeros((), dtype=torch.float64)


@pytest.mark.parametrize("size", [1, 2, 8, 13])
def test_the_matrix_is_orthonormal_and_scipys(size: int) -> None:
    matrix = dct_matrix(LIKE, size).numpy()
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(size), atol=1e-14)
    np.testing.assert_allclose(matrix, fft.dct(np.eye(size), axis=0, norm="ortho"), atol=1e-14)


def test_decoding_inverts_scipys_encoding_block_by_block() -> None:
    x = pictures(2, 16, 24, dtype=torch.float64)
    coefficients = np.einsum("yc,bchw->byhw", YCBCR, x.numpy())
    for row in range(0, 16, 8):
        for column in range(0, 24, 8):
            block = np.s_[..., row : row + 8, column : column + 8]
            coefficients[block] = fft.dctn(coefficients[block], axes=(2, 3), norm="ortho")
    # The standard prints its two matrices with six digits; they are inverse to that much.
    torch.testing.assert_close(decode_blocks(torch.from_numpy(coefficients)), x, atol=2e-6, rtol=0)


def test_decoding_is_linear_and_follows_the_dtype() -> None:
    one, other = pictures(1, 8, 16), pictures(1, 8, 16, seed=1)
    torch.testing.assert_close(
        decode_blocks(2 * one - other), 2 * decode_blocks(one) - decode_blocks(other)
    )
    assert not decode_blocks(torch.zeros_like(one)).any()
    assert decode_blocks(one).dtype == torch.float32
