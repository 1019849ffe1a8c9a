//! Settings, reports and certificates in files: everything that is written can be read again, including
//! numbers that are not finite.

use pliant_mesh::{Split, TetMesh};
use pliant_solver::book::PredictionBounds;
use pliant_solver::{
    Body, Certificate, Compliance, FrameCertificate, FrameReport, Judgement, Method, Obstacle, Requirement,
    Settings, Simulation, Verdict, Wind,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Through a file and back.
fn again<X: Serialize + DeserializeOwned>(x: &X) -> X {
    serde_json::from_str(&serde_json::to_string_pretty(x).unwrap()).unwrap()
}

/// A jelly that falls on a floor, after a few frames: the last report, and the certificate of all.
fn fallen() -> (FrameReport, FrameCertificate, Certificate) {
    let jelly = TetMesh::block([3, 3, 3], [0.2; 3], Split::Kuhn).unwrap();
    let settings = Settings { certificate: true, ..Settings::default() };
    let mut sim: Simulation = Simulation::builder()
        .settings(settings)
        .body(Body::solid(jelly).name("jelly").stretch(Compliance::new(1e-4)))
        .obstacle(Obstacle::floor(-0.01))
        .build()
        .unwrap();
    let required =
        ["stretch.max<=1e-9", "residual.edges<=1"].map(|text| text.parse::<Requirement>().unwrap());
    let mut certificate = Certificate::begin(&sim).with_requirements(required).unwrap();
    let mut last = None;
    for _ in 0..8 {
        let report = sim.step(1.0 / 60.0).unwrap();
        last = Some((certificate.take(&report), report));
    }
    let (frame, report) = last.unwrap();
    (report, frame, certificate)
}

#[test]
fn a_report_is_read_as_it_was_written() {
    let (report, ..) = fallen();
    assert!(report.stretches.is_some() && report.motion.is_some() && report.residuals.len() >= 2);
    assert_eq!(again(&report), report);

    let file = serde_json::to_value(&report).unwrap();
    assert_eq!(file["kinetic_energy"], json!(report.energy.kinetic));
    assert_eq!(file["residuals"]["edges"]["max"], json!(report.residual("edges").unwrap().max.value));
    assert_eq!(file["residuals"]["edges"]["unit"], "m");
    assert_eq!(file["stretch"]["max_at"], json!(report.stretch.unwrap().max.at));
    assert_eq!(file["state_hash"], format!("{:016x}", report.state_hash));
    assert_eq!(file["bodies"][0]["name"], "jelly");
}

#[test]
fn a_certificate_is_read_as_it_was_written() {
    let (_, frame, certificate) = fallen();
    assert_eq!(again(&frame), frame);
    for verdict in certificate.verdicts() {
        assert_eq!(&again(verdict), verdict);
    }
    let [unmet, met] = certificate.verdicts() else { panic!("two were required") };
    let file = |verdict: &Verdict| serde_json::to_value(verdict).unwrap();
    assert_eq!((&file(unmet)["met"], &file(met)["met"]), (&json!(false), &json!(true)));
    assert_eq!(file(unmet)["requirement"], "stretch.max<=0.000000001");
    assert!(serde_json::from_value::<Requirement>(json!("stretch.max")).is_err());
}

#[test]
fn a_judgement_is_read_as_it_was_written() {
    let jelly = TetMesh::block([2, 2, 2], [0.2; 3], Split::Kuhn).unwrap();
    let settings = Settings { certificate: true, ..Settings::default() };
    let body = Body::solid(jelly).stretch(Compliance::new(1e-4));
    let inside = Obstacle::floor(0.5);
    let mut sim: Simulation =
        Simulation::builder().settings(settings).body(body).obstacle(inside).build().unwrap();
    let mut certificate = Certificate::begin(&sim);
    certificate.take(&sim.step(1.0 / 60.0).unwrap());
    let judgement = certificate.judgement();
    assert!(!judgement.findings.is_empty());
    assert_eq!(again(&judgement), judgement);
    let file = serde_json::to_value(&judgement).unwrap();
    assert_eq!(
        (&file["grade"], &file["findings"][0]["concern"]),
        (&json!("not to be trusted"), &json!("start"))
    );
    assert_eq!(again(&Judgement::default()), Judgement::default());
}

#[test]
fn what_is_not_finite_is_null_and_read_as_nan() {
    let (mut report, mut frame, _) = fallen();
    report.energy.elastic = f64::NAN;
    report.residuals[0].max.value = f64::INFINITY;
    report.linear_momentum.y = f64::NEG_INFINITY;
    frame.measures[0].value = f64::NAN;
    let file = serde_json::to_value(&report).unwrap();
    let name = &report.residuals[0].name;
    assert_eq!((&file["elastic_energy"], &file["residuals"][name]["max"]), (&Value::Null, &Value::Null));
    let read = again(&report);
    assert!(
        read.energy.elastic.is_nan()
            && read.residuals[0].max.value.is_nan()
            && read.linear_momentum.y.is_nan()
    );
    assert_eq!(read.linear_momentum.x, report.linear_momentum.x);
    let measures = serde_json::to_value(&frame).unwrap()["measures"].clone();
    assert_eq!(measures[&frame.measures[0].name]["value"], Value::Null);
    assert!(again(&frame).measures[0].value.is_nan());
}

#[test]
fn settings_are_read_as_they_were_written_and_may_be_left_out() {
    let wind = Some(Wind { velocity: [1.0, 0.0, 2.0].into(), ..Wind::default() });
    let settings = Settings { method: Method::Newton, seed: u64::MAX, wind, ..Settings::book_solid() };
    assert!(matches!(settings.prediction_bounds, PredictionBounds::Box { .. }));
    assert_eq!(again(&settings), settings);
    let file = serde_json::to_value(&settings).unwrap();
    assert_eq!((&file["method"], &file["multiplier"]), (&json!("newton"), &json!("forgotten")));
    let few: Settings = serde_json::from_value(json!({ "substeps": 3 })).unwrap();
    assert_eq!(few, Settings { substeps: 3, ..Settings::default() });
}
