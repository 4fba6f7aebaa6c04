/**
 * Anchors for the speed of Headscope on this machine: a loop in registers, and a sum over memory.
 */
import binaryen from "binaryen";

const ACCUMULATORS = 8;

/**
 * The WebAssembly text of `madd(n)`, `n` times eight products of four numbers, each added to its
 * own sum, and `sum(n)`, a sum over `n` bytes.
 */
function source(relaxed: boolean): string {
  const names = Array.from({ length: ACCUMULATORS }, (_, at) => `$s${at}`);
  const madd = (sum: string): string =>
    relaxed
      ? `(f32x4.relaxed_madd (local.get $x) (local.get $x) (local.get ${sum}))`
      : `(f32x4.add (local.get ${sum}) (f32x4.mul (local.get $x) (local.get $x)))`;
  const each = (line: (name: string, at: number) => string): string => names.map(line).join("\n");
  const total = names
    .slice(1)
    .reduce(
      (sum, name) => `(f32x4.add ${sum} (local.get ${name}))`,
      `(local.get ${names[0] ?? ""})`,
    );
  const loop = (step: number, body: string): string => `
    (loop $again
      ${body}
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const ${step})))))
    (f32x4.extract_lane 0 ${total})`;
  const locals = each((name) => `(local ${name} v128)`);
  return `(module
    (memory (export "memory") 1)
    (func (export "madd") (param $n i32) (param $of f32) (result f32) (local $x v128) ${locals}
      (local.set $x (f32x4.splat (local.get $of)))
      ${loop(
        1,
        each((name) => `(local.set ${name} ${madd(name)})`),
      )})
    (func (export "sum") (param $n i32) (result f32) (local $at i32) ${locals}
      ${loop(
        16 * ACCUMULATORS,
        `${each(
          (name, at) =>
            `(local.set ${name} (f32x4.add (local.get ${name}) (v128.load offset=${16 * at} (local.get $at))))`,
        )}
        (local.set $at (i32.add (local.get $at) (i32.const ${16 * ACCUMULATORS})))`,
      )}))`;
}

interface Anchors {
  /** Products and sums per second in registers. */
  ceiling: () => number;
  /** Bytes per second of `times` sums over `bytes` bytes. */
  reading: (bytes: number, times: number) => number;
}

export function anchors(relaxed: boolean): Anchors {
  const module = binaryen.parseText(source(relaxed));
  module.setFeatures(binaryen.Features.SIMD128 | binaryen.Features.RelaxedSIMD);
  const binary = new Uint8Array(module.emitBinary());
  const { memory, madd, sum } = new WebAssembly.Instance(new WebAssembly.Module(binary))
    .exports as {
    memory: WebAssembly.Memory;
    madd: (n: number, of: number) => number;
    sum: (n: number) => number;
  };
  const seconds = (work: () => void): number => {
    const start = performance.now();
    work();
    return (performance.now() - start) / 1000;
  };
  return {
    ceiling: () => {
      const n = 5e6;
      const quickest = Math.min(...Array.from({ length: 5 }, () => seconds(() => madd(n, 0.5))));
      return (n * ACCUMULATORS * 4 * 2) / quickest;
    },
    reading: (bytes, times) => {
      const whole = bytes - (bytes % (16 * ACCUMULATORS));
      const missing = whole - memory.buffer.byteLength;
      if (missing > 0) {
        memory.grow(Math.ceil(missing / 65536));
        // Pages that were never written are one page, which stays in the cache.
        new Uint8Array(memory.buffer).fill(1);
      }
      const took = seconds(() => {
        for (let time = 0; time < times; time += 1) sum(whole);
      });
      return (whole * times) / took;
    },
  };
}
