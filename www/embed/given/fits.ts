/**
 * What numbers, tokens and names of a figure must be to each other: as many rows as queries, as
 * many columns as keys, no number that is none. The shape of each property was checked before.
 */
import type { HeadPattern, HeadVectors, Stage, StepTensor, Tensor } from "../../data/index.js";
import { Misfit } from "../../data/shape.js";
import type { FigureTag } from "../heights.js";

type Properties = Readonly<Record<string, unknown>>;

/** A list that belongs to an axis of a tensor, and the length that it must have. */
type Pairing = readonly [path: string, list: unknown, length: number | undefined, of: string];

const MISSING: Tensor = { data: new Float32Array(), shape: [], axes: [] };
const tensorAt = (value: unknown): Tensor => (value ?? MISSING) as Tensor;

/** The lists of queries and keys beside a matrix. */
function tokensOf(path: string, matrix: unknown, { queries, keys }: Properties): Pairing[] {
  const { shape } = tensorAt(matrix);
  return [
    [".queries", queries, shape[0], `the rows of ${path}`],
    [".keys", keys, shape[1], `the columns of ${path}`],
  ];
}

/** What a figure cannot do without, by the path of the property. */
const NEEDED: Readonly<Partial<Record<FigureTag, string>>> = {
  "headscope-heatmap": "tensor",
  "headscope-difference": "tensor",
  "headscope-image": "tensor",
  "headscope-lines": "patterns",
  "headscope-dimensions": "stages",
  "headscope-mask": "mask",
  "headscope-positions": "tensor",
  "headscope-steps": "steps",
  "headscope-spectrum": "lists",
  "headscope-grid": "thumbnails",
  "headscope-lens": "numbers",
  "headscope-attribution": "items",
  "headscope-effects": "tensor",
  "headscope-tokens": "tokens",
  "headscope-curves": "lines",
};

/** The pairings of each figure. */
const PAIRINGS: Readonly<Partial<Record<FigureTag, (of: Properties) => Pairing[]>>> = {
  "headscope-heatmap": (of) => tokensOf("tensor", of.tensor, of),
  "headscope-difference": (of) => tokensOf("tensor", of.tensor, of),
  "headscope-image": (of) => tokensOf("tensor", of.tensor, of),
  "headscope-mask": (of) => tokensOf("mask", of.mask, of),
  "headscope-lines": (of) =>
    (of.patterns as HeadPattern[]).flatMap(({ weights }, at) =>
      tokensOf(`patterns[${at}].weights`, weights, of),
    ),
  "headscope-dimensions": (of) => {
    const stages = Object.entries(of.stages as Record<Stage, Tensor>);
    const { query, key } = of.vectors as HeadVectors;
    return [
      ...stages.flatMap(([stage, matrix]) => tokensOf(`stages.${stage}`, matrix, of)),
      [".queries", of.queries, query.shape[0], "the rows of vectors.query"],
      [".keys", of.keys, key.shape[0], "the rows of vectors.key"],
    ];
  },
  "headscope-lens": (of) => {
    const { data, shape } = tensorAt(of.numbers);
    return [
      [".tokens", of.tokens, shape[1], "the columns of numbers"],
      [".words", of.words, data.length, "all numbers"],
    ];
  },
  "headscope-effects": (of) => {
    const { shape } = tensorAt(of.tensor);
    return [
      [".rowNames", of.rowNames, shape[0], "the rows of tensor"],
      [".columnNames", of.columnNames, shape[1], "the columns of tensor"],
    ];
  },
};

/** The figures whose numbers may be absent in places, or infinite. */
const ANY: readonly FigureTag[] = ["headscope-difference", "headscope-effects", "headscope-curves"];
/** The figures in which -Infinity is a masked pair. */
const MASKED: readonly FigureTag[] = ["headscope-mask", "headscope-steps", "headscope-grid"];

/** The first thing that does not fit in the properties of a figure; null if all fits. */
export function checkFit(tag: FigureTag, properties: Properties): Misfit | null {
  const needed = NEEDED[tag];
  const given = needed === undefined ? true : properties[needed];
  if (needed !== undefined && (given ?? null) === null)
    return placed(`.${needed}`, new Misfit("numbers", given));
  if (Array.isArray(given) && given.length === 0)
    return placed(`.${String(needed)}`, new Misfit("a list that is not empty", given));
  if (tag === "headscope-dimensions" && !properties.vectors)
    return placed(".vectors", new Misfit("{ query, key }", properties.vectors));
  for (const [path, list, length, of] of PAIRINGS[tag]?.(properties) ?? []) {
    const count = Array.isArray(list) ? list.length : 0;
    if (count !== length)
      return placed(path, new Misfit(`${length} for ${of}`, list, String(count)));
  }
  return (
    (tag === "headscope-steps" ? stepsFit(properties) : null) ??
    (ANY.includes(tag) ? null : numbersFit(tag, properties))
  );
}

function placed(path: string, misfit: Misfit): Misfit {
  misfit.path = path;
  return misfit;
}

/** Each row of a step is a query or a key. */
function stepsFit({ steps, queries, keys }: Properties): Misfit | null {
  const counts = [queries, keys].map((list) => (Array.isArray(list) ? list.length : 0));
  for (const [at, { tensor }] of (steps as StepTensor[]).entries()) {
    const [rows = 0] = tensor.shape;
    if (counts.includes(rows)) continue;
    const expected = `${counts.join(" or ")} rows, as there are queries or keys`;
    return placed(`.steps[${at}].tensor`, new Misfit(expected, rows));
  }
  return null;
}

/** The first number that is none; null if there is no such number. */
function numbersFit(tag: FigureTag, properties: Properties): Misfit | null {
  const isMaskable = (path: string): boolean =>
    MASKED.includes(tag) ||
    path.startsWith(".mask") ||
    path.includes(".masked") ||
    (path.startsWith(".tensor") && properties.stage === "masked");
  const check = (path: string, value: unknown): Misfit | null => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      if (value === Number.NEGATIVE_INFINITY && isMaskable(path)) return null;
      return placed(path, new Misfit("a finite number", value));
    }
    if (typeof value !== "object" || value === null) return null;
    if (value instanceof Float32Array) {
      for (const [at, one] of value.entries())
        if (!Number.isFinite(one)) {
          const misfit = check(`${path}[${at}]`, one);
          if (misfit) return misfit;
        }
      return null;
    }
    for (const [name, one] of Object.entries(value)) {
      const misfit = check(Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, one);
      if (misfit) return misfit;
    }
    return null;
  };
  return check("", properties);
}
