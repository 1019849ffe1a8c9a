//! [`unrolled`]: a loop over the particles of a constraint that is none when it runs.

/// Repeats a block for every `j` below `n`, both of them constants: a loop only from the sixth on.
///
/// Compilers unroll short loops, but not all of them do so on every target when the body loads or stores the particles of
/// all lanes. What such a loop indexes then lies in memory, and WebAssembly has it filled and copied by calls.
macro_rules! unrolled {
    ($j:ident in 0..$n:ident $body:block) => {{
        $crate::lanes::unrolled!(@ $j, $n, 0, $body);
        $crate::lanes::unrolled!(@ $j, $n, 1, $body);
        $crate::lanes::unrolled!(@ $j, $n, 2, $body);
        $crate::lanes::unrolled!(@ $j, $n, 3, $body);
        $crate::lanes::unrolled!(@ $j, $n, 4, $body);
        for $j in 5..$n $body
    }};
    (@ $j:ident, $n:ident, $k:literal, $body:block) => {
        if const { $n > $k } {
            let $j = $k;
            $body
        }
    };
}

pub(crate) use unrolled;
