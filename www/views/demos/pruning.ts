import type { Edits, HeadRef, HeldOutSentence, ModelInfo, Stack, Token } from "../../data/index.js";
import type { Model, Run, RunInput } from "../../headscope.js";
import { html } from "lit";
import { formatFixed, formatList, formatPercent, message } from "../../i18n/index.js";
import { headsOf } from "../../state/index.js";
import { stacksOf } from "../run/selection.js";
import { bleu, type Translated } from "./bleu.js";
import { ablating } from "./effects.js";
import { FIELDS } from "./fields.js";
import { curves } from "./figures.js";
import { demo, type View } from "./demo.js";
import { lossesAt, withRun, type Working } from "./study.js";

/*
 * How a model fares with fewer and fewer of its heads (Michel et al. 2019, section 5): heads of one kind of attention are
 * silenced, the least important first, while the other kinds keep theirs. A head's importance is how much the loss on the
 * same sentences rises when it alone is silent. Nothing is removed for good, and nothing was computed beforehand.
 */

const MARKED_SHARE = 0.6;
/** Translating is several times slower than reading, so BLEU is measured at fewer shares. */
const BLEU_SHARES = [0, 0.2, 0.4, MARKED_SHARE, 0.8, 1];

/** The model's loss with some of its heads removed. */
interface CurvePoint {
  removed: number;
  loss: number;
  /** From 0 to 100; null where nothing was translated. */
  bleu: number | null;
}

/** Of one kind of attention: its heads, least important first, and the model's losses as they went. */
export interface Curve {
  stack: Stack;
  order: HeadRef[];
  points: CurvePoint[];
}

/** How a model fares with fewer and fewer heads of each kind, on sentences that it never saw. */
export const pruning = demo("pruning", {
  intro: "pruning.intro",
  absent: ({ model }) =>
    !model || (model.info.predicts && sentencesOf(model).length > 0)
      ? null
      : message("pruning.none"),
  fit: ({ model }) =>
    model && {
      sentences: {
        options: FIELDS.pruning.sentences.options
          .filter((size) => size <= sentencesOf(model).length)
          .map((size) => ({ value: size, label: String(size) })),
      },
    },
  reads: ({ model }) => (model ? { model } : null),
  failed: "pruning.failed",
  work: {
    words: "pruning",
    isKept: true,
    all: ({ sentences }, { model }) => readingsOf(model, sentences),
    run: async ({ sentences: size }, { model }, { step, show }: Working<readonly Curve[]>) => {
      const sentences = sentencesOf(model).slice(0, size);
      const { info } = model;
      const translates = info.architecture === "encoder-decoder";
      const found: Curve[] = [];
      let done = 0;
      const read = async <Found>(task: () => Promise<Found>): Promise<Found> => {
        const answer = await step(String(done), task);
        done += 1;
        show(structuredClone(found), done);
        return answer;
      };
      /** The mean over all tokens of all sentences. */
      const lossWith = async (edits: Edits): Promise<number> => {
        let [sum, tokens] = [0, 0];
        for (const [index, sentence] of sentences.entries()) {
          const part = await read(() => sentenceLoss(model, sentence, index, edits));
          sum += part.sum;
          tokens += part.tokens;
        }
        return sum / tokens;
      };
      const bleuWith = async (edits: Edits): Promise<number | null> => {
        if (!translates) return null;
        const corpus: Translated[] = [];
        for (const { text, targets = [] } of sentences)
          corpus.push({
            written: await read(() =>
              withRun(model, { text, edits }, ({ targetText }) => Promise.resolve(targetText)),
            ),
            references: targets,
          });
        return bleu(corpus);
      };
      const whole: CurvePoint = { removed: 0, loss: await lossWith({}), bleu: await bleuWith({}) };
      for (const stack of stacksOf(info)) {
        const importance: { head: HeadRef; loss: number }[] = [];
        for (const head of headsOf({ stack }, info.stacks))
          importance.push({ head, loss: await lossWith(ablating({}, [head])) });
        const order = importance.toSorted((one, other) => one.loss - other.loss);
        const points = [whole];
        found.push({ stack, order: order.map(({ head }) => head), points });
        const translated = bleuCounts(order.length);
        for (let removed = 1; removed <= order.length; removed += 1) {
          const edits = ablating(
            {},
            order.slice(0, removed).map(({ head }) => head),
          );
          // One head removed is known from its importance.
          const loss = removed === 1 ? (order[0]?.loss ?? NaN) : await lossWith(edits);
          points.push({
            removed,
            loss,
            bleu: translated.has(removed) ? await bleuWith(edits) : null,
          });
        }
      }
      show(found, done);
    },
  },
  views: (found, { sentences }, { model }, { done }) => {
    if (found.length === 0) return [];
    const count = { count: sentences, done, all: readingsOf(model, sentences) };
    const measures =
      model.info.architecture === "encoder-decoder"
        ? (["loss", "bleu"] as const)
        : (["loss"] as const);
    return measures.map((measured): View => {
      const y = message(`pruning.${measured}`);
      const lines = found.map(({ stack, order, points }) => ({
        name: message(`stack.${stack}`),
        points: points.flatMap((point) => {
          const value = point[measured];
          return value === null ? [] : [{ x: point.removed / order.length, y: value }];
        }),
      }));
      const losses = lossesByKind(found, model.info, measured);
      return {
        heading: y,
        name: `pruning-${measured} ${sentences} sentences`,
        lines: [message("pruning.read", count)],
        figure: curves(lines, {
          x: message("pruning.share"),
          y,
          range: { x: [0, 1] },
          xWords: (share) => formatPercent(share, 0),
          marked: MARKED_SHARE,
        }),
        foot: html`<div role="status">${losses ? html`<p class="verdict">${verdictOf(losses, measured)}</p>` : ""}</div>`,
      };
    });
  },
});

function sentencesOf({ notes }: Model): readonly HeldOutSentence[] {
  return notes?.sentences ?? [];
}

/** Readings of a sentence in all; a translation counts as one. */
function readingsOf({ info }: Model, sentences: number): number {
  const counts = stacksOf(info).map((stack) => headsOf({ stack }, info.stacks).length);
  const sum = (of: (count: number) => number): number =>
    counts.reduce((all, count) => all + of(count), 0);
  // Nothing removed is read once for all kinds.
  const losses = 1 + sum((count) => count + Math.max(0, count - 1));
  const translations =
    info.architecture === "encoder-decoder" ? 1 + sum((count) => bleuCounts(count).size - 1) : 0;
  return sentences * (losses + translations);
}

function bleuCounts(heads: number): Set<number> {
  return new Set(BLEU_SHARES.map((share) => Math.round(share * heads)));
}

/** What a kind of attention lost at the marked share, against the whole model. */
interface Loss {
  stack: Stack;
  /** How much of its heads is removed: as near to the marked share as whole heads come. */
  share: number;
  before: number;
  after: number;
}

/** What every kind lost there, most first: the loss that rose, or the BLEU that fell. Null until all of it is known. */
export function lossesByKind(
  curves: readonly Curve[],
  info: ModelInfo,
  measured: "loss" | "bleu",
): Loss[] | null {
  const losses = curves.flatMap(({ stack, order, points }): Loss[] => {
    const [first] = points;
    const count = Math.round(MARKED_SHARE * order.length);
    const marked = points.find(({ removed }) => removed === count);
    const [before, after] = [first?.[measured], marked?.[measured]];
    return typeof before === "number" && typeof after === "number"
      ? [{ stack, share: count / order.length, before, after }]
      : [];
  });
  if (losses.length < stacksOf(info).length) return null;
  const suffered = ({ before, after }: Loss): number =>
    measured === "loss" ? after - before : before - after;
  return losses.toSorted((one, other) => suffered(other) - suffered(one));
}

const DIGITS = { loss: 2, bleu: 1 } as const;

/** What the numbers at the marked share say in words, whatever they are; `losses` are of one kind or more, most first. */
export function verdictOf(losses: readonly Loss[], measured: "loss" | "bleu"): string {
  const [worst] = losses;
  if (!worst) return "";
  const written = (value: number): string => formatFixed(value, DIGITS[measured]);
  // Of whole heads not every kind has the same share.
  const share = formatList([...new Set(losses.map((loss) => percent(loss.share)))]);
  const [before, after] = [written(worst.before), written(worst.after)];
  if (losses.length === 1) return message(`pruning.alone.${measured}`, { share, before, after });
  const kinds = formatList(
    losses.map((loss) =>
      message("pruning.kind", {
        stack: message(`stack.${loss.stack}`),
        after: written(loss.after),
      }),
    ),
  );
  const most = !isWorse(worst, measured)
    ? message("pruning.noneSuffers")
    : worst.stack === "cross"
      ? message("pruning.crossMost")
      : message("pruning.otherMost", { stack: message(`stack.${worst.stack}`) });
  return `${message(`pruning.at.${measured}`, { share, before, kinds })} ${most}`;
}

/** Whether it does worse, as far as the numbers that are shown tell. */
function isWorse({ before, after }: Loss, measured: "loss" | "bleu"): boolean {
  const [from, to] = [before, after].map((value) => Number(value.toFixed(DIGITS[measured])));
  return from !== undefined && to !== undefined && (measured === "loss" ? to > from : to < from);
}

function percent(share: number): string {
  const tenths = Math.round(share * 1000);
  return formatPercent(share, tenths % 10 === 0 ? 0 : 1);
}

/*
 * The loss of a model on a sentence that it never saw, in nats: of a translator, for each token of what a person made of
 * it; of a model that writes, for each token after the first; of one that fills gaps, for every seventh token, hidden
 * with its like at once. `−ln p(token)`, summed over them.
 */

/** One in so many is hidden: about the share that such models are trained with. */
const HIDDEN_EVERY = 7;

interface SentenceLoss {
  sum: number;
  tokens: number;
}

/** `index` is the sentence's place among all of them: it decides which tokens are hidden. */
export async function sentenceLoss(
  model: Model,
  { text, targets: [target = ""] = [] }: HeldOutSentence,
  index: number,
  edits: Edits,
): Promise<SentenceLoss> {
  const { architecture, endToken } = model.info;
  if (architecture === "encoder") {
    const hidden = hiddenPlaces(model.tokenize(text), index);
    return lossOf(model, { text, hidden, edits }, ({ tokens }) =>
      hidden.map((position) => ({ position, id: tokens[position]?.hiddenId ?? 0 })),
    );
  }
  const input = architecture === "encoder-decoder" ? { text, target, edits } : { text, edits };
  // A translation ends with a token of its own; a text that is read may go on.
  const end = architecture === "encoder-decoder" && endToken !== null ? [endToken] : [];
  return lossOf(model, input, ({ targetTokens }) =>
    [...targetTokens.slice(1).map(({ id }) => id), ...end].map((id, position) => ({
      position,
      id,
    })),
  );
}

/** Every seventh ordinary token, beginning at another one in each sentence; at least one. */
function hiddenPlaces(tokens: readonly Token[], index: number): number[] {
  const ordinary = tokens.flatMap(({ special }, position) => (special ? [] : [position]));
  const chosen = ordinary.filter((_, at) => at % HIDDEN_EVERY === index % HIDDEN_EVERY);
  return chosen.length > 0
    ? chosen
    : ordinary.slice(index % Math.max(1, ordinary.length)).slice(0, 1);
}

function lossOf(
  model: Model,
  input: RunInput,
  wanted: (run: Run) => { position: number; id: number }[],
): Promise<SentenceLoss> {
  return withRun(model, input, async (run) => {
    const losses = await lossesAt(run, wanted(run));
    return { sum: losses.reduce((sum, loss) => sum + loss, 0), tokens: losses.length };
  });
}
