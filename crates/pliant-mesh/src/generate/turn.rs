//! Places along a length and around a circle.

/// Coordinate `i` of `n` equal parts of a length that is centred on zero; exact at both ends.
pub(super) fn centred(i: usize, n: usize, length: f64) -> f64 {
    (i as f64 / n as f64 - 0.5) * length
}

/// Cosine and sine of `part / parts` of a turn.
pub(super) fn turn(part: usize, parts: usize) -> [f64; 2] {
    // Whole quarters are taken off as integers: quarter turns are exact, and a ring of 4 n parts has four
    // equal quarters.
    let quarters = 4 * part / parts;
    let rest = (4 * part - quarters * parts) as f64 / (4 * parts) as f64;
    let angle = std::f64::consts::TAU * rest;
    let (c, s) = (libm::cos(angle), libm::sin(angle));
    match quarters % 4 {
        0 => [c, s],
        1 => [-s, c],
        2 => [-c, -s],
        _ => [s, -c],
    }
}
