//! [`World`]: a simulation that is made of arrays and numbers instead of the text of a scene.

mod words;

use pliant_mesh::{TetMesh, TriMesh};
use pliant_solver::nalgebra::Vector3;
use pliant_solver::{Body, BodyId, Collide, Grab, LiveError, Obstacle, Settings, Simulation};

/// One simulation, with the bytes of the last question and the last answer. Bodies and obstacles are described one after
/// the other, then it is [built](Self::say), and then stepped.
///
/// Calls return whether they could; if not, the answer is a sentence that says why. Numbers are little-endian.
#[derive(Default)]
pub struct World {
    /// Bytes of the question.
    pub input: Vec<u8>,
    /// Bytes of the answer.
    pub output: Vec<u8>,
    settings: Settings,
    bodies: Vec<Body>,
    obstacles: Vec<Obstacle>,
    /// What numbers are about that belong to a body or to an obstacle.
    last: Last,
    simulation: Option<Simulation<f32>>,
    /// By the number of their hand; `None` once they have let go.
    grabs: Vec<Option<Grab>>,
}

/// What was described last.
#[derive(Default)]
enum Last {
    #[default]
    Nothing,
    /// With how its surface collides, if it does.
    Body(Option<Collide>),
    Obstacle,
}

impl World {
    /// Begins a piece of cloth. The question is its positions, m, three `f32` for each of so many vertices, and the vertices of its
    /// triangles, `u32`.
    pub fn cloth(&mut self, vertices: usize) -> bool {
        self.body(|input| {
            let (positions, triangles) = arrays::<3>(input, vertices)?;
            let mesh = TriMesh::new(positions, triangles).map_err(|error| error.to_string())?;
            Ok(Body::cloth(mesh))
        })
    }

    /// The same for a solid and its tetrahedra.
    pub fn solid(&mut self, vertices: usize) -> bool {
        self.body(|input| {
            let (positions, tetrahedra) = arrays::<4>(input, vertices)?;
            let mesh = TetMesh::new(positions, tetrahedra).map_err(|error| error.to_string())?;
            Ok(Body::solid(mesh))
        })
    }

    fn body(&mut self, make: impl FnOnce(&[u8]) -> Result<Body, String>) -> bool {
        let made = self.open().and_then(|()| make(&self.input));
        let done = made.map(|body| {
            let name = format!("body {}", self.bodies.len());
            self.bodies.push(body.name(name));
            self.last = Last::Body(None);
        });
        self.tell(done)
    }

    /// Holds vertices of the last body where they are. The question is their numbers, `u32`.
    pub fn pin(&mut self) -> bool {
        let vertices: Vec<u32> =
            self.input.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
        let done = self.open().and_then(|()| match self.last {
            Last::Body(_) => self.change(|body| Some(body.pin_vertices(vertices))),
            _ => Err("only vertices of a body are pinned: describe one first".to_owned()),
        });
        self.tell(done.map(|_| ()))
    }

    /// Takes some frames of `dt`, s.
    pub fn advance(&mut self, frames: u32, dt: f64) -> bool {
        let done = self.built().and_then(|simulation| {
            (0..frames).try_for_each(|_| simulation.advance(dt)).map_err(|error| error.to_string())
        });
        self.tell(done)
    }

    /// Answers with the positions of a body, m, three `f32` for each vertex.
    pub fn positions(&mut self, body: usize) -> bool {
        self.each(body, |simulation, id, into| simulation.copy_positions(id, into))
    }

    /// Answers with the velocities of a body, m/s, three `f32` for each vertex.
    pub fn velocities(&mut self, body: usize) -> bool {
        self.each(body, |simulation, id, into| simulation.copy_velocities(id, into))
    }

    fn each(
        &mut self,
        body: usize,
        copy: impl FnOnce(&Simulation<f32>, BodyId, &mut [[f32; 3]]) -> Result<(), LiveError>,
    ) -> bool {
        let numbers = self.built().and_then(|simulation| {
            let id = simulation.bodies().nth(body).ok_or_else(|| no_body(body))?;
            let length = simulation.body_range(id).map_or(0, |range| range.particles.len());
            let mut numbers = vec![[0.0_f32; 3]; length];
            copy(simulation, id, &mut numbers).map_err(|error| error.to_string())?;
            Ok(numbers)
        });
        match numbers {
            Ok(numbers) => {
                self.output.clear();
                self.output.extend(numbers.iter().flatten().flat_map(|number| number.to_le_bytes()));
                true
            }
            Err(reason) => self.tell(Err(reason)),
        }
    }

    /// The hash of the present state, that of native code; 0 before it is built.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.simulation.as_ref().map_or(0, |simulation| simulation.state_hash())
    }

    /// Fails once it is built.
    fn open(&self) -> Result<(), String> {
        match self.simulation {
            Some(_) => Err("the world is built already: load the module again for another".to_owned()),
            None => Ok(()),
        }
    }

    fn built(&mut self) -> Result<&mut Simulation<f32>, String> {
        self.simulation.as_mut().ok_or_else(|| "the world is not built yet: call `build` first".to_owned())
    }

    /// Changes the last body; whether it was changed.
    #[allow(clippy::unnecessary_wraps, reason = "as what else may be said")]
    fn change(&mut self, change: impl FnOnce(Body) -> Option<Body>) -> Result<bool, String> {
        let Some(body) = self.bodies.last_mut() else { return Ok(false) };
        let Some(changed) = change(body.clone()) else { return Ok(false) };
        *body = changed;
        Ok(true)
    }

    fn tell(&mut self, done: Result<(), String>) -> bool {
        self.output.clear();
        match done {
            Ok(()) => true,
            Err(reason) => {
                self.output.extend(reason.into_bytes());
                false
            }
        }
    }
}

fn no_body(number: usize) -> String {
    format!("there is no body {number}")
}

/// Positions of so many vertices, and the elements after them.
#[allow(clippy::type_complexity, reason = "the two arrays of a mesh")]
fn arrays<const N: usize>(
    input: &[u8],
    vertices: usize,
) -> Result<(Vec<Vector3<f64>>, Vec<[u32; N]>), String> {
    let split = vertices.checked_mul(12).and_then(|bytes| input.split_at_checked(bytes));
    let (positions, elements) =
        split.ok_or_else(|| format!("{vertices} vertices need three numbers each; the list is shorter"))?;
    let positions = positions.as_chunks::<12>().0.iter();
    let positions = positions.map(|three| {
        let [x, y, z] = [0, 4, 8].map(|at| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| three[at + k]);
            f64::from(f32::from_le_bytes([a, b, c, d]))
        });
        Vector3::new(x, y, z)
    });
    let numbers: Vec<u32> = elements.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect();
    let (elements, left) = numbers.as_chunks::<N>();
    if !left.is_empty() {
        return Err(format!("{} vertices of elements are no multiple of {N}", numbers.len()));
    }
    Ok((positions.collect(), elements.to_vec()))
}
