"""One patch, many times: mirrored, moved as a pose a little off moves it, under other lamps, blurred and noisy."""

from __future__ import annotations

import torch
from torch import nn

from vision.recognition.figure_patches import BRIGHTEST

_LIFT = 0.02


def varied(patches: torch.Tensor) -> torch.Tensor:
    """Vary a batch of patches (n, 4, rows px, columns px); torch's own generator is the source of chance."""
    colours = _moved(patches[:, :3])
    light = (colours.square() - _LIFT).clamp(min=0)
    lit = _relit(_blurred(light))
    noise = torch.rand(len(lit), 1, 1, 1).pow(3) * 0.06
    noisy = (lit + _LIFT).clamp(min=0).sqrt() + noise * torch.randn_like(lit)
    return torch.cat([noisy.clamp(0, BRIGHTEST), patches[:, 3:]], dim=1)


def _moved(colours: torch.Tensor) -> torch.Tensor:
    """Mirror half of them, and turn, stretch and shift all a little."""
    count, _, rows, columns = colours.shape
    angle, size = torch.randn(count) * 0.03, torch.exp(torch.randn(count) * 0.035)
    mirror = torch.where(torch.rand(count) < 0.5, -1.0, 1.0)
    matrix = torch.zeros(count, 2, 3)
    matrix[:, 0, 0], matrix[:, 0, 1] = mirror * size * torch.cos(angle), size * torch.sin(angle) * rows / columns
    matrix[:, 1, 0], matrix[:, 1, 1] = -mirror * size * torch.sin(angle) * columns / rows, size * torch.cos(angle)
    matrix[:, :, 2] = torch.randn(count, 2) * torch.tensor([2.6 / columns, 2.6 / rows])
    grid = nn.functional.affine_grid(matrix, list(colours.shape), align_corners=False)
    return nn.functional.grid_sample(colours, grid, padding_mode="border", align_corners=False)


def _blurred(light: torch.Tensor) -> torch.Tensor:
    """Blend each with its own soft copy, most of them hardly."""
    soft = nn.functional.avg_pool2d(nn.functional.pad(light, (1, 1, 1, 1), mode="replicate"), 3, stride=1)
    share = torch.rand(len(light), 1, 1, 1).pow(3)
    return light + share * (soft - light)


def _relit(light: torch.Tensor) -> torch.Tensor:
    """Change strength, colour, contrast and evenness of the light."""
    count, _, rows, columns = light.shape
    gain = torch.exp(torch.randn(count, 3, 1, 1) * 0.1 + torch.randn(count, 1, 1, 1) * 0.2)
    mixed = torch.einsum("nij,njrc->nirc", torch.eye(3) + torch.randn(count, 3, 3) * 0.04, light)
    y, x = torch.linspace(-1, 1, rows)[:, None], torch.linspace(-1, 1, columns)[None, :]
    slope = torch.randn(count, 2, 1, 1, 1) * 0.15
    uneven = torch.exp(slope[:, 0] * x + slope[:, 1] * y)
    gamma = torch.exp(torch.randn(count, 1, 1, 1) * 0.15)
    lifted = torch.randn(count, 1, 1, 1).abs() * 0.03 * (torch.rand(count, 1, 1, 1) < 0.4)
    return (mixed.clamp(min=1e-4) * gain * uneven).pow(gamma) + lifted
