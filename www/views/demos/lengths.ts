import { html, type TemplateResult } from "lit";
import type { Edits, PositionEdit, PositionScheme } from "../../data/index.js";
import type { Model, Run } from "../../headscope.js";
import { formatFixed, formatList, message } from "../../i18n/index.js";
import { SCHEMES, turnsIn } from "../../state/index.js";
import { failedWords } from "../bench/failures.js";
import { asFailure } from "../run/failures.js";
import { FIELDS, type ValuesOf } from "./fields.js";
import { curves, table } from "./figures.js";
import { demo } from "./demo.js";
import {
  anewOf,
  fittingOf,
  frameOf,
  heldOutText,
  ownText,
  wholeOf,
  type LongText,
  type Piece,
} from "./long-text.js";
import { lossesAt, mean, withRun, type Working } from "./study.js";

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
const GAPS_APART = 8;

type Source = ValuesOf<"lengths">["from"];

/** A scheme, or the model's own begun anew. */
type LengthName = PositionScheme | "anew";

interface LengthLine {
  name: LengthName;
  /** `[row]`, nats; shorter than the text where the model's positions end. */
  losses: readonly number[];
  /** Whether the engine refused the whole text, so that only what has room was read. */
  refused: boolean;
}

/** What was read of a text: a line for each scheme, first the one that all are compared with; nothing of a text without rows. */
interface Read {
  lines: readonly LengthLine[];
  empty: boolean;
}

/** The loss at each place of a text that is longer than any that the model was trained on, under one scheme of positions or another. */
export const lengths = demo("lengths", {
  title: "lengths.title",
  intro: (on) => html`${on.model ? introOf(on.model) : ""}`,
  absent: ({ model }) => (model ? unreadable(model) : null),
  fit: (on, { from }) => {
    const { model } = on;
    if (!model) return null;
    const { maxTokens } = model.info;
    return {
      from: { hidden: !choosable(model) },
      times: {
        options: FIELDS.lengths.times.options.map((times) => ({
          value: times,
          label: message("lengths.times", { times, tokens: times * maxTokens }),
        })),
      },
      text: {
        hidden: sourceOf(model, from) !== "own",
        placeholder: message("lengths.text.hint", { positions: maxTokens }),
      },
      schemes: { off: fitsRotary(model) ? [] : ["rotary"] },
    };
  },
  reads: ({ model }) => (model ? { model } : null),
  failed: (failure) => message("at.failed", { sentence: failedWords(failure) }),
  work: {
    words: "lengths",
    names: ({ from, text, schemes }, { model }) =>
      sourceOf(model, from) === "own" && text.trim() === "" ? [] : chosenOf(model, schemes),
    all: ({ times, schemes }, { model }) =>
      times * model.info.maxTokens * (chosenOf(model, schemes).length + 1),
    run: async ({ from, text: own, times, schemes }, { model }, { step, show }: Working<Read>) => {
      const rows = times * model.info.maxTokens;
      const text =
        sourceOf(model, from) === "own"
          ? ownText(model, own, rows)
          : heldOutText(model, model.notes?.sentences ?? [], rows);
      if (text.wanted.length === 0) {
        show({ lines: [], empty: true }, 0);
        return;
      }
      const lines: LengthLine[] = [];
      let done = 0;
      const line = async (
        name: LengthName,
        pieces: readonly Piece[],
        edits: Edits,
      ): Promise<void> => {
        const began = done;
        const showMore = (count: number): void =>
          show(lines.length > 0 ? { lines: [...lines], empty: false } : null, began + count);
        const found = await step(name, async (signal): Promise<LengthLine> => {
          const on = { edits, signal, show: showMore };
          try {
            return { name, losses: await readLosses(model, text, pieces, on), refused: false };
          } catch (thrown) {
            if (asFailure(thrown).code !== "input/too-long") throw thrown;
            const fitting = [fittingOf(text, model.info.maxTokens)];
            return { name, losses: await readLosses(model, text, fitting, on), refused: true };
          }
        });
        lines.push(found);
        done = began + text.wanted.length;
        show({ lines: [...lines], empty: false }, done);
      };
      await line("anew", anewOf(text, trainingOf(model).trained), {});
      for (const scheme of chosenOf(model, schemes))
        await line(scheme, [wholeOf(text)], editsOf(scheme));
    },
  },
  summary: ({ empty }, _, { subject: { model } }) =>
    empty
      ? html`<p role="status">${message(model.info.architecture === "encoder" ? "lengths.empty.gaps" : "lengths.empty")}</p>`
      : html``,
  views: ({ lines }, { from, times, mean }, { model }, { working }) => {
    const [anew] = lines;
    if (!anew) return [];
    const { maxTokens, architecture, positions } = model.info;
    // Special tokens around a text are no rows.
    const { around } = frameOf(model);
    const trained = trainingOf(model).trained - around;
    const last = maxTokens - around;
    const schemeLosses = lines.map((line) => schemeLossOf(line, anew, trained));
    // A table that is computed has no last row: there it is the model's size that ends.
    const refused = lines
      .filter((line) => line.refused)
      .map(({ name }) =>
        name === "model" && positions !== "learned"
          ? ("lengths.refused.computed" as const)
          : ("lengths.refused" as const),
      );
    return [
      {
        heading: message("lengths.title"),
        field: "mean",
        name: `loss by position to ${times * maxTokens} mean ${mean}`,
        lines: [
          `${message("lengths.text")}: ${message(`lengths.text.${sourceOf(model, from)}`)}`,
          `${message("lengths.window")}: ${mean === 1 ? message("lengths.window.none") : mean}`,
        ],
        figure: curves(
          lines.map(({ name, losses }) => ({
            name: lengthName(name),
            points: smoothed(losses, mean),
            ...(name === "anew" && { tone: "quiet" as const }),
          })),
          {
            x: message(architecture === "encoder" ? "lengths.x.gaps" : "lengths.x"),
            y: message("lengths.y"),
            range: { x: [0, times * maxTokens] },
            // Where training went as far as there are positions, one mark says both.
            marked: trained,
            markedAs: message(trained < last ? "lengths.trained" : "lengths.last"),
            marks: trained < last ? [{ x: last, words: message("lengths.last") }] : [],
          },
        ),
        foot: html`<div class="verdict" role="status">${working ? "" : verdictOf(schemeLosses, { trained, positions: last }).map((sentence) => html`<p>${sentence}</p>`)}</div>
          ${faresTable(schemeLosses)}
          <p class="small muted">${message("lengths.how", { trained })} ${[...new Set(refused)].map((key) => message(key, { positions: last })).join(" ")}</p>`,
      },
    ];
  },
});

/** Why its loss cannot be read; null where it can. */
function unreadable(model: Model): string | null {
  const { predicts, architecture, maskToken } = model.info;
  if (!predicts) return message("lengths.silent");
  if (architecture === "encoder" && maskToken === null) return message("lengths.noMask");
  return architecture === "encoder-decoder" && !model.notes?.sentences.length
    ? message("lengths.noSentences")
    : null;
}

function introOf(model: Model): string {
  const { architecture, predicts, maxTokens: positions } = model.info;
  if (!predicts) return "";
  const { known, trained, source } = trainingOf(model);
  return [
    message("lengths.intro"),
    message(known ? "lengths.trainedTo" : "lengths.trainedUnknown", { trained, positions }),
    architecture === "encoder"
      ? message("lengths.gaps", { apart: GAPS_APART, around: frameOf(model).around })
      : architecture === "encoder-decoder"
        ? message("lengths.translator", { source })
        : "",
  ].join(" ");
}

/** A text of the user's own has no reference translation. */
function choosable({ info, notes }: Model): boolean {
  return info.architecture !== "encoder-decoder" && Boolean(notes?.sentences.length);
}

function sourceOf(model: Model, from: Source): Source {
  if (choosable(model)) return from;
  return model.notes?.sentences.length ? "heldOut" : "own";
}

function chosenOf(model: Model, schemes: readonly PositionScheme[]): PositionScheme[] {
  return SCHEMES.filter(
    (scheme) => schemes.includes(scheme) && (scheme !== "rotary" || fitsRotary(model)),
  );
}

/** Whether every head can have its positions by turning. */
function fitsRotary({ info }: Model): boolean {
  return (["encoder", "decoder"] as const).every((stack) =>
    turnsIn(info.stacks[stack]?.headDim ?? 0),
  );
}

function faresTable(schemeLosses: readonly SchemeLoss[]): TemplateResult {
  const number = (value: number | null): string =>
    value === null || Number.isNaN(value) ? "–" : formatFixed(value, 2);
  return table(
    message("lengths.fares"),
    schemeLosses.map(({ name, rows, within, beyond, rise }) => ({
      key: name,
      head: lengthName(name),
      cells: [
        String(rows),
        number(within),
        number(beyond),
        rise === null || name === "anew" ? "–" : signed(rise),
      ],
    })),
    (["scheme", "rows", "within", "beyond", "rise"] as const).map((column) =>
      message(`lengths.column.${column}`),
    ),
  )();
}

/** The losses of a text's rows, read piece by piece, a few rows at a time so that it can be stopped; `show` gets how many are read. */
async function readLosses(
  model: Model,
  { wanted, gaps }: LongText,
  pieces: readonly Piece[],
  on: { edits: Edits; signal: AbortSignal; show: (count: number) => void },
): Promise<number[]> {
  const { edits, signal, show } = on;
  const losses: number[] = [];
  let count = 0;
  for (const { input, from, rows, at } of pieces) {
    const { ids: all = [] } = input;
    // Special tokens around the text are not masked.
    const [begin, end] = gaps
      ? [gaps.before.length, all.length - gaps.after.length]
      : [0, all.length];
    const apart = gaps ? Math.min(GAPS_APART, end - begin) : 1;
    for (let round = 0; round < Math.min(apart, rows); round += 1) {
      const own = Array.from({ length: rows }, (_, row) => row).filter(
        (row) => row % apart === round,
      );
      const isMasked = (place: number): boolean =>
        place >= begin && place < end && (place - from - round) % apart === 0;
      const masked = gaps && {
        ids: all.map((id, place) => (isMasked(place) ? gaps.mask : id)),
      };
      const read = async (run: Run): Promise<void> => {
        for (let first = 0; first < own.length; first += ROWS_AT_ONCE) {
          signal.throwIfAborted();
          const some = own.slice(first, first + ROWS_AT_ONCE);
          const found = await lossesAt(
            run,
            some.map((row) => ({ position: from + row, id: wanted[at + row] ?? -1 })),
          );
          some.forEach((row, index) => (losses[at + row] = found[index] ?? NaN));
          show((count += some.length));
        }
      };
      await withRun(model, { ...input, ...masked, edits }, read, { signal });
    }
  }
  return losses;
}

/** How long the texts of training were, in tokens: the most of those whose loss is read, and of a source. */
interface Training {
  /** Whether the model says so; if not, they are taken to have been as long as its positions go. */
  known: boolean;
  trained: number;
  source: number;
}

function trainingOf({ info, notes }: Model): Training {
  const { source, target } = notes?.longest ?? {};
  const read = info.architecture === "encoder-decoder" ? target : source;
  const most = (longest = info.maxTokens): number => Math.max(1, Math.min(longest, info.maxTokens));
  return { known: read !== undefined, trained: most(read), source: most(source) };
}

/** Every stack's positions by a scheme, with its default parameters; a learned table is drawn, not trained. */
function editsOf(scheme: PositionScheme): Edits {
  const edit: PositionEdit = { scheme, ...(scheme === "learned" && { parameters: { seed: 1 } }) };
  return scheme === "model" ? {} : { positions: [edit] };
}

/**
 * How a scheme does within the longest text of training and beyond it. Losses are means, in nats. Of a translator that is the
 * longest translation: its sources are read all at once, beyond those of training from the first row on.
 */
export interface SchemeLoss {
  name: LengthName;
  /** Up to there. */
  within: number;
  /** Behind it; null where nothing could be read. */
  beyond: number | null;
  /**
   * How much more it loses behind it than before it, each against the same tokens read anew: so a text that is harder to
   * foresee further on is not held against it.
   */
  rise: number | null;
  /** How much more it loses before it than the same tokens read anew. */
  cost: number;
  /** How many rows could be read. */
  rows: number;
  /** Whether the engine refused the text, so that only what has room was read. */
  refused: boolean;
}

/** A larger rise, in nats, breaks a scheme: tokens become less than half as likely. */
const BREAKS = Math.LN2;

export function schemeLossOf(
  { name, losses, refused }: LengthLine,
  anew: LengthLine,
  trained: number,
): SchemeLoss {
  const against = losses.map((loss, row) => loss - (anew.losses[row] ?? NaN));
  const behind = losses.length > trained;
  return {
    name,
    within: mean(losses.slice(0, trained)),
    beyond: behind ? mean(losses.slice(trained)) : null,
    rise: behind ? mean(against.slice(trained)) - mean(against.slice(0, trained)) : null,
    cost: mean(against.slice(0, trained)),
    rows: losses.length,
    refused,
  };
}

/** Means of so many neighbours, each at the middle of its own; the places are how many tokens were read. */
export function smoothed(losses: readonly number[], window: number): { x: number; y: number }[] {
  return Array.from({ length: Math.ceil(losses.length / window) }, (_, index) => {
    const own = losses.slice(index * window, (index + 1) * window);
    return { x: index * window + (own.length + 1) / 2, y: mean(own) };
  });
}

const DIGITS = 2;

function lengthName(name: LengthName): string {
  return name === "anew" ? message("lengths.anew") : message(`at.${name}`);
}

/**
 * Which schemes hold beyond the length of training, which break there, which end with the model's positions, and which lose
 * much before it, as the numbers say; or that the text has nothing beyond it.
 */
export function verdictOf(
  schemeLosses: readonly SchemeLoss[],
  { trained, positions }: { trained: number; positions: number },
): string[] {
  const tried = schemeLosses.filter(({ name }) => name !== "anew");
  const named = (some: readonly SchemeLoss[], by: "rise" | "cost"): string =>
    formatList(
      some.map(({ name, [by]: number }) =>
        number === null
          ? lengthName(name)
          : message("lengths.rise", { scheme: lengthName(name), rise: signed(number) }),
      ),
    );
  const sentence = (
    key: "hold" | "break" | "end" | "already",
    isOne: (fare: SchemeLoss) => boolean,
    by: "rise" | "cost" = "rise",
  ): string[] => {
    const some = tried.filter(isOne);
    const threshold = formatFixed(BREAKS, DIGITS);
    const words = { schemes: named(some, by), trained, positions, threshold };
    return some.length === 0 ? [] : [message(`lengths.${key}`, words)];
  };
  const ended = sentence("end", ({ refused }) => refused);
  const reaches = schemeLosses.some(({ name, rows }) => name === "anew" && rows > trained);
  if (!reaches) return [message("lengths.short", { trained }), ...ended];
  return [
    ...sentence("hold", ({ rise }) => rise !== null && !breaks(rise)),
    ...sentence("break", ({ rise }) => rise !== null && breaks(rise)),
    ...ended,
    ...sentence("already", ({ cost }) => breaks(cost), "cost"),
  ];
}

/** Whether it breaks, as far as the number that is shown tells. */
function breaks(rise: number): boolean {
  return Number(rise.toFixed(DIGITS)) > Number(BREAKS.toFixed(DIGITS));
}

function signed(rise: number): string {
  return `${Number(rise.toFixed(DIGITS)) > 0 ? "+" : ""}${formatFixed(rise, DIGITS)}`;
}
