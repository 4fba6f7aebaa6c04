import type { HeldOutSentence } from "../../../data/index.js";
import type { Model, RunInput } from "../../../headscope.js";

/*
 * A text that is longer than a model's positions, as ids, and the pieces of it that the model can read with its own: a
 * writer's windows, half of which overlap, so that behind the first half of the first one every token is read with at least
 * half a window before it; a translator's sentences, each by itself. A row is a place at which a next token is read of.
 */

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
export function heldOutText(model: Model, sentences: readonly HeldOutSentence[], rows: number): LongText {
  const passages: Passage[] = [];
  let count = 0;
  const translates = model.info.architecture === "encoder-decoder";
  for (const { text, targets: [target = ""] = [] } of sentences) {
    if (count > rows) break;
    const passage = translates ? { ids: ordinary(model, text), targetIds: ordinary(model, target) } : { ids: idsOf(model, text), targetIds: [] };
    passages.push(passage);
    count += translates ? passage.targetIds.length : passage.ids.length;
  }
  return translates ? translation(model, passages, rows) : writing(passages, rows);
}

/** A text of the reader's own, up to so many rows; only a model that writes goes on reading one. */
export function ownText(model: Model, text: string, rows: number): LongText {
  return writing([{ ids: idsOf(model, text), targetIds: [] }], rows);
}

function writing(passages: readonly Passage[], rows: number): LongText {
  const ids = passages.flatMap((passage) => passage.ids).slice(0, rows + 1);
  return { passages: [{ ids, targetIds: [] }], ends: [], starts: [], wanted: ids.slice(1) };
}

function translation(model: Model, passages: readonly Passage[], rows: number): LongText {
  const { startToken, endToken } = model.info;
  const wanted = passages.flatMap(({ targetIds }) => targetIds).slice(0, rows);
  return { passages, ends: endToken === null ? [] : [endToken], starts: startToken === null ? [] : [startToken], wanted };
}

/** The text in one, as far as so many rows; what is read of a translator has its source to the last sentence. */
export function wholeOf(text: LongText): Piece {
  return piece(text, 0, text.wanted.length);
}

/** The most of it that has room in so many positions: of a translator whole sentences, source and translation. */
export function fittingOf(text: LongText, positions: number): Piece {
  if (text.starts.length === 0) return piece(text, 0, Math.min(text.wanted.length, positions));
  let [source, target, count] = [text.ends.length, 0, 0];
  for (const { ids, targetIds } of text.passages) {
    if (source + ids.length > positions || target + targetIds.length > positions) break;
    source += ids.length;
    target += targetIds.length;
    count += 1;
  }
  return piece({ ...text, passages: text.passages.slice(0, count) }, 0, Math.min(text.wanted.length, target));
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
  const half = Math.max(1, Math.floor(positions / 2));
  const pieces = [piece(text, 0, Math.min(all, positions))];
  for (let at = positions; at < all; at += half) {
    // A window as wide as the positions that ends with this half, or the rest of the text.
    const first = at + half - positions;
    const rows = Math.min(half, all - at);
    pieces.push({ input: { ids: text.passages.flatMap(({ ids }) => ids).slice(first, at + rows) }, from: at - first, rows, at });
  }
  return pieces;
}

function piece({ passages, ends, starts }: LongText, at: number, rows: number): Piece {
  const source = passages.flatMap(({ ids }) => ids);
  // A row foresees the token behind it, so the last one needs not be read.
  const input: RunInput = starts.length === 0 ? { ids: source.slice(0, rows) } : { ids: [...source, ...ends], targetIds: [...starts, ...passages.flatMap(({ targetIds }) => targetIds)].slice(0, rows) };
  return { input, from: 0, rows, at };
}

function idsOf(model: Model, text: string): number[] {
  return model.tokenize(text).map(({ id }) => id);
}

function ordinary(model: Model, text: string): number[] {
  return model.tokenize(text).flatMap(({ id, special }) => (special ? [] : [id]));
}
