"""Meshes from files, and solids from surfaces."""

from __future__ import annotations

import logging
from os import PathLike
from pathlib import Path

from . import _pliant
from ._pliant import TetMesh, TriMesh
from .describe import Mesh

__all__ = ["read", "tetrahedralize"]

log = logging.getLogger("pliant")


def read(path: str | PathLike[str]) -> Mesh:
    """Reads a mesh file: OBJ, PLY, STL, OFF, glTF, USDA, Gmsh MSH, TetGen, MEDIT, Abaqus, VTK or VTU, by its content. Triangles
    make a :class:`TriMesh`, tetrahedra a :class:`TetMesh`. Nothing is repaired; what is remarkable is logged
    (``logging.getLogger("pliant")``).

    :raises pliant.MeshError: if the file cannot be read or used; the message names line or element.
    """
    mesh, report = _pliant.read(Path(path))
    log.info("%s", report)
    return mesh


def tetrahedralize(
    surface: TriMesh,
    *,
    cells: int | None = None,
    edge_length: float | None = None,
    shell_thickness: float | None = None,
    graded: bool = False,
    accept_losses: bool = False,
) -> TetMesh:
    """A solid from any surface: closed, open or broken. Its tetrahedra have no angle between faces below 10.5°.

    :param cells: cells along the longest side; 32 to 128, as fine as thin parts need, by default.
    :param edge_length: instead of ``cells``: length of the longest edges, m.
    :param shell_thickness: fill a shell of this thickness around the surface, m, instead of what it encloses.
    :param graded: larger tetrahedra far inside.
    :param accept_losses: take a solid that lacks parts of the surface that are thinner than the edges.
    :raises pliant.MeshError: if the surface encloses nothing, or parts would be lost; the message says what helps.
    """
    solid, report = _pliant.tetrahedralize(
        surface,
        cells=cells,
        edge_length=edge_length,
        shell_thickness=shell_thickness,
        graded=graded,
        accept_losses=accept_losses,
    )
    log.info("filled: %s", report)
    return solid
