"""Data for learning."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ._pliant import TetMesh, TriMesh
from .describe import Mesh

__all__ = ["write_dataset"]


def write_dataset(
    path: str | PathLike[str],
    positions: npt.ArrayLike,
    mesh: Mesh,
    *,
    fps: float,
    parameters: Mapping[str, npt.ArrayLike] | None = None,
    compressed: bool = True,
) -> None:
    """Writes sequences as an ``npz`` file, for ``numpy.load``.

    ======================  ====================================================================
    ``vertices_seq``        positions, m, (sequences, frames, n, 3), float32
    ``faces``               triangles, (m, 3); of a solid those of its boundary
    ``tets``                of a solid: its tetrahedra, (k, 4)
    ``edges``               edges, (e, 2)
    ``rest``                positions of the mesh, m, (n, 3)
    ``fps``                 frames per second of the sequences
    ``parameters/NAME``     one number, or one row, for every sequence
    ======================  ====================================================================

    :param path: the file; it appears whole or not at all.
    :param positions: (sequences, frames, n, 3), as :meth:`pliant.Batch.rollout` returns, or (frames, n, 3) for one.
    :param mesh: the mesh of the n vertices.
    :param fps: frames per second: the frame rate divided by ``every``.
    :param parameters: what the sequences differ in, by name.
    :raises ValueError: if shapes do not belong together, or a position is not finite.
    :raises OSError: if the file cannot be written.
    """
    x = np.asarray(positions, dtype=np.float32)
    if x.ndim == 3:
        x = x[np.newaxis]
    if x.ndim != 4 or x.shape[2:] != (len(mesh), 3):
        raise ValueError(f"positions has the shape {x.shape}; give (sequences, frames, {len(mesh)}, 3)")
    if not np.isfinite(x).all():
        sequence, frame = np.argwhere(~np.isfinite(x))[0][:2]
        raise ValueError(f"positions is not finite, first in frame {frame} of sequence {sequence}")
    data: dict[str, Any] = {"vertices_seq": x, "edges": mesh.edges, "rest": mesh.positions, "fps": float(fps)}
    if isinstance(mesh, TetMesh):
        data["faces"], data["tets"] = mesh.boundary_triangles, mesh.tets
    else:
        assert isinstance(mesh, TriMesh)
        data["faces"] = mesh.triangles
    for name, values in (parameters or {}).items():
        array = np.asarray(values)
        if array.shape[:1] != (len(x),):
            raise ValueError(f"parameter {name!r} has the shape {array.shape}; there are {len(x)} sequences")
        data[f"parameters/{name}"] = array
    target = Path(path)
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            (np.savez_compressed if compressed else np.savez)(file, **data)
        os.replace(draft, target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
