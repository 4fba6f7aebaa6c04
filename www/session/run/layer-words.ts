/**
 * The words and numbers of the picture of layers and of the parts of a logit, for the page and for
 * figures in other pages.
 */
import type { HeadRef, LogitPart, ModelInfo, Tensor } from "../../data/index.js";
import { predictionLabel } from "../../elements/shared/templates.js";
import { message } from "../../i18n/index.js";
import type { Shade, State } from "../../state/index.js";
import type { ReadLayers } from "./layers.js";

/** The numbers that colour the cells, `[layer, position]`. */
export function shadedBy({ lens }: ReadLayers, shade: Shade): Tensor {
  switch (shade) {
    case "entropy":
      return lens.entropy;
    case "divergence":
      return lens.divergence;
    case "rank":
      return mapped(lens.chosen?.ranks ?? firstRanks(lens.entropy), (rank) => 1 / (rank + 1));
    case "probability":
      return lens.chosen?.probabilities ?? firstOf(lens.probabilities);
  }
}

const mapped = (tensor: Tensor, change: (value: number) => number): Tensor => ({
  ...tensor,
  data: tensor.data.map(change),
});

const firstRanks = (cells: Tensor): Tensor => mapped(cells, () => 0);

/** The numbers of the likeliest entries. */
function firstOf({ data, shape: [layers = 0, positions = 0, ranks = 1], axes }: Tensor): Tensor {
  const first = Float32Array.from(
    { length: layers * positions },
    (_, cell) => data[cell * ranks] ?? NaN,
  );
  return { data: first, shape: [layers, positions], axes: axes.slice(0, 2) };
}

/** The likeliest entry of each cell, as the model writes it after the token there. */
export function wordsOf({ lens, tokens }: ReadLayers, info: ModelInfo): string[] {
  const [depths = 0, n = 0, ranks = 0] = lens.ids.shape;
  return Array.from({ length: depths * n }, (_, cell) => {
    const id = lens.ids.data[cell * ranks] ?? 0;
    const at = tokens[cell % n];
    const name = lens.names.get(id);
    return at && name ? predictionLabel({ ...name, logit: 0, probability: 0 }, at, info) : "";
  });
}

/** What the numbers behind the colours are. */
export function quantityOf({ shade, entry }: Pick<State, "shade" | "entry">): string {
  const isOfEntry = shade === "rank" || shade === "probability";
  const name = message(shade === "rank" ? "layers.reciprocal" : `layers.${shade}`);
  return isOfEntry && entry !== null ? message("layers.ofEntry", { name }) : name;
}

/** The name of an entry of the vocabulary; null for one that is not among the predictions. */
export function nameOfEntry({ lens }: ReadLayers, id: number): string | null {
  const name = lens.names.get(id);
  return name ? name.text.trim() || name.text : null;
}

/** The parts of a logit that are listed; the others are joined. */
const LISTED_PARTS = 12;

/** A part of a logit with its name; a head can be chosen. */
export interface NamedPart {
  label: string;
  value: number;
  head: HeadRef | null;
}

/** The parts with the largest values, by their size, and the others as one. */
export function strongestParts(parts: readonly LogitPart[]): NamedPart[] {
  const sorted = parts.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const listed = sorted.slice(0, LISTED_PARTS).map((part) => ({
    label: partName(part),
    value: part.value,
    head: headOf(part),
  }));
  const rest = sorted.slice(LISTED_PARTS);
  if (rest.length === 0) return listed;
  const value = rest.reduce((sum, part) => sum + part.value, 0);
  return [...listed, { label: message("layers.rest", { count: rest.length }), value, head: null }];
}

function headOf({ stack, layer, head }: LogitPart): HeadRef | null {
  return stack !== null && layer !== null && head !== null ? { stack, layer, head } : null;
}

/** The name of a part: what it comes from, and its layer if it has one. */
export function partName(part: LogitPart): string {
  const { kind, stack, layer, head } = part;
  const name = message(`layers.part.${kind}`, { head: (head ?? 0) + 1 });
  if (layer === null) return name;
  const where = stack === "cross" ? "layers.atCross" : "layers.at";
  return message(where, { layer: layer + 1, name });
}
