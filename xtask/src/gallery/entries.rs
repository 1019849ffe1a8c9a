//! The scenes of the gallery.

/// A scene, its commands, and its words.
pub(super) struct Entry {
    /// The name of its files.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) source: Source,
    /// Whether it is a stack of deformers, and not a scene.
    pub(super) is_stack: bool,
    /// Files of the reference data, from its folder, without which it is not run.
    pub(super) needs: &'static [&'static str],
    /// Options of the picture.
    pub(super) picture: &'static str,
    /// What the picture shows, for those who do not see it.
    pub(super) shows: &'static str,
    pub(super) words: &'static str,
}

/// Where the scene is.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// In the program: `pliant new NAME`.
    Template,
    /// In a file, from the root of the workspace.
    File(&'static str),
}

impl Entry {
    /// The file of the scene.
    pub(super) fn scene(&self) -> String {
        format!("{}.toml", self.name)
    }

    /// The scene from the root of the workspace.
    pub(super) fn path(&self) -> String {
        match self.source {
            Source::File(path) => path.to_owned(),
            Source::Template if self.is_stack => {
                format!("crates/pliant-scene/templates/stacks/{}", self.scene())
            }
            Source::Template => format!("crates/pliant-scene/templates/{}", self.scene()),
        }
    }

    /// The file of the picture.
    pub(super) fn picture(&self) -> String {
        format!("{}.gif", self.name)
    }

    /// The commands of the program, without its name.
    pub(super) fn commands(&self) -> Vec<Vec<String>> {
        let name = self.name;
        let new = matches!(self.source, Source::Template).then(|| format!("new {name}"));
        let run = if self.is_stack { "deform" } else { "run" };
        let run = format!("{run} {} -o {name}", self.scene());
        let render = format!("render {name} -o {} {}", self.picture(), self.picture);
        let lines = new.into_iter().chain([run, render]);
        lines.map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    }
}

/// All of them, as they stand on the page.
pub(super) const ENTRIES: [Entry; 8] = [
    Entry {
        name: "garment",
        title: "A tunic that dances",
        source: Source::Template,
        is_stack: false,
        needs: &[],
        picture: "--size 300x360 --every 8",
        shows: "Two panels are drawn together round a body, which turns to and fro and then spins; the tunic flares",
        words: "Two flat panels are sewn together at the shoulders and along the sides, without weight; then the body dances. \
                What closes, when, and what that asks of the substeps: [garments](guide/garments.md).",
    },
    Entry {
        name: "drape",
        title: "A cloth over a turning ring",
        source: Source::Template,
        is_stack: false,
        needs: &[],
        picture: "--size 340x260 --every 5",
        shows: "A square cloth falls over a thick ring that turns, and hangs down in folds",
        words: "Cloth against a mesh that moves, against the floor, and against itself: [contact](guide/contact.md).",
    },
    Entry {
        name: "wring",
        title: "A towel that is wrung",
        source: Source::Template,
        is_stack: false,
        needs: &[],
        picture: "--size 400x180 --every 6",
        shows: "The ends of a long towel are turned against each other, three turns in all, and it winds up into a rope",
        words: "Three turns, and layers upon layers, none of which goes through another.",
    },
    Entry {
        name: "pile",
        title: "Soft bodies in a box",
        source: Source::Template,
        is_stack: false,
        needs: &[],
        picture: "--size 280x340 --every 6",
        shows: "Two balls, a ring and two blocks fall into a box with glass walls, and come to rest on each other",
        words: "Tetrahedra with springs as edges, which fall onto each other: [contact](guide/contact.md).",
    },
    Entry {
        name: "flag",
        title: "A flag in gusts",
        source: Source::File("docs/src/gallery/flag.toml"),
        is_stack: false,
        needs: &[],
        picture: "--size 340x260 --every 6",
        shows: "A flag at a pole ripples in a breeze, is torn round by a gust, and sinks in a lull",
        words: "[Wind](guide/materials.md#damping-drag-wind) in [stages](guide/garments.md#stages), and a \
                [finer surface](guide/garments.md#finer-to-look-at) than is simulated.",
    },
    Entry {
        name: "elbow",
        title: "An elbow, skinned and relaxed",
        source: Source::Template,
        is_stack: true,
        needs: &[],
        picture: "--size 340x260 --every 2 --color-by strain --azimuth 0",
        shows: "A round arm bends at the elbow; the inside is pressed, the outside stretched, and the strain is spread",
        words: "No simulation: a stack of [deformers](guide/deformers.md) takes the creases out of a skin that joints move.",
    },
    Entry {
        name: "skirt",
        title: "A skirt on hips that turn",
        source: Source::File("docs/src/gallery/skirt.toml"),
        is_stack: false,
        needs: &["meshes/real/skirt4K.obj"],
        picture: "--size 300x300 --every 6",
        shows: "A wide skirt falls into folds, swings to and fro as the hips turn, flares in a spin and winds round the legs",
        words: "The skirt of Li, Kaufman & Jiang (2021). Its mesh, from the repository of Codim-IPC (Apache-2.0), is not part of this one.",
    },
    Entry {
        name: "fox",
        title: "A fox in a skirt and a cape",
        source: Source::File("docs/src/gallery/fox.toml"),
        is_stack: false,
        needs: &["meshes/real/Fox.glb"],
        picture: "--size 280x200 --every 10",
        shows: "A fox walks in a skirt that hangs from a belt and a cape that hangs from a collar; both swing with its steps",
        words: "An animation of a skinned character, and [garments](guide/garments.md#characters) that hang from its joints. \
                Its mesh, Fox of the glTF sample assets (by PixelMannen, CC0; rig and animation by tomkranis, CC-BY 4.0), is not part of this repository.",
    },
];
