import type { Tensor } from "../../data/index.js";
import type { Axis, Exhibit, Provenance } from "../exhibit.js";

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

/** A tensor with named places. */
export function exhibitOf(
  tensor: Tensor,
  labels: readonly (readonly string[] | null)[],
  provenance: Partial<Provenance> = {},
): Exhibit {
  const axes = tensor.axes.map(
    (name, index): Axis => ({ name, labels: labels[index] ?? null, first: 1 }),
  );
  return { tensor, axes, provenance: { ...PROVENANCE, ...provenance } };
}
