//! [`LeftOff`]: a scene that starts where a run ended.
//!
//! Bodies of the same name start where they were, as fast as they were; their rest shape stays that of the
//! scene. Pairs of seams of the same name that were closed start closed.

use std::path::PathBuf;

use nalgebra::Vector3;
use pliant_io::Mesh;

use crate::check::body_name;
use crate::end_state::{EndBody, EndState};
use crate::error::Fault;
use crate::field::FieldPath;
use crate::load::Scene;

/// The state at the end of a run, and where that is.
pub(super) struct LeftOff {
    folder: PathBuf,
    end: EndState,
}

impl LeftOff {
    /// What a scene starts from, if it starts from a run.
    pub(super) fn of(scene: &Scene) -> Result<Option<Self>, Fault> {
        let Some(path) = &scene.model.from else { return Ok(None) };
        let at = FieldPath::root().key("from");
        let folder = scene.source.resolve(path);
        let expected =
            "the folder of a finished run whose scene has stages, seams or `end_state = true` in [output]";
        let end = EndState::read(&folder).map_err(|problem| Fault::new(at.clone(), problem, expected))?;
        let names: Vec<String> = (0..scene.model.bodies.len()).map(|i| body_name(&scene.model, i)).collect();
        if !end.bodies.iter().any(|body| names.contains(&body.name)) {
            let there: Vec<_> = end.bodies.iter().map(|body| format!("{:?}", body.name)).collect();
            let problem = format!(
                "the run in {} has no body of this scene, only {}",
                folder.display(),
                there.join(", ")
            );
            return Err(Fault::new(at, problem, "a run with bodies of the same names"));
        }
        Ok(Some(Self { folder, end }))
    }

    /// The state of a body of that name and its mesh there, if the run had it.
    pub(super) fn body(
        &self,
        at: &FieldPath,
        name: &str,
        mesh: &Mesh,
    ) -> Result<Option<(Mesh, &EndBody)>, Fault> {
        let Some(body) = self.end.body(name) else { return Ok(None) };
        let (count, found) = (mesh.positions().len(), body.positions.len());
        let shown = self.folder.display();
        if count != found {
            let problem = format!(
                "body {name:?} has {count} vertices, but {found} in the run in {shown} that the scene starts from"
            );
            return Err(Fault::new(at.key("mesh"), problem, "the mesh that it had there"));
        }
        let positions: Vec<Vector3<f64>> = body.positions.iter().map(|&x| x.into()).collect();
        let moved = match mesh {
            Mesh::Tri(mesh) => mesh.with_positions(positions).map(Mesh::Tri),
            Mesh::Tet(mesh) => mesh.with_positions(positions).map(Mesh::Tet),
        };
        let moved = moved.map_err(|error| {
            let problem = format!("body {name:?} cannot start where it was in {shown}: {error}");
            Fault::new(at.clone(), problem, "a run that ended with finite positions")
        })?;
        Ok(Some((moved, body)))
    }

    /// A remark on a body that starts there.
    pub(super) fn remark(&self) -> String {
        let (frame, shown) = (self.end.frame, self.folder.display());
        format!("it starts as it was after frame {frame} of the run in {shown}")
    }

    /// Which of so many pairs of a seam of that name are closed, if the run had it.
    pub(super) fn closed(&self, at: &FieldPath, name: &str, pairs: usize) -> Result<Option<&[bool]>, Fault> {
        let Some(seam) = self.end.seam(name) else { return Ok(None) };
        let found = seam.closed.len();
        if found != pairs {
            let problem = format!(
                "the seam {name:?} has {pairs} pairs, but {found} in the run in {} that the scene starts from",
                self.folder.display()
            );
            return Err(Fault::new(at.clone(), problem, "the pairs that it had there"));
        }
        Ok(Some(&seam.closed))
    }
}
