"""Cloth and soft bodies: fast, the same to the last bit on every run, and able to say how good each answer is.

::

    import pliant

    sheet = pliant.TriMesh.grid((21, 21), (1.0, 1.0))
    sim = pliant.Simulation(
        [pliant.cloth(sheet, name="sheet", material="cotton", pin=[0, 20])],
        [pliant.floor(-1.5, friction=0.5)],
    )
    for _ in range(60):
        frame = sim.step()
    print(frame)                            # residuals, stretch, energies
    x = sim["sheet"].positions()            # (441, 3), float32

Arrays go in and out as NumPy arrays, which other libraries take without a copy (``torch.from_dlpack``).
"""

from ._pliant import Deformer, Frame, TetMesh, TriMesh, __version__
from .batch import Batch
from .dataset import write_dataset
from .deform import delta_mush, relax, skin, smooth
from .describe import (
    attachment,
    box,
    capsule,
    cloth,
    contact,
    container,
    floor,
    height_field,
    hull,
    mesh_obstacle,
    motion,
    pin,
    plane,
    sdf,
    solid,
    sphere,
    stitch,
)
from .errors import (
    BuildError,
    DeformError,
    Error,
    LiveError,
    MeshError,
    RenderError,
    RunError,
    SceneError,
    SnapshotError,
    StepError,
)
from .meshes import read, tetrahedralize
from .runs import RunResult, run
from .scene import Scene, materials, templates
from .simulation import BodyView, Certificate, Contacts, Grab, Obstacle, Pin, Simulation, Snapshot
from .studies import ensure, expand, table, write_table

__all__ = [
    "Batch",
    "BodyView",
    "BuildError",
    "Certificate",
    "Contacts",
    "DeformError",
    "Deformer",
    "Error",
    "Frame",
    "Grab",
    "LiveError",
    "MeshError",
    "Obstacle",
    "Pin",
    "RenderError",
    "RunError",
    "RunResult",
    "Scene",
    "SceneError",
    "Simulation",
    "Snapshot",
    "SnapshotError",
    "StepError",
    "TetMesh",
    "TriMesh",
    "__version__",
    "attachment",
    "box",
    "capsule",
    "cloth",
    "contact",
    "container",
    "delta_mush",
    "ensure",
    "expand",
    "floor",
    "height_field",
    "hull",
    "materials",
    "mesh_obstacle",
    "motion",
    "pin",
    "plane",
    "read",
    "relax",
    "run",
    "sdf",
    "skin",
    "smooth",
    "solid",
    "sphere",
    "stitch",
    "table",
    "templates",
    "tetrahedralize",
    "write_dataset",
    "write_table",
]
