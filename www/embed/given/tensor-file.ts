/**
 * The files of tensors that the page saves as JSON, as the properties of the figure that shows such
 * numbers. A figure of several tensors has a file of its own form.
 */
import { HELD, JOINED, SHARES, type PairNumbers, type Stack } from "../../data/index.js";
import { fit, isRecord, Misfit, type Shape } from "../../data/shape.js";
import { formatFixed, message } from "../../i18n/index.js";
import { STACK } from "../../elements/shared/checked.js";
import type { FigureTag } from "../heights.js";
import { isWrittenNumber } from "./properties.js";

/** What is read of such a file. */
export interface SavedTensor {
  quantity: string;
  axes: readonly string[];
  shape: readonly number[];
  labels: Readonly<Record<string, readonly string[]>>;
  data: unknown;
  model: string;
  stack: Stack | null;
  layer: number | null;
  head: number | null;
}

interface Made {
  properties: Readonly<Record<string, unknown>>;
  about: string;
}
/** What a figure shows in place of such numbers. */
interface Unmade {
  expected: string;
  got: string;
}
type Properties = Made["properties"];
type Maker = (saved: SavedTensor) => Properties | null;

const INDEX: Shape = (value) => ((value ?? null) === null ? "any" : { index: "count" });
const FILE: Shape = {
  quantity: "text",
  axes: ["text"],
  shape: ["count"],
  labels: { "*": ["text"] },
  data: (value: unknown) => (Array.isArray(value) ? "any" : new Misfit("nested lists", value)),
};
const PLACE: Shape = {
  model: "text?",
  stack: (value) => (value ? STACK : "any"),
  layer: INDEX,
  head: INDEX,
};

const STAGES: readonly PairNumbers[] = ["raw", "scores", "masked", "weights"];
const PAIR_NUMBERS: readonly PairNumbers[] = [...STAGES, ...SHARES, ...JOINED];

/** The tensor of a file, with its names; a misfit names what is not as the page saves it. */
export function savedTensor(file: Readonly<Record<string, unknown>>): SavedTensor | Misfit {
  const fitted = fit(file, FILE);
  if (fitted instanceof Misfit) return fitted;
  const placed = fit(file, PLACE);
  if (placed instanceof Misfit) return placed;
  const saved = file as unknown as SavedTensor;
  const { axes, shape, labels } = saved;
  if (axes.length !== shape.length) return field(".shape", `${axes.length} numbers`, shape);
  const misfit = nestedMisfit(saved.data, shape);
  if (misfit) return misfit;
  for (const [name, list] of Object.entries(labels)) {
    const size = shape[axes.indexOf(name)];
    if (list.length !== size)
      return field(`.labels.${name}`, `${String(size)} names, as the axis is long`, list);
  }
  const indexOf = (one: unknown): number | null => (isRecord(one) ? Number(one.index) : null);
  const model = typeof file.model === "string" ? file.model : "";
  const stack = saved.stack ?? null;
  return { ...saved, model, stack, layer: indexOf(file.layer), head: indexOf(file.head) };
}

function field(path: string, expected: string, value: unknown): Misfit {
  const misfit = new Misfit(expected, value);
  misfit.path = path;
  return misfit;
}

/** Where nested lists are no numbers of a shape; null if they are. */
function nestedMisfit(
  data: unknown,
  [size, ...inner]: readonly number[],
  path = ".data",
): Misfit | null {
  if (size === undefined) return isWrittenNumber(data) ? null : field(path, "a number", data);
  if (!Array.isArray(data) || data.length !== size) return field(path, `a list of ${size}`, data);
  for (const [at, one] of data.entries()) {
    const misfit = nestedMisfit(one, inner, `${path}[${at}]`);
    if (misfit) return misfit;
  }
  return null;
}

/** The place in a file of a number of a figure, which has the rows of the file in one list. */
export function placeInFile(path: string, { shape }: Pick<SavedTensor, "shape">): string {
  const [index = 0, first = 0] = [...path.matchAll(/\[(\d+)\]/g)]
    .map(([, number]) => Number(number))
    .reverse();
  const inner = shape.slice(1).reduce((product, side) => product * side, 1);
  let rest = path.includes("patterns[") && shape.length === 3 ? first * inner + index : index;
  const places = shape.map((_, axis) => {
    const stride = shape.slice(axis + 1).reduce((product, side) => product * side, 1);
    const place = Math.floor(rest / stride);
    rest -= place * stride;
    return `[${place}]`;
  });
  return `.data${places.join("")}`;
}

/** The quantity without the entry of the vocabulary that it is about. */
const numbersOf = ({ quantity }: SavedTensor): PairNumbers | undefined =>
  PAIR_NUMBERS.find((one) => one === quantity.replace(/^step-|-\d+$/g, ""));

const hasAxes = ({ axes }: SavedTensor, ...names: readonly string[]): boolean =>
  axes.length === names.length && names.every((name, at) => axes[at] === name);

const tensorOf = ({ data, shape, axes }: SavedTensor): object => ({
  data: (data as unknown[]).flat(Infinity),
  shape,
  axes,
});

const namesOf = ({ labels, axes, shape }: SavedTensor, axis: number): readonly string[] =>
  labels[axes[axis] ?? ""] ??
  Array.from({ length: shape[axis] ?? 0 }, (_, place) => String(place + 1));

const pairNames = (saved: SavedTensor): { queries: unknown; keys: unknown } => {
  const { length } = saved.axes;
  return { queries: namesOf(saved, length - 2), keys: namesOf(saved, length - 1) };
};

/** A sign before a name of an axis that two texts share: only one of them has it. */
const isSigned = (name: string): boolean => /^[+−] /.test(name);

/** The figures that show one tensor of the page's files. */
const MAKERS: Readonly<Partial<Record<FigureTag, Maker>>> = {
  "headscope-heatmap": (saved) => {
    const stage = numbersOf(saved);
    if (!stage || !hasAxes(saved, "query", "key")) return null;
    return { tensor: tensorOf(saved), stage, ...pairNames(saved) };
  },
  "headscope-lines": (saved) => {
    const stage = numbersOf(saved);
    if (!stage || !(hasAxes(saved, "query", "key") || hasAxes(saved, "head", "query", "key")))
      return null;
    const { data, axes, labels, head } = saved;
    const shape = saved.shape.slice(-2);
    const all = axes.length === 3 ? (data as unknown[]) : [data];
    const headAt = (at: number): number =>
      Number(/^head (\d+)$/.exec(labels.head?.[at] ?? "")?.[1] ?? (head ?? at) + 1) - 1;
    const patterns = all.map((one, at) => ({
      head: headAt(at),
      weights: { data: (one as unknown[]).flat(), shape, axes: axes.slice(-2) },
    }));
    return { patterns, stage, ...pairNames(saved) };
  },
  "headscope-difference": (saved) => {
    if (!saved.quantity.endsWith("-difference") || !hasAxes(saved, "query", "key")) return null;
    const names = pairNames(saved);
    const signed = [names.queries, names.keys].some((list) => (list as string[]).some(isSigned));
    return { tensor: tensorOf(saved), signed, ...names };
  },
  "headscope-mask": (saved) =>
    saved.quantity === "mask" && hasAxes(saved, "query", "key")
      ? { mask: tensorOf(saved), ...pairNames(saved) }
      : null,
  "headscope-positions": (saved) =>
    saved.quantity === "positions" && saved.axes.length === 2 ? { tensor: tensorOf(saved) } : null,
  "headscope-grid": (saved) => {
    if (!hasAxes(saved, "layer", "head", "query", "key")) return null;
    return { thumbnails: tensorOf(saved), stack: saved.stack ?? "encoder" };
  },
  "headscope-spectrum": (saved) => {
    if (saved.quantity !== "singular-values" || !hasAxes(saved, "matrix", "index")) return null;
    return {
      lists: (saved.data as unknown[][]).map((values, at) => spectrumOf(saved, values, at)),
    };
  },
  "headscope-attribution": (saved) => {
    if (!saved.quantity.startsWith("attribution") || saved.axes.length !== 1) return null;
    const names = namesOf(saved, 0);
    const values = saved.data as unknown[];
    const items = values.map((value, at) => {
      const text = typeof value === "number" ? formatFixed(value, 2) : String(value);
      return { label: names[at] ?? "", value, text };
    });
    const sizeOf = ({ value }: { value: unknown }): number => Math.abs(Number(value));
    const max = Math.max(...items.map(sizeOf), Number.MIN_VALUE);
    return { items: items.toSorted((one, other) => sizeOf(other) - sizeOf(one)), max };
  },
  "headscope-effects": (saved) => {
    if (!saved.quantity.startsWith("patching") || saved.axes.length !== 2) return null;
    const [rows = "", columns = ""] = saved.axes;
    const titles = { rows, columns, values: message("layers.recovered") };
    const names = { rowNames: namesOf(saved, 0), columnNames: namesOf(saved, 1) };
    return { tensor: tensorOf(saved), titles, signed: true, ...names };
  },
};

/** The singular values of one matrix, without the fill of a list that is shorter than the other. */
function spectrumOf(saved: SavedTensor, row: readonly unknown[], at: number): object {
  const of = namesOf(saved, 0)[at] ?? "";
  const values = row.filter((value) => value !== "NaN");
  const squares = values.map((value) => Number(value) ** 2);
  const all = squares.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  const before = squares.filter((one) => (sum += one) < HELD * all).length;
  const heading = of === "scores" || of === "weights" ? message(`stage.${of}`) : of;
  return { of, heading, values, rank: Math.min(values.length, before + 1) };
}

/** The properties of a figure that shows a tensor, or which numbers it shows instead. */
export function propertiesOf(tag: FigureTag, saved: SavedTensor): Made | Unmade {
  const properties = MAKERS[tag]?.(saved) ?? null;
  if (!properties) {
    const name = tag.replace("headscope-", "");
    const axes = saved.axes.join(", ");
    return { expected: `numbers of <headscope-${name}>`, got: `“${saved.quantity}” [${axes}]` };
  }
  return { properties, about: aboutOf(saved) };
}

/** What numbers are of, as far as their file says it. */
function aboutOf({ model, stack, layer, head }: SavedTensor): string {
  return [
    model,
    stack ? message(`stack.${stack}`) : "",
    layer !== null && head !== null
      ? message("head.title", { layer: layer + 1, head: head + 1 })
      : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
