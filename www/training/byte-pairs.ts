/**
 * Byte-pair encoding learned from a text: the most frequent pair of neighbours becomes a piece,
 * until there are enough. Of pairs that are as frequent the one whose text is first is taken.
 *
 * Source: R. Sennrich, B. Haddow and A. Birch 2016, "Neural Machine Translation of Rare Words with
 * Subword Units", algorithm 1; words begin with their space, as in SentencePiece.
 */

/** What stands for a space in a piece. */
export const SPACE = "▁";

/** Pieces and merges, and the text as pieces. */
export interface BytePairs {
  /** The pieces: characters, then what the merges make. */
  readonly pieces: readonly string[];
  readonly merges: readonly (readonly [string, string])[];
  readonly text: readonly string[];
}

/** A word of the text, cut into pieces. */
interface Word {
  count: number;
  pieces: string[];
}

/** Learns pieces of a text, at most so many unless it has more characters. */
export function learnBytePairs(text: string, most: number): BytePairs {
  const marked = text.replaceAll(" ", SPACE);
  const written = (marked.startsWith(SPACE) ? marked : SPACE + marked).split(/(?=▁)/);
  const words = new Map<string, Word>();
  for (const word of written) {
    const known = words.get(word);
    if (known) known.count += 1;
    else words.set(word, { count: 1, pieces: Array.from(word) });
  }
  const all = [...words.values()];
  const pieces = new Set(all.flatMap((word) => word.pieces).toSorted());
  const merges: [string, string][] = [];
  while (pieces.size < most) {
    const pair = mostFrequent(all);
    if (pair === null) break;
    merges.push(pair);
    pieces.add(pair.join(""));
    for (const word of all) word.pieces = merged(word.pieces, pair);
  }
  return {
    pieces: [...pieces],
    merges,
    text: written.flatMap((word) => words.get(word)?.pieces ?? []),
  };
}

/** What separates the two pieces of a pair in a key; no piece has it. */
const BETWEEN = "\0";

/** The most frequent pair of neighbours, if any comes twice. */
function mostFrequent(words: readonly Word[]): [string, string] | null {
  const counts = new Map<string, number>();
  for (const { count, pieces } of words)
    for (let at = 1; at < pieces.length; at += 1) {
      const pair = `${pieces[at - 1]}${BETWEEN}${pieces[at]}`;
      counts.set(pair, (counts.get(pair) ?? 0) + count);
    }
  let best: string | null = null;
  let most = 1;
  for (const [pair, count] of counts)
    if (count > most || (count === most && best !== null && pair < best)) {
      best = pair;
      most = count;
    }
  const [first, second] = best?.split(BETWEEN) ?? [];
  return first === undefined || second === undefined ? null : [first, second];
}

/** Pieces with each occurrence of a pair as one piece, from the left. */
function merged(pieces: string[], [first, second]: readonly [string, string]): string[] {
  if (!pieces.includes(first)) return pieces;
  const made: string[] = [];
  for (const piece of pieces) {
    if (piece === second && made.at(-1) === first) made[made.length - 1] = first + second;
    else made.push(piece);
  }
  return made;
}
