import type { Tensor } from "../../data/index.js";
import { axis, NO_RUN, type LabelledTensor, type Provenance } from "../provenance.js";

/** A made-up provenance, for tests of the writers. */
export const PROVENANCE: Provenance = {
  ...NO_RUN,
  quantity: "weights",
  model: "en-fr",
  text: "She gave him",
  stack: "cross",
  layer: 1,
  head: 2,
};

/** A tensor with named places; the names give its shape. */
export function labelled(
  data: Iterable<number>,
  labels: readonly (readonly string[] | number)[],
  names = ["query", "key"],
): LabelledTensor {
  const shape = labels.map((one) => (typeof one === "number" ? one : one.length));
  const tensor: Tensor = { data: Float32Array.from(data), shape, axes: names };
  return { tensor, axes: names.map((name, at) => axis(name, labels[at] ?? 0)) };
}
