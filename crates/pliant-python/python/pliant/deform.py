"""Skin deformers on arrays, each as a function; :class:`pliant.Deformer` binds one for many frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays, _pliant
from ._pliant import Deformer, TriMesh

__all__ = ["delta_mush", "relax", "skin", "smooth"]

Positions = npt.NDArray[np.float64]


def relax(rest: TriMesh, positions: npt.ArrayLike, **settings: Any) -> Positions:
    """Positions, (n, 3), m, after sweeps over the edges that give them their lengths at rest again; see
    :meth:`pliant.Deformer.relax` for the settings."""
    return Deformer.relax(rest, **settings)(positions)


def smooth(rest: TriMesh, positions: npt.ArrayLike, **settings: Any) -> Positions:
    """Positions, (n, 3), m, each drawn to the mean of its neighbours; see :meth:`pliant.Deformer.smooth`."""
    return Deformer.smooth(rest, **settings)(positions)


def delta_mush(rest: TriMesh, positions: npt.ArrayLike, **settings: Any) -> Positions:
    """Positions, (n, 3), m, smoothed, with the detail of the rest mesh put back; see :meth:`pliant.Deformer.delta_mush`."""
    return Deformer.delta_mush(rest, **settings)(positions)


def skin(
    positions: npt.ArrayLike,
    joints: npt.ArrayLike,
    weights: npt.ArrayLike,
    matrices: npt.ArrayLike,
    *,
    dual_quaternions: bool = False,
) -> Positions:
    """Positions carried by joints.

    :param positions: rest positions, m, (n, 3).
    :param joints: numbers of joints of every vertex, (n, k).
    :param weights: their weights, (n, k), at least 0; they are divided by their sums.
    :param matrices: from rest to pose, (joints, 4, 4).
    :param dual_quaternions: blend rotations instead of matrices, which keeps volume.
    :raises ValueError: if shapes do not belong together, a joint does not exist, or a vertex has no weight.
    """
    numbers = np.asarray(joints)
    if numbers.ndim != 2:
        raise ValueError(f"joints has the shape {numbers.shape}; give (n, k)")
    shares = np.ascontiguousarray(_arrays._numbers(weights, "weights"), dtype=np.float64)
    moves = np.ascontiguousarray(_arrays._numbers(matrices, "matrices"), dtype=np.float64)
    if shares.ndim != 2 or moves.ndim != 3:
        raise ValueError(f"weights and matrices have the shapes {shares.shape} and {moves.shape}; give (n, k), (j, 4, 4)")
    carriers = _arrays.elements(numbers, numbers.shape[1], "joints")
    return _pliant.skin(positions, carriers, shares, moves, dual_quaternions)
