"""Bodies that come and go while a simulation runs."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from conftest import hanging

import pliant


def guest(name: str | None = "guest", height: float = 0.5) -> object:
    ball = pliant.TetMesh.ball(0.1, 2).translated((0.5, height, 0.5))
    return pliant.solid(ball, name=name, young=1e5, poisson=0.4, pin=[0])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_body_comes_and_goes_and_the_others_do_not_notice(dtype: str) -> None:
    alone, sim = hanging(dtype=dtype), hanging(dtype=dtype)
    for one in (alone, sim):
        one.advance(5)
    sheet = sim["sheet"]
    ball = sim.add_body(guest())  # type: ignore[arg-type]
    assert [body.name for body in sim.bodies] == ["sheet", "guest"] and sim["guest"] is ball and sim["sheet"] is sheet
    assert ball.first == sheet.vertices and sim.particles == sheet.vertices + ball.vertices
    assert np.array_equal(sheet.positions(), alone["sheet"].positions())
    start = ball.positions()
    assert np.allclose(start, ball.mesh.positions, atol=1e-6) and len(ball.pins) == 1
    for one in (alone, sim):
        one.advance(5)
    assert np.array_equal(ball.positions()[0], start[0]) and not np.array_equal(ball.positions(), start)
    assert np.allclose(sheet.positions(), alone["sheet"].positions(), atol=1e-3)
    sim.remove_body("sheet")
    assert [body.name for body in sim.bodies] == ["guest"] and ball.first == 0
    assert ball.rest_positions.shape == (ball.vertices, 3) and ball.mesh.tets.shape[1] == 4
    sim.advance(2)
    with pytest.raises(pliant.LiveError, match="'sheet' has been removed"):
        sheet.positions()
    again = sim.add_body(pliant.cloth(pliant.TriMesh.grid((3, 3), (1, 1)), name="sheet", material="cotton"))
    assert again is sim["sheet"] and again is not sheet and again.vertices == 9
    assert np.isfinite(sim.render().__len__())


def test_a_certificate_begins_anew() -> None:
    sim = hanging(require=["stretch.max<=0.5"])
    sim.step()
    sim.add_body(guest())  # type: ignore[arg-type]
    assert sim.certificate is not None and sim.certificate.frames == 0
    sim.step()
    assert sim.certificate.frames == 1


def test_what_cannot_be_is_refused_and_changes_nothing() -> None:
    sim = hanging()
    before = sim.state_hash
    with pytest.raises(ValueError, match="a name of its own"):
        sim.add_body(guest(None))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a name of its own"):
        sim.add_body(guest("sheet"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no body"):
        sim.add_body(pliant.floor())  # type: ignore[arg-type]
    with pytest.raises(pliant.SceneError, match="young"):
        sim.add_body(pliant.solid(pliant.TetMesh.ball(0.1, 2), name="bad", young=-1.0, poisson=0.4))
    with pytest.raises(pliant.LiveError, match="there is no body to simulate"):
        sim.remove_body("sheet")
    with pytest.raises(KeyError, match="there are sheet"):
        sim.remove_body("nobody")
    assert sim.state_hash == before and [body.name for body in sim.bodies] == ["sheet"]
    sim.add_body(guest())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(sim)
