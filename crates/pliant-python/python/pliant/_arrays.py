"""Arrays of the caller as the solver takes them: checked as a whole, with messages that name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Float = npt.NDArray[np.float64]
Index = npt.NDArray[np.uint32]


def _numbers(given: Any, what: str) -> npt.NDArray[Any]:
    """An array of real numbers."""
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{what} cannot be made an array: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{what} has the type {array.dtype}; give real numbers")
    return array


def _finite(array: Float, what: str, row: str) -> Float:
    bad = ~np.isfinite(array)
    if bad.any():
        place = int(np.argwhere(bad)[0][0])
        raise ValueError(
            f"{what} has numbers that are not finite, the first in {row} {place}: {array[place].tolist()}"
        )
    return array


def vectors(given: Any, what: str) -> Float:
    """Finite rows of three numbers, (n, 3)."""
    array = _numbers(given, what)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{what} has the shape {array.shape}; give (n, 3)")
    return _finite(np.ascontiguousarray(array, dtype=np.float64), what, "row")


def vector(given: Any, what: str) -> Float:
    """Three finite numbers."""
    array = _numbers(given, what)
    if array.shape != (3,):
        raise ValueError(f"{what} has the shape {array.shape}; give three numbers")
    return _finite(np.ascontiguousarray(array, dtype=np.float64), what, "place")


def _whole(given: Any, what: str) -> npt.NDArray[Any]:
    array = _numbers(given, what)
    if array.size == 0:
        return array.astype(np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} has the type {array.dtype}; give whole numbers, the numbers of vertices")
    return array


def _index(array: npt.NDArray[Any], what: str, row: str) -> Index:
    bad = (array < 0) | (array > np.iinfo(np.uint32).max)
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        raise ValueError(
            f"{what} has numbers that no vertex has, the first in {row} {place[0]}: {array[place]}; "
            "vertices are numbered from 0"
        )
    return np.ascontiguousarray(array, dtype=np.uint32)


def elements(given: Any, width: int, what: str) -> Index:
    """Numbers of vertices, (m, width)."""
    array = _whole(given, what)
    if array.size == 0:
        array = array.reshape(0, width)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{what} has the shape {array.shape}; give (m, {width})")
    return _index(array, what, "row")


def numbers(given: Any, what: str) -> Index:
    """Numbers of vertices, (m,)."""
    array = _whole(given, what)
    if array.ndim != 1:
        raise ValueError(f"{what} has the shape {array.shape}; give (m,)")
    return _index(array, what, "place")


def selection(given: Any, vertices: int, what: str) -> list[int]:
    """Numbers of vertices from such numbers, or from a mask with a truth value for each vertex."""
    array = np.asarray(given)
    if array.dtype.kind == "b":
        if array.shape != (vertices,):
            raise ValueError(
                f"{what} is a mask of the shape {array.shape}; the mesh has {vertices} vertices"
            )
        return [int(i) for i in np.flatnonzero(array)]
    chosen = [int(i) for i in numbers(array, what)]
    if chosen and max(chosen) >= vertices:
        raise ValueError(
            f"{what} names vertex {max(chosen)}, but the mesh has {vertices} vertices (numbered from 0)"
        )
    return chosen
