import {
  isDrawn,
  isForbidden,
  type AttentionCost,
  type BlockRef,
  type DropoutMean,
  type Executed,
  type Explanation,
  type HeadCost,
  type HeadLikeness,
  type HeadMeasures,
  type HeadRef,
  type Marginals,
  type Part,
  type Prediction,
  type Spectrum,
  type Stack,
  type Stage,
  type StepPlace,
  type StepTensor,
  type StreamDepth,
  type Tensor,
  type Token,
  type TokenProbability,
} from "../data/index.js";
import type { Client } from "./client.js";
import type { Run } from "./contract.js";
import { refuse } from "./errors.js";
import type { Lexicon, Read, ReadKind, Reads, RunState } from "./protocol.js";
import { question } from "./question.js";
import type { Vocabulary } from "./vocabulary.js";

/** A safety net for runs that nobody released. */
const forgotten = new FinalizationRegistry<() => void>((release) => release());

/** What a run needs of its model to speak of tokens. */
interface Words {
  vocabulary: Vocabulary;
  lexicon: Lexicon;
}

/** A run in the engine's thread, read from here. */
export class EngineRun implements Run {
  readonly tokens: Token[];
  readonly #client: Client;
  readonly #epoch: number;
  readonly #name: number;
  readonly #vocabulary: Vocabulary;
  readonly #lexicon: Lexicon;
  #state: RunState;
  #targetTokens: Token[] | null = null;
  /** Answers that came before their questions, by the question: of the run as far as it is now. */
  #foreseen = new Map<string, Reads[ReadKind]["answer"]>();

  constructor(
    client: Client,
    name: number,
    { vocabulary, lexicon }: Words,
    tokens: Token[] | null,
    state: RunState,
  ) {
    this.#client = client;
    this.#epoch = client.epoch;
    this.#name = name;
    this.#vocabulary = vocabulary;
    this.#lexicon = lexicon;
    this.#state = state;
    this.tokens = tokens ?? vocabulary.tokens(state.ids);
    const epoch = this.#epoch;
    forgotten.register(this, () => client.release(epoch, name), this);
  }

  get targetTokens(): Token[] {
    this.#targetTokens ??= this.#vocabulary.targetTokens(this.#state.targetIds);
    return this.#targetTokens;
  }

  get targetText(): string {
    return this.#vocabulary.decode(this.#state.targetIds);
  }

  /** Takes in how far the engine has come, and what it answered to the questions that were foreseen. */
  advance(state: RunState, foreseen: readonly Read[]): void {
    this.#foreseen = new Map(
      state.answers.flatMap((answer, at) =>
        answer === null ? [] : [[JSON.stringify(foreseen[at]), answer] as const],
      ),
    );
    if (state.targetIds.length !== this.#state.targetIds.length) this.#targetTokens = null;
    this.#state = state;
  }

  attention(which: HeadRef & { stage?: Stage; rows?: readonly [number, number] }): Promise<Tensor> {
    return this.#read("attention", which);
  }

  async marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals> {
    return marginalsOf(await this.#read("attention", which));
  }

  mask(which: HeadRef): Promise<Tensor> {
    return this.#read("mask", which);
  }

  fullyMasked(which: HeadRef): Promise<number[]> {
    return this.#read("fullyMasked", which);
  }

  cost(which: { stack: Stack; layer: number; lengths: number[] }): Promise<AttentionCost[]> {
    return this.#read("cost", which);
  }

  qkv(which: HeadRef & { part: Part; rotated?: boolean }): Promise<Tensor> {
    return this.#read("qkv", which);
  }

  hidden(which: { stack: "encoder" | "decoder"; layer: number }): Promise<Tensor> {
    return this.#read("hidden", which);
  }

  logits(which: { positions?: number[] } = {}): Promise<Tensor> {
    return this.#read("logits", which);
  }

  async predictions(which: { positions: number[]; topK: number }): Promise<Prediction[][]> {
    const rows = await this.#read("predictions", which);
    return rows.map((row) => row.map((candidate) => this.#vocabulary.named(candidate)));
  }

  probabilities(which: { positions: number[]; ids: number[] }): Promise<TokenProbability[]> {
    return this.#read("probabilities", which);
  }

  positions(which: { stack: Stack }): Promise<Tensor> {
    return this.#read("positions", which);
  }

  thumbnails(which: { stack: Stack; size: number; stage?: Stage }): Promise<Tensor> {
    return this.#read("thumbnails", which);
  }

  measures(which: { stack: Stack }): Promise<HeadMeasures[]> {
    return this.#read("measures", { ...which, lexicon: this.#lexicon });
  }

  likeness(which: HeadRef): Promise<HeadLikeness[]> {
    return this.#read("likeness", which);
  }

  spectrum(which: HeadRef): Promise<Spectrum> {
    return this.#read("spectrum", which);
  }

  headCost(which: HeadRef): Promise<HeadCost> {
    return this.#read("headCost", which);
  }

  dropoutMean(which: HeadRef & { draws: number }): Promise<DropoutMean> {
    return this.#read("dropoutMean", which);
  }

  steps(which: HeadRef): Promise<StepTensor[]> {
    return this.#read("steps", which);
  }

  explain(which: StepPlace): Promise<Explanation> {
    return this.#read("explain", which);
  }

  async cosines({
    other,
    ...which
  }: {
    stack: "encoder" | "decoder";
    positions: number[];
    other: Run;
    otherPositions: number[];
  }): Promise<(number | null)[]> {
    return this.#read("cosines", { ...which, other: this.#nameOf(other) });
  }

  residuals(which: { stack: "encoder" | "decoder" }): Promise<StreamDepth[]> {
    return this.#read("residuals", which);
  }

  async distances({
    other,
    ...which
  }: {
    stack: "encoder" | "decoder";
    other: Run;
    order?: number[];
  }): Promise<Tensor> {
    return this.#read("distances", { ...which, other: this.#nameOf(other) });
  }

  async divergences({ other, ...which }: { stack: Stack; other: Run }): Promise<HeadLikeness[]> {
    return this.#read("divergences", { ...which, other: this.#nameOf(other) });
  }

  /** The name of another run of the same model. */
  #nameOf(other: Run): number {
    if (!(other instanceof EngineRun) || other.#client !== this.#client)
      throw refuse("input/malformed", "the other run", "a run of the same model", "another thing");
    // A run from before a crash has lost its name.
    if (other.#epoch !== this.#epoch)
      throw refuse(
        "run/released",
        "the other run",
        "one that is still held",
        "one that was lost with its thread",
      );
    return other.#name;
  }

  executed(): Executed {
    return this.#state.executed;
  }

  onCpu(): BlockRef[] {
    return this.#state.onCpu;
  }

  release(): void {
    forgotten.unregister(this);
    this.#client.release(this.#epoch, this.#name);
  }

  async #read<K extends ReadKind>(what: K, which: unknown): Promise<Reads[K]["answer"]> {
    const ask = question(what, which);
    return this.#known(what, ask) ?? this.#client.read(this.#epoch, this.#name, what, ask);
  }

  /** The answer to a question that was foreseen, for the first who asks: its numbers are nobody else's. */
  #known<K extends ReadKind>(what: K, ask: Reads[K]["ask"]): Reads[K]["answer"] | undefined {
    if (this.#foreseen.size === 0) return undefined;
    const key = JSON.stringify({ what, ...ask });
    const answer = this.#foreseen.get(key);
    this.#foreseen.delete(key);
    return answer;
  }
}

/** The sums of a pattern; what has no colour is in none of them. */
export function marginalsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): Marginals {
  const [queries, keys] = [new Array<number>(rows).fill(0), new Array<number>(columns).fill(0)];
  let [least, largest, forbidden] = [Infinity, -Infinity, 0];
  data.forEach((cell, at) => {
    if (isForbidden(cell)) forbidden += 1;
    if (!isDrawn(cell)) return;
    const [query, key] = [Math.floor(at / columns), at % columns];
    queries[query] = (queries[query] ?? 0) + cell;
    keys[key] = (keys[key] ?? 0) + cell;
    least = Math.min(least, cell);
    largest = Math.max(largest, cell);
  });
  return least > largest
    ? { queries, keys, least: 0, largest: 0, forbidden }
    : { queries, keys, least, largest, forbidden };
}
