//! Weights that reproduce affine functions of the rest coordinates.

use super::distance::squared_distance;

/// Weights beyond this are too large: linear precision is given up.
const LARGEST: f64 = 2.5;

/// Corrects the weights of a node at `x` so that the weighted mean of the centres is `x`, as far as the centres span
/// space; they sum to 1 in any case. Of all such weights it takes those with the least relative change.
pub(super) fn make_affine(x: &[f64; 3], centres: &[[f64; 3]], weights: &mut [(u32, f64)]) {
    let reach =
        weights.iter().map(|w| squared_distance(x, &centres[w.0 as usize])).fold(0.0, f64::max).sqrt();
    if reach == 0.0 {
        return;
    }
    let row = |centre: u32| {
        let offset = [0, 1, 2].map(|k| (centres[centre as usize][k] - x[k]) / reach);
        [1.0, offset[0], offset[1], offset[2]]
    };
    for give in [1e-4, 1e-1] {
        let mut system = [[0.0; 5]; 4];
        for &(centre, weight) in weights.iter() {
            let b = row(centre);
            for i in 0..4 {
                for j in 0..4 {
                    system[i][j] += weight * b[i] * b[j];
                }
                system[i][4] -= weight * b[i];
            }
        }
        system[0][4] += 1.0;
        (1..4).for_each(|k| system[k][k] += give);
        let factors = solve(system);
        let corrected: Vec<f64> = weights
            .iter()
            .map(|&(centre, weight)| {
                let b = row(centre);
                weight * (1.0 + (0..4).map(|k| factors[k] * b[k]).sum::<f64>())
            })
            .collect();
        let sum: f64 = corrected.iter().sum();
        if sum > 0.5 && corrected.iter().all(|value| (value / sum).abs() < LARGEST) {
            weights.iter_mut().zip(corrected).for_each(|(w, value)| w.1 = value / sum);
            return;
        }
    }
}

/// Gauss–Jordan elimination of a positive definite system.
fn solve(mut system: [[f64; 5]; 4]) -> [f64; 4] {
    for row in 0..4 {
        let factor = system[row][row].recip();
        system[row].iter_mut().for_each(|value| *value *= factor);
        let of = system[row];
        for other in (0..4).filter(|&other| other != row) {
            let times = system[other][row];
            (0..5).for_each(|k| system[other][k] -= times * of[k]);
        }
    }
    [0, 1, 2, 3].map(|k| system[k][4])
}
