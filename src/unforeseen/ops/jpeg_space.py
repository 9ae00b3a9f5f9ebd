"""The space that JPEG compresses in: 8×8 cosine transforms of YCbCr (JFIF, ITU-T T.871)."""

__all__ = ["BLOCK", "dct_matrix", "decode_blocks"]

import math

import torch
from torch import Tensor

BLOCK = 8

#: Rows R, G, B; columns Y, Cb − 128, Cr − 128.
_YCBCR_TO_RGB = (
    (1.0, 0.0, 1.402),
    (1.0, -0.344136286, -0.714136286),
    (1.0, 1.772, 0.0),
)


def dct_matrix(like: Tensor, size: int = BLOCK) -> Tensor:
    """The orthonormal cosine transform (DCT-II) as a matrix, (size, size); rows are frequencies."""
    frequency = torch.arange(size, device=like.device, dtype=like.dtype)[:, None]
    position = torch.arange(size, device=like.device, dtype=like.dtype)[None, :]
    matrix = torch.cos(math.pi * (2 * position + 1) * frequency / (2 * size)) * math.sqrt(2 / size)
    matrix[0] /= math.sqrt(2)
    return matrix


def decode_blocks(coefficients: Tensor) -> Tensor:
    """Inverse transform of each block, then YCbCr to RGB, both linear: 0 decodes to 0.

    Args:
        coefficients: (B, 3, H, W), H and W multiples of 8: each 8×8 block holds the transform
            of that block of Y, Cb − 128 and Cr − 128 in any unit.

    Returns:
        RGB in the same unit, (B, 3, H, W).
    """
    batch, channels, height, width = coefficients.shape
    transform = dct_matrix(coefficients)
    blocks = coefficients.reshape(batch, channels, height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    planes = torch.einsum("bcyuxv,ui,vj->bcyixj", blocks, transform, transform)
    to_rgb = coefficients.new_tensor(_YCBCR_TO_RGB)
    return torch.einsum("rc,bchw->brhw", to_rgb, planes.reshape(batch, channels, height, width))
