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

/** A translation by the model, and the references of the same sentence. */
export interface Translated {
  written: string;
  references: readonly string[];
}

/** From 0 to 100. */
export function bleu(corpus: readonly Translated[]): number {
  const sentences = corpus.map(({ written, references }) => {
    return { written: tokensOf(written), references: references.map(tokensOf) };
  });
  const precisions = [1, 2, 3, 4].map((size) => ({
    found: sum(sentences.map(({ written, references }) => shared(written, references, size))),
    count: sum(sentences.map(({ written }) => Math.max(0, written.length - size + 1))),
  }));
  // Or nothing is long enough to have four tokens in a row.
  const isNone = precisions.every(({ found }) => found === 0);
  if (isNone || precisions.some(({ count }) => count === 0)) return 0;
  let smoothing = 1;
  const logs = precisions.map(({ found, count }) =>
    Math.log(found === 0 ? 1 / ((smoothing *= 2) * count) : found / count),
  );
  const written = sum(sentences.map((sentence) => sentence.written.length));
  const wanted = sum(sentences.map((sentence) => closest(sentence.written, sentence.references)));
  const brevity = written < wanted ? Math.exp(1 - wanted / written) : 1;
  return 100 * brevity * Math.exp(sum(logs) / logs.length);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

type Sentence = readonly string[];

/** The length of the closest reference; of two that are as close, the shorter. */
function closest({ length }: Sentence, references: readonly Sentence[]): number {
  const lengths = references.map((reference) => reference.length);
  const apart = (one: number): number => Math.abs(one - length);
  lengths.sort((one, two) => apart(one) - apart(two) || one - two);
  return lengths[0] ?? Infinity;
}

/** How many n-grams a reference has as well. */
function shared(tokens: Sentence, references: readonly Sentence[], size: number): number {
  const grams = (of: readonly string[]): Map<string, number> => {
    const found = new Map<string, number>();
    for (let at = 0; at + size <= of.length; at += 1) {
      const gram = of.slice(at, at + size).join(" ");
      found.set(gram, (found.get(gram) ?? 0) + 1);
    }
    return found;
  };
  const all = references.map(grams);
  return sum(
    [...grams(tokens)].map(([gram, count]) =>
      Math.min(count, Math.max(0, ...all.map((one) => one.get(gram) ?? 0))),
    ),
  );
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
  const spaced = ` ${plain} `
    .replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
    .replace(/([^0-9])([.,])/g, "$1 $2 ")
    .replace(/([.,])([^0-9])/g, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ");
  return spaced.match(/\S+/g) ?? [];
}
