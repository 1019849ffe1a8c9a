//! [`Console`]: where the program prints.

use std::fmt;
use std::io::{self, Write};

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use pliant_scene::{Invalid, SceneError};

use crate::error::CliError;
use crate::{REFUSED, SUCCESS};

/// Where the program prints: results on `out`, errors and remarks on `err`.
pub struct Console<'a> {
    /// Standard output, or what replaces it.
    pub out: &'a mut (dyn Write + Send),
    /// Standard error, or what replaces it.
    pub err: &'a mut (dyn Write + Send),
    /// Whether `err` is the terminal of the process: progress bars and colours are for terminals only.
    pub terminal: bool,
    /// Whether to print only errors and requested output; `--quiet` sets it.
    pub quiet: bool,
}

impl fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("terminal", &self.terminal)
            .field("quiet", &self.quiet)
            .finish_non_exhaustive()
    }
}

impl Console<'_> {
    /// The same console, printing only errors.
    pub(crate) fn hushed(&mut self) -> Console<'_> {
        Console { out: &mut *self.out, err: &mut *self.err, terminal: self.terminal, quiet: true }
    }

    /// Whether progress is shown.
    pub(crate) fn is_watched(&self) -> bool {
        self.terminal && !self.quiet
    }

    /// Prints what the command has done or found; the exit status reports it too.
    pub(crate) fn tell(&mut self, text: &str) -> Result<(), CliError> {
        if self.quiet { Ok(()) } else { self.print(text) }
    }

    /// Prints requested output. A reader that closes the pipe early (`pliant new cloth -o - | head`) is not
    /// an error.
    pub(crate) fn print(&mut self, text: &str) -> Result<(), CliError> {
        match self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            outcome => outcome.map_err(CliError::Console),
        }
    }

    /// Prints a remark; a closed standard error is not an error.
    pub(crate) fn remark(&mut self, text: &str) {
        if !self.quiet {
            let _ = writeln!(self.err, "{text}");
        }
    }

    /// Prints the message of the argument parser, help included, and returns the exit status.
    pub(crate) fn usage(&mut self, error: &clap::Error) -> u8 {
        let text = error.render();
        let text = if self.terminal { text.ansi().to_string() } else { text.to_string() };
        if error.use_stderr() {
            let _ = write!(self.err, "{text}");
            REFUSED
        } else {
            let _ = write!(self.out, "{text}");
            SUCCESS
        }
    }

    /// Prints an error and returns the exit status. Errors about a place in a scene show the place.
    pub(crate) fn report(&mut self, error: &CliError) -> u8 {
        let _ = writeln!(self.err, "error: {error}");
        if let CliError::Scene(SceneError::Invalid(invalid)) = error
            && invalid.place.is_some()
        {
            let _ = writeln!(self.err, "\n{}", self.picture(invalid));
        }
        error.status()
    }

    /// The offending lines of the scene.
    fn picture(&self, invalid: &Invalid) -> String {
        let theme = if self.terminal { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
        let mut picture = String::new();
        let drawn = GraphicalReportHandler::new_themed(theme)
            .without_cause_chain()
            .with_context_lines(1)
            .with_width(110)
            .render_report(&mut picture, &Snippet::new(invalid));
        // If the picture cannot be drawn, the error has still been printed. Its heading is cut off, because
        // it repeats the error.
        match picture.find('╭') {
            Some(frame) if drawn.is_ok() => {
                let line = picture[..frame].rfind('\n').map_or(0, |newline| newline + 1);
                picture[line..].trim_end().to_owned()
            }
            _ => String::new(),
        }
    }
}

/// A longer label is printed only once, in the error.
const LONGEST_LABEL: usize = 90;

/// A place in a scene, for drawing.
#[derive(Debug)]
struct Snippet {
    source: NamedSource<String>,
    label: LabeledSpan,
}

impl Snippet {
    fn new(invalid: &Invalid) -> Self {
        let span = invalid.place.as_ref().map_or(0..0, |place| place.span.clone());
        let label = match invalid.expected.as_str() {
            "" => None,
            // Long lists are printed in the line above; of them only the suggestion at the end is repeated.
            list if list.chars().count() > LONGEST_LABEL => {
                let meant = list.rsplit_once("(").filter(|(_, meant)| meant.starts_with("did you mean"));
                meant.map(|(_, meant)| meant.trim_end_matches(')').to_owned())
            }
            expected => Some(format!("expected {expected}")),
        };
        Self {
            source: NamedSource::new(&invalid.file, invalid.text.to_string()),
            label: LabeledSpan::new_with_span(label, span),
        }
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a place in a scene")
    }
}

impl std::error::Error for Snippet {}

impl Diagnostic for Snippet {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(self.label.clone())))
    }
}
