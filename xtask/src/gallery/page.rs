//! The page of the gallery.

use std::fmt::Write as _;

use serde_json::Value;

use super::Outcomes;
use super::entries::Entry;

/// Measures of a certificate that the page shows, with their units, if the run has them.
const MEASURES: [(&str, &str); 7] = [
    ("intersections", "crossings of the simulated surfaces"),
    ("visual.intersections", "crossings of the drawn surfaces"),
    ("contact.pinched", "pinched pairs"),
    ("inverted", "inverted tetrahedra"),
    ("stretch.max", "largest stretch of an edge"),
    ("stretch.p99", "stretch that 99 % of the edges keep below"),
    ("volume.max", "largest change of a volume"),
];

/// Entries with a player in the book in the place of their picture: those whose page is small, of a megabyte or so.
const PLAYED: [&str; 2] = ["pile", "elbow"];

/// The beginning of the page.
pub(super) fn head(machine: &str) -> String {
    format!(
        "# Gallery\n\n\
         `cargo xtask gallery` writes this page: it runs the commands below, draws the pictures, and copies the numbers from the\n\
         reports of the runs. Times are of one machine ({machine}), which may have had other work; numbers of certificates are the largest of all frames,\n\
         and are [explained](guide/certificate.md). Where a mesh is not part of this\n\
         repository, the page says so; all other scenes need only their own file.\n"
    )
}

/// The heading of an entry.
fn heading(entry: &Entry) -> String {
    format!("\n## {}\n", entry.title)
}

/// The section of an entry on a page that was written before.
pub(super) fn section<'a>(page: &'a str, entry: &Entry) -> Option<&'a str> {
    let start = page.find(&heading(entry))?;
    let length = page[start + 1..].find("\n## ").map_or(page.len() - start, |next| next + 1);
    Some(&page[start..start + length])
}

/// The section of an entry.
pub(super) fn written(entry: &Entry, outcomes: &Outcomes) -> String {
    let mut text = heading(entry);
    let _ = write!(text, "\n{}\n\n", entry.words);
    if PLAYED.contains(&entry.name) {
        let _ = writeln!(text, "<!-- live: {}.html -->", entry.name);
    }
    let _ = write!(text, "![{}](pictures/gallery/{})\n\n", entry.shows, entry.picture());
    text += "```sh\n";
    for command in entry.commands() {
        let _ = writeln!(text, "pliant {}", command.join(" "));
    }
    text += "```\n\n| | |\n|---|---|\n";
    let path = entry.path();
    let scene = match path.strip_prefix("docs/src/") {
        Some(beside) => format!("[`{path}`]({beside})"),
        None => format!("`{path}`"),
    };
    let _ = writeln!(text, "| scene | {scene} |");
    for name in entry.needs {
        let name = name.rsplit('/').next().unwrap_or(name);
        let _ = writeln!(text, "| needs | `{name}`, beside the scene |");
    }
    for (name, value) in rows(outcomes) {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    text
}

fn rows(Outcomes { report, certificate }: &Outcomes) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let number = |at: &str| report.pointer(at).and_then(Value::as_f64);
    if let Some(bodies) = report["bodies"].as_array() {
        let sum = |key: &str| bodies.iter().filter_map(|body| body[key].as_u64()).sum::<u64>();
        // A stack has triangles.
        let elements = sum("elements") + sum("triangles");
        let mut what = format!("{} vertices, {elements} elements", sum("vertices"));
        if sum("visual_vertices") > 0 {
            let _ = write!(what, ", drawn with {} vertices", sum("visual_vertices"));
        }
        rows.push(("bodies".to_owned(), what));
    }
    let of_stack = report["frames"].as_array().map(|frames| frames.len() as f64);
    let frames = number("/summary/frames").or(of_stack);
    if let (Some(frames), Some(wall)) = (frames, number("/summary/wall_s").or_else(|| number("/wall_s"))) {
        let mut what = format!("{frames} frames in {wall:.1} s");
        if let Some(ms) = number("/summary/ms_per_frame") {
            let _ = write!(what, ", {ms:.1} ms to solve one (median)");
        }
        rows.push(("time".to_owned(), what));
    }
    let Some(certificate) = certificate else { return rows };
    if let Some(grade) = certificate["verdict"]["grade"].as_str() {
        rows.push(("verdict".to_owned(), grade.to_owned()));
    }
    let required: Vec<String> = certificate["requirements"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|verdict| Some(format!("`{}`", verdict["requirement"].as_str()?)))
        .collect();
    if !required.is_empty() {
        let met = if certificate["met"] == true { "met" } else { "not met" };
        rows.push(("required".to_owned(), format!("{}: {met}", required.join(", "))));
    }
    let worst = |name: &str| certificate["worst"][name]["value"].as_f64();
    for (name, what) in MEASURES {
        if let Some(value) = worst(name) {
            let is_share = name.starts_with("stretch") || name.starts_with("volume");
            let value = if is_share { format!("{:.1} %", 100.0 * value) } else { format!("{value}") };
            rows.push((what.to_owned(), value));
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::entries::ENTRIES;
    use super::*;

    fn outcomes() -> Outcomes {
        let report = r#"{"bodies": [{"vertices": 12, "elements": 20, "visual_vertices": 300}, {"vertices": 3, "elements": 1}],
            "summary": {"frames": 40, "wall_s": 2.04, "ms_per_frame": 31.26}}"#;
        let certificate = r#"{"verdict": {"grade": "good"}, "met": true, "requirements": [{"requirement": "intersections<=0"}],
            "worst": {"intersections": {"value": 0}, "stretch.max": {"value": 0.0234}}}"#;
        let read = |text: &str| serde_json::from_str(text).unwrap();
        Outcomes { report: read(report), certificate: Some(read(certificate)) }
    }

    #[test]
    fn a_section_has_the_commands_and_the_numbers() {
        let text = written(&ENTRIES[0], &outcomes());
        for part in [
            "\n## A tunic that dances\n",
            "pliant new garment\npliant run garment.toml -o garment\npliant render garment -o garment.gif",
            "| bodies | 15 vertices, 21 elements, drawn with 300 vertices |",
            "| time | 40 frames in 2.0 s, 31.3 ms to solve one (median) |",
            "| verdict | good |",
            "| required | `intersections<=0`: met |",
            "| crossings of the simulated surfaces | 0 |",
            "| largest stretch of an edge | 2.3 % |",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains("volume") && !text.contains("<!--"), "{text}");
        let pile = ENTRIES.iter().find(|entry| entry.name == "pile").unwrap();
        let picture = format!("<!-- live: pile.html -->\n![{}](pictures/gallery/pile.gif)\n", pile.shows);
        assert!(written(pile, &outcomes()).contains(&picture));
    }

    #[test]
    fn sections_that_are_not_made_anew_are_kept() {
        let page: String =
            head("M, 2 cores") + &ENTRIES.iter().map(|entry| written(entry, &outcomes())).collect::<String>();
        for entry in &ENTRIES {
            assert_eq!(section(&page, entry), Some(written(entry, &outcomes()).as_str()));
        }
        assert_eq!(section("# Gallery\n", &ENTRIES[0]), None);
    }
}
