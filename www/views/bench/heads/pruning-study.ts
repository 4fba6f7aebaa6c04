import type { Edits, HeadRef, HeldOutSentence, ModelInfo, Stack } from "../../../data/index.js";
import type { Model, RunInput } from "../../../headscope.js";
import { headsOf } from "../../../state/index.js";
import { stacksOf } from "../../run/selection.js";
import { bleu, type Translated } from "./bleu.js";
import { silencing } from "./effects.js";
import { sentenceLoss } from "./held-out-loss.js";

/*
 * How a model fares with fewer and fewer of its heads (Michel et al. 2019, section 5): heads of one kind of attention are
 * silenced, the least important first, while the other kinds keep theirs. A head's importance is how much the loss on the
 * same sentences rises when it alone is silent. Nothing is removed for good, and nothing was computed beforehand.
 */

/** The share of heads at which the kinds are compared. */
export const MARKED_SHARE = 0.6;
/** Translating costs several times what reading does, so BLEU is taken at fewer shares. */
const BLEU_SHARES = [0, 0.2, 0.4, MARKED_SHARE, 0.8, 1];

/** The model's fare with some of its heads removed. */
export interface CurvePoint {
  removed: number;
  /** Nats per token. */
  loss: number;
  /** From 0 to 100; null where nothing was translated. */
  bleu: number | null;
}

/** Of one kind of attention: its heads, least important first, and what became of the model as they went. */
export interface Curve {
  stack: Stack;
  order: HeadRef[];
  points: CurvePoint[];
}

/** How many of some heads a share is. */
export function countAt(share: number, heads: number): number {
  return Math.round(share * heads);
}

/** The study of one model on so many sentences. It can be held up after any sentence, and goes on from there. */
export class PruningStudy {
  curves: Curve[] = [];
  /** Readings of a sentence that are done, and all that there will be; a translation counts as one. */
  done = 0;
  readonly all: number;
  running = false;
  failure: unknown = null;
  private loop: Promise<void> | null = null;
  private readonly work: AsyncGenerator<void>;

  constructor(
    private readonly model: Model,
    private readonly sentences: readonly HeldOutSentence[],
    public changed: () => void,
  ) {
    this.all = this.countWork();
    this.work = this.steps();
  }

  get finished(): boolean {
    return this.done === this.all;
  }

  /** Goes on until it is finished, held up, or cannot. */
  async go(): Promise<void> {
    if (this.running || this.finished) return;
    this.running = true;
    this.failure = null;
    this.changed();
    // Who was held up and goes on before the sentence under way was read is still in the same loop.
    this.loop ??= this.drain();
    await this.loop;
  }

  hold(): void {
    if (!this.running) return;
    this.running = false;
    this.changed();
  }

  private async drain(): Promise<void> {
    while (this.running) {
      const { done } = await this.work.next();
      if (done) this.running = false;
      this.changed();
    }
    this.loop = null;
  }

  private get translates(): boolean {
    return this.model.info.architecture === "encoder-decoder";
  }

  private countWork(): number {
    const { info } = this.model;
    const stacks = stacksOf(info).map((stack) => headsOf({ stack }, info.stacks).length);
    const heads = stacks.reduce((sum, count) => sum + count, 0);
    // Nothing removed is read once for all kinds; one head removed is known from its importance.
    const translations = this.translates
      ? 1 + stacks.reduce((sum, count) => sum + bleuCounts(count).size - 1, 0)
      : 0;
    return (
      this.sentences.length *
      (1 + heads + stacks.reduce((sum, count) => sum + Math.max(0, count - 1), 0) + translations)
    );
  }

  /** One sentence after the other. */
  private async *steps(): AsyncGenerator<void> {
    const { info } = this.model;
    const whole: CurvePoint = {
      removed: 0,
      loss: yield* this.loss({}),
      bleu: this.translates ? yield* this.bleu({}) : null,
    };
    for (const stack of stacksOf(info)) {
      const importance: { head: HeadRef; loss: number }[] = [];
      for (const head of headsOf({ stack }, info.stacks))
        importance.push({ head, loss: yield* this.loss(silencing({}, [head])) });
      const order = importance.toSorted((one, other) => one.loss - other.loss);
      const curve: Curve = { stack, order: order.map(({ head }) => head), points: [whole] };
      this.curves = [...this.curves, curve];
      const translated = bleuCounts(order.length);
      for (let removed = 1; removed <= order.length; removed += 1) {
        const edits = silencing({}, curve.order.slice(0, removed));
        const loss = removed === 1 ? (order[0]?.loss ?? NaN) : yield* this.loss(edits);
        const score = this.translates && translated.has(removed) ? yield* this.bleu(edits) : null;
        curve.points = [...curve.points, { removed, loss, bleu: score }];
        this.curves = [...this.curves];
      }
    }
  }

  /** The mean over all tokens of all sentences. */
  private async *loss(edits: Edits): AsyncGenerator<void, number> {
    let sum = 0;
    let tokens = 0;
    for (const [index, sentence] of this.sentences.entries()) {
      const part = yield* this.tried(() => sentenceLoss(this.model, sentence, index, edits));
      sum += part.sum;
      tokens += part.tokens;
    }
    return sum / tokens;
  }

  private async *bleu(edits: Edits): AsyncGenerator<void, number> {
    const corpus: Translated[] = [];
    for (const { text, targets = [] } of this.sentences) {
      const written = yield* this.tried(() => translation(this.model, { text, edits }));
      corpus.push({ written, references: targets });
    }
    return bleu(corpus);
  }

  /** What failed is tried again once the study goes on. */
  private async *tried<Answer>(task: () => Promise<Answer>): AsyncGenerator<void, Answer> {
    for (;;) {
      try {
        const answer = await task();
        this.done += 1;
        yield;
        return answer;
      } catch (thrown) {
        this.failure = thrown;
        this.running = false;
        yield;
      }
    }
  }
}

async function translation(model: Model, input: RunInput): Promise<string> {
  const run = await model.run(input);
  const { targetText } = run;
  run.release();
  return targetText;
}

function bleuCounts(heads: number): Set<number> {
  return new Set(BLEU_SHARES.map((share) => countAt(share, heads)));
}

/** What a kind of attention lost at the marked share, against the whole model. */
export interface Loss {
  stack: Stack;
  /** How much of its heads is removed: as near to the marked share as whole heads come. */
  share: number;
  before: number;
  after: number;
}

/** What every kind lost there, most first: the loss that rose, or the BLEU that fell. Null until all of it is known. */
export function sufferings(
  curves: readonly Curve[],
  info: ModelInfo,
  measured: "loss" | "bleu",
): Loss[] | null {
  const losses = curves.flatMap(({ stack, order, points }): Loss[] => {
    const [first] = points;
    const count = countAt(MARKED_SHARE, order.length);
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
