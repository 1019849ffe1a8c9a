//! [`Film`]: the meshes to draw, frame by frame, from the folder of a run or from one file.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use nalgebra::Vector3;
use pliant_io::{Attribute, Attributes, Location, Mesh};
use pliant_mesh::{Aabb, unique_edges, unique_tet_edges};
use pliant_render::TetSurface;

use super::encounters::{CONTACT, Encounters};
use super::sewing::Sewing;
use super::source::{Read, Source, bodies_of_run, elements, looked_for};
use crate::error::{CliError, did_you_mean};

/// The field that is computed here: how much lengths differ from those without stress, or since the first frame if the
/// body starts without stress, percent.
pub(super) const STRAIN: &str = "strain";

/// The most memory for frames that are kept after reading, bytes: pictures need every frame twice, and one
/// film may serve several pictures.
const MOST_KEPT: usize = 256 << 20;

/// The frames of some bodies.
pub(crate) struct Film {
    bodies: Vec<Body>,
    frames: usize,
    kept: RefCell<Kept>,
    /// The folder of the run; `None` for a single mesh.
    run: Option<PathBuf>,
    /// Computed on first use.
    encounters: OnceCell<Result<Option<Encounters>, String>>,
    /// Its name in errors.
    name: String,
}

/// A body, its files, and the data that is the same in all of them.
struct Body {
    name: String,
    source: Source,
    skin: Skin,
    sewing: Sewing,
}

/// The visible surface of a body.
struct Skin {
    vertices: usize,
    elements: usize,
    surface: Surface,
    /// Whether it has no border, so that only one side is ever seen.
    closed: bool,
    /// The edges of the mesh, with their lengths without stress, or else in the first frame, m.
    edges: Vec<([u32; 2], f64)>,
}

enum Surface {
    Triangles(Vec<[u32; 3]>),
    Boundary(TetSurface),
}

/// Frames that have been read, as many as the memory limit allows.
#[derive(Default)]
struct Kept {
    frames: BTreeMap<usize, Rc<Vec<Still>>>,
    bytes: usize,
}

/// The content of the file of a body and a frame.
struct Still {
    positions: Vec<Vector3<f64>>,
    attributes: Attributes,
}

/// A body in a frame.
pub(super) struct BodyFrame<'a> {
    /// Positions, m.
    pub(super) positions: Vec<Vector3<f64>>,
    /// The visible triangles.
    pub(super) triangles: &'a [[u32; 3]],
    /// Whether only one side is ever seen.
    pub(super) closed: bool,
    /// The edges along which it is sewn to others.
    pub(super) seams: &'a [[u32; 2]],
    /// Whether it is an obstacle, and not simulated.
    pub(super) is_obstacle: bool,
    /// The requested fields, at its vertices or triangles; `None` for one that it lacks.
    pub(super) fields: Vec<Option<(Location, Vec<f64>)>>,
}

/// All bodies in a frame.
pub(super) struct Shot<'a> {
    pub(super) parts: Vec<BodyFrame<'a>>,
    /// The simulated time, s, if the files have it.
    pub(super) time: Option<f64>,
}

impl Shot<'_> {
    /// The positions of the vertices of every body, m.
    pub(super) fn positions(&self) -> impl Iterator<Item = &[Vector3<f64>]> {
        self.parts.iter().map(|part| part.positions.as_slice())
    }

    /// The box around all bodies; `None` if no position is finite.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        let positions = self.parts.iter().flat_map(|part| &part.positions);
        Aabb::around(positions.filter(|p| p.iter().all(|x| x.abs() < 1e15)).copied())
    }
}

impl Film {
    /// Opens a mesh file, or the folder of a run.
    pub(crate) fn open(path: &Path) -> Result<Self, CliError> {
        let name = path.display().to_string();
        let is_run = path.is_dir();
        let sources = if is_run {
            bodies_of_run(path)?
        } else {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            vec![(stem.into_owned(), Source::Sequence(vec![path.to_owned()]))]
        };
        // A run in progress, or one that was interrupted, may have one more frame of its first bodies.
        let frames = sources.iter().map(|(_, source)| source.frames()).min().unwrap_or(0);
        if frames == 0 {
            return Err(CliError::Refused(format!(
                "{name} holds no frames: {}. A picture takes the folder of a run that has one of these, or a mesh file",
                looked_for(path)
            )));
        }
        let bodies: Result<Vec<Body>, CliError> = sources
            .into_iter()
            .map(|(name, source)| {
                let (mesh, positions) = source.first()?;
                let skin = Skin::of(&mesh, &positions);
                Ok(Body { name, source, skin, sewing: Sewing::default() })
            })
            .collect();
        let run = is_run.then(|| path.to_owned());
        let mut bodies = bodies?;
        if is_run {
            let held: Vec<_> = bodies.iter().map(|body| (body.name.as_str(), body.skin.vertices)).collect();
            let all = Sewing::of_run(path, &held);
            for (body, sewing) in bodies.iter_mut().zip(all) {
                if let Some(rest) = &sewing.rest {
                    body.skin.edges.iter_mut().for_each(|(edge, whole)| *whole = length(rest, *edge));
                }
                body.sewing = sewing;
            }
        }
        Ok(Self { bodies, frames, kept: RefCell::default(), run, encounters: OnceCell::new(), name })
    }

    pub(super) fn frames(&self) -> usize {
        self.frames
    }

    pub(super) fn is_run(&self) -> bool {
        self.run.is_some()
    }

    /// The surfaces that may touch and cross; `None` if there are none. The error says why they are not known.
    pub(super) fn encounters(&self) -> Result<Option<&Encounters>, &str> {
        let found = self.encounters.get_or_init(|| {
            let Some(folder) = &self.run else { return Ok(None) };
            let held: Vec<_> =
                self.bodies.iter().map(|body| (body.name.as_str(), body.skin.vertices)).collect();
            Encounters::of_run(folder, &held)
        });
        found.as_ref().map(Option::as_ref).map_err(String::as_str)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Refuses a field that no body has.
    pub(super) fn check_field(&self, field: &str) -> Result<(), CliError> {
        let mut known = Vec::new();
        if self.is_run() {
            known.push(STRAIN.to_owned());
        }
        for still in self.read(0)?.iter() {
            known.extend(still.attributes.field_names().into_iter().map(str::to_owned));
        }
        if known.iter().any(|name| name == field) {
            return Ok(());
        }
        // This builds the bodies of the scene, so it is done only if the files do not have the field.
        let contact = self.encounters();
        if matches!(contact, Ok(Some(_))) {
            if field == CONTACT {
                return Ok(());
            }
            known.push(CONTACT.to_owned());
        }
        known.sort_unstable();
        known.dedup();
        let hint = match field.split('.').next() {
            Some(name @ ("residual" | "volume_error")) if self.is_run() => {
                format!(". A run writes it if its scene has fields = [\"{name}\"] in [output]")
            }
            Some(CONTACT) if self.is_run() => match contact {
                Err(problem) => format!(". It is not known here: {problem}"),
                Ok(_) => ". A run has it if bodies of its scene have collide = true".to_owned(),
            },
            _ => String::new(),
        };
        let fields = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("there are {}", known.join(", "))
        };
        Err(CliError::Refused(format!(
            "{} has no field {field}: {fields}; `body` and `none` need no field{}{hint}",
            self.name,
            did_you_mean(field, known.iter().map(String::as_str).chain(["body", "none"])),
        )))
    }

    /// The fields of the files that have a number for each vertex, each name once.
    pub(super) fn numbers_of_vertices(&self) -> Result<Vec<String>, CliError> {
        let mut names: Vec<String> = Vec::new();
        for still in self.read(0)?.iter() {
            let of_vertices = |field: &&Attribute| {
                field.location() == Location::Vertices && field.components() == 1 && field.name() != STRAIN
            };
            for field in still.attributes.fields().iter().filter(of_vertices) {
                if names.iter().all(|name| name != field.name()) {
                    names.push(field.name().to_owned());
                }
            }
        }
        Ok(names)
    }

    /// A frame; `fields` must have been checked.
    pub(super) fn shot<S: AsRef<str>>(&self, frame: usize, fields: &[S]) -> Result<Shot<'_>, CliError> {
        let mut shot = Shot { parts: Vec::with_capacity(self.bodies.len()), time: self.time(frame)? };
        let stills = self.read(frame)?;
        let mut nearness = Vec::new();
        if fields.iter().any(|field| field.as_ref() == CONTACT)
            && let Ok(Some(encounters)) = self.encounters()
        {
            nearness = encounters.nearness(stills.iter().map(|still| still.positions.as_slice()));
        }
        nearness.resize(self.bodies.len(), None);
        for ((Body { skin, sewing, .. }, still), near) in self.bodies.iter().zip(stills.iter()).zip(nearness)
        {
            let Still { positions, attributes } = still;
            let seen = |name: &S| {
                // A field of the file takes precedence over a computed one of the same name.
                match attributes.fields().iter().find(|field| field.name() == name.as_ref()) {
                    Some(field) => Some(skin.seen(field)),
                    None if name.as_ref() == STRAIN => Some((Location::Vertices, skin.strain(positions))),
                    None if name.as_ref() == CONTACT => Some((Location::Vertices, near.clone()?)),
                    None => None,
                }
            };
            shot.parts.push(BodyFrame {
                positions: positions.clone(),
                triangles: skin.triangles(),
                closed: skin.closed,
                seams: &sewing.seams,
                is_obstacle: sewing.is_obstacle,
                fields: fields.iter().map(seen).collect(),
            });
        }
        Ok(shot)
    }

    /// The simulated time of a frame, s, if its files have it.
    pub(super) fn time(&self, frame: usize) -> Result<Option<f64>, CliError> {
        Ok(self.read(frame)?.iter().find_map(|still| still.attributes.time))
    }

    /// The content of the files of a frame, for every body.
    fn read(&self, frame: usize) -> Result<Rc<Vec<Still>>, CliError> {
        if let Some(stills) = self.kept.borrow().frames.get(&frame) {
            return Ok(Rc::clone(stills));
        }
        let stills = self.bodies.iter().map(|body| body.still(frame)).collect::<Result<Vec<_>, _>>()?;
        let stills = Rc::new(stills);
        self.kept.borrow_mut().keep(frame, &stills);
        Ok(stills)
    }
}

impl Kept {
    /// Keeps a frame if there is room for it.
    fn keep(&mut self, frame: usize, stills: &Rc<Vec<Still>>) {
        let bytes = stills.iter().map(Still::bytes).sum::<usize>();
        if self.bytes + bytes <= MOST_KEPT {
            self.bytes += bytes;
            self.frames.insert(frame, Rc::clone(stills));
        }
    }
}

impl Still {
    /// About how much memory it takes.
    fn bytes(&self) -> usize {
        let numbers = |field: &Attribute| field.len() * field.components();
        let numbers = self.attributes.fields().iter().map(numbers).sum::<usize>();
        size_of_val(self.positions.as_slice()) + numbers * size_of::<f64>()
    }
}

impl Body {
    /// Reads a frame.
    fn still(&self, frame: usize) -> Result<Still, CliError> {
        let skin = &self.skin;
        let Read { positions, elements, attributes } = self.source.read(frame)?;
        let counts = (positions.len(), elements.unwrap_or(skin.elements));
        if counts != (skin.vertices, skin.elements) {
            return Err(CliError::Refused(format!(
                "{} has {} vertices and {} elements, but {} in the first frame has {} and {}: the frames must be \
                 of one mesh",
                self.source.file(frame).display(),
                counts.0,
                counts.1,
                self.name,
                skin.vertices,
                skin.elements
            )));
        }
        Ok(Still { positions, attributes })
    }
}

impl Skin {
    /// The visible surface of a mesh with these positions in the first frame.
    fn of(mesh: &Mesh, positions: &[Vector3<f64>]) -> Self {
        let (surface, edges) = match mesh {
            Mesh::Tri(mesh) => {
                (Surface::Triangles(mesh.triangles().to_vec()), unique_edges(mesh.triangles()))
            }
            Mesh::Tet(mesh) => (Surface::Boundary(TetSurface::new(mesh)), unique_tet_edges(mesh.tets())),
        };
        let closed = match &surface {
            // Three edges a triangle, each shared by two.
            Surface::Triangles(triangles) => 2 * edges.len() == 3 * triangles.len(),
            Surface::Boundary(_) => true,
        };
        let edges = edges.into_iter().map(|edge| (edge, length(positions, edge))).collect();
        Self { vertices: positions.len(), elements: elements(mesh), surface, closed, edges }
    }

    fn triangles(&self) -> &[[u32; 3]] {
        match &self.surface {
            Surface::Triangles(triangles) => triangles,
            Surface::Boundary(boundary) => &boundary.triangles,
        }
    }

    /// The numbers of the visible surface; vectors are replaced by their lengths.
    fn seen(&self, field: &Attribute) -> (Location, Vec<f64>) {
        let values = field.magnitudes();
        match field.location() {
            Location::Vertices => (Location::Vertices, values),
            Location::Elements => (Location::Elements, self.on_triangles(values)),
        }
    }

    /// The numbers of the visible triangles, from those of all elements.
    fn on_triangles(&self, values: Vec<f64>) -> Vec<f64> {
        match &self.surface {
            Surface::Triangles(_) => values,
            Surface::Boundary(boundary) => boundary.of_tets(&values),
        }
    }

    /// At each vertex, the root mean square of the relative change of length of its edges, percent.
    fn strain(&self, positions: &[Vector3<f64>]) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); positions.len()];
        for &(edge, rest) in self.edges.iter().filter(|(_, rest)| *rest > 0.0) {
            let strain = length(positions, edge) / rest - 1.0;
            for vertex in edge {
                let (sum, count) = &mut sums[vertex as usize];
                *sum += strain * strain;
                *count += 1.0;
            }
        }
        sums.into_iter().map(|(sum, count): (f64, f64)| 100.0 * (sum / count.max(1.0)).sqrt()).collect()
    }
}

fn length(positions: &[Vector3<f64>], edge: [u32; 2]) -> f64 {
    (positions[edge[1] as usize] - positions[edge[0] as usize]).norm()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_frame_is_read_once_unless_there_is_no_room_to_keep_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("triangle.obj");
        fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
        let [film, full] = [(); 2].map(|()| Film::open(&path).unwrap());
        full.kept.borrow_mut().bytes = MOST_KEPT;
        let places = |film: &Film| film.shot(0, &[] as &[&str]).map(|shot| shot.parts[0].positions.clone());
        let first = places(&film).unwrap();
        assert_eq!(places(&full).unwrap(), first);
        fs::remove_file(&path).unwrap();
        assert_eq!(places(&film).unwrap(), first);
        assert!(places(&full).is_err(), "what was not kept is read again");
    }
}
