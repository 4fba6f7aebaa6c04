/** Whether this code runs in Node, in the main thread or in a worker thread. */
export const inNode =
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !==
  undefined;

/** A module of Node's. Imports of them would be followed by the bundler of a web page. */
export const builtin: typeof process.getBuiltinModule = (name: string) =>
  process.getBuiltinModule(name);

/** `(module (func (export "f") …))`: the first lane of `f32x4.relaxed_madd` of three numbers. */
const MADD = "AGFzbQEAAAABCAFgA319fQF9AwIBAAcFAQFmAAAKFgEUACAA/RMgAf0TIAL9E/2FAv0fAAs=";

/** Whether `f32x4.relaxed_madd` is there and computes a known product and sum, rounded once or twice. */
export function hasRelaxedSimd(): boolean {
  try {
    const module = new WebAssembly.Module(
      Uint8Array.from(atob(MADD), (byte) => byte.charCodeAt(0)),
    );
    const { f } = new WebAssembly.Instance(module).exports as { f: (...of: number[]) => number };
    const x = 1 + 2 ** -12;
    return [0, 2 ** -24].includes(f(x, x, -(1 + 2 ** -11)));
  } catch {
    return false;
  }
}
