/** The smallest module that traps: () -> () { unreachable }, exported as "t". */
export const TRAP_MODULE = Uint8Array.of(
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0,
  1,
  4,
  1,
  96,
  0,
  0,
  3,
  2,
  1,
  0,
  7,
  5,
  1,
  1,
  116,
  0,
  0,
  10,
  5,
  1,
  3,
  0,
  0,
  11,
);

/** Throws what wasm throws when it traps. */
export function trap(): never {
  const { t } = new WebAssembly.Instance(new WebAssembly.Module(TRAP_MODULE)).exports;
  (t as () => void)();
  throw new Error("wasm did not trap");
}
