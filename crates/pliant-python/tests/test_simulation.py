"""A simulation: its arrays, its steps, what is changed between them."""

from __future__ import annotations

import pickle
import threading
import time

import numpy as np
import pytest
from conftest import Counter, hanging

import pliant


def test_positions_are_copied_or_filled_in(sim: pliant.Simulation) -> None:
    sheet = sim["sheet"]
    x = sheet.positions()
    assert x.shape == (81, 3) and x.dtype == np.float32
    for dtype in (np.float32, np.float64):
        out = np.full((81, 3), np.nan, dtype)
        assert sheet.positions(out=out) is out and np.array_equal(out, x)
    sim.advance(5)
    assert not np.array_equal(sheet.positions(), x) and np.array_equal(out, x)
    assert hanging(dtype="float64")["sheet"].positions().dtype == np.float64
    assert np.from_dlpack(sheet.positions()).shape == (81, 3)


@pytest.mark.parametrize(
    ("out", "error", "text"),
    [
        (np.empty((80, 3), np.float32), ValueError, r"out has the shape \[80, 3\]; give \(81, 3\)"),
        (np.empty((81, 4), np.float32)[:, :3], ValueError, "not contiguous"),
        (np.empty((81, 3), np.float32, order="F"), ValueError, "not contiguous"),
        (np.empty((81, 3), np.int32), TypeError, "int32; give float32 or float64"),
        (np.empty((81, 3), ">f4"), TypeError, "give float32"),
        ([[0.0] * 3] * 81, TypeError, "not a NumPy array"),
        (np.broadcast_to(np.float32(0), (81, 3)), ValueError, "out"),
    ],
)
def test_arrays_that_cannot_be_filled_are_refused(sim: pliant.Simulation, out, error, text: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=text):
        sim["sheet"].positions(out=out)


def test_an_array_that_may_not_be_written_is_refused(sim: pliant.Simulation) -> None:
    out = np.empty((81, 3), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written to"):
        sim["sheet"].positions(out=out)


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((80, 3)),
        np.zeros((81, 2)),
        np.full((81, 3), np.nan),
        np.where(np.arange(243).reshape(81, 3) == 242, np.inf, 0.0),
        np.zeros((81, 3), complex),
    ],
    ids=["rows", "columns", "nan", "one infinity", "complex"],
)
def test_a_state_that_cannot_be_changes_nothing(sim: pliant.Simulation, bad) -> None:  # type: ignore[no-untyped-def]
    sim.advance(3)
    before, good = sim.state_hash, sim.positions()
    for wrong in (
        lambda: sim.set_state(bad),
        lambda: sim.set_state(good + 1, bad),  # the positions are sound
        lambda: sim["sheet"].set_velocities(bad),
    ):
        with pytest.raises((ValueError, TypeError)):
            wrong()
        assert sim.state_hash == before


def test_a_state_can_be_set(sim: pliant.Simulation) -> None:
    other = hanging()
    other.advance(4)
    sim.set_state(other.positions(), other.velocities())
    assert sim.state_hash == other.state_hash
    # What is pinned stays.
    sim.set_state(sim.positions() + np.float32(0.5))
    moved = sim.positions() - other.positions()
    assert np.allclose(moved[[0, 8]], 0) and np.allclose(moved[1:8], 0.5)


def test_the_same_bits_for_any_number_of_threads_and_from_any_thread() -> None:
    hashes = []

    def work(threads: int) -> None:
        sim = hanging(41, threads=threads)
        sim.advance(5)
        hashes.append(sim.state_hash)

    workers = [threading.Thread(target=work, args=(n,)) for n in (1, 2, 3, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(hashes) == 4 and len(set(hashes)) == 1


def test_other_threads_go_on_while_one_steps() -> None:
    sim = hanging(101, threads=1)
    counter = Counter()
    counter.start()
    before = counter.count
    sim.advance(1)  # a single step, so that nothing but the step itself can let go of the interpreter
    during = counter.count - before
    counter.done = True
    counter.join()
    assert during > 100


def test_a_simulation_that_is_being_stepped_refuses_calls() -> None:
    sim = hanging(101, threads=1)
    refused = []
    worker = threading.Thread(target=sim.advance, args=(100,))
    worker.start()
    until = time.monotonic() + 30
    while not refused and worker.is_alive() and time.monotonic() < until:
        try:
            sim["sheet"].positions()
        except RuntimeError as error:
            refused.append(str(error))
    worker.join()
    assert refused and "another thread" in refused[0]
    sim["sheet"].positions()


def test_threads_that_look_at_one_simulation_do_not_disturb_each_other(sim: pliant.Simulation) -> None:
    failed = []

    def look() -> None:
        try:
            for _ in range(1000):
                sim.positions()
                assert sim.time == 0
        except RuntimeError as error:
            failed.append(error)

    workers = [threading.Thread(target=look) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failed


def test_reports() -> None:
    solid = pliant.solid(pliant.TetMesh.ball(0.2, 2), name="ball", young=1e5, poisson=0.4, velocity=(0, -1, 0))
    sim = pliant.Simulation([solid], [pliant.floor(-0.2, friction=0.5)], substeps=20, require=["inverted<=0"])
    frames = [sim.step() for _ in range(10)]
    frame = frames[-1]
    assert frame.frame == 10 and frame.time == pytest.approx(10 / 60) and frame.substeps == 20
    assert max(frame.contacts for frame in frames) > 0 and frame.inverted == 0 and frame.volume_error is not None
    assert frame.energy["kinetic"] > 0 and set(frame.energy) == {"kinetic", "potential", "elastic"}
    assert frame.state_hash == sim.state_hash and "neo-Hookean" in " ".join(frame.residuals)
    assert frame.to_dict()["frame"] == 10 and str(frame).startswith("frame 10")
    certificate = sim.certificate
    assert certificate is not None and certificate.frames == 10 and certificate.met
    assert certificate["inverted"] == 0 and certificate.verdict in ("good", "rough", "not to be trusted")
    assert certificate.verdicts[0]["unmet"] == 0 and "inverted" in str(certificate)
    with pytest.raises(KeyError, match="there are"):
        certificate["beauty"]
    with pytest.raises(pliant.SceneError, match="beauty"):
        sim.certify(["beauty<=1"])


def test_a_requirement_that_is_not_kept() -> None:
    sim = hanging(require=["stretch.max<=1e-6"])
    for _ in range(5):
        sim.step()
    assert sim.certificate is not None and not sim.certificate.met
    assert sim.certificate.verdicts[0]["unmet"] >= 1


def test_going_back_and_pickling(sim: pliant.Simulation) -> None:
    sim.certify(["stretch.max<=0.9"])
    sim.gravity = (0, -5, 1)
    sim.set_wind((1, 0, 2))
    grab = sim["sheet"].grab(80, 50.0)
    grab.move_to((0.7, 0.2, 0.5))
    sim.advance(3)
    state = pickle.loads(pickle.dumps(sim.snapshot()))
    twin = pickle.loads(pickle.dumps(sim))
    sim.advance(10)
    after = sim.state_hash
    twin.advance(10)
    assert twin.state_hash == after and twin.certificate is not None
    sim.restore(state)
    assert sim.frame == 3
    sim.advance(10)
    assert sim.state_hash == after
    with pytest.raises(pliant.SnapshotError, match="checksum|cut|changed|word|bytes"):
        sim.restore(pliant.Snapshot(state.data[:-3]))
    with pytest.raises(pliant.SnapshotError, match="another simulation"):
        hanging(7).restore(state)
    assert sim.state_hash == after


def test_pins_are_moved_and_let_go(sim: pliant.Simulation) -> None:
    (pin,) = sim.pins["sheet"]
    assert pin.vertices == [0, 8]
    start = sim["sheet"].positions()
    pin.move_by((0, 0.1, 0))
    sim.step()
    assert np.allclose(sim["sheet"].positions()[[0, 8]], start[[0, 8]] + (0, 0.1, 0), atol=1e-6)
    pin.move_to((0, 1, 0))
    sim.step()
    assert np.allclose(sim["sheet"].positions()[[0, 8]].mean(axis=0), (0, 1, 0), atol=1e-6)
    places = np.array([[-0.4, 1, 0], [0.4, 1, 0]])
    pin.move_to(places)
    sim.step()
    assert np.allclose(sim["sheet"].positions()[[0, 8]], places, atol=1e-6)
    pin.release()
    sim.step()
    assert np.abs(sim["sheet"].positions()[[0, 8]] - places).max() > 1e-3 and sim.pins["sheet"] == []
    held = sim["sheet"].pin(np.arange(81) == 40)
    assert held.vertices == [40]
    with pytest.raises(pliant.LiveError):
        sim["sheet"].pin([40])
    with pytest.raises(ValueError, match="81 vertices"):
        sim["sheet"].pin([81])
    with pytest.raises(ValueError, match="finite"):
        held.move_to((0, np.nan, 0))
    with pytest.raises(pliant.LiveError, match="places"):
        held.move_to(np.zeros((2, 3)))


def test_grabs_forces_and_impulses(sim: pliant.Simulation) -> None:
    grab = sim["sheet"].grab(80, 500.0)
    for k in range(30):
        grab.move_to((0.5, 0.02 * k, 0.5))
        sim.advance()
    assert sim["sheet"].positions()[80, 1] > 0.4
    assert grab.force is not None and grab.force.shape == (3,)
    grab.release()
    assert grab.force is None
    with pytest.raises(pliant.LiveError):
        grab.move_to((0, 0, 0))
    with pytest.raises(pliant.LiveError, match="positive"):
        sim["sheet"].grab(3, -1.0)
    with pytest.raises(IndexError, match="81"):
        sim["sheet"].grab(81, 1.0)
    before = sim["sheet"].velocities()[40].copy()
    sim["sheet"].apply_impulse(40, (0, 0, 1e-3))
    assert sim["sheet"].velocities()[40, 2] > before[2]
    sim["sheet"].set_force(40, (0, 5, 0))
    sim.advance(20)
    assert sim["sheet"].positions()[40, 1] > 0
    sim.clear_forces()


def test_obstacles_move() -> None:
    mesh = pliant.TriMesh.grid((9, 9), (0.5, 0.5))
    sheet = pliant.cloth(mesh, name="sheet", material="cotton", pin=[0, 8, 72, 80])
    sim = pliant.Simulation([sheet], [pliant.sphere((0, -0.2, 0), 0.1)], gravity=(0, 0, 0))
    (ball,) = sim.obstacles
    for k in range(1, 21):
        ball.move((0, 0.01 * k, 0))
        sim.advance()
    assert sim["sheet"].positions()[40, 1] > 0.09
    ball.remove()
    assert sim.obstacles == []
    with pytest.raises(pliant.LiveError, match="does not exist"):
        ball.move()
    lid = sim.add_obstacle(pliant.plane((0, 0.2, 0), (0, -1, 0)))
    sim.add_obstacle(pliant.sdf(pliant.TriMesh.icosphere(0.05, 3).translated((0, -0.4, 0)), 0.01))
    assert len(sim.obstacles) == 2
    lid.move((0, -0.25, 0))
    sim.advance(2)
    assert sim["sheet"].positions()[40, 1] < 0
    with pytest.raises(pliant.SceneError, match="radius"):
        sim.add_obstacle(pliant.sphere((0, 0, 0), -1))


def test_settings_while_it_runs(sim: pliant.Simulation) -> None:
    sim.gravity = (0, 0, 9.81)
    assert sim.gravity.tolist() == [0, 0, 9.81]
    sim.substeps = 3
    assert sim.substeps == 3
    with pytest.raises(ValueError):
        sim.substeps = 0
    sim.set_damping(0.1)
    sim.set_drag(0.1)
    sim.set_wind((0, 5, 0), drag=0.5)
    sim.set_wind(None)
    sim.scale_stiffness("membranes", 2.0)
    with pytest.raises(pliant.LiveError, match="membranes"):
        sim.set_compliance("nothing", 1.0)
    with pytest.raises(pliant.LiveError):
        sim.set_drag(-1.0)
    sim.advance(10)
    assert sim["sheet"].positions()[:, 2].max() > 0.5
    assert sim["sheet"].masses.sum() == pytest.approx(sim["sheet"].masses[np.isfinite(sim["sheet"].masses)].sum())


def test_contacts_between_surfaces() -> None:
    def sheet(height: float, name: str, **more: object) -> pliant.describe.Body:
        mesh = pliant.TriMesh.grid((8, 8), (0.2, 0.2)).translated((0, height, 0))
        return pliant.cloth(mesh, name=name, edges={"compliance": 1e-6}, contact_radius=1.5e-3, collide={"friction": 0.5}, **more)  # type: ignore[arg-type]

    sim = pliant.Simulation([sheet(0, "table", pin=range(64)), sheet(0.003, "cloth", area_density=1.0)])
    sim.advance(60)
    found = sim.contacts()
    assert len(found) > 0 and found.particles.shape == (len(found), 4)
    up = np.where(found.bodies[:, 0] == 1, found.impulses[:, 1], -found.impulses[:, 1])
    assert up.sum() * 600 == pytest.approx(0.04 * 9.81, abs=0.02)  # the weight of the upper one


def test_a_step_that_breaks_down_names_the_vertex() -> None:
    mesh = pliant.TriMesh.grid((5, 5), (1, 1))
    sim = pliant.Simulation([pliant.cloth(mesh, name="sheet", edges={"compliance": 1e-6})])
    sim["sheet"].set_force(12, (1e300, 0, 0))
    with pytest.raises(FloatingPointError) as caught:
        sim.advance(5)
    assert isinstance(caught.value, pliant.StepError) and caught.value.body == "sheet"
    assert caught.value.vertex is not None and caught.value.frame is not None
    with pytest.raises(pliant.StepError, match="time|step"):
        hanging().step(-1.0)


def test_memory_stays_flat() -> None:
    resource = pytest.importorskip("resource")
    sim = hanging(5)
    out = np.empty((25, 3), np.float32)

    def work(times: int) -> int:
        for _ in range(times):
            sim.step()
            sim["sheet"].positions(out=out)
            sim["sheet"].positions()
            sim.snapshot()
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    before = work(1000)
    assert work(10_000) - before < 2000  # kB; a leak of one array a step would be 3000


def test_pictures(sim: pliant.Simulation) -> None:
    png = sim.render((160, 120))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert sim._repr_png_()[:4] == png[:4] and "<img" in sim._repr_html_()
    with pytest.raises(pliant.RenderError):
        sim.render((0, 120))


def test_deformers() -> None:
    rest = pliant.TriMesh.icosphere(1.0, 4)
    wide = rest.positions * (1.5, 1.0, 1.0)
    relaxed = pliant.relax(rest, wide, iterations=20)
    ratio = lambda x: np.linalg.norm(np.diff(x[rest.edges], axis=1)[:, 0], axis=1)  # noqa: E731
    assert abs(ratio(relaxed) - ratio(rest.positions)).max() < abs(ratio(wide) - ratio(rest.positions)).max()
    assert np.allclose(pliant.delta_mush(rest, rest.positions), rest.positions, atol=1e-6)
    mush = pliant.Deformer.delta_mush(rest, smoothing=5)
    assert np.array_equal(mush(wide), mush(wide))
    assert np.ptp(pliant.smooth(rest, wide)[:, 0]) < np.ptp(wide[:, 0])
    with pytest.raises(pliant.DeformError, match="vertices"):
        mush(wide[:-1])
    turn = np.stack([np.eye(4), np.diag([-1.0, 1.0, -1.0, 1.0])])
    n = len(rest)
    turned = pliant.skin(rest.positions, np.full((n, 1), 1), np.ones((n, 1)), turn)
    assert np.allclose(turned, rest.positions * (-1, 1, -1))
    with pytest.raises(pliant.DeformError, match="joint"):
        pliant.skin(rest.positions, np.full((n, 1), 2), np.ones((n, 1)), turn)
