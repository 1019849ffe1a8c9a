//! [`World::say`]: what is said by a word and some numbers.

use pliant_solver::nalgebra::Vector3;
use pliant_solver::{
    Body, Collide, Compliance, Continuum, Grab, Membrane, Method, Obstacle, Settings, Simulation, Stiffness,
    VolumeElasticity, Wind,
};

use super::{Last, World, no_body};

/// Whether it is a word for what is asked; or why it cannot be done.
type Known = Result<bool, String>;

impl World {
    /// Takes a word with its numbers: the question is the word, a byte of zero, and the numbers, `f64`. `pkg/core.js` has the
    /// words, `pkg/core.d.ts` what they mean and their units. The answer to `grab` is the number of the hand, `u32`.
    pub fn say(&mut self) -> bool {
        let input = std::mem::take(&mut self.input);
        let end = input.iter().position(|byte| *byte == 0).unwrap_or(input.len());
        let word = String::from_utf8_lossy(&input[..end]);
        let numbers = input.get(end + 1..).unwrap_or_default().as_chunks().0;
        let numbers: Vec<f64> = numbers.iter().map(|eight| f64::from_le_bytes(*eight)).collect();
        if let ("grab", [body, vertex, stiffness]) = (&*word, &numbers[..]) {
            return self.grab(whole(*body), whole(*vertex), *stiffness);
        }
        let done = match self.live(&word, &numbers) {
            Ok(false) => self.open().and_then(|()| self.describe(&word, &numbers)),
            done => done,
        };
        self.tell(done.and_then(|known| match known {
            true => Ok(()),
            false => Err(cannot(&word, &numbers)),
        }))
    }

    /// What is done to a world that is built.
    fn live(&mut self, word: &str, numbers: &[f64]) -> Known {
        let Some(simulation) = &mut self.simulation else { return Ok(false) };
        let done = match (word, numbers) {
            ("move", &[hand, x, y, z]) => {
                let held = held(&self.grabs, hand)?;
                simulation.move_to(held, [x, y, z])
            }
            ("release", &[hand]) => {
                let held = held(&self.grabs, hand)?;
                self.grabs[whole(hand)] = None;
                simulation.let_go(held)
            }
            ("place", &[obstacle, x, y, z, a, b, c]) => {
                let id = simulation.obstacles().nth(whole(obstacle));
                let id = id.ok_or_else(|| format!("there is no obstacle {obstacle}"))?;
                simulation.move_obstacle(id, [x, y, z], [a, b, c])
            }
            ("gravity", &[x, y, z]) => simulation.set_gravity([x, y, z]),
            ("wind", &[x, y, z]) => simulation.set_wind(Some(wind([x, y, z]))),
            ("move" | "release" | "place" | "gravity" | "wind", _) => return Err(cannot(word, numbers)),
            _ => return Ok(false),
        };
        done.map(|()| true).map_err(|error| error.to_string())
    }

    /// What is said before it is built.
    fn describe(&mut self, word: &str, numbers: &[f64]) -> Known {
        if let Some(obstacle) = obstacle(word, numbers) {
            self.obstacles.push(obstacle);
            self.last = Last::Obstacle;
            return Ok(true);
        }
        if set(&mut self.settings, word, numbers)? {
            return Ok(true);
        }
        match (&mut self.last, word, numbers) {
            (_, "build", []) => self.build(),
            (Last::Obstacle, "friction" | "restitution", &[number]) => {
                let last = self.obstacles.pop();
                let touch = if word == "friction" { Obstacle::friction } else { Obstacle::restitution };
                self.obstacles.extend(last.map(|last| touch(last, number)));
                Ok(true)
            }
            (Last::Body(collide), "collide" | "friction" | "restitution", &[number]) => {
                let now = match (word, *collide) {
                    ("collide", _) => Collide::new().with_itself(number != 0.0),
                    (_, None) => {
                        return Err(format!("{word} is of bodies that collide: say `collide` first"));
                    }
                    ("friction", Some(known)) => known.friction(number),
                    (_, Some(known)) => known.restitution(number),
                };
                *collide = Some(now);
                self.change(|body| Some(body.collide(now)))
            }
            (Last::Body(_), ..) => self.change(|body| of_body(body, word, numbers)),
            _ => Ok(false),
        }
    }

    fn build(&mut self) -> Known {
        let mut builder = Simulation::builder().settings(self.settings.clone());
        for body in &self.bodies {
            builder = builder.body(body.clone());
        }
        for obstacle in &self.obstacles {
            builder = builder.obstacle(obstacle.clone());
        }
        self.simulation = Some(builder.build().map_err(|error| error.to_string())?);
        Ok(true)
    }

    /// Takes hold of a vertex of a body by a spring.
    fn grab(&mut self, body: usize, vertex: usize, stiffness: f64) -> bool {
        let grabbed = self.built().and_then(|simulation| {
            let id = simulation.bodies().nth(body).ok_or_else(|| no_body(body))?;
            let particles = simulation.body_range(id).map_or(0..0, |range| range.particles.clone());
            let particle = particles.start.saturating_add(vertex);
            if !particles.contains(&particle) {
                return Err(format!("body {body} has no vertex {vertex}"));
            }
            simulation.grab(particle, Stiffness::new(stiffness)).map_err(|error| error.to_string())
        });
        let held = match grabbed {
            Ok(held) => held,
            Err(reason) => return self.tell(Err(reason)),
        };
        #[allow(clippy::cast_possible_truncation, reason = "nobody has as many hands")]
        let number = self.grabs.len() as u32;
        self.grabs.push(Some(held));
        self.output = number.to_le_bytes().to_vec();
        true
    }
}

fn cannot(word: &str, numbers: &[f64]) -> String {
    format!("{word} cannot be said here with {} numbers", numbers.len())
}

fn held(grabs: &[Option<Grab>], hand: f64) -> Result<Grab, String> {
    grabs.get(whole(hand)).copied().flatten().ok_or_else(|| format!("hand {hand} holds nothing"))
}

/// The number of a part. What is none becomes one that is beyond all.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "casts saturate")]
fn whole(number: f64) -> usize {
    if number >= 0.0 { number as usize } else { usize::MAX }
}

fn wind(velocity: [f64; 3]) -> Wind {
    Wind { velocity: velocity.into(), ..Wind::default() }
}

/// Changes the settings; whether it is a word for them.
fn set(settings: &mut Settings, word: &str, numbers: &[f64]) -> Known {
    let count = |number: f64| {
        let most = Settings::MOST_SUBSTEPS;
        let found = u32::try_from(whole(number))
            .ok()
            .filter(|count| (1..=most).contains(count) && number.fract() == 0.0);
        found.ok_or_else(|| format!("{word} is {number}; expected a whole number from 1 to {most}"))
    };
    match (word, numbers) {
        ("substeps", &[number]) => settings.substeps = count(number)?,
        ("iterations", &[number]) => settings.iterations = count(number)?,
        ("accuracy", &[number]) => settings.accuracy = number,
        ("damping", &[rate]) => settings.damping = rate,
        ("drag", &[rate]) => settings.drag = rate,
        ("gravity", &[x, y, z]) => settings.gravity = Vector3::new(x, y, z),
        ("wind", &[x, y, z]) => settings.wind = Some(wind([x, y, z])),
        ("sweeps", []) => settings.method = Method::Sweeps,
        ("coarse", []) => settings.method = Method::Coarse,
        ("newton", []) => settings.method = Method::Newton,
        ("auto", []) => settings.method = Method::Auto,
        _ => return Ok(false),
    }
    Ok(true)
}

fn obstacle(word: &str, numbers: &[f64]) -> Option<Obstacle> {
    let v = Vector3::new;
    Some(match (word, numbers) {
        ("floor", &[height]) => Obstacle::floor(height),
        ("plane", &[x, y, z, offset]) => Obstacle::plane(v(x, y, z), offset),
        ("sphere", &[x, y, z, radius]) => Obstacle::sphere(v(x, y, z), radius),
        ("box", &[x, y, z, a, b, c]) => Obstacle::solid_box(v(x, y, z), v(a, b, c)),
        ("container", &[x, y, z, a, b, c]) => Obstacle::container(v(x, y, z), v(a, b, c)),
        ("capsule", &[x, y, z, a, b, c, radius]) => Obstacle::capsule(v(x, y, z), v(a, b, c), radius),
        _ => return None,
    })
}

/// A body that is changed by a word, if it is one for bodies.
fn of_body(body: Body, word: &str, numbers: &[f64]) -> Option<Body> {
    Some(match (word, numbers) {
        ("density", &[density]) => body.density(density),
        ("velocity", &[x, y, z]) => body.velocity(Vector3::new(x, y, z)),
        ("radius", &[radius]) => body.contact_radius(radius),
        ("stretch", &[compliance]) => body.stretch(Compliance::new(compliance)),
        ("bend", &[compliance]) => body.bend(Compliance::new(compliance)),
        ("bendModulus", &[modulus]) => body.bend_isometric(Stiffness::new(modulus)),
        ("volume", &[compliance]) => body.volume(Compliance::new(compliance)),
        ("bulkModulus", &[modulus]) => body.volume(VolumeElasticity::BulkModulus(modulus)),
        ("membrane", &[young, poisson, thickness]) => {
            body.membrane(Membrane::isotropic(young, poisson, thickness))
        }
        ("neoHookean", &[young, poisson]) => body.continuum(Continuum::neo_hookean(young, poisson)),
        _ => return None,
    })
}
