import type { Tensor } from "../data/index.js";
import type { LabelledTensor, Provenance } from "./provenance.js";

/** For tests of the writers: where made-up numbers come from. */
export const PROVENANCE: Provenance = {
  quantity: "weights",
  model: "en-fr",
  text: "She gave him",
  target: null,
  hidden: [],
  stack: "cross",
  layer: 1,
  head: 2,
  beside: [],
  hiddenStates: null,
  edits: {},
  view: null,
  part: null,
  compared: null,
  aligned: null,
  link: null,
  version: "1.2.3",
};

/** A tensor with named places, of the shape that its names have. */
export function labelled(
  data: Iterable<number>,
  labels: readonly (readonly string[] | number)[],
  names = ["query", "key"],
): LabelledTensor {
  const shape = labels.map((one) => (typeof one === "number" ? one : one.length));
  const tensor: Tensor = { data: Float32Array.from(data), shape, axes: names };
  const axes = names.map((name, index) => {
    const own = labels[index];
    return { name, labels: typeof own === "number" ? null : (own ?? null), first: 1 };
  });
  return { tensor, axes };
}
