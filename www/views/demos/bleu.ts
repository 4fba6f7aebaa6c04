/*
 * BLEU of a corpus (Papineni et al. 2002), with the choices of sacreBLEU (Post 2018) that make numbers comparable:
 * tokens as mteval-v13a cuts them, n-grams up to four, the closest reference's length, and where no n-gram of a length
 * matches, its precision halved once more each time ("exp" smoothing).
 *
 *   BLEU = 100 · min(1, e^(1 − r/c)) · (p₁ p₂ p₃ p₄)^¼
 *
 * p_n is the share of the n-grams written that a reference has as well, each counted at most as often as in the
 * reference that has it most; c and r are the tokens written and in the closest references, over all sentences.
 */

const LONGEST = 4;

/** A translation by the model, and the references of the same sentence. */
export interface Translated {
  written: string;
  references: readonly string[];
}

/** From 0 to 100. */
export function bleu(corpus: readonly Translated[]): number {
  const matches = new Array<number>(LONGEST).fill(0);
  const counts = new Array<number>(LONGEST).fill(0);
  let written = 0;
  let wanted = 0;
  for (const sentence of corpus) {
    const tokens = tokensOf(sentence.written);
    const references = sentence.references.map(tokensOf);
    written += tokens.length;
    wanted += closest(
      tokens.length,
      references.map(({ length }) => length),
    );
    for (let size = 1; size <= LONGEST; size += 1) {
      counts[size - 1] = (counts[size - 1] ?? 0) + Math.max(0, tokens.length - size + 1);
      matches[size - 1] = (matches[size - 1] ?? 0) + shared(tokens, references, size);
    }
  }
  if (matches.every((count) => count === 0)) return 0;
  const brevity = written < wanted ? Math.exp(1 - wanted / written) : 1;
  return 100 * brevity * Math.exp(meanLogPrecision(matches, counts));
}

/** −∞ where nothing is long enough to have four tokens in a row. */
function meanLogPrecision(matches: readonly number[], counts: readonly number[]): number {
  let smoothing = 1;
  let sum = 0;
  for (const [index, count] of counts.entries()) {
    if (count === 0) return -Infinity;
    const found = matches[index] ?? 0;
    if (found === 0) smoothing *= 2;
    sum += Math.log(found === 0 ? 1 / (smoothing * count) : found / count);
  }
  return sum / LONGEST;
}

/** Of two that are as close, the shorter. */
function closest(length: number, references: readonly number[]): number {
  return references.reduce((best, one) => {
    const nearer = Math.abs(one - length) - Math.abs(best - length);
    return nearer < 0 || (nearer === 0 && one < best) ? one : best;
  }, Infinity);
}

function shared(
  tokens: readonly string[],
  references: readonly (readonly string[])[],
  size: number,
): number {
  const most = new Map<string, number>();
  for (const reference of references) {
    for (const [gram, count] of grams(reference, size))
      most.set(gram, Math.max(most.get(gram) ?? 0, count));
  }
  return [...grams(tokens, size)].reduce(
    (sum, [gram, count]) => sum + Math.min(count, most.get(gram) ?? 0),
    0,
  );
}

function grams(tokens: readonly string[], size: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = 0; at + size <= tokens.length; at += 1) {
    const gram = tokens.slice(at, at + size).join(" ");
    found.set(gram, (found.get(gram) ?? 0) + 1);
  }
  return found;
}

/** As mteval-v13a cuts a line: signs stand alone, but for a point, a comma or a dash within a number. */
function tokensOf(line: string): string[] {
  const plain = line
    .replaceAll("<skipped>", "")
    .replaceAll("-\n", "")
    .replaceAll("\n", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
  return ` ${plain} `
    .replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
    .replace(/([^0-9])([.,])/g, "$1 $2 ")
    .replace(/([.,])([^0-9])/g, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ")
    .split(/\s+/)
    .filter((token) => token !== "");
}
