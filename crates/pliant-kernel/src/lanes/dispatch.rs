//! [`Simd`]: which lanes there are, and [`Wide`], which runs a [job](LaneJob) in the widest.

#[cfg(target_arch = "x86_64")]
use super::avx2;
#[cfg(target_arch = "x86_64")]
use super::enter::{Avx2, enter};
use super::job::LaneJob;
use crate::number::Number;

/// Which lanes a simulation walks its packs with. The results are the same.
#[derive(Debug, Clone, Copy)]
pub struct Simd(#[cfg(target_arch = "x86_64")] Option<Avx2>, #[cfg(not(target_arch = "x86_64"))] ());

impl Simd {
    /// The best that the processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self(Avx2::detect());
        #[cfg(not(target_arch = "x86_64"))]
        Self(())
    }

    /// Lanes in arrays, which every processor has. WebAssembly has a single sort of lanes: what it is compiled with.
    pub fn portable() -> Self {
        #[cfg(target_arch = "x86_64")]
        return Self(None);
        #[cfg(not(target_arch = "x86_64"))]
        Self(())
    }
}

/// A scalar that has wide lanes.
pub trait Wide: Number {
    /// Runs a job in the widest lanes that `simd` allows.
    fn dispatch<J: LaneJob<Self>>(job: J, simd: Simd) -> J::Out;
}

/// Runs a job in lanes in arrays. A separate function: inlined, it would be compiled again at every place
/// that dispatches the job.
#[inline(never)]
fn in_arrays<T: Number, J: LaneJob<T>>(job: J) -> J::Out {
    job.run::<J::Portable>()
}

/// In WebAssembly the instructions are decided when it is compiled, so no other lanes are compiled beside them.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Wide for f32 {
    #[inline(never)]
    fn dispatch<J: LaneJob<Self>>(job: J, _simd: Simd) -> J::Out {
        job.run::<super::simd128::F32x4>()
    }
}

macro_rules! wide {
    ($float:ty, $Lanes:ident) => {
        impl Wide for $float {
            #[inline]
            fn dispatch<J: LaneJob<Self>>(job: J, simd: Simd) -> J::Out {
                #[cfg(target_arch = "x86_64")]
                if let Some(token) = simd.0 {
                    return enter::<Self, avx2::$Lanes, J>(job, token);
                }
                let _ = simd;
                in_arrays::<Self, J>(job)
            }
        }
    };
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
wide!(f32, F32x8);
wide!(f64, F64x4);
