import type { HeldOutSentence } from "../../data/index.js";
import type { Model, RunInput } from "../../headscope.js";

/*
 * A text that is longer than a model's positions, as ids, and the pieces of it that the model can read with its own: a
 * writer's windows, half of which overlap, so that behind the first half of the first one every token is read with at least
 * half a window before it; a translator's sentences, each by itself; of a model that fills gaps windows that overlap by half
 * too, of which the middle is read, so that but at the ends of the text every token has a quarter of a window on either side
 * at least. A row is a place at which a token is read of: the next one, or in a gap the one that was there.
 */

/** Of an encoder: the mask token, and the special tokens around every text. */
interface Gaps {
  mask: number;
  before: readonly number[];
  after: readonly number[];
}

/** A sentence as ids; of a translator with its translation, both without what begins or ends a text. */
interface Passage {
  ids: readonly number[];
  targetIds: readonly number[];
}

export interface LongText {
  passages: readonly Passage[];
  /** What closes a source, and what a translation begins with; of a writer none. */
  ends: readonly number[];
  starts: readonly number[];
  /** The token that each row is to foresee. */
  wanted: readonly number[];
  /** Null where it is the next token that is foreseen. */
  gaps: Gaps | null;
}

/** Something to run, and which of its rows are which of the whole text's. */
export interface Piece {
  input: RunInput;
  /** The first row that is read of it. */
  from: number;
  rows: number;
  /** The whole text's row that this is. */
  at: number;
}

/** Held-out sentences, as many as it takes for so many rows; fewer rows where there are no more. */
export function heldOutText(
  model: Model,
  sentences: readonly HeldOutSentence[],
  rows: number,
): LongText {
  const passages: Passage[] = [];
  const translates = model.info.architecture === "encoder-decoder";
  let count = 0;
  for (const { text, targets: [target = ""] = [] } of sentences) {
    if (count > rows) break;
    const passage = passageOf(model, text, translates ? target : null);
    passages.push(passage);
    count += (translates ? passage.targetIds : passage.ids).length;
  }
  return longText(model, passages, rows);
}

/** A text of the user's own, up to so many rows; a translator has no translation of one. */
export function ownText(model: Model, text: string, rows: number): LongText {
  return longText(model, [passageOf(model, text, null)], rows);
}

/** Without special tokens, but for those that a text to be continued is read with. */
function passageOf(model: Model, text: string, target: string | null): Passage {
  const idsOf = (one: string, special: boolean): number[] =>
    model.tokenize(one).flatMap((token) => (token.special && !special ? [] : [token.id]));
  return {
    ids: idsOf(text, model.info.architecture === "decoder"),
    targetIds: target === null ? [] : idsOf(target, false),
  };
}

function longText(model: Model, passages: readonly Passage[], rows: number): LongText {
  const { architecture, startToken, endToken, maskToken } = model.info;
  if (architecture === "encoder-decoder")
    return {
      passages,
      ends: endToken === null ? [] : [endToken],
      starts: startToken === null ? [] : [startToken],
      wanted: passages.flatMap(({ targetIds }) => targetIds).slice(0, rows),
      gaps: null,
    };
  const fills = architecture === "encoder";
  const { around, before, after } = frameOf(model);
  // Special tokens around a text count in its length, and are no rows.
  const most = fills ? Math.max(0, rows - around) : rows + 1;
  const ids = passages.flatMap((passage) => passage.ids).slice(0, most);
  return {
    passages: [{ ids, targetIds: [] }],
    ends: [],
    starts: [],
    wanted: fills ? ids : ids.slice(1),
    gaps: fills ? { mask: maskToken ?? 0, before, after } : null,
  };
}

/** The tokens that the model's tokenizer puts around a text, and how many they are; none but of a model that fills gaps. */
export function frameOf(model: Model): { around: number; before: number[]; after: number[] } {
  if (model.info.architecture !== "encoder") return { around: 0, before: [], after: [] };
  const tokens = model.tokenize("a");
  const first = tokens.findIndex(({ special }) => !special);
  const last = tokens.findLastIndex(({ special }) => !special);
  const [before, after] = [tokens.slice(0, Math.max(0, first)), tokens.slice(last + 1)].map(
    (some) => some.map(({ id }) => id),
  );
  return { around: tokens.length - (last + 1 - first), before: before ?? [], after: after ?? [] };
}

/** The text in one, as far as so many rows; what is read of a translator has its source to the last sentence. */
export function wholeOf(text: LongText): Piece {
  return piece(text, 0, text.wanted.length);
}

/** The most of it that has room in so many positions: of a translator whole sentences, source and translation. */
export function fittingOf(text: LongText, positions: number): Piece {
  if (text.starts.length === 0)
    return piece(text, 0, Math.min(text.wanted.length, positions - aroundOf(text)));
  let [source, target, count] = [text.ends.length, 0, 0];
  for (const { ids, targetIds } of text.passages) {
    if (source + ids.length > positions || target + targetIds.length > positions) break;
    source += ids.length;
    target += targetIds.length;
    count += 1;
  }
  return piece(
    { ...text, passages: text.passages.slice(0, count) },
    0,
    Math.min(text.wanted.length, target),
  );
}

/** The same rows, each read with no more than so many positions. */
export function anewOf(text: LongText, positions: number): Piece[] {
  const all = text.wanted.length;
  if (text.starts.length > 0) {
    let at = 0;
    return text.passages.flatMap((passage) => {
      const rows = Math.min(passage.targetIds.length, all - at);
      const alone = { ...piece({ ...text, passages: [passage] }, 0, rows), at };
      at += rows;
      return rows > 0 ? [alone] : [];
    });
  }
  if (text.gaps) return middlesOf(text, Math.max(1, positions - aroundOf(text)));
  const half = Math.max(1, Math.floor(positions / 2));
  const pieces = [piece(text, 0, Math.min(all, positions))];
  for (let at = positions; at < all; at += half) {
    // A window as wide as the positions that ends with this half, or the rest of the text.
    const first = at + half - positions;
    const rows = Math.min(half, all - at);
    pieces.push({
      input: { ids: text.passages.flatMap(({ ids }) => ids).slice(first, at + rows) },
      from: at - first,
      rows,
      at,
    });
  }
  return pieces;
}

/** Windows of so many tokens that overlap by half; of the first and the last the outer part is read too. */
function middlesOf(text: LongText, width: number): Piece[] {
  const all = text.wanted.length;
  const half = Math.max(1, Math.floor(width / 2));
  const edge = Math.floor((width - half) / 2);
  const pieces: Piece[] = [];
  let at = 0;
  for (let begin = 0; at < all; begin += half) {
    const first = Math.max(0, Math.min(begin, all - width));
    const window = piece(text, first, Math.min(width, all));
    const rows = begin + width >= all ? all - at : begin + edge + half - at;
    pieces.push({ ...window, from: window.from + at - first, rows, at });
    at += rows;
  }
  return pieces;
}

function aroundOf({ gaps }: LongText): number {
  return gaps ? gaps.before.length + gaps.after.length : 0;
}

function piece({ passages, ends, starts, gaps }: LongText, at: number, rows: number): Piece {
  const source = passages.flatMap(({ ids }) => ids);
  if (gaps)
    return {
      input: { ids: [...gaps.before, ...source.slice(at, at + rows), ...gaps.after] },
      from: gaps.before.length,
      rows,
      at,
    };
  // A row foresees the token behind it, so the last one needs not be read.
  const input: RunInput =
    starts.length === 0
      ? { ids: source.slice(0, rows) }
      : {
          ids: [...source, ...ends],
          targetIds: [...starts, ...passages.flatMap(({ targetIds }) => targetIds)].slice(0, rows),
        };
  return { input, from: 0, rows, at };
}
