//! Elements whose kind is the cause: slivers, and those of a law outside its range.

use crate::observe::measure::FrameCertificate;

/// What to do about Saint Venant–Kirchhoff material.
pub(super) const NOT_MEANT: &str = "Saint Venant–Kirchhoff material is not meant for bodies that fall, \
collide or are squeezed: it gets softer under compression and does not distinguish a tetrahedron from its \
mirror image. Use neo-Hookean material: leave out model = \"stvk\".";

/// What to do about slivers in addition.
const SLIVERS: &str = "Slivers are among the last to open: `pliant mesh check` lists them, and `pliant mesh tetrahedralize` fills the surface with tetrahedra of good shape.";

fn value(frame: &FrameCertificate, name: &str) -> f64 {
    frame.get(name).map_or(0.0, |measure| measure.value)
}

/// How many tetrahedra are inside out, and how many of them are slivers.
pub(super) fn inversion(count: f64, frame: &FrameCertificate, when: &str) -> String {
    let slivers = value(frame, "inverted.slivers");
    match count {
        1.0 if slivers > 0.0 => format!("a tetrahedron, a sliver, is inside out {when}"),
        1.0 => format!("a tetrahedron is inside out {when}"),
        _ if slivers > 0.0 => format!("{count} tetrahedra, {slivers} of them slivers, are inside out {when}"),
        _ => format!("{count} tetrahedra are inside out {when}"),
    }
}

/// The remedy for tetrahedra that are inside out: another law if the law is the cause, whatever their shape;
/// besides more substeps a better mesh, if at least a third of them are slivers.
pub(super) fn cure(count: f64, frame: &FrameCertificate, more_substeps: String) -> String {
    let slivers = value(frame, "inverted.slivers");
    if value(frame, "stvk.inverted") > 0.0 {
        NOT_MEANT.to_owned()
    } else if slivers > 0.0 && 3.0 * slivers >= count {
        format!("{more_substeps} {SLIVERS}")
    } else {
        more_substeps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::measure::Measure;

    fn frame(measures: &[(&str, f64)]) -> FrameCertificate {
        let measure =
            |&(name, value): &(&str, f64)| Measure { name: name.into(), unit: "1".into(), value, at: None };
        FrameCertificate {
            frame: 1,
            time: 0.1,
            substeps: 10,
            substeps_spent: 10,
            measures: measures.iter().map(measure).collect(),
        }
    }

    #[test]
    fn slivers_are_named_and_so_is_what_helps_where_they_are_a_third_of_what_is_inside_out() {
        let of = |slivers, count| {
            let frame = frame(&[("inverted.slivers", slivers)]);
            (inversion(count, &frame, "at the end"), cure(count, &frame, "Try 40 substeps.".to_owned()))
        };
        let usual = || "Try 40 substeps.".to_owned();
        assert_eq!(of(0.0, 3.0), ("3 tetrahedra are inside out at the end".into(), usual()));
        assert_eq!(
            of(1.0, 4.0),
            ("4 tetrahedra, 1 of them slivers, are inside out at the end".into(), usual())
        );
        assert_eq!(of(1.0, 1.0).0, "a tetrahedron, a sliver, is inside out at the end");
        let (_, both) = of(2.0, 5.0);
        assert!(
            both.starts_with("Try 40 substeps. ") && both.contains("pliant mesh tetrahedralize"),
            "{both}"
        );
    }

    #[test]
    fn the_law_is_blamed_before_the_shape() {
        let frame = frame(&[("inverted.slivers", 1.0), ("stvk.inverted", 1.0)]);
        let cure = cure(1.0, &frame, String::new());
        assert!(cure.starts_with("Saint Venant–Kirchhoff material is not meant for"), "{cure}");
    }
}
