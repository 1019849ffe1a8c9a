//! [`Series`]: the certificate of the frames of a run so far.

use pliant_solver::{Certificate, FrameCertificate, FrameReport, Measure};

use crate::certificate::CertificateFile;

/// A certificate, and what it was made from.
pub(crate) struct Series {
    pub(crate) certificate: Certificate,
    frames: Vec<FrameCertificate>,
    /// The report of the last certified frame.
    pub(crate) last: Option<FrameReport>,
}

impl Series {
    pub(crate) fn new(certificate: Certificate) -> Self {
        Self { certificate, frames: Vec::new(), last: None }
    }

    /// Measures a frame on which so many substeps were spent, adds `more`, and takes it up.
    pub(crate) fn take(
        &mut self,
        report: &FrameReport,
        substeps_spent: u32,
        more: Option<Measure>,
    ) -> FrameCertificate {
        let mut frame = self.certificate.measure(report);
        frame.measures.extend(more);
        frame.substeps_spent = substeps_spent;
        self.certificate.enter(report, &frame);
        self.keep(report, frame.clone());
        frame
    }

    /// Keeps a frame that is in the certificate already.
    pub(crate) fn keep(&mut self, report: &FrameReport, frame: FrameCertificate) {
        self.frames.push(frame);
        self.last = Some(report.clone());
    }

    /// Takes up a frame of an earlier part of the run.
    pub(crate) fn take_up(&mut self, report: &FrameReport, frame: &FrameCertificate) {
        self.certificate.enter(report, frame);
        self.frames.push(frame.clone());
    }

    /// `certificate.json` and `certificate.csv`.
    pub(crate) fn files(&self, scene: &str) -> (String, String) {
        let file =
            CertificateFile::new(scene, "run", &self.certificate, self.frames.clone(), self.last.as_ref());
        (file.to_json(), file.to_csv(self.certificate.quantities()))
    }
}
