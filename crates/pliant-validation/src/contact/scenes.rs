//! The four scenes of contact, to the vertex.
//!
//! | scene | what |
//! |---|---|
//! | S1 | a sheet of 1 m, 100 × 100 squares, 0.2 kg/m², falls from 1 m on a ball of 0.25 m that stands on a floor |
//! | S2 | the same sheet upright, no gravity, two sides held and turned against each other about x at 180°/s; 1 kN/m |
//! | S3 | ten sheets of 0.4 m, 40 × 40 squares, each turned by 0.1222 rad, fall on a floor and each other from 0.1 m on |
//! | S4 | fifty cubes of 0.1 m, 4 × 4 × 4 cells of five tetrahedra, 1000 kg/m³, fall into a box of 0.5 m |
//!
//! Thickness 3 mm, friction 0.3, 60 frames a second, 20 substeps of one iteration.

use nalgebra::Vector3;
use pliant_mesh::{Split, TetMesh, TriMesh};
use pliant_solver::{
    Body, Collide, Compliance, Motion, Obstacle, Pin, PinchResponse, Settings, Simulation, SimulationBuilder,
};

/// Which scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Which {
    /// A sheet on a ball.
    S1,
    /// A sheet that is twisted.
    S2,
    /// A stack of sheets.
    S3,
    /// Cubes in a box.
    S4,
}

/// The options of a scene.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    /// Squares along a side of a sheet.
    pub(crate) cells: Option<usize>,
    /// Vertices are moved by up to 0.1 mm, drawn by this seed.
    pub(crate) seed: u64,
    /// Whether surfaces collide.
    pub(crate) collide: bool,
    pub(crate) substeps: u32,
    /// Full turns of a twist, at the same speed.
    pub(crate) turns: u32,
    /// Whether frames are stepped again with more substeps where something is pinched.
    pub(crate) divide: bool,
    pub(crate) certificate: bool,
    /// Where the sheet of S1 starts, m, if not flat in the air.
    pub(crate) start: Option<Vec<Vector3<f64>>>,
}

const THICKNESS: f64 = 0.003;
const FRICTION: f64 = 0.3;
const JITTER: f64 = 1e-4;

impl Which {
    /// Number of frames.
    pub(crate) fn frames(self, change: &Change) -> u64 {
        match self {
            Self::S1 | Self::S4 => 180,
            Self::S2 => 60 * u64::from(change.turns),
            Self::S3 => 120,
        }
    }

    /// The scene.
    pub(crate) fn build(self, change: &Change) -> Result<SimulationBuilder, Box<dyn std::error::Error>> {
        let settings = Settings {
            substeps: change.substeps,
            iterations: 1,
            certificate: change.certificate,
            pinch: if change.divide { PinchResponse::Substep } else { PinchResponse::Report },
            ..Settings::default()
        };
        let mut dice = Dice(change.seed.wrapping_mul(2).wrapping_add(1));
        let mut scene = Simulation::builder().settings(settings);
        let collide = |body: Body| {
            let body = body.contact_radius(0.5 * THICKNESS);
            if change.collide { body.collide(Collide::new().friction(FRICTION)) } else { body }
        };
        match self {
            Self::S1 => {
                let mesh = sheet(change.cells.unwrap_or(100), 1.0, Vector3::new(0.0, 1.0, 0.0), 0.0, false);
                let mut sheet = cloth(dice.jitter(mesh)?, 0.0);
                if let Some(start) = &change.start {
                    sheet = sheet.start(start.clone());
                }
                scene = scene
                    .body(collide(sheet))
                    .obstacle(Obstacle::floor(0.0).friction(FRICTION))
                    .obstacle(Obstacle::sphere(Vector3::new(0.0, 0.25, 0.0), 0.25).friction(FRICTION));
            }
            Self::S2 => {
                let cells = change.cells.unwrap_or(100);
                let mesh = sheet(cells, 1.0, Vector3::zeros(), 0.0, true);
                let column = |of: u32| (0..=cells as u32).map(move |j| j * (cells as u32 + 1) + of);
                let turn = |sign: f64| Motion::Velocity {
                    linear: Vector3::zeros(),
                    angular: Vector3::new(sign * std::f64::consts::PI, 0.0, 0.0),
                    pivot: Vector3::zeros(),
                };
                scene = scene.gravity(Vector3::zeros()).body(
                    collide(cloth(dice.jitter(mesh)?, 1e-3))
                        .pin_with(Pin::vertices(column(0)).motion(turn(1.0)))
                        .pin_with(Pin::vertices(column(cells as u32)).motion(turn(-1.0))),
                );
            }
            Self::S3 => {
                scene = scene.obstacle(Obstacle::floor(0.0).friction(FRICTION));
                for k in 0..10 {
                    let k = f64::from(k);
                    let at = Vector3::new(0.0, 0.1 + 0.01 * k, 0.0);
                    let mesh = sheet(change.cells.unwrap_or(40), 0.4, at, 0.1222 * k, false);
                    scene = scene.body(collide(cloth(dice.jitter(mesh)?, 0.0)));
                }
            }
            Self::S4 => {
                let (low, high) = (Vector3::new(-0.25, 0.0, -0.25), Vector3::new(0.25, 10.0, 0.25));
                scene = scene.obstacle(Obstacle::container(low, high).friction(FRICTION));
                for cube in 0..50_u32 {
                    let (a, layer) = (cube % 9, f64::from(cube / 9));
                    // The lowest corner of the cube.
                    let corner = Vector3::new(
                        -0.19 + 0.14 * f64::from(a % 3) + 0.013 * layer,
                        0.02 + 0.13 * layer,
                        -0.19 + 0.14 * f64::from(a / 3) - 0.011 * layer,
                    );
                    let mesh = TetMesh::block([4, 4, 4], [0.1; 3], Split::Five)?;
                    let least = mesh.positions().iter().fold(mesh.positions()[0], |least, x| least.inf(x));
                    let to = corner - least;
                    let moved = mesh.positions().iter().map(|x| x + to + dice.vector()).collect();
                    let mesh = TetMesh::new(moved, mesh.tets().to_vec())?;
                    scene =
                        scene.body(collide(Body::solid(mesh).density(1000.0).stretch(Compliance::new(1e-5))));
                }
            }
        }
        Ok(scene)
    }
}

fn cloth(mesh: TriMesh, compliance: f64) -> Body {
    Body::cloth(mesh)
        .area_density(0.2)
        .stretch(Compliance::new(compliance))
        .bend_by_distance(Compliance::new(1e-4))
}

/// A sheet of squares whose diagonals alternate, row by row.
fn sheet(
    cells: usize,
    side: f64,
    origin: Vector3<f64>,
    turn: f64,
    upright: bool,
) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let m = cells + 1;
    let (s, c) = turn.sin_cos();
    let along = |i: usize| i as f64 * (side / cells as f64) - 0.5 * side;
    let mut x = Vec::with_capacity(m * m);
    for j in 0..m {
        for i in 0..m {
            let (a, d) = (along(i), along(j));
            let at = if upright {
                Vector3::new(a, d, 0.0)
            } else {
                Vector3::new(c * a - s * d, 0.0, s * a + c * d)
            };
            x.push(origin + at);
        }
    }
    let mut triangles = Vec::with_capacity(2 * cells * cells);
    for j in 0..cells {
        for i in 0..cells {
            let [p, q, r, t] =
                [j * m + i, j * m + i + 1, (j + 1) * m + i + 1, (j + 1) * m + i].map(|v| v as u32);
            triangles.extend(if (i + j) & 1 == 1 { [[p, q, r], [p, r, t]] } else { [[p, q, t], [q, r, t]] });
        }
    }
    (x, triangles)
}

/// Pseudorandom numbers.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    }

    fn vector(&mut self) -> Vector3<f64> {
        Vector3::from_fn(|_, _| self.number() * JITTER)
    }

    fn jitter(
        &mut self,
        (x, triangles): (Vec<Vector3<f64>>, Vec<[u32; 3]>),
    ) -> Result<TriMesh, pliant_mesh::MeshError> {
        TriMesh::new(x.into_iter().map(|x| x + self.vector()).collect(), triangles)
    }
}
