import type { Edits, PositionEdit } from "../../../data/index.js";
import type { Model } from "../../../headscope.js";
import type { PositionScheme } from "../../../state/index.js";
import { asFailure } from "../../run/failures.js";
import { anewOf, fittingOf, wholeOf, type LongText, type Piece } from "./long-text.js";

/*
 * What a model loses at each place of a text that is longer than any that it was trained on, under one scheme of positions after the
 * other: `−ln p(next token)`, in nats, of ordinary runs. The model was trained with its own scheme only.
 * Beside them stand the same tokens read with the model's own positions from the first one on, again and again: what they
 * cost where no position is new. (Press et al. 2022, figure 1 and section 2.)
 *
 * A model that fills gaps foresees no next token. There it is `−ln p(the token that was hidden)`: every eighth token is hidden
 * at a time, in eight runs, so that each is once; around the rows that are read of a window too, as in the whole text. (As the pseudo-likelihood of Salazar et al. 2020, section 2, but several at a time, as in training.)
 */

/** Rows between two signs of progress. */
const ROWS_AT_ONCE = 16;

/** Tokens from one that is hidden to the next: about as many are hidden at a time as in training. */
export const GAPS_APART = 8;

/** A scheme, or the model's own begun anew. */
export type LengthName = PositionScheme | "anew";

export interface LengthLine {
  name: LengthName;
  /** `[row]`, nats; shorter than the text where the model's positions end. */
  losses: readonly number[];
  /** Whether the engine refused the whole text, so that only what has room was read. */
  refused: boolean;
}

export interface LengthWishes {
  text: LongText;
  schemes: readonly PositionScheme[];
  /** What was read of the same text before. */
  known?: readonly LengthLine[];
}

/** How a study comes on. */
export interface LengthEvents {
  signal: AbortSignal;
  /** Of all rows of all lines. */
  progress: (done: number, all: number) => void;
  line: (line: LengthLine) => void;
}

/** How long the texts of training were, in tokens. */
export interface Training {
  /** Whether the model says so; if not, they are taken to have been as long as its positions go. */
  known: boolean;
  /** The most in one text of those whose loss is read. */
  trained: number;
  /** The most in one source; of a writer the same. */
  source: number;
}

export function trainingOf({ info, notes }: Model): Training {
  const { source, target } = notes?.longest ?? {};
  const read = info.architecture === "encoder-decoder" ? target : source;
  const most = (longest: number | undefined): number =>
    Math.max(1, Math.min(longest ?? info.maxTokens, info.maxTokens));
  return { known: read !== undefined, trained: most(read), source: most(source) };
}

/** Reads one line after the other, first the one that they are compared with, but for those that are known. */
export async function studyLengths(
  model: Model,
  { text, schemes, known = [] }: LengthWishes,
  { signal, progress, line }: LengthEvents,
): Promise<void> {
  const { maxTokens } = model.info;
  const rows = text.wanted.length;
  const all = rows * (schemes.length + 1);
  let done = 0;
  const read = async (pieces: readonly Piece[], edits: Edits): Promise<number[]> => {
    const losses: number[] = [];
    for (const piece of pieces) {
      for await (const some of lossesOf(model, text, piece, edits, signal)) {
        for (const { row, loss } of some) losses[piece.at + row] = loss;
        done += some.length;
        progress(done, all);
      }
    }
    return losses;
  };
  const isKnown = (name: LengthName): boolean => known.some((one) => one.name === name);
  if (!isKnown("anew"))
    line({
      name: "anew",
      losses: await read(anewOf(text, trainingOf(model).trained), {}),
      refused: false,
    });
  for (const [index, scheme] of schemes.entries()) {
    done = rows * (index + 1);
    if (isKnown(scheme)) continue;
    const edits = editsOf(scheme);
    try {
      line({ name: scheme, losses: await read([wholeOf(text)], edits), refused: false });
    } catch (thrown) {
      if (asFailure(thrown).code !== "input/too-long") throw thrown;
      line({
        name: scheme,
        losses: await read([fittingOf(text, maxTokens)], edits),
        refused: true,
      });
    }
    progress(rows * (index + 2), all);
  }
}

/** Every stack's positions by a scheme, with its usual numbers; a table of rows is one that nobody trained. */
function editsOf(scheme: PositionScheme): Edits {
  const edit: PositionEdit = { scheme, ...(scheme === "learned" && { parameters: { seed: 1 } }) };
  return scheme === "model" ? {} : { positions: [edit] };
}

/** The loss of a row of a piece. */
interface RowLoss {
  row: number;
  loss: number;
}

/** A few rows at a time, so that one sees it come on and can stop it. */
async function* lossesOf(
  model: Model,
  { wanted, gaps }: LongText,
  { input, from, rows, at }: Piece,
  edits: Edits,
  signal: AbortSignal,
): AsyncGenerator<RowLoss[]> {
  const { ids: all = [] } = input;
  // Of a model that fills gaps: the text within what stands around it, hidden at its edges as it is in the middle that is read.
  const [begin, end] = gaps ? [gaps.before.length, all.length - gaps.after.length] : [0, 0];
  const apart = gaps ? Math.min(GAPS_APART, end - begin) : 1;
  const rounds = Math.min(apart, rows);
  for (let round = 0; round < rounds; round += 1) {
    const own = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row % apart === round,
    );
    const ids = gaps
      ? all.map((id, place) =>
          place >= begin && place < end && (place - from - round) % apart === 0 ? gaps.mask : id,
        )
      : input.ids;
    const run = await model.run({ ...input, ...(ids && { ids }), edits }, { signal });
    try {
      for (let first = 0; first < own.length; first += ROWS_AT_ONCE) {
        signal.throwIfAborted();
        const some = own.slice(first, first + ROWS_AT_ONCE);
        const found = await run.probabilities({
          positions: some.map((row) => from + row),
          ids: some.map((row) => wanted[at + row] ?? -1),
        });
        yield some.map((row, index) => ({ row, loss: -(found[index]?.logProbability ?? NaN) }));
      }
    } finally {
      run.release();
    }
  }
}
