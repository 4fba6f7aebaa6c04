import { decodeIndex } from "./place-codec.js";
import type { HandPair } from "./state.js";

const LETTERS = { source: "s", target: "t" } as const satisfies Record<HandPair["side"], string>;
const FORM = /^([st])(\d+)-(\d+)$/;

/** Chosen counterparts as `s3-4,t2-5`: the text or what was written from it, both tokens counted from one. */
export function encodePairs(pairs: readonly HandPair[]): string {
  return pairs.map(({ side, one, other }) => `${LETTERS[side]}${one + 1}-${other + 1}`).join(",");
}

/** Undefined when it is not readable. */
export function decodePairs(text: string): HandPair[] | undefined {
  const pairs: HandPair[] = [];
  for (const part of text === "" ? [] : text.split(",")) {
    const [, letter, first = "", second = ""] = FORM.exec(part) ?? [];
    const [one, other] = [decodeIndex(first), decodeIndex(second)];
    if (one === undefined || other === undefined) return undefined;
    pairs.push({ side: letter === "s" ? "source" : "target", one, other });
  }
  return pairs;
}
