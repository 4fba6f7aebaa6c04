import type { HeadRef, Tensor, Token } from "../../data/index.js";
import type { HeadRole } from "../../elements/grid/element.js";

/** Numbers in steps: what a picture of them needs. The last two axes make one map, and each map has steps of its own. */
export interface Stepped {
  shape: number[];
  axes: string[];
  /** The last step: 255, or as many as two bytes take. */
  last: number;
  /** The largest number of each map, which is its last step; step 0 is 0. */
  most: number[];
  /** A byte or two per number, in base64. */
  steps: string;
}

/** What the page shows of its first State before the model is there: computed by that model, when the site was built. */
export interface FirstPicture {
  /** The State that it belongs to, as an address. */
  address: string;
  head: HeadRef;
  sourceTokens: Token[];
  targetTokens: Token[];
  translation: string;
  /** The head's weights, `[query, key]`, and the small pictures of all heads, `[layer, head, row, column]`. */
  weights: Stepped;
  thumbnails: Stepped;
  worn: HeadRole[][] | null;
}

/** As many as there are shades. */
const SHADES = 255;
/** So many that rows still add up to what they did. */
export const FINE = 65535;

export function inSteps(
  { data, shape, axes }: Tensor,
  last: typeof SHADES | typeof FINE = SHADES,
): Stepped {
  const size = mapSize(shape);
  const most = Array.from({ length: size === 0 ? 0 : data.length / size }, (_, map) =>
    data.subarray(map * size, (map + 1) * size).reduce((one, other) => Math.max(one, other), 0),
  );
  const numbers = new (kindOf(last))(data.length);
  data.forEach(
    (value, index) =>
      (numbers[index] = Math.round(
        (value / Math.max(most[Math.floor(index / size)] ?? 0, Number.MIN_VALUE)) * last,
      )),
  );
  return {
    shape,
    axes,
    last,
    most,
    steps: btoa(String.fromCharCode(...new Uint8Array(numbers.buffer))),
  };
}

export function fromSteps({ shape, axes, last, most, steps }: Stepped): Tensor {
  const size = mapSize(shape);
  const bytes = Uint8Array.from(atob(steps), (byte) => byte.charCodeAt(0));
  return {
    data: Float32Array.from(
      new (kindOf(last))(bytes.buffer),
      (step, index) => (step / last) * (most[Math.floor(index / size)] ?? 0),
    ),
    shape,
    axes,
  };
}

function kindOf(last: number): Uint8ArrayConstructor | Uint16ArrayConstructor {
  return last > SHADES ? Uint16Array : Uint8Array;
}

function mapSize(shape: readonly number[]): number {
  return (shape.at(-2) ?? 0) * (shape.at(-1) ?? 0);
}
