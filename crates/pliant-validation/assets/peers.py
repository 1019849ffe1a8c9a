"""Times other programs on the files of `cargo xtask peers`: meshio and gmsh as readers, tetgen and gmsh as mesh generators."""
import importlib
import json
import sys
import time
from pathlib import Path


def best(times, run):
    least, result = float("inf"), None
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        least = min(least, time.perf_counter() - start)
    return least, result


def module(name):
    try:
        return importlib.import_module(name)
    except Exception as error:  # a wheel without its system libraries fails in its own way
        print(f"skipped: {name} ({error})")
        return None


def line(what, who, seconds, remark=""):
    print(f"| {what} | {who} | {seconds:.3f} | {remark} |", flush=True)


def main(folder):
    ply, msh, surface = folder / "sheet.ply", folder / "block.msh", folder / "surface.ply"
    if meshio := module("meshio"):
        for path in (ply, msh):
            seconds, mesh = best(3, lambda: meshio.read(path))
            line(f"read {path.name}", f"meshio {meshio.__version__}", seconds, f"{sum(len(c.data) for c in mesh.cells)} cells")
    if gmsh := module("gmsh"):
        gmsh.initialize()
        gmsh.option.setNumber("General.Verbosity", 0)
        gmsh.option.setNumber("General.NumThreads", 1)
        for path in (ply, msh):
            def read():
                gmsh.clear()
                gmsh.merge(str(path))
                return sum(len(tags) for tags in gmsh.model.mesh.getElements()[1])
            seconds, cells = best(3, read)
            line(f"read {path.name}", f"gmsh {gmsh.__version__}", seconds, f"{cells} cells")
        gmsh.clear()

        def fill():
            gmsh.clear()
            gmsh.merge(str(surface))
            entities = gmsh.model.getEntities(2)
            gmsh.model.geo.addVolume([gmsh.model.geo.addSurfaceLoop([tag for _, tag in entities])])
            gmsh.model.geo.synchronize()
            gmsh.model.mesh.generate(3)
            return sum(len(tags) for tags in gmsh.model.mesh.getElements(3)[1])
        try:
            seconds, tets = best(1, fill)
            line("fill surface.ply", f"gmsh {gmsh.__version__}", seconds, f"{tets} tetrahedra, conforming to the triangles")
        except Exception as error:
            print(f"gmsh does not fill the surface: {error}")
        gmsh.finalize()
    tetgen, pyvista = module("tetgen"), module("pyvista")
    if tetgen and pyvista:
        mesh = pyvista.read(surface)

        def fill():
            generator = tetgen.TetGen(mesh)
            generator.tetrahedralize(order=1, mindihedral=10, minratio=1.5)
            return generator.grid.n_cells
        try:
            seconds, tets = best(1, fill)
            line("fill surface.ply", f"tetgen {tetgen.__version__}", seconds, f"{tets} tetrahedra, conforming to the triangles")
        except Exception as error:
            print(f"tetgen does not fill the surface: {error}")


main(Path(sys.argv[1]))
