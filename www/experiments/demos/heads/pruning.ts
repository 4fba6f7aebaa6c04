import { html } from "lit";
import type { Edits, HeadRef, HeldOutSentence, ModelInfo, Stack } from "../../../data/index.js";
import type { Model } from "../../../headscope.js";
import { formatFixed, formatList, formatPercent, message } from "../../../i18n/index.js";
import { headsOf, NO_EDITS, sentEdits } from "../../../state/index.js";
import { withSetting } from "../../../state/experiment-edits.js";
import { stacksOf } from "../../../session/run/selection.js";
import { curves, demo } from "../demo.js";
import { choice } from "../../../kit/fields.js";
import { lossesAt, withRun, type Asking } from "../../../kit/study.js";

/*
 * How a model does with fewer and fewer of its heads (Michel et al. 2019, section 5): heads of one
 * kind of attention are ablated, the least important first, while the other kinds keep theirs. A
 * head's importance is how much the loss on the same sentences rises when it alone is ablated.
 *
 * The loss of a sentence that the model never saw, in nats: of a translator, for each token of what
 * a person made of it; of a model that writes, for each token after the first; of one that fills
 * gaps, for every seventh token, masked with its like at once. `−ln p(token)`, summed over them.
 */

const SIZES = [12, 24, 48, 96] as const;
const MARKED_SHARE = 0.6;
/** The distance of masked tokens: about the share with which such models are trained. */
const HIDDEN_EVERY = 7;
const DIGITS = 2;

/** The heads of one stack, least important first, and the model's losses as they are ablated. */
export interface Curve {
  stack: Stack;
  order: HeadRef[];
  points: { removed: number; loss: number }[];
}

/**
 * The demo of pruning: the model's loss with fewer and fewer heads of each stack, on held-out
 * sentences.
 */
export const pruning = demo("pruning", {
  fields: { sentences: choice("pruning.choose", SIZES, 24, { list: true }) },
  intro: "pruning.intro",
  absent: ({ model }) =>
    !model || (model.info.predicts && sentencesOf(model).length > 0)
      ? null
      : message("pruning.none"),
  fit: ({ model }) => {
    if (!model) return null;
    const { length } = sentencesOf(model);
    const sizes = SIZES.filter((size) => size <= length);
    return { sentences: { options: sizes.map((value) => ({ value, label: String(value) })) } };
  },
  reads: ({ model }) => (model ? { model } : null),
  failed: "pruning.failed",
  work: {
    words: "pruning",
    isKept: true,
    all: ({ sentences }, { model }) => readingsOf(model, sentences),
  },
  ask: async ({ sentences: size }, { step, show }: Asking<readonly Curve[]>, { model }) => {
    const sentences = sentencesOf(model).slice(0, size);
    const found: Curve[] = [];
    let done = 0;
    const read = async <Found>(task: () => Promise<Found>): Promise<Found> => {
      const answer = await step(String(done), task);
      done += 1;
      show(structuredClone(found), done);
      return answer;
    };
    /** The mean loss over all tokens of all sentences. */
    const lossWith = async (edits: Edits): Promise<number> => {
      let sum = 0;
      let tokens = 0;
      for (const [index, sentence] of sentences.entries()) {
        const part = await read(() => sentenceLoss(model, sentence, index, edits));
        sum += part.sum;
        tokens += part.tokens;
      }
      return sum / tokens;
    };
    const without = (heads: readonly HeadRef[]): Edits =>
      sentEdits(withSetting(NO_EDITS, heads, "gate", 0, model.info.stacks));
    const whole = { removed: 0, loss: await lossWith({}) };
    for (const [stack, heads] of headsByStack(model)) {
      const importance: { head: HeadRef; loss: number }[] = [];
      for (const head of heads) importance.push({ head, loss: await lossWith(without([head])) });
      importance.sort((one, other) => one.loss - other.loss);
      const order = importance.map(({ head }) => head);
      const points: Curve["points"] = [whole];
      found.push({ stack, order, points });
      for (let removed = 1; removed <= order.length; removed += 1) {
        // The loss with one head ablated is known from its importance.
        const known = removed === 1 ? importance[0]?.loss : undefined;
        points.push({ removed, loss: known ?? (await lossWith(without(order.slice(0, removed)))) });
      }
    }
    show(found, done);
    return found;
  },
  views: (found, { sentences }, { model }, { done }) => {
    if (found.length === 0) return [];
    const count = { count: sentences, done, all: readingsOf(model, sentences) };
    const y = message("pruning.loss");
    const lines = found.map(({ stack, order, points }) => ({
      name: message(`stack.${stack}`),
      points: points.map(({ removed, loss }) => ({ x: removed / order.length, y: loss })),
    }));
    const verdict = verdictOf(found, model.info);
    return [
      {
        heading: y,
        name: `pruning-loss ${sentences} sentences`,
        lines: [message("pruning.read", count)],
        figure: curves(lines, {
          x: message("pruning.share"),
          y,
          range: { x: [0, 1] },
          xWords: (share) => formatPercent(share, 0),
          marked: MARKED_SHARE,
        }),
        foot: html`<div role="status">
          ${verdict === null ? "" : html`<p class="verdict serif">${verdict}</p>`}
        </div>`,
      },
    ];
  },
});

function sentencesOf({ notes }: Model): readonly HeldOutSentence[] {
  return notes?.sentences ?? [];
}

function headsByStack({ info }: Model): [Stack, HeadRef[]][] {
  return stacksOf(info).map((stack) => [stack, headsOf({ stack }, info.stacks)]);
}

/** The number of sentence readings in all. */
function readingsOf(model: Model, sentences: number): number {
  const all = headsByStack(model).map(([, { length }]) => length + Math.max(0, length - 1));
  // The loss without ablation is read once for all stacks.
  return sentences * all.reduce((sum, one) => sum + one, 1);
}

/**
 * A sentence about the losses at the marked share, for the stack that lost most first; null until
 * all are known.
 */
export function verdictOf(found: readonly Curve[], info: ModelInfo): string | null {
  const losses = found.flatMap(({ stack, order, points }) => {
    // The nearest number of whole heads to the marked share.
    const count = Math.round(MARKED_SHARE * order.length);
    const before = points[0]?.loss ?? null;
    const after = points.find(({ removed }) => removed === count)?.loss ?? null;
    const share = formatPercent(count / order.length, (1000 * count) % (10 * order.length) ? 1 : 0);
    return before === null || after === null ? [] : [{ stack, share, before, after }];
  });
  losses.sort((one, other) => other.after - other.before - one.after + one.before);
  const [worst] = losses;
  if (!worst || losses.length < stacksOf(info).length) return null;
  const written = (value: number): string => formatFixed(value, DIGITS);
  // With whole heads the share may differ between stacks.
  const share = formatList([...new Set(losses.map((loss) => loss.share))]);
  const before = written(worst.before);
  const after = written(worst.after);
  if (losses.length === 1) return message("pruning.alone", { share, before, after });
  const kinds = losses.map((loss) => {
    const stack = message(`stack.${loss.stack}`);
    return message("pruning.kind", { stack, after: written(loss.after) });
  });
  // Compared with the shown precision.
  const shown = (value: number): number => Number(value.toFixed(DIGITS));
  const most =
    shown(worst.after) <= shown(worst.before)
      ? message("pruning.noneSuffers")
      : worst.stack === "cross"
        ? message("pruning.crossMost")
        : message("pruning.otherMost", { stack: message(`stack.${worst.stack}`) });
  return `${message("pruning.at", { share, before, kinds: formatList(kinds) })} ${most}`;
}

/**
 * The loss of one sentence; `index` is its place among all sentences, which decides the masked
 * tokens.
 */
function sentenceLoss(model: Model, sentence: HeldOutSentence, index: number, edits: Edits) {
  const { architecture, endTokens } = model.info;
  const { text, targets: [target = ""] = [] } = sentence;
  const fills = architecture === "encoder";
  const translates = architecture === "encoder-decoder";
  // Every seventh ordinary token, with another start in each sentence; at least one.
  const ordinary = model.tokenize(text).flatMap(({ special }, at) => (special ? [] : [at]));
  const some = ordinary.filter((_, at) => at % HIDDEN_EVERY === index % HIDDEN_EVERY);
  const first = index % Math.max(1, ordinary.length);
  const masked = some.length > 0 ? some : ordinary.slice(first, first + 1);
  // A translation ends with an end token; a text that is read may continue.
  const end = translates ? endTokens.slice(0, 1) : [];
  const input = { text, edits, ...(fills && { masked }), ...(translates && { target }) };
  return withRun(model, input, async (run) => {
    const ids = [...run.targetTokens.slice(1).map(({ id }) => id), ...end];
    const wanted = fills
      ? masked.map((position) => ({ position, id: run.tokens[position]?.maskedId ?? 0 }))
      : ids.map((id, position) => ({ position, id }));
    const losses = await lossesAt(run, wanted);
    return { sum: losses.reduce((sum, loss) => sum + loss, 0), tokens: losses.length };
  });
}
