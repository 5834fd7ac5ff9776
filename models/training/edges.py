"""What the aligners and ticket prints learn with: boiled-down edges, and weights packed small."""

from __future__ import annotations

from typing import Any  # Any: arrays of any kind of number

import numpy as np
from numpy.typing import NDArray

from vision.align import Edges

Floats = NDArray[np.float32]


def learned(rows: list[Floats], parts: int) -> Edges:
    """The few numbers that tell most about a block (principal components), from the blocks of many prints."""
    every = np.concatenate(rows)
    _, ways = np.linalg.eigh(every.T @ every)
    basis = np.asarray(ways[:, ::-1][:, :parts], np.float16).astype(np.float32)
    mean = np.mean([(row @ basis).ravel() for row in rows], axis=0)
    return Edges(basis, mean.astype(np.float16).astype(np.float32))


def ridge(seen: Floats, wanted: Floats, strength: float) -> Floats:
    """Weights that turn edges into what is wanted; solved on the smaller side."""
    if len(seen) < seen.shape[1]:
        gram = seen @ seen.T
        gram[np.diag_indices(len(gram))] += strength
        return np.asarray(seen.T @ np.linalg.solve(gram, wanted), np.float32)
    gram = seen.T @ seen
    gram[np.diag_indices(len(gram))] += strength
    return np.asarray(np.linalg.solve(gram, seen.T @ wanted), np.float32)


def packed(name: str, weights: NDArray[np.floating[Any]]) -> dict[str, NDArray[Any]]:
    """Weights as whole numbers from -127 to 127, with a scale for each column."""
    scale = np.maximum(np.abs(weights).max(axis=-2, keepdims=True) / 127, 1e-9).astype(np.float32)
    return {name: np.round(weights / scale).astype(np.int8), f"{name}_scale": scale}


def stored(edges: Edges) -> dict[str, NDArray[Any]]:
    return {"basis": edges.basis.astype(np.float16), "mean": edges.mean.astype(np.float16)}
