//! The short table at the end of a run.

use pliant_mesh::counted;
use pliant_run::report::Report;
use pliant_solver::FrameReport;

use crate::verdicts::with_unit;

/// Times, then every measure at the end of the run and at its largest.
pub(super) fn table(report: &Report, last: &FrameReport) -> String {
    let s = &report.summary;
    let mut text = format!(
        "{}, {:.3} s simulated in {:.2} s: {:.2} ms per frame ({:.0} frames/s), setup {:.2} s, writing {:.2} s\n\n",
        counted(s.frames, "frame", "frames"),
        s.simulated_s,
        s.wall_s,
        s.ms_per_frame,
        1e3 / s.ms_per_frame.max(1e-6),
        s.setup_s,
        s.write_s
    );
    let mut rows = Vec::new();
    if let (Some(stretch), Some(max), Some(mean)) = (&last.stretch, s.max_stretch, s.max_mean_stretch) {
        rows.push(["stretch, largest".to_owned(), percent(stretch.max.value), percent(max)]);
        rows.push(["stretch, mean".to_owned(), percent(stretch.mean), percent(mean)]);
    }
    if let (Some(volume), Some(max), Some(inverted)) = (&last.volume, s.max_volume_error, s.max_inverted) {
        rows.push(["volume error, largest".to_owned(), percent(volume.max.value), percent(max)]);
        rows.push(["inverted tetrahedra".to_owned(), volume.inverted.to_string(), inverted.to_string()]);
    }
    for residual in &last.residuals {
        let worst = s.max_residuals.get(&residual.name).copied().unwrap_or_default();
        let value = |value: f64| with_unit(format!("{value:.2e}"), &residual.unit);
        rows.push([format!("residual of {}", residual.name), value(residual.max.value), value(worst)]);
    }
    for seam in &last.seams {
        let known = report.frames.iter().flat_map(|frame| &frame.report.seams);
        let worst = known.filter(|other| other.name == seam.name).map(|other| other.max.value);
        rows.push([
            format!("{} is open, largest", seam.name),
            format!("{:.2e} m", seam.max.value),
            format!("{:.2e} m", worst.fold(seam.max.value, f64::max)),
        ]);
    }
    let length = |v: [f64; 3]| v.iter().map(|c| c * c).sum::<f64>().sqrt();
    let largest =
        |of: fn(&FrameReport) -> f64| report.frames.iter().map(|frame| of(&frame.report)).fold(0.0, f64::max);
    rows.push([
        "linear momentum".to_owned(),
        format!("{:.3e} kg·m/s", length(s.linear_momentum)),
        format!("{:.3e} kg·m/s", largest(|frame| frame.linear_momentum.norm())),
    ]);
    rows.push([
        "angular momentum".to_owned(),
        format!("{:.3e} kg·m²/s", length(s.angular_momentum)),
        format!("{:.3e} kg·m²/s", largest(|frame| frame.angular_momentum.norm())),
    ]);
    text += &align(&rows, ["", "at the end", "largest"]);
    text + &format!("\nstate {}\n\n", s.state_hash)
}

fn percent(share: f64) -> String {
    format!("{:.3} %", 100.0 * share)
}

/// Columns as wide as their widest cell, the first to the left and the others to the right.
fn align(rows: &[[String; 3]], heading: [&str; 3]) -> String {
    let heading = heading.map(str::to_owned);
    let width = |k: usize| rows.iter().chain([&heading]).map(|row| row[k].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2));
    std::iter::once(&heading).chain(rows).map(|[x, y, z]| format!("{x:a$}  {y:>b$}  {z:>c$}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn columns_are_aligned() {
        let rows = [
            ["a".to_owned(), "1 m²".to_owned(), "22".to_owned()],
            ["long".to_owned(), "1".to_owned(), "2".to_owned()],
        ];
        assert_eq!(align(&rows, ["", "b", "c"]), "         b   c\na     1 m²  22\nlong     1   2\n");
    }
}
