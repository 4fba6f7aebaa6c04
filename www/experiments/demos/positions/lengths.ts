import { html } from "lit";
import type { Edits, PositionScheme } from "../../../data/index.js";
import type { Model, Run } from "../../../headscope.js";
import { formatFixed, formatList, message } from "../../../i18n/index.js";
import { SCHEMES } from "../../../state/index.js";
import { turnsIn } from "../../../state/experiment-edits.js";
import { asFailure, sentenceOf } from "../../../session/run/failures.js";
import { curves, demo, table } from "../demo.js";
import { choice, IN_VIEW, named, names } from "../../../kit/fields.js";
import { frameOf, longText, type LongText, type Piece } from "./long-text.js";
import { lossesAt, mean, withRun, type Asking } from "../../../kit/study.js";

/*
 * What a model loses at each place of a text that is longer than any that it was trained on, under
 * one scheme of positions after the other: `−ln p(next token)`, in nats. The model was trained with
 * its own scheme only. Beside them stand the same tokens read with the model's own positions from
 * the first one on, again and again. (Press et al. 2022, section 2.)
 *
 * Of a model that fills gaps it is `−ln p(the token that was masked)`: every eighth token is masked
 * at a time, in eight runs. (As the pseudo-likelihood of Salazar et al. 2020, section 2, but
 * several at a time, as in training.)
 */

/** The lengths of the text, as multiples of the model's positions. */
const TIMES = [2, 4] as const;
/** The rows between two reports of progress. */
const ROWS_AT_ONCE = 16;
/** The distance of masked tokens: about as many are masked at a time as in training. */
const GAPS_APART = 8;
/**
 * The rise of the loss, in nats, that breaks a scheme: tokens become less than half as probable.
 */
const BREAKS = Math.LN2;
const DIGITS = 2;

/** The losses under one scheme, or under the model's own scheme restarted (`anew`). */
interface LengthLine {
  name: PositionScheme | "anew";
  /** The loss of each row, in nats. */
  losses: readonly number[];
  /** Whether the engine refused the whole text, so that only the part that fits was read. */
  refused: boolean;
}

export const lengths = demo("lengths", {
  fields: {
    from: named("lengths.text", "lengths.text", ["heldOut", "own"], "heldOut", { list: true }),
    times: choice("lengths.length", TIMES, 2, { list: true }),
    text: { control: "text", opens: "", label: "lengths.text.own", long: true },
    schemes: {
      control: "some",
      opens: ["model", "none", "sinusoidal", "rotary", "alibi"],
      label: "lengths.schemes",
      options: SCHEMES,
      names: names("at", SCHEMES),
      asks: false,
    },
    mean: choice("lengths.window", [1, 8, 16, 32], 16, {
      names: { 1: "lengths.window.none" },
      ...IN_VIEW,
    }),
  },
  title: "lengths.title",
  intro: ({ model }) => {
    if (!model?.info.predicts || model.info.image) return html``;
    const { architecture, maxTokens: positions } = model.info;
    const { known, trained, source } = trainingOf(model);
    const apart = { apart: GAPS_APART, around: frameOf(model).around };
    return html`${message("lengths.intro")}
    ${message(known ? "lengths.trainedTo" : "lengths.trainedUnknown", { trained, positions })}
    ${architecture === "encoder" ? message("lengths.gaps", apart) : ""}
    ${architecture === "encoder-decoder" ? message("lengths.translator", { source }) : ""}`;
  },
  absent: ({ model }) => {
    if (!model) return null;
    const { predicts, architecture, maskToken, image } = model.info;
    if (image) return message("demo.noText");
    if (!predicts) return message("lengths.silent");
    if (architecture === "encoder" && maskToken === null) return message("lengths.noMask");
    const hasNone = architecture === "encoder-decoder" && !model.notes?.sentences.length;
    return hasNone ? message("lengths.noSentences") : null;
  },
  fit: ({ model }, { from }) => {
    if (!model) return null;
    const { maxTokens } = model.info;
    const options = TIMES.map((times) => ({
      value: times,
      label: message("lengths.times", { times, tokens: times * maxTokens }),
    }));
    return {
      from: { hidden: !choosable(model) },
      times: { options },
      text: {
        hidden: sourceOf(model, from) !== "own",
        placeholder: message("lengths.text.hint", { positions: maxTokens }),
      },
      schemes: { off: fitsRotary(model) ? [] : ["rotary"] },
    };
  },
  reads: ({ model }) => (model ? { model } : null),
  failed: (failure) => message("at.failed", { sentence: sentenceOf(failure) }),
  work: {
    words: "lengths",
    names: ({ from, text, schemes }, { model }) =>
      sourceOf(model, from) === "own" && text.trim() === "" ? [] : chosenOf(model, schemes),
    all: ({ times, schemes }, { model }) =>
      times * model.info.maxTokens * (chosenOf(model, schemes).length + 1),
  },
  // The first line is the reference of all others; a text without rows has none.
  ask: async (values, { step, show, signal }: Asking<readonly LengthLine[]>, { model }) => {
    const { maxTokens } = model.info;
    const own = sourceOf(model, values.from) === "own";
    const sentences = own ? [{ text: values.text }] : (model.notes?.sentences ?? []);
    const text = longText(model, sentences, values.times * maxTokens);
    const lines: LengthLine[] = [];
    const showMore = (count: number): void =>
      show(lines.length > 0 ? [...lines] : null, lines.length * text.wanted.length + count);
    if (text.wanted.length === 0) return [];
    for (const name of ["anew", ...chosenOf(model, values.schemes)] as const) {
      const line = await step(name, async (): Promise<LengthLine> => {
        // A scheme for every stack's positions, with its default parameters; a learned table is
        // drawn by seed, not trained.
        const drawn = name === "learned" && { parameters: { seed: 1 } };
        const isOwn = name === "anew" || name === "model";
        const edits = isOwn ? {} : { positions: [{ scheme: name, ...drawn }] };
        const read = (pieces: readonly Piece[]): Promise<number[]> =>
          readLosses(model, text, pieces, { edits, signal, show: showMore });
        try {
          const pieces =
            name === "anew" ? text.anew(trainingOf(model).trained) : [text.fitting(Infinity)];
          return { name, losses: await read(pieces), refused: false };
        } catch (thrown) {
          if (asFailure(thrown).code !== "input/too-long") throw thrown;
          return { name, losses: await read([text.fitting(maxTokens)]), refused: true };
        }
      });
      lines.push(line);
      showMore(0);
    }
    return lines;
  },
  summary: ({ length }, _, { model: { info } }) => {
    const empty = info.architecture === "encoder" ? "lengths.empty.gaps" : "lengths.empty";
    return length > 0 ? "" : html`<p role="status">${message(empty)}</p>`;
  },
  views: (lines, { from, times, mean: window }, { model }, { working }) => {
    const [anew] = lines;
    if (!anew) return [];
    const { maxTokens, architecture, positions } = model.info;
    // Special tokens around a text are no rows.
    const { around } = frameOf(model);
    const trained = trainingOf(model).trained - around;
    const last = maxTokens - around;
    const schemeLosses = lines.map((line) => schemeLossOf(line, anew, trained));
    // A computed table has no last row: the limit is the model's size.
    const ends = lines.map(({ name, refused }) => {
      const isComputed = name === "model" && positions !== "learned";
      const key = isComputed ? "lengths.refused.computed" : "lengths.refused";
      return refused ? message(key, { positions: last }) : "";
    });
    const number = (value: number | null): string =>
      value === null || Number.isNaN(value) ? "–" : formatFixed(value, DIGITS);
    const rows = schemeLosses.map(({ name, rows: count, within, beyond, rise }) => {
      const risen = rise === null || name === "anew" ? "–" : signed(rise);
      const cells = [String(count), number(within), number(beyond), risen];
      return { key: name, head: lineName(name), cells };
    });
    const columns = ["scheme", "rows", "within", "beyond", "rise"] as const;
    const names = columns.map((column) => message(`lengths.column.${column}`));
    const verdict = working ? [] : verdictOf(schemeLosses, trained, last);
    const curveLines = lines.map(({ name, losses }) => ({
      name: lineName(name),
      points: smoothed(losses, window),
      ...(name === "anew" && { tone: "quiet" as const }),
    }));
    const source = message(`lengths.text.${sourceOf(model, from)}`);
    return [
      {
        field: "mean",
        name: `loss by position to ${times * maxTokens} mean ${window}`,
        lines: [
          `${message("lengths.text")}: ${source}`,
          `${message("lengths.window")}: ${window === 1 ? message("lengths.window.none") : window}`,
        ],
        figure: curves(curveLines, {
          x: message(architecture === "encoder" ? "lengths.x.gaps" : "lengths.x"),
          y: message("lengths.y"),
          range: { x: [0, times * maxTokens] },
          // If training covered all positions, one mark serves for both.
          marked: trained,
          markedAs: message(trained < last ? "lengths.trained" : "lengths.last"),
          marks: trained < last ? [{ x: last, words: message("lengths.last") }] : [],
        }),
        foot: html`<div class="verdict serif" role="status">
            ${verdict.map((sentence) => html`<p>${sentence}</p>`)}
          </div>
          ${table(message("lengths.fares"), rows, names)}
          <p class="small muted">
            ${message("lengths.how", { trained })} ${[...new Set(ends)].join(" ")}
          </p>`,
      },
    ];
  },
});

/** Whether the user can choose the text: a user's own text has no reference translation. */
function choosable({ info, notes }: Model): boolean {
  return info.architecture !== "encoder-decoder" && Boolean(notes?.sentences.length);
}

function sourceOf(model: Model, from: "heldOut" | "own"): "heldOut" | "own" {
  return choosable(model) ? from : model.notes?.sentences.length ? "heldOut" : "own";
}

function chosenOf(model: Model, schemes: readonly PositionScheme[]): PositionScheme[] {
  return SCHEMES.filter(
    (scheme) => schemes.includes(scheme) && (scheme !== "rotary" || fitsRotary(model)),
  );
}

/** Whether every head's width allows rotary positions. */
function fitsRotary({ info: { stacks } }: Model): boolean {
  return [stacks.encoder, stacks.decoder].every((stack) => turnsIn(stack?.headDim ?? 0));
}

/**
 * The losses of a text's rows, read piece by piece, a few rows at a time so that reading can be
 * stopped; `show` receives the number of rows read.
 */
async function readLosses(
  model: Model,
  { wanted }: LongText,
  pieces: readonly Piece[],
  { edits, signal, show }: { edits: Edits; signal: AbortSignal; show: (count: number) => void },
): Promise<number[]> {
  const { architecture, maskToken } = model.info;
  const { before, after } = frameOf(model);
  const losses: number[] = [];
  let count = 0;
  for (const { input, from, rows, at } of pieces) {
    const { ids: all = [] } = input;
    // Special tokens around the text are not masked.
    const begin = before.length;
    const end = all.length - after.length;
    const apart = architecture === "encoder" ? Math.min(GAPS_APART, end - begin) : 1;
    for (let round = 0; round < Math.min(apart, rows); round += 1) {
      const ids = all.map((id, place) => {
        const isRow = place >= begin && place < end && (place - from - round) % apart === 0;
        return isRow && architecture === "encoder" ? (maskToken ?? 0) : id;
      });
      const own = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => row % apart === round,
      );
      const read = async (run: Run): Promise<void> => {
        for (let first = 0; first < own.length; first += ROWS_AT_ONCE) {
          signal.throwIfAborted();
          const some = own.slice(first, first + ROWS_AT_ONCE);
          const places = some.map((row) => ({ position: from + row, id: wanted[at + row] ?? -1 }));
          const found = await lossesAt(run, places);
          some.forEach((row, index) => (losses[at + row] = found[index] ?? NaN));
          show((count += some.length));
        }
      };
      await withRun(model, { ...input, ids, edits }, read, { signal });
    }
  }
  return losses;
}

/**
 * The length of training texts in tokens: the most of the texts whose loss is read, and of a
 * source. If the model does not state it (`known`), the model's positions are assumed.
 */
function trainingOf({ info, notes }: Model): { known: boolean; trained: number; source: number } {
  const { source, target } = notes?.longest ?? {};
  const read = info.architecture === "encoder-decoder" ? target : source;
  const most = (longest = info.maxTokens): number => Math.max(1, Math.min(longest, info.maxTokens));
  return { known: read !== undefined, trained: most(read), source: most(source) };
}

/**
 * The losses of a scheme up to the longest training text and beyond it, where `beyond` and `rise`
 * are null if nothing could be read. Losses are means, in nats. `cost` and `rise` are relative to
 * the same tokens read anew: the additional loss up to there, and the further increase beyond, so
 * that a text that becomes harder to predict does not count against the scheme.
 */
export function schemeLossOf(line: LengthLine, anew: LengthLine, trained: number) {
  const { name, losses, refused } = line;
  const against = losses.map((loss, row) => loss - (anew.losses[row] ?? NaN));
  const isBeyond = losses.length > trained;
  const within = mean(losses.slice(0, trained));
  const cost = mean(against.slice(0, trained));
  const beyond = isBeyond ? mean(losses.slice(trained)) : null;
  const rise = isBeyond ? mean(against.slice(trained)) - cost : null;
  return { name, within, beyond, rise, cost, rows: losses.length, refused };
}
type SchemeLoss = ReturnType<typeof schemeLossOf>;

/** Means of `window` neighbours, each at its middle; the place is the number of tokens read. */
export function smoothed(losses: readonly number[], window: number): { x: number; y: number }[] {
  return Array.from({ length: Math.ceil(losses.length / window) }, (_, index) => {
    const own = losses.slice(index * window, (index + 1) * window);
    return { x: index * window + (own.length + 1) / 2, y: mean(own) };
  });
}

function lineName(name: LengthLine["name"]): string {
  return name === "anew" ? message("lengths.anew") : message(`at.${name}`);
}

/**
 * A sentence about the schemes that hold beyond the training length, those that break or end there,
 * and those that lose much before it.
 */
export function verdictOf(losses: readonly SchemeLoss[], trained: number, positions: number) {
  const sentence = (
    key: "hold" | "break" | "end" | "already",
    isOne: (loss: SchemeLoss) => boolean,
    by: "rise" | "cost" = "rise",
  ): string[] => {
    const named = losses
      .filter((loss) => loss.name !== "anew" && isOne(loss))
      .map(({ name, [by]: rise }) => {
        const scheme = lineName(name);
        return rise === null ? scheme : message("lengths.rise", { scheme, rise: signed(rise) });
      });
    const threshold = formatFixed(BREAKS, DIGITS);
    const words = { schemes: formatList(named), trained, positions, threshold };
    return named.length === 0 ? [] : [message(`lengths.${key}`, words)];
  };
  const ended = sentence("end", ({ refused }) => refused);
  const reaches = losses.some(({ name, rows }) => name === "anew" && rows > trained);
  if (!reaches) return [message("lengths.short", { trained }), ...ended];
  // Compared with the shown precision.
  const breaks = (rise: number): boolean =>
    Number(rise.toFixed(DIGITS)) > Number(BREAKS.toFixed(DIGITS));
  return [
    ...sentence("hold", ({ rise }) => rise !== null && !breaks(rise)),
    ...sentence("break", ({ rise }) => rise !== null && breaks(rise)),
    ...ended,
    ...sentence("already", ({ cost }) => breaks(cost), "cost"),
  ];
}

function signed(rise: number): string {
  return `${Number(rise.toFixed(DIGITS)) > 0 ? "+" : ""}${formatFixed(rise, DIGITS)}`;
}
