import type { Tensor, Token } from "../../data/index.js";
import type { Axis, Exhibit, Provenance } from "../../export/exhibit.js";

export const GROUPS = ["head", "steps", "stack", "text"] as const;

/** One of the tensors that can be saved. */
export interface NumbersChoice {
  id: string;
  label: string;
  /** Whether it is about the head that is shown, about a step of its block, about all heads of its stack, or about the whole text. */
  group: (typeof GROUPS)[number];
  shape: readonly number[];
  /** Whether its last two axes are queries and keys, of which a picture may show a part. */
  pattern: boolean;
  read: () => Promise<Exhibit>;
}

export function exhibit(tensor: Tensor, axes: readonly Axis[], provenance: Provenance): Exhibit {
  return { tensor, axes, provenance };
}

/** The token's own text, the same in every language: files are read by programs, too. */
export function tokenAxis(name: string, tokens: readonly Token[]): Axis {
  return { name, labels: tokens.map(({ text }) => text), first: 1 };
}

export function counted(name: string): Axis {
  return { name, labels: null, first: 1 };
}
