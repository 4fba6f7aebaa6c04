/** The attention that a notebook gives to a figure: numbers, tokens and words, without a model. */
import type { Cell, Stack, Tensor, Token } from "../data/index.js";
import { fit, Misfit, rule, type Shape } from "../data/shape.js";
import { orNull, STACK, wordToken } from "../elements/shared/checked.js";
import { bytesOf, ENCODINGS, unpacked, type Packing } from "./numbers.js";

/** The heads of one stack. */
export interface GivenStack {
  stack: Stack;
  /** The weights of all heads, shape `[layer, head, query, key]`. */
  weights: Tensor;
  queries: Token[];
  keys: Token[];
  /** What must be known of the numbers, such as why their rows sum to less than 1. */
  notes: readonly string[];
}

/** What Python sends beside the numbers. */
export interface Description {
  title: string;
  numbers: Packing;
  stacks: readonly {
    stack: Stack;
    layers: number;
    heads: number;
    queries: readonly string[];
    keys: readonly string[];
    notes: readonly string[];
  }[];
}

const among = (...names: readonly string[]): Shape =>
  rule(names.join(" | "), (value) => typeof value === "string" && names.includes(value));

const unfit = ({ path, expected, got }: Misfit): TypeError =>
  new TypeError(`${path}: ${expected} expected, ${got} found`);

const DESCRIPTION: Shape = {
  title: "text",
  numbers: { encoding: among(...ENCODINGS), count: "count", exact: "count" },
  stacks: [
    {
      stack: STACK,
      layers: "length",
      heads: "length",
      queries: ["text"],
      keys: ["text"],
      notes: ["text"],
    },
  ],
};

export interface Given {
  title: string;
  stacks: readonly GivenStack[];
}

/**
 * Reads a description and its numbers.
 *
 * @throws TypeError that names the first field that is not as Python writes it.
 */
export async function readGiven(
  description: unknown,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Given> {
  const fitted = fit(description, DESCRIPTION);
  if (fitted instanceof Misfit) throw unfit(fitted);
  const { title, numbers, stacks } = fitted as Description;
  const all = await unpacked(bytes, numbers);
  let from = 0;
  const given = stacks.map(({ stack, layers, heads, queries, keys, notes }): GivenStack => {
    const shape = [layers, heads, queries.length, keys.length];
    const data = all.subarray(from, from + shape.reduce((size, side) => size * side, 1));
    from += data.length;
    return {
      stack,
      weights: { data, shape, axes: ["layer", "head", "query", "key"] },
      queries: queries.map(wordToken),
      keys: keys.map(wordToken),
      notes,
    };
  });
  if (from !== all.length) throw new TypeError(`${from} weights expected, ${all.length} found`);
  return { title, stacks: given };
}

/** What a figure shows of its numbers; layers, heads and tokens count from 0. */
export interface Selection {
  stack: Stack;
  layer: number;
  head: number;
  pair: Cell | null;
  view: View;
}

/** The pictures of one head. */
export const VIEWS = ["heatmap", "lines"] as const;
export type View = (typeof VIEWS)[number];

/** A pair as Python writes it. */
export type GivenPair = readonly [query: number, key: number] | null;

/** The cell of a pair. */
export const cellOf = (pair: GivenPair): Cell | null => pair && { query: pair[0], key: pair[1] };

const SAVED: Shape = {
  data: "text",
  selection: {
    stack: STACK,
    layer: "count",
    head: "count",
    pair: orNull(["count"]),
    view: among(...VIEWS),
  },
};

/** Reads a saved figure: JSON that also has the numbers, in base64, and what is shown of them. */
export async function readSaved(text: string): Promise<{ given: Given; selection: Selection }> {
  const parsed: unknown = JSON.parse(text);
  const fitted = fit(parsed, SAVED);
  if (fitted instanceof Misfit) throw unfit(fitted);
  const { data, selection } = fitted as {
    data: string;
    selection: Omit<Selection, "pair"> & { pair: GivenPair };
  };
  const given = await readGiven(parsed, bytesOf(data));
  return { given, selection: { ...selection, pair: cellOf(selection.pair) } };
}

/** One head's weights, `[query, key]`, as a view. */
export function headOf({ weights: { data, shape } }: GivenStack, layer: number, head: number) {
  const [, heads = 0, rows = 0, columns = 0] = shape;
  const from = (layer * heads + head) * rows * columns;
  return {
    data: data.subarray(from, from + rows * columns),
    shape: [rows, columns],
    axes: ["query", "key"],
  } satisfies Tensor;
}
