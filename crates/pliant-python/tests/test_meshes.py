"""Meshes from arrays, files and generators, and the mesh doctor."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import pliant

QUAD = np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]], float)
HALVES = np.array([[0, 2, 1], [1, 2, 3]])


def test_arrays_come_back_as_they_went_in() -> None:
    mesh = pliant.TriMesh(QUAD, HALVES)
    assert np.array_equal(mesh.positions, QUAD) and np.array_equal(mesh.triangles, HALVES)
    assert mesh.positions.dtype == np.float64 and mesh.triangles.dtype == np.uint32
    assert mesh.edges.shape == (5, 2) and mesh.area == pytest.approx(1.0)
    assert len(mesh) == 4 and repr(mesh) == "TriMesh(4 vertices, 2 triangles)"
    tet = pliant.TetMesh(np.eye(4, 3, -1), [[0, 1, 2, 3]])
    assert tet.volume == pytest.approx(1 / 6) and tet.boundary_triangles.shape == (4, 3)


@pytest.mark.parametrize(
    "convert",
    [lambda x: x.tolist(), lambda x: x.astype(np.float32), np.asfortranarray, lambda x: np.repeat(x, 2, 0)[::2]],
    ids=["lists", "float32", "columns", "strides"],
)
def test_all_kinds_of_numbers_are_taken(convert) -> None:  # type: ignore[no-untyped-def]
    assert pliant.TriMesh(convert(QUAD), HALVES) == pliant.TriMesh(QUAD, HALVES)


@pytest.mark.parametrize(
    ("positions", "triangles", "error", "text"),
    [
        (QUAD[:, :2], HALVES, ValueError, r"positions has the shape \(4, 2\); give \(n, 3\)"),
        (QUAD.ravel(), HALVES, ValueError, "shape"),
        (QUAD.astype(complex), HALVES, TypeError, "positions has the type complex128; give real numbers"),
        (QUAD.astype(str), HALVES, TypeError, "real numbers"),
        (QUAD > 0, HALVES, TypeError, "bool"),
        ([[0, 0, 0], [1, 0]], HALVES, ValueError, "cannot be made an array"),
        (np.where(QUAD == 1, np.nan, QUAD), HALVES, ValueError, "not finite, the first in row 1"),
        (QUAD, HALVES[:, :2], ValueError, r"triangles has the shape \(2, 2\); give \(m, 3\)"),
        (QUAD, HALVES + 0.5, TypeError, "whole numbers"),
        (QUAD, HALVES - 1, ValueError, "first in row 0: -1"),
        (QUAD, HALVES + 1, pliant.MeshError, "triangle 1 refers to vertex 4, but the mesh has 4 vertices"),
        (QUAD, [[0, 1, 1]], pliant.MeshError, "triangle 0"),
        (QUAD, HALVES + 2**40, ValueError, "no vertex has"),
    ],
)
def test_bad_arrays_are_named(positions, triangles, error, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=text):
        pliant.TriMesh(positions, triangles)


def test_generators_and_pickle() -> None:
    surfaces = [
        pliant.TriMesh.grid((3, 4), (1, 2), diagonals="parallel"),
        pliant.TriMesh.disc(1, 3),
        pliant.TriMesh.sphere(1, 8, 4),
        pliant.TriMesh.icosphere(1, 2),
        pliant.TriMesh.cylinder(1, 2, 8, 2, capped=True),
        pliant.TriMesh.torus(1, 0.3, 8, 6),
        pliant.TriMesh.cone(0.1, 0.3, 0.2, 8, 3, sector=200),
        pliant.TriMesh.icosphere(1, 2).subdivided(1, smooth=True),
    ]
    solids = [
        pliant.TetMesh.block((2, 2, 2), (1, 1, 1), split="five"),
        pliant.TetMesh.ball(1, 2),
        pliant.TetMesh.cylinder(1, 2, 2, 2),
        pliant.TetMesh.torus(1, 0.3, 8, 2),
    ]
    for mesh in [*surfaces, *solids]:
        assert pickle.loads(pickle.dumps(mesh)) == mesh
    assert np.allclose(solids[0].positions.mean(axis=0), 0)
    with pytest.raises(pliant.MeshError, match="radius"):
        pliant.TriMesh.disc(-1, 3)
    with pytest.raises(ValueError, match="alternating"):
        pliant.TriMesh.grid((3, 3), (1, 1), diagonals="crossed")


def test_files_round_trip(tmp_path: Path) -> None:
    for mesh, ending in [(pliant.TriMesh.grid((5, 5), (1, 1)), "ply"), (pliant.TetMesh.ball(1, 2), "msh")]:
        path = tmp_path / f"mesh.{ending}"
        mesh.write(path)
        assert pliant.read(path) == mesh
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n")
    with pytest.raises(pliant.MeshError, match=r"bad\.obj.*line 4"):
        pliant.read(tmp_path / "bad.obj")
    with pytest.raises(pliant.MeshError, match="missing"):
        pliant.read(tmp_path / "missing.obj")


def test_the_doctor_finds_and_repairs() -> None:
    # Two triangles that do not share the vertices where they meet.
    torn = pliant.TriMesh([*QUAD[:3], *QUAD[1:]], [[0, 2, 1], [3, 4, 5]])
    found = {finding["defect"] for finding in torn.check()["findings"]}
    assert "coincident-vertices" in found, found
    whole, report = torn.repaired(weld=1e-9)
    assert len(whole) == 4 and report["became"] == [0, 1, 2, 1, 2, 3]
    with pytest.raises(TypeError, match="no repair"):
        torn.repaired(glue=True)


def test_surfaces_are_filled() -> None:
    solid = pliant.tetrahedralize(pliant.TriMesh.icosphere(1.0, 6), cells=8)
    assert solid.volume == pytest.approx(4.0, rel=0.1)
    with pytest.raises(pliant.MeshError, match="open"):
        pliant.tetrahedralize(pliant.TriMesh.grid((5, 5), (1, 1)), cells=8)
    with pytest.raises(ValueError, match="one of them"):
        pliant.tetrahedralize(pliant.TriMesh.icosphere(1, 3), cells=8, edge_length=0.1)
