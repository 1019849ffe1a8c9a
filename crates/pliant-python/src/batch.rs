//! Many small simulations side by side, each on one thread at a time.
//!
//! A simulation of a few hundred particles is too small for several threads to share its frames. Many of them
//! are not: every task steps one simulation, so the threads meet only at the end of a stretch of frames. The
//! bits of a simulation do not depend on the number of threads, so that each has those that it has alone.

use std::time::{Duration, Instant};

use numpy::{PyArray4, PyArrayMethods, PyUntypedArrayMethods};
use pliant_solver::StepError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::error;
use crate::pool::Pool;
use crate::simulation::{PySimulation, Stepped, World, each};

/// How long Ctrl-C may wait.
const STRETCH: Duration = Duration::from_millis(100);

/// Steps all simulations by so many frames of `dt` seconds, and copies the positions after every `every`-th
/// into `out`, which has the shape (simulations, frames / every, particles, 3). Between two stretches of
/// frames Ctrl-C is heard. A simulation that fails stops; the others continue to the end of the stretch.
#[pyfunction]
#[pyo3(signature = (simulations, dt, frames, every, threads, out))]
pub(crate) fn advance(
    py: Python<'_>,
    simulations: Vec<Bound<'_, PySimulation>>,
    dt: f64,
    frames: usize,
    every: usize,
    threads: Option<usize>,
    out: Option<&Bound<'_, PyArray4<f32>>>,
) -> PyResult<()> {
    let pool = Pool::of(py, threads)?;
    let mut guards = Vec::with_capacity(simulations.len());
    for (number, simulation) in simulations.iter().enumerate() {
        let guard = simulation.get().lock(py).map_err(|error| {
            PyValueError::new_err(format!("world {number} is in the batch twice, or busy elsewhere: {error}"))
        })?;
        guards.push(guard);
    }
    let worlds: Vec<&mut World> = guards.iter_mut().map(|guard: &mut Stepped<'_>| &mut **guard).collect();
    let saved = frames / every.max(1);
    let mut array = out.map(PyArrayMethods::readwrite);
    let width = match (&array, worlds.first()) {
        (Some(array), Some(_)) => {
            let shape = array.shape();
            let particles = shape[2];
            if shape != [worlds.len(), saved, particles, 3] {
                return Err(PyValueError::new_err(format!("out has the shape {shape:?}")));
            }
            saved * particles * 3
        }
        _ => 0,
    };
    let slice: &mut [f32] = match &mut array {
        Some(array) => array.as_slice_mut().map_err(|_| PyValueError::new_err("out is not contiguous"))?,
        None => &mut [],
    };
    let mut places: Vec<&mut [f32]> = if width > 0 {
        slice.chunks_exact_mut(width).collect()
    } else {
        worlds.iter().map(|_| Default::default()).collect()
    };
    let mut jobs: Vec<(&mut World, &mut [f32], Option<StepError>)> =
        worlds.into_iter().zip(places.drain(..)).map(|(world, place)| (world, place, None)).collect();

    let (mut done, mut stretch) = (0, 1);
    while done < frames {
        let to = frames.min(done + stretch);
        let begun = Instant::now();
        pool.run(py, || {
            jobs.par_iter_mut().with_max_len(1).for_each(|(world, place, failed)| {
                *failed = (done..to).find_map(|frame| {
                    world.advance(dt).err().or_else(|| {
                        let number = frame + 1;
                        if number.is_multiple_of(every) && !place.is_empty() {
                            copy(world, place, number / every - 1);
                        }
                        None
                    })
                });
            });
        });
        if let Some((number, error)) =
            jobs.iter().enumerate().find_map(|(number, (_, _, failed))| Some((number, failed.as_ref()?)))
        {
            return Err(error::step(py, error, Some(number)));
        }
        py.check_signals()?;
        done = to;
        let frame = begun.elapsed().as_secs_f64() / stretch as f64;
        stretch = ((STRETCH.as_secs_f64() / frame.max(1e-9)) as usize).clamp(1, 1 << 20);
    }
    Ok(())
}

/// Copies the positions to their place among the saved frames.
fn copy(world: &World, place: &mut [f32], saved: usize) {
    let rows: &mut [[f32; 3]] = place.as_chunks_mut().0;
    each!(&world.any, simulation => {
        let particles = simulation.len();
        let into = &mut rows[saved * particles..][..particles];
        simulation.copy_positions(0..particles, into).expect("as many rows as particles");
    });
}
