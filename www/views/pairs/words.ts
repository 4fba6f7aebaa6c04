import type { HeadRef, ModelInfo, Token } from "../../data/index.js";
import { labelAt } from "../../elements/shared/token-label.js";
import { wordsOf } from "../../reduce/words.js";
import type { Run } from "../../headscope.js";
import type { Side } from "../../state/index.js";
import type { Alignment } from "./alignment.js";

/** A word and its counterpart, by their tokens; no tokens where there is no counterpart. */
export interface WordPair {
  side: Side;
  stack: "encoder" | "decoder";
  one: { text: string; positions: number[] };
  other: { text: string; positions: number[] } | null;
}

/** How alike the two words are, by layer, the embeddings first. */
export interface WordCosines {
  pair: WordPair;
  cosines: (number | null)[];
}

/** Which of the two texts an axis of a head is about; a model with one text has no other. */
export function sideOf(
  axis: "query" | "key",
  { stack }: Pick<HeadRef, "stack">,
  { architecture }: Pick<ModelInfo, "architecture">,
): Side {
  if (architecture !== "encoder-decoder" || stack === "encoder") return "source";
  return stack === "decoder" || axis === "query" ? "target" : "source";
}

/** The word that a token belongs to, and what it is paired with. */
export function wordPair(
  side: Side,
  architecture: ModelInfo["architecture"],
  tokens: readonly Token[],
  others: readonly Token[],
  { toOther }: Alignment,
  position: number,
): WordPair {
  const positions = wordAt(tokens, position);
  const to = positions.map((at) => toOther[at] ?? null).find((at) => at !== null) ?? null;
  const counterpart = to === null ? null : wordAt(others, to);
  const stack =
    architecture === "decoder" || (architecture === "encoder-decoder" && side === "target")
      ? "decoder"
      : "encoder";
  return {
    side,
    stack,
    one: { text: spelled(tokens, positions), positions },
    other: counterpart && { text: spelled(others, counterpart), positions: counterpart },
  };
}

/** Every word of a text that has a counterpart in the other one. */
export function pairedWords(
  side: Side,
  architecture: ModelInfo["architecture"],
  tokens: readonly Token[],
  others: readonly Token[],
  alignment: Alignment,
): WordPair[] {
  return wordsOf(tokens)
    .map(({ indices: [first = 0] }) =>
      wordPair(side, architecture, tokens, others, alignment, first),
    )
    .filter(({ other }) => other !== null);
}

/** Reads how alike the states of paired words are; of words without a counterpart there is nothing to read. */
export async function readCosines(
  one: Run,
  other: Run,
  pairs: readonly WordPair[],
): Promise<WordCosines[]> {
  return Promise.all(
    pairs.map(async (pair) => {
      const { stack, one: word, other: counterpart } = pair;
      if (!counterpart) return { pair, cosines: [] };
      return {
        pair,
        cosines: await one.cosines({
          stack,
          positions: word.positions,
          other,
          otherPositions: counterpart.positions,
        }),
      };
    }),
  );
}

function wordAt(tokens: readonly Token[], position: number): number[] {
  return wordsOf(tokens).find(({ indices }) => indices.includes(position))?.indices ?? [position];
}

function spelled(tokens: readonly Token[], positions: readonly number[]): string {
  return positions
    .map((at) => labelAt(tokens, at))
    .join("")
    .trim();
}
