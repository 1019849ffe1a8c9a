//! What hangs, bends and is pressed.

use pliant_mesh::{Split, TetMesh};
use pliant_solver::{Method, Settings};

use super::super::super::check::Check;
use super::super::super::experiment::{Findings, Scope};
use super::super::super::figure::Table;
use super::super::super::number::{percent, short};
use super::super::{cantilever, chain, compressed_block, invariance, twist};
use crate::problem::Problem;
use crate::scenes::Scheme;
use crate::scenes::beam::Settling;

pub(super) fn measure(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    hang(findings)?;
    bend(scope, findings)?;
    stretch(findings)?;
    if scope.is_full() {
        press(findings)?;
        wind(findings)?;
    }
    Ok(())
}

fn hang(findings: &mut Findings) -> Result<(), Problem> {
    let chain = chain::CHAIN;
    for (method, rates) in [(Method::Newton, &[60.0, 240.0, 960.0][..]), (Method::Auto, &[60.0])] {
        for rate in rates {
            let hung = chain.hang(1.0 / rate, Scheme::by(method, 1e-6), 2.0, 20.0)?;
            let end = hung.heights.last().map_or(f64::NAN, |height| -height);
            let error = (end - f64::from(chain.links) * chain.spacing) / chain.extension() - 1.0;
            let name = format!("chain, {}, h = 1/{rate} s, relative error of the extension", method.name());
            findings.check(Check::near(name, 0.0, error, 1e-3).from("Hooke's law, within 0.1 %"));
        }
    }
    Ok(())
}

fn bend(scope: Scope, findings: &mut Findings) -> Result<(), Problem> {
    let (beam, expected) = (cantilever::beam(2)?, cantilever::PUBLISHED[0]);
    let columns = ["method", "substeps", "deflection, m", "error"];
    let mut table = Table::new("The cantilever of 10 × 2 × 2 cells", columns);
    let newton = Scheme::by(Method::Newton, 1e-2);
    let rows =
        [(newton, 2_u32), (newton, 10), (newton, 40), (Scheme::sweeps(1), 160), (Scheme::sweeps(1), 320)];
    for &(scheme, substeps) in scope.pick(&rows[..1], &rows) {
        let settled = beam.settle(&Settling { substeps, scheme, steady: true, ..Settling::default() })?;
        let error = settled.deflection / expected - 1.0;
        let method = scheme.method.name();
        if scheme.method == Method::Newton {
            let name = format!("cantilever, {method}, {substeps} substeps, relative error of the deflection");
            findings.check(Check::at_most(name, 1e-3, error.abs()).from("statics, whatever the substep"));
        }
        table.row([method.to_owned(), substeps.to_string(), short(settled.deflection), percent(error)]);
    }
    findings.tables.push(table);
    Ok(())
}

/// What hangs by Newton's method hangs as low with any substep.
fn stretch(findings: &mut Findings) -> Result<(), Problem> {
    let columns = ["body", "h, s", "sag beside the limit of sweeps"];
    let mut table = Table::new("Sag by Newton's method, accuracy 0.001", columns);
    for hanging in [invariance::rubber()?, invariance::knitwear()?] {
        let limit = hanging.limit()?;
        for rate in [60_u32, 240, 960] {
            let newton = Settings { method: Method::Newton, accuracy: 1e-3, ..Settings::default() };
            let error = hanging.settle(1.0 / f64::from(rate), &newton)? / limit - 1.0;
            let name = format!("{}, newton, h = 1/{rate} s, relative error of the sag", hanging.name);
            findings.check(Check::near(name, 0.0, error, 1e-3).from("limit of sweeps, within 0.1 %"));
            table.row([hanging.name.to_owned(), format!("1/{rate}"), percent(error)]);
        }
    }
    findings.tables.push(table);
    Ok(())
}

/// The beam that is wound by two turns and back.
fn wind(findings: &mut Findings) -> Result<(), Problem> {
    let columns = ["method", "substeps", "most inverted", "from rest 12 s later, m", "energy then, J"];
    let mut table = Table::new("The twisted beam", columns);
    for (method, substeps) in [(Method::Sweeps, 80), (Method::Newton, 5), (Method::Newton, 20)] {
        let twist::Twisted { finite, inverted: [most, last], away: [_, away], energy } =
            twist::twist(substeps, Settings { method, ..Settings::default() })?;
        let left = energy.last().map_or(f64::NAN, |(_, joules)| *joules);
        if method == Method::Newton {
            let of = |what: &str| format!("twisted beam, newton, {substeps} substeps, {what}");
            let finite = f64::from(u8::from(finite));
            let check = Check::at_least(of("1 if positions are always finite"), 1.0, finite);
            findings.check(check.from("robustness"));
            let check = Check::at_most(of("inverted tetrahedra in the end"), 0.0, last as f64);
            findings.check(check.from("comes to rest"));
            findings.check(Check::reported(of("distance from rest 12 s later (m)"), away).drifting(0.1));
        }
        let numbers = [substeps.to_string(), most.to_string(), short(away), short(left)];
        table.row([method.name().to_owned()].into_iter().chain(numbers));
    }
    findings.tables.push(table);
    Ok(())
}

fn press(findings: &mut Findings) -> Result<(), Problem> {
    let mesh = TetMesh::block([4; 3], [1.0; 3], Split::Kuhn)?;
    let edges = mesh.edges();
    let press = compressed_block::press(&mesh, &edges);
    for (compliance, substeps, published) in compressed_block::PUBLISHED {
        let block = press.press(compliance, substeps, Scheme::by(Method::Newton, 1e-2))?;
        let of = |what: &str| {
            format!("pressed block, newton, α = {compliance:e} m/N, {substeps} substeps, {what}")
        };
        let (lost, allowed) = ((block.volume_ratio - 1.0).abs(), 2.0 * (1.0 - published));
        let change = Check::at_most(of("change of the volume"), allowed, lost);
        findings.check(change.from("independent program, twice").drifting(0.5));
        let inverted = Check::at_most(of("inverted tetrahedra"), 0.0, block.inverted as f64);
        findings.check(inverted.from("stays a body"));
        let bulge = Check::at_least(of("bulge of all sides (m)"), 0.0, block.bulge);
        findings.check(bulge.from("what is pressed evades").drifting(0.2));
    }
    Ok(())
}
