//! A block pressed flat keeps its volume and bulges.

use pliant_mesh::{Split, TetMesh};

use super::super::check::Check;
use super::super::experiment::{Experiment, Findings, Scope};
use super::super::figure::Table;
use super::super::number::{percent, short};
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::pressed_block::Press;

pub(super) const EXPERIMENT: Experiment = Experiment {
    name: "compressed-block",
    title: "Compressed block",
    what: "
A unit cube of 4³ cells, six tetrahedra each, is pressed from 1 m to 0.8 m in a second and held for two, without gravity: compliant edges, rigid volumes, one iteration. An
independent sequential program lost the given shares of the volume; here it must be no more than twice as much. No tetrahedron may be inverted, and the
sides must bulge.
",
    measure,
};

/// Compliance of the edges, m/N, substeps, and the ratio of volumes by the independent program.
pub(super) const PUBLISHED: [(f64, u32, f64); 6] = [
    (1e-6, 10, 0.983_966_866),
    (1e-6, 40, 0.995_868_477),
    (1e-5, 10, 0.994_751_268),
    (1e-5, 40, 0.996_830_309),
    (1e-4, 10, 0.996_017_262),
    (1e-4, 40, 0.993_316_607),
];

pub(super) fn press<'a>(mesh: &'a TetMesh, edges: &'a [[u32; 2]]) -> Press<'a> {
    Press {
        mesh,
        edges,
        density: 1000.0,
        height: 0.8,
        lowering: 1.0,
        holding: 2.0,
        dt: 1.0 / 60.0,
        rate: 2.0,
    }
}

fn measure(_: Scope) -> Result<Findings, Problem> {
    let mesh = TetMesh::block([4; 3], [1.0; 3], Split::Kuhn)?;
    let edges = mesh.edges();
    let press = press(&mesh, &edges);
    let mut findings = Findings::default();
    let columns =
        ["compliance of the edges, m/N", "substeps", "volume lost", "published", "bulge of all sides, m"];
    let mut table = Table::new("Volume lost and bulge", columns);
    for (compliance, substeps, published) in PUBLISHED {
        let block = press.press(compliance, substeps, Scheme::sweeps(1))?;
        let of = |what: &str| format!("α = {compliance:e} m/N, {substeps} substeps, {what}");
        let lost = (block.volume_ratio - 1.0).abs();
        let allowed = 2.0 * (1.0 - published);
        let change =
            Check::at_most(of("change of the volume"), allowed, lost).from("independent program, twice");
        // Under so much pressure the softest block sways, and where to is decided by the last bits.
        findings.check(change.drifting(0.5));
        findings.check(
            Check::at_most(of("inverted tetrahedra"), 0.0, block.inverted as f64).from("stays a body"),
        );
        let bulge = Check::at_least(of("bulge of all sides (m)"), 0.0, block.bulge);
        findings.check(bulge.from("what is pressed evades").drifting(0.1));
        table.row([
            format!("{compliance:e}"),
            substeps.to_string(),
            percent(lost),
            percent(1.0 - published),
            short(block.bulge),
        ]);
    }
    findings.tables.push(table);
    Ok(findings)
}
