//! Counts the vector instructions in a wasm file: the proof that the kernels are vectorised.

use anyhow::{Context, Result, bail};
use wasmparser::{Parser, Payload};

use super::wasm::Variant;

/// The first byte of every 128-bit SIMD instruction (WebAssembly core specification 2.0, 5.4.8).
const SIMD_PREFIX: u8 = 0xfd;

/// The fewest vector instructions of vectorised kernels: the matmul microkernel alone has more.
const FEWEST_EXPECTED: usize = 500;

/// Counts the vector instructions in the bodies of all functions.
pub fn count(wasm: &[u8]) -> Result<usize> {
    let mut found = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionEntry(body) = payload.context("this is not a wasm file")? {
            let operators = body.get_operators_reader()?.into_iter_with_offsets();
            for operator in operators {
                let (_, offset) = operator.context("an instruction could not be read")?;
                found += usize::from(wasm.get(offset) == Some(&SIMD_PREFIX));
            }
        }
    }
    Ok(found)
}

/// Fails unless the build for the CPU has enough vector instructions.
pub fn check(variant: Variant, found: usize) -> Result<()> {
    if variant == Variant::Simd128 && found < FEWEST_EXPECTED {
        bail!(
            "The build for the CPU has {found} vector instructions, fewer than {FEWEST_EXPECTED}: \
             see that src/kernels compiles its simd128 path."
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FEWEST_EXPECTED, check, count};
    use crate::build::wasm::Variant;

    /// `(module (func i32.const 253 drop v128.const 0 drop))`: one vector instruction, and a
    /// constant whose bytes look like its prefix.
    const MODULE: [u8; 47] = [
        0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00, // magic, version
        0x01, 0x04, 0x01, 0x60, 0x00, 0x00, // types: () -> ()
        0x03, 0x02, 0x01, 0x00, // functions: one, of type 0
        0x0a, 0x1b, 0x01, 0x19, 0x00, // code: one body, no locals
        0x41, 0xfd, 0x01, 0x1a, // i32.const 253, drop
        0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // v128.const 0
        0x1a, 0x0b, // drop, end
    ];

    #[test]
    fn instructions_are_counted_and_operands_are_not() {
        assert_eq!(count(&MODULE).unwrap(), 1);
    }

    #[test]
    fn something_else_than_wasm_is_refused() {
        assert!(count(b"not wasm at all").is_err());
    }

    #[test]
    fn only_the_build_for_the_cpu_has_a_bound() {
        assert!(check(Variant::Simd128, FEWEST_EXPECTED).is_ok());
        assert!(check(Variant::Simd128, FEWEST_EXPECTED - 1).is_err());
        assert!(check(Variant::Demos, 0).is_ok() && check(Variant::WebGpu, 0).is_ok());
    }
}
