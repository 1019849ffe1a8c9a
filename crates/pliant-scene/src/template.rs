//! Commented example scenes.

use crate::error::SceneError;
use crate::load::Scene;
use crate::schema::SCHEMA_FILE;

/// A commented example scene.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Template {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    source: &'static str,
}

macro_rules! template {
    ($name:literal, $about:literal) => {
        Template {
            name: $name,
            about: $about,
            source: include_str!(concat!("../templates/", $name, ".toml")),
        }
    };
}

const TEMPLATES: &[Template] = &[
    template!(
        "default",
        "a sheet that falls over a turning ball and a soft ring, and folds: what `pliant run` shows without a scene"
    ),
    template!("cloth", "a square of canvas hung by two corners in the wind"),
    template!("soft-body", "a soft ball and a stiff block dropped on the floor"),
    template!("own-mesh", "a mesh of your own, scaled and dropped"),
    template!("filled", "surfaces filled with tetrahedra: a ring, and a sheet that becomes a plate"),
    template!("twist", "a bar whose end is turned by keyframes and let go"),
    template!("obstacles", "cloth that falls over a moving ball into a box"),
    template!(
        "drape",
        "a cloth that falls over a turning ring: bodies that collide with each other and themselves"
    ),
    template!("pile", "soft bodies that fall into a box and onto each other"),
    template!("stack", "sheets that fall on a plate one triangle thin, and lie a thickness apart"),
    template!("card-house", "three storeys of cards that stand by friction, until a ball comes"),
    template!("wring", "a towel that is wrung: cloth that winds itself up and does not pass through itself"),
    template!("garment", "a tunic: two panels sewn together round a body that then dances"),
    template!("seam", "two sheets of denim sewn together, vertex to vertex"),
    template!("hem", "a patch that hangs from the edges of a coarser sheet by stitches"),
    template!("chain", "a chain of soft blocks sewn to each other's triangles"),
    template!("balloon", "a rubber ball blown up by 3000 Pa that falls and bounces"),
    template!("cantilever", "two neo-Hookean beams held at one end, one with a stiffer root"),
    template!("corners", "soft and stiff edges and volumes side by side"),
    template!("tethers", "a sheet that stretches at few substeps, and one whose tethers prevent it"),
    template!(
        "book-cloth",
        "the cloth of the book \"Physics-Based Simulation\", with the book's own choices"
    ),
    template!("book-solid", "the soft body of the book, with the book's own choices: rough, by its verdict"),
];

/// The example scenes; the first is the default scene.
#[must_use]
pub fn templates() -> &'static [Template] {
    TEMPLATES
}

impl Template {
    /// The example with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// The scene that runs when none is given.
    #[must_use]
    pub fn default_scene() -> &'static Self {
        &TEMPLATES[0]
    }

    /// The text of the scene file. Its first line points to the [schema](crate::schema) beside it.
    #[must_use]
    pub fn text(&self) -> String {
        // In the sources the line points to the schema's place there.
        let body = self.source.split_once('\n').map_or("", |(_, body)| body);
        format!("#:schema {SCHEMA_FILE}\n{body}")
    }

    /// The scene, its relative paths starting from the current directory.
    ///
    /// # Errors
    ///
    /// None, unless this crate is broken: its tests run every template.
    pub fn scene(&self) -> Result<Scene, SceneError> {
        Scene::parse_named(self.name, &self.text(), "")
    }
}
