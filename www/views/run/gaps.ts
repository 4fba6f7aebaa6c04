import type { ModelInfo, Token } from "../../data/index.js";

/** Whether a model can be asked what stands in the place of a token. */
export function isHideable({ maskToken, predicts }: ModelInfo, token: Token | undefined): boolean {
  return maskToken !== null && predicts && token !== undefined && !token.special;
}

/** Hides a token, or gives it back. */
export function toggleHidden(hidden: readonly number[], position: number): number[] {
  return hidden.includes(position)
    ? hidden.filter((other) => other !== position)
    : [...hidden, position];
}

/**
 * Where hidden tokens are after the text was changed: what stands before the change or after it moves along, what was
 * changed itself is read again.
 */
export function carryHidden(
  hidden: readonly number[],
  before: readonly Token[],
  after: readonly Token[],
): number[] {
  const same = (one: Token | undefined, other: Token | undefined): boolean =>
    one !== undefined && one.id === other?.id;
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && same(before[head], after[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head && same(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  return hidden.flatMap((position) => {
    if (position < head) return [position];
    return position >= before.length - tail ? [position + after.length - before.length] : [];
  });
}
