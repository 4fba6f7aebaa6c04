/** The words of a text that another text lacks, by a longest common subsequence. */

/** A word, and whether the other text lacks it at this position. */
export interface DiffWord {
  text: string;
  changed: boolean;
}

/** The words of `before`; those outside a longest common subsequence with `after` are marked. */
export function changedWords(before: string, after: string): DiffWord[] {
  const [old = [], now = []] = [before, after].map((text) => text.split(/\s+/).filter(Boolean));
  const common = new Set(commonPairs(old, now).map(([at]) => at));
  return old.map((text, at) => ({ text, changed: !common.has(at) }));
}

/** The positions of a longest common subsequence in both lists. */
export function commonPairs(
  old: readonly string[],
  now: readonly string[],
): [old: number, now: number][] {
  // The number of words that the lists share from their i-th and j-th word on.
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const [row, next] = [lengths[i], lengths[i + 1]];
    for (let j = now.length - 1; row && next && j >= 0; j -= 1)
      row[j] = old[i] === now[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < old.length && j < now.length;) {
    if (old[i] === now[j]) pairs.push([i++, j++]);
    else if ((lengths[i]?.[j + 1] ?? 0) >= (lengths[i + 1]?.[j] ?? 0)) j += 1;
    else i += 1;
  }
  return pairs;
}
