//! The table at the end of a run: what every deformer did to edges and volume.

use super::report::{DeformReport, DeformedBy};
use pliant_mesh::counted;

/// Frames in a short table.
const FEW: usize = 12;

pub(super) fn table(report: &DeformReport, all: bool) -> String {
    let count = report.frames.len();
    let times = report.frames.iter().map(|frame| frame.deform_ms);
    let mean = times.sum::<f64>() / count.max(1) as f64;
    let mut text = format!(
        "{} in {:.2} s: {mean:.2} ms per frame to deform and measure, setup {:.2} s\n\n",
        counted(count, "frame", "frames"),
        report.wall_s,
        report.setup_s
    );
    let names = report.deformers.iter().map(|name| name.chars().count());
    let width = names.max().unwrap_or(0).max("deformer".len());
    text += &format!(
        "{:>5}  {:>8}  {:width$}  {:>19}  {:>19}  {:>9}\n",
        "frame", "time, s", "deformer", "strain rms, %", "strain largest, %", "volume, %"
    );
    let step = if all { 1 } else { count.div_ceil(FEW).max(1) };
    for (i, frame) in report.frames.iter().enumerate() {
        // The last frame is always shown, because it is the end of the animation.
        if i % step != 0 && i + 1 != count {
            continue;
        }
        for (k, by) in frame.deformers.iter().enumerate() {
            let (number, time) = match k {
                0 => (frame.frame.to_string(), format!("{:.3}", frame.time)),
                _ => (String::new(), String::new()),
            };
            text += &format!("{number:>5}  {time:>8}  {:width$}  {}\n", by.name, numbers(by));
        }
    }
    if step > 1 {
        text += "(every frame: --table, and run.json)\n";
    }
    text.push('\n');
    text
}

fn numbers(by: &DeformedBy) -> String {
    let pair = |[before, after]: [f64; 2]| format!("{:8.3} → {:8.3}", 100.0 * before, 100.0 * after);
    let volume =
        by.volume_ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{:+.3}", 100.0 * (ratio - 1.0)));
    format!("{}  {}  {volume:>9}", pair(by.strain_rms), pair(by.strain_max))
}
