// The smallest module that uses a 128-bit vector: () -> v128 { i32.const 0; i8x16.splat; i8x16.popcnt }.
const PROBE = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  5,
  1,
  96,
  0,
  1,
  123,
  3,
  2,
  1,
  0,
  10,
  10,
  1,
  8,
  0,
  65,
  0,
  253,
  15,
  253,
  98,
  11,
);

/** The engine's two builds, and which of them runs here: the one with SIMD where the machine has it, else the portable one. */
export type EngineBuild = "simd128" | "portable";

export function engineBuild(): EngineBuild {
  return WebAssembly.validate(PROBE) ? "simd128" : "portable";
}
