/** A word, and whether the other text lacks it at this place. */
export interface DiffWord {
  text: string;
  changed: boolean;
}

/** The words of `before`, with those marked that a longest common subsequence with `after` leaves out. */
export function changedWords(before: string, after: string): DiffWord[] {
  const old = wordsOf(before);
  const kept = new Set(commonPairs(old, wordsOf(after)).map(([at]) => at));
  return old.map((text, at) => ({ text, changed: !kept.has(at) }));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The positions of a longest common subsequence in both lists. */
export function commonPairs(
  old: readonly string[],
  now: readonly string[],
): [old: number, now: number][] {
  const common = commonLengths(old, now);
  const pairs: [number, number][] = [];
  let other = 0;
  old.forEach((text, at) => {
    while (
      other < now.length &&
      now[other] !== text &&
      length(common, at, other + 1) >= length(common, at + 1, other)
    )
      other += 1;
    if (other < now.length && now[other] === text) {
      pairs.push([at, other]);
      other += 1;
    }
  });
  return pairs;
}

/** `table[i][j]`: how many words the texts share from their i-th and j-th word on. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row)
        row[j] =
          old[i] === now[j]
            ? length(table, i + 1, j + 1) + 1
            : Math.max(length(table, i + 1, j), length(table, i, j + 1));
    }
  }
  return table;
}

function length(table: Uint16Array[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
