import type { HeldOutSentence } from "../../../data/index.js";
import type { Model, RunInput } from "../../../headscope.js";

/*
 * A text that is longer than a model's positions, as ids, and the pieces of it that the model can
 * read with its own: a writer's windows, which overlap by half; a translator's sentences, each by
 * itself; of a model that fills gaps windows that overlap by half too, of which the middle is read.
 * A row is a place at which a token is predicted: the next one, or in a gap the one that was there.
 */

/** A piece to run: its `rows` from position `from` on are those of the whole text from `at` on. */
export interface Piece {
  input: RunInput;
  from: number;
  rows: number;
  at: number;
}

export interface LongText {
  /** The token that each row should predict. */
  wanted: readonly number[];
  /**
   * One piece with as much of the text as fits in a number of positions: for a translator whole
   * sentences, source and translation.
   */
  fitting: (positions: number) => Piece;
  /** The same rows, each read with at most a number of positions. */
  anew: (positions: number) => Piece[];
}

type Sentences = readonly HeldOutSentence[];

/**
 * A text of these sentences, as many as needed for `rows` rows; with fewer rows if there are no
 * more.
 */
export function longText(model: Model, sentences: Sentences, rows: number): LongText {
  const { architecture } = model.info;
  if (architecture === "encoder-decoder") return translation(model, sentences, rows);
  const fills = architecture === "encoder";
  const { before, after, around } = frameOf(model);
  const ids: number[] = [];
  for (const { text } of sentences) if (ids.length <= rows) ids.push(...idsOf(model, text, !fills));
  // Special tokens around a text count in its length, and are no rows. The last token of a
  // decoder's text is only predicted.
  ids.length = Math.min(ids.length, fills ? Math.max(0, rows - around) : rows + 1);
  const wanted = fills ? ids : ids.slice(1);
  const all = wanted.length;
  const piece = (begin: number, end: number, at = begin, count = end - begin): Piece => ({
    input: { ids: [...before, ...ids.slice(begin, end), ...after] },
    from: before.length + at - begin,
    rows: count,
    at,
  });
  return {
    wanted,
    fitting: (positions) => piece(0, Math.min(all, positions - around)),
    anew: (positions) => {
      const width = Math.max(1, positions - around);
      const half = Math.max(1, Math.floor(width / 2));
      // The outer parts of the first and the last window are read too.
      const read = fills ? half + Math.floor((width - half) / 2) : width;
      const pieces: Piece[] = [];
      for (let [begin, at] = [0, 0]; at < all; begin += half) {
        const end = Math.min(all, begin + width);
        const until = end === all ? all : begin + read;
        pieces.push(piece(fills ? Math.max(0, end - width) : begin, end, at, until - at));
        at = until;
      }
      return pieces;
    },
  };
}

function idsOf(model: Model, text: string, withSpecial: boolean): number[] {
  return model.tokenize(text).flatMap(({ id, special }) => (special && !withSpecial ? [] : [id]));
}

/** The special tokens around a text, in a model that fills masked tokens; none in others. */
export function frameOf(model: Model) {
  const tokens = model.info.architecture === "encoder" ? model.tokenize("a") : [];
  const first = tokens.findIndex(({ special }) => !special);
  const last = tokens.findLastIndex(({ special }) => !special);
  const ids = tokens.map(({ id }) => id);
  const before = ids.slice(0, Math.max(0, first));
  const after = ids.slice(last + 1);
  return { before, after, around: before.length + after.length };
}

/**
 * All sources as one text and all translations as one. A part of it has its source up to the last
 * sentence.
 */
function translation(model: Model, sentences: Sentences, rows: number): LongText {
  const { startToken, endTokens } = model.info;
  const ends = endTokens.slice(0, 1);
  const starts = startToken === null ? [] : [startToken];
  const passages: { ids: number[]; targetIds: number[] }[] = [];
  const targetOf = (some: typeof passages): number[] => some.flatMap(({ targetIds }) => targetIds);
  const sourceOf = (some: typeof passages): number[] => some.flatMap(({ ids }) => ids);
  for (const { text, targets: [target = ""] = [] } of sentences)
    if (targetOf(passages).length <= rows)
      passages.push({ ids: idsOf(model, text, false), targetIds: idsOf(model, target, false) });
  const wanted = targetOf(passages).slice(0, rows);
  const piece = (some: typeof passages, at = 0): Piece => {
    const target = [...starts, ...targetOf(some)];
    const count = Math.min(targetOf(some).length, wanted.length - at);
    const input = { ids: [...sourceOf(some), ...ends], targetIds: target.slice(0, count) };
    return { input, from: 0, rows: count, at };
  };
  return {
    wanted,
    fitting: (positions) => {
      const tooLong = passages.findIndex((_, at) => {
        const some = passages.slice(0, at + 1);
        return ends.length + sourceOf(some).length > positions || targetOf(some).length > positions;
      });
      return piece(tooLong < 0 ? passages : passages.slice(0, tooLong));
    },
    anew: () =>
      passages
        .map((passage, at) => piece([passage], targetOf(passages.slice(0, at)).length))
        .filter(({ rows: count }) => count > 0),
  };
}
