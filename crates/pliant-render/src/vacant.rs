//! Finds the place where the legend of a plot hides least.

/// Space between a legend and the frame of the plot, pixels.
const GAP: f64 = 6.0;

/// Pixels between the sampled points of a curve.
const STEP: f64 = 3.0;

/// Places for a legend, in the order of preference if several are equally good: shares of the free space,
/// from the left and from the top.
const PLACES: [[f64; 2]; 11] = [
    [1.0, 0.5],
    [1.0, 0.0],
    [1.0, 1.0],
    [1.0, 0.25],
    [1.0, 0.75],
    [0.0, 0.0],
    [0.0, 1.0],
    [0.0, 0.5],
    [0.5, 0.0],
    [0.5, 1.0],
    [0.5, 0.5],
];

/// The upper left corner of a legend so many pixels wide and high, in an area of that width and height, where
/// it covers least of the curves. Their points are pixels of the area.
pub(crate) fn place(legend: [f64; 2], area: [f64; 2], curves: &[Vec<[f64; 2]>]) -> [f64; 2] {
    let corner = |shares: [f64; 2]| {
        let free = |k: usize| (area[k] - legend[k] - 2.0 * GAP).max(0.0);
        [GAP + shares[0] * free(0), GAP + shares[1] * free(1)]
    };
    let covered = |at: [f64; 2]| {
        let inside = |p: [f64; 2]| (0..2).all(|k| p[k] > at[k] - GAP && p[k] < at[k] + legend[k] + GAP);
        curves.iter().flat_map(|curve| looks(curve)).filter(|&p| inside(p)).count()
    };
    // The first of equal ones.
    PLACES.map(corner).into_iter().min_by_key(|&at| covered(at)).unwrap_or_default()
}

/// Points along a curve, close to each other.
fn looks(curve: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let between = curve.windows(2).flat_map(|ends| {
        let [from, to] = [ends[0], ends[1]];
        let length = (to[0] - from[0]).hypot(to[1] - from[1]).min(1e5);
        let steps = (length / STEP).ceil().max(1.0);
        (0..steps as u32).map(move |i| {
            let share = f64::from(i) / steps;
            [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
        })
    });
    between.chain(curve.last().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_where_no_curve_is() {
        let (legend, area) = ([100.0, 50.0], [400.0, 300.0]);
        assert_eq!(place(legend, area, &[]), [294.0, 125.0], "at the right, in the middle");
        let level = |y: f64| vec![[0.0, y], [400.0, y]];
        assert_eq!(place(legend, area, &[level(150.0)]), [294.0, GAP]);
        assert_eq!(place(legend, area, &[level(150.0), level(20.0)]), [294.0, 244.0]);
        // A peak between two points counts too.
        let peak = vec![[330.0, 290.0], [340.0, 0.0], [350.0, 290.0], [399.0, 290.0]];
        assert_eq!(place(legend, area, &[peak]), [GAP, GAP]);
        // A legend larger than the plot is somewhere.
        assert_eq!(place([900.0, 900.0], area, &[level(150.0)]), [GAP, GAP]);
    }
}
