import { decodeIndices, encodeIndices } from "./place-codec.js";
import type { Picked } from "./picked.js";

/** As the address writes it: `s2,5`, `t3.mean.to`. */
export function encodePicked({ side, tokens, pool, looking }: Picked): string {
  return `${side === "source" ? "s" : "t"}${encodeIndices(tokens)}${pool === "mean" ? ".mean" : ""}${looking === "to" ? ".to" : ""}`;
}

/** Reads it; undefined when it is none. */
export function decodePicked(text: string): Picked | undefined {
  const [, letter, list, mean, to] = /^([st])([\d,]+)(\.mean)?(\.to)?$/.exec(text) ?? [];
  const tokens = list === undefined ? undefined : decodeIndices(list);
  if (!tokens) return undefined;
  return {
    side: letter === "s" ? "source" : "target",
    tokens: [...new Set(tokens)],
    pool: mean ? "mean" : "sum",
    looking: to ? "to" : "from",
  };
}
