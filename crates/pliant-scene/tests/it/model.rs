//! The model is unchanged after it is written as TOML and read again.

use pliant_scene::model::*;
use pliant_scene::{Scene, SceneModel};
use proptest::prelude::*;

/// A number that is within the bounds of its type.
fn fit<B: bound::Bound, U: unit::Unit>(value: f64) -> Bounded<B, U> {
    Bounded::new(value).unwrap()
}

/// A whole number that is within the bounds of its type.
fn count<const LEAST: u32, const MOST: u32>(value: u32) -> Count<LEAST, MOST> {
    Count::new(value).unwrap()
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-1e3..1e3_f64, Just(0.0), Just(1e-12), Just(3e8)]
}

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![1e-6..1e3_f64, Just(1.0)]
}

fn three() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()]
}

fn vector<U: unit::Unit>() -> impl Strategy<Value = Vector<U>> {
    three().prop_map(|numbers| Vector::new(numbers).unwrap())
}

fn direction(numbers: Vec3) -> Direction {
    Direction::new(numbers).unwrap()
}

fn mesh() -> impl Strategy<Value = MeshModel> {
    prop_oneof![
        "[a-z/ ]{1,12}\\.obj".prop_map(|path| MeshModel::Path(path.into())),
        ("[a-z]{1,5}\\.msh", any::<bool>()).prop_map(|(path, reorient)| MeshModel::Table(Box::new(
            MeshTable {
                file: Some(path.into()),
                unreferenced: Some(Unreferenced::Refuse),
                reorient: Some(reorient),
                ..MeshTable::default()
            }
        ))),
        ([2..9_u32, 2..9], [positive(), positive()]).prop_map(|(vertices, size)| MeshModel::Table(Box::new(
            MeshTable {
                grid: Some(GridModel {
                    vertices: vertices.map(count),
                    size: size.map(fit),
                    diagonals: Diagonals::Parallel
                }),
                ..MeshTable::default()
            }
        ))),
        (positive(), 1..4_u32).prop_map(|(radius, shells)| MeshModel::Table(Box::new(MeshTable {
            ball: Some(BallModel { radius: fit(radius), shells: count(shells) }),
            ..MeshTable::default()
        }))),
        ([positive(), positive()], prop::option::of(0.1..360.0_f64)).prop_map(|([top, bottom], sector)| {
            let cone = ConeModel {
                top: fit(top),
                bottom: fit(bottom),
                height: NonNegative::default(),
                segments: count(7),
                rings: count(2),
                sector: sector.map(fit),
            };
            MeshModel::Table(Box::new(MeshTable { cone: Some(cone), ..MeshTable::default() }))
        }),
    ]
}

fn elasticity() -> impl Strategy<Value = ElasticityModel> {
    prop_oneof![
        Just(ElasticityModel::rigid()),
        positive().prop_map(|compliance| ElasticityModel::compliance(compliance).unwrap()),
        (0.0..1.0_f64, any::<bool>()).prop_map(|(k, independent)| ElasticityModel::Table(ElasticityTable {
            pbd: Some(fit(k)),
            iteration_independent: Some(independent),
            ..ElasticityTable::default()
        })),
    ]
}

fn volumes() -> impl Strategy<Value = VolumesModel> {
    prop_oneof![
        Just(VolumesModel::rigid()),
        positive().prop_map(|modulus| VolumesModel::Table(VolumesTable {
            bulk_modulus: Some(fit(modulus)),
            ..VolumesTable::default()
        })),
        (0.0..1.0_f64)
            .prop_map(|k| VolumesModel::Table(VolumesTable { pbd: Some(fit(k)), ..VolumesTable::default() })),
    ]
}

fn motion() -> impl Strategy<Value = MotionModel> {
    prop_oneof![
        (vector(), positive()).prop_map(|(velocity, rate)| MotionModel {
            velocity: Some(velocity),
            spin: Some(SpinModel { axis: direction([0.0, 1.0, 0.0]), degrees_per_second: fit(rate) }),
            pivot: Vector::new([1.0, 2.0, 3.0]).ok(),
            start: Some(MotionStart::Stage("dance".into())),
            ..MotionModel::default()
        }),
        prop::collection::vec((vector(), number()), 1..4).prop_map(|keys| MotionModel {
            keyframes: Some(
                (0_u32..)
                    .zip(keys)
                    .map(|(i, (translate, degrees))| KeyframeModel {
                        time: fit(f64::from(i)),
                        translate: Some(translate),
                        rotate: Some(AxisAngle { axis: direction([1.0, 0.0, 0.0]), degrees: fit(degrees) }),
                    })
                    .collect()
            ),
            ..MotionModel::default()
        }),
        Just(MotionModel {
            cache: Some("a.pc2".into()),
            space: Some(CacheSpace::Mesh),
            ..MotionModel::default()
        }),
    ]
}

fn region() -> impl Strategy<Value = RegionModel> {
    prop_oneof![
        prop::collection::vec(0..9_u32, 1..4)
            .prop_map(|list| RegionModel { vertices: Some(list), ..RegionModel::default() }),
        prop_oneof![
            Just(GroupModel::Name("top side".into())),
            (number(), prop::option::of(0..3_usize)).prop_map(|(min, component)| {
                let (attribute, min) = ("paint".to_owned(), Some(min));
                GroupModel::Table(GroupTable { attribute, component, equals: None, min, max: None })
            }),
        ]
        .prop_map(|group| RegionModel { group: Some(group), ..RegionModel::default() }),
        (vector(), positive(), any::<bool>()).prop_map(|(centre, radius, relative)| RegionModel {
            sphere: Some(SelectSphere { centre, radius: fit(radius) }),
            relative: Some(relative),
            ..RegionModel::default()
        }),
    ]
}

fn material() -> impl Strategy<Value = MaterialModel> {
    prop_oneof![
        Just(MaterialModel::Name("muscle".into())),
        (positive(), -0.9..0.49_f64, prop::option::of(positive())).prop_map(|(young, poisson, thickness)| {
            MaterialModel::Table(Box::new(MaterialTable {
                young: Some(fit(young)),
                poisson: Some(fit(poisson)),
                thickness: thickness.map(fit),
                ..MaterialTable::default()
            }))
        }),
    ]
}

prop_compose! {
    /// Within the first body, which is always there.
    fn stitch()(
        stiffness in prop::option::of(positive()),
        radius in positive(),
        region in prop::option::of(region()),
        listed in any::<bool>(),
    ) -> StitchModel {
        StitchModel {
            bodies: ["body-1".into(), "body-1".into()],
            to: StitchTo::Vertices,
            radius: (!listed).then_some(fit(radius)),
            region: region.filter(|_| !listed),
            pairs: listed.then(|| vec![vec![0, 1], vec![2, 3]]),
            stiffness: stiffness.map(|k| if listed { PerPair::Each(vec![fit(k), fit(2.0 * k)]) } else { PerPair::All(fit(k)) }),
            rest: None,
            rest_length: None,
            keep_distance: Some(true),
            young: None,
            poisson: None,
            thickness: None,
            min_separate_distance: None,
            same_body: Some(true),
            damping_time: Some(fit(0.5)),
        }
    }
}

prop_compose! {
    fn body()(
        mesh in mesh(),
        edges in elasticity(),
        volumes in prop::option::of(volumes()),
        rotate in prop::option::of(prop_oneof![
            vector().prop_map(Rotation::Euler),
            number().prop_map(|degrees| Rotation::AxisAngle(AxisAngle { axis: direction([0.0, 3.0, 4.0]), degrees: fit(degrees) })),
        ]),
        scale in prop::option::of(prop_oneof![
            positive().prop_map(|scale| ScaleModel::Uniform(fit(scale))),
            [positive(), positive(), positive()].prop_map(|scale| ScaleModel::PerAxis(scale.map(fit))),
        ]),
        translate in prop::option::of(vector()),
        motion in prop::option::of(motion()),
        release in prop::option::of(positive()),
        made_of in prop::option::of(material()),
        tethers in prop::option::of(prop_oneof![
            any::<bool>().prop_map(TethersModel::Switch),
            positive().prop_map(|slack| TethersModel::Table(TethersTable { slack: fit(slack) })),
        ]),
        part in region(),
        factor in positive(),
    ) -> BodyModel {
        let volumes = volumes.filter(|_| made_of.is_none());
        BodyModel {
            mesh,
            edges: made_of.is_none().then_some(edges),
            vary: if part.vertices.is_none() {
                vec![VaryModel {
                    region: Some(part.clone()),
                    factor: Some(fit(factor)),
                    of: Some(vec![CategoryModel::Bending]),
                    ..VaryModel::default()
                }]
            } else {
                Vec::new()
            },
            shapes: vec![ShapeModel { region: Some(part), compliance: Some(fit(factor)) }],
            strain_limit: Some(StrainLimitModel { stretch: Some(fit(factor)), ..StrainLimitModel::default() }),
            pressure: Some(PressureModel { gas: Some(fit(factor)), ..PressureModel::default() }),
            tethers,
            material: made_of,
            bending: volumes.is_none().then(|| BendingModel { compliance: Some(fit(0.5)), form: BendingForm::Distance, ..BendingModel::default() }),
            volumes,
            rotate,
            scale,
            translate,
            pins: vec![PinModel { vertices: Some(vec![0, 2]), motion, release: release.map(fit), ..PinModel::default() }],
            ..BodyModel::default()
        }
    }
}

/// An obstacle with only a shape.
fn shape() -> impl Strategy<Value = ObstacleModel> {
    prop_oneof![
        vector().prop_map(|centre| ObstacleModel {
            sphere: Some(BallShape { centre, radius: fit(0.5) }),
            ..ObstacleModel::default()
        }),
        (vector(), vector(), positive()).prop_map(|(from, to, radius)| ObstacleModel {
            capsule: Some(CapsuleShape { from, to, radius: fit(radius) }),
            ..ObstacleModel::default()
        }),
        prop_oneof![
            prop::collection::vec(vector(), 4..7)
                .prop_map(|points| HullShape { points: Some(points), ..HullShape::default() }),
            Just(HullShape { mesh: Some("a.obj".into()), ..HullShape::default() }),
        ]
        .prop_map(|hull| ObstacleModel { hull: Some(hull), ..ObstacleModel::default() }),
        (
            prop_oneof![
                Just(HeightsModel::File("a.csv".into())),
                [number(), number()].prop_map(|row| HeightsModel::Rows(vec![row.map(fit).to_vec(); 3])),
            ],
            vector(),
            prop_oneof![
                positive().prop_map(|spacing| SpacingModel::Same(fit(spacing))),
                [positive(), positive()].prop_map(|spacing| SpacingModel::Each(spacing.map(fit)))
            ],
        )
            .prop_map(|(heights, origin, spacing)| ObstacleModel {
                height_field: Some(HeightFieldShape { heights, origin, spacing }),
                ..ObstacleModel::default()
            }),
        (positive(), prop::option::of(positive())).prop_map(|(cell, band)| ObstacleModel {
            sdf: Some(SdfShape {
                mesh: "a.obj".into(),
                cell: fit(cell),
                band: band.map(fit),
                scale: None,
                rotate: None,
                translate: None
            }),
            ..ObstacleModel::default()
        }),
    ]
}

prop_compose! {
    fn scene()(
        bodies in prop::collection::vec(body(), 1..3),
        frames in 1..1000_u32,
        frame_rate in positive(),
        f64_precision in any::<bool>(),
        gravity in prop::option::of(vector()),
        friction in prop::option::of(prop_oneof![
            positive().prop_map(|k| FrictionModel::Both(fit(k))),
            positive().prop_map(|k| FrictionModel::Separate(SeparateFriction { sticking: fit(2.0 * k), sliding: fit(k) })),
        ]),
        shape in shape(),
        every in 1..5_u32,
        stitches in prop::collection::vec(stitch(), 0..2),
    ) -> SceneModel {
        SceneModel {
            name: Some("a-scene_1".into()),
            frames: count(frames),
            frame_rate: fit(frame_rate),
            require: Vec::new(),
            accept: Vec::new(),
            from: Some("fitting".into()),
            precision: if f64_precision { Precision::F64 } else { Precision::F32 },
            solver: SolverModel {
                gravity,
                plan: Some(PlanModel::Sequential),
                multiplier: Some(MultiplierModel::Forgotten),
                method: Some(MethodModel::Newton),
                accuracy: Some(fit(1e-3)),
                order: Some(OrderModel::Groups(vec![CategoryModel::Volumes, CategoryModel::Edges])),
                seed: Some(7),
                ..SolverModel::default()
            },
            stages: vec![
                StageModel {
                    name: "sew".into(),
                    gravity: Some(Vector::default()),
                    drag: Some(fit(2.5)),
                    stiffer_bending: Some(fit(100.0)),
                    until: Some(UntilModel { speed: Some(fit(0.01)), seams: None, at_most: fit(3.0) }),
                    ..StageModel::default()
                },
                StageModel { name: "dance".into(), ..StageModel::default() },
            ],
            seams: bodies.iter().take(1).filter_map(|body| body.name.clone()).map(seam).collect(),
            bodies,
            obstacles: vec![ObstacleModel { friction, ..shape }],
            stitches,
            attachments: Vec::new(),
            contacts: Vec::new(),
            output: OutputModel { every: count(every), formats: vec![Format::Ply], end_state: Some(true), ..OutputModel::default() },
        }
    }
}

/// A seam of a body to itself, with a pair in the scene.
fn seam(body: String) -> SeamModel {
    let pairs = SeamPairs::Listed(vec![[0.0, 1.0, 2.0, 0.25]]);
    SeamModel {
        name: None,
        bodies: vec![body],
        pairs: Some(pairs),
        borders: None,
        close_time: Some(fit(0.5)),
        weld: Some(false),
    }
}

proptest! {
    #![proptest_config(pliant_testkit::config(64))]

    #[test]
    fn a_scene_survives_its_file(model in scene()) {
        let scene = Scene::from_model(model, "").unwrap();
        let text = scene.to_toml();
        let again = Scene::parse(&text, "").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&again.model, &scene.model);
        prop_assert_eq!(again.text(), &text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(pieces in prop::collection::vec(prop_oneof![
        Just("[[body]]\n"), Just("mesh = "), Just("{ grid = {"), Just("}"), Just("vertices = [2, 2]"), Just("\n"), Just("é"),
        Just("\"a.obj\""), Just(", "), Just("size = [1, 1] "), Just("edges = "), Just("\"rigid\""), Just("[solver]\n"),
        Just("frames = "), Just("-1"), Just("nan"), Just("99999999999999999999"), Just("[[obstacle]]\n"), Just("floor = "), Just("#"),
    ], 0..24)) {
        let text = pieces.concat();
        if let Err(error) = Scene::parse(&text, "") {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}
