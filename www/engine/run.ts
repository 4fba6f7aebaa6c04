import {
  type BlockRef,
  type EditFit,
  type Executed,
  type HeadMeasures,
  type HeadRef,
  isDrawn,
  isForbidden,
  type Marginals,
  type Prediction,
  type Stack,
  type Stage,
  type Tensor,
  type Token,
} from "../data/index.js";
import type { Client } from "./client.js";
import type { Run } from "./contract.js";
import { refuse } from "./errors.js";
import type { Query, RunState } from "./protocol.js";
import type { Vocabulary } from "./vocabulary.js";

/** Releases runs that are garbage collected. */
const unreleased = new FinalizationRegistry<() => void>((release) => release());

/** What queries need of the tokenizer and of the model's notes. */
export interface Lexicon {
  /** Ids of special tokens. */
  special: Uint32Array;
  /** How often each id stood in the training text. */
  unigrams: Float64Array | null;
}

/** What a run needs of its model to name tokens. */
interface Words {
  vocabulary: Vocabulary;
  lexicon: Lexicon;
}

/** The methods that ask the core, which answers as `Run` says. */
type Method = Exclude<
  keyof Run,
  "tokens" | `target${string}` | "executed" | "onCpu" | "fit" | "release"
>;

/** A run in the engine's thread. Its methods send their questions there. */
export class EngineRun implements Run {
  readonly attention = this.#method("attention");
  readonly mask = this.#method("mask");
  readonly fullyMasked = this.#method("fullyMasked");
  readonly cost = this.#method("cost");
  readonly qkv = this.#method("qkv");
  readonly hidden = this.#method("hidden");
  readonly logits = this.#method("logits");
  readonly probabilities = this.#method("probabilities");
  readonly positions = this.#method("positions");
  readonly thumbnails = this.#method("thumbnails");
  readonly likeness = this.#method("likeness");
  readonly spectrum = this.#method("spectrum");
  readonly headCost = this.#method("headCost");
  readonly dropoutMean = this.#method("dropoutMean");
  readonly steps = this.#method("steps");
  readonly explain = this.#method("explain");
  readonly cosines = this.#method("cosines");
  readonly residuals = this.#method("residuals");
  readonly distances = this.#method("distances");
  readonly divergences = this.#method("divergences");
  readonly tokens: Token[];
  readonly #epoch: number;
  #targetTokens: Token[] | null = null;
  /** Answers that came with the run's state, and are valid until the next. */
  #foreseen: { query: Query; answer: object }[] = [];

  constructor(
    private readonly client: Client,
    private readonly number: number,
    private readonly words: Words,
    tokens: Token[] | null,
    private state: RunState,
  ) {
    const epoch = (this.#epoch = client.epoch);
    this.tokens = tokens ?? words.vocabulary.tokens(state.ids);
    unreleased.register(this, () => client.release(epoch, number), this);
  }

  get targetTokens(): Token[] {
    this.#targetTokens ??= this.words.vocabulary.targetTokens(this.state.targetIds);
    return this.#targetTokens;
  }

  get targetText(): string {
    return this.words.vocabulary.decode(this.state.targetIds);
  }

  /** Takes the engine's state of the run, with answers to the queries that were sent along. */
  advance(state: RunState, foreseen: readonly Query[]): void {
    this.#foreseen = state.answers.flatMap((answer, at) => {
      const query = foreseen[at];
      return answer === null || query === undefined ? [] : [{ query, answer }];
    });
    if (state.targetIds.length !== this.state.targetIds.length) this.#targetTokens = null;
    this.state = state;
  }

  async marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals> {
    return marginalsOf(await this.attention(which));
  }

  async predictions(which: { positions: number[]; topK: number }): Promise<Prediction[][]> {
    const rows = await this.#query<Prediction[][]>("predictions", which);
    return rows.map((row) => row.map((candidate) => this.words.vocabulary.named(candidate)));
  }

  measures(which: { stack: Stack }): Promise<HeadMeasures[]> {
    return this.#query("measures", { ...which, lexicon: this.words.lexicon });
  }

  executed(): Executed {
    return this.state.executed;
  }

  onCpu(): BlockRef[] {
    return this.state.onCpu;
  }

  fit(): EditFit | null {
    return this.state.fit ?? null;
  }

  release(): void {
    unreleased.unregister(this);
    this.client.release(this.#epoch, this.number);
  }

  #method<K extends Method>(what: K): Run[K] {
    return ((which: unknown) => this.#query(what, which)) as Run[K];
  }

  async #query<Answer>(what: Method, which: unknown): Promise<Answer> {
    const query = queryOf(what, which);
    if ("other" in query) query.other = this.#numberOf(query.other);
    const known = this.#foreseen.findIndex((foreseen) => isSame(foreseen.query, query));
    // Each answer is given once: its buffers have one owner.
    const answer =
      this.#foreseen.splice(known, known < 0 ? 0 : 1)[0]?.answer ??
      (await this.client.query(this.#epoch, this.number, query));
    // What crosses a thread has lost its type.
    return answer as Answer;
  }

  /** The number of another run of the same model. */
  #numberOf(other: unknown): number {
    if (!(other instanceof EngineRun) || other.client !== this.client)
      throw refuse("input/malformed", "the other run", "a run of the same model", "another thing");
    // A run from before a crash has lost its number.
    if (other.#epoch !== this.#epoch)
      throw refuse(
        "run/released",
        "the other run",
        "one that is still held",
        "one that was lost with its thread",
      );
    return other.number;
  }
}

/** A query as it is sent. Callers without types may pass anything; the core refuses what it cannot use. */
export function queryOf(what: string, which: unknown): Query {
  const fields = Object.entries({ ...(which as object | null | undefined) });
  const sent = fields.map(([name, value]) => [name, name === "other" ? value : sendable(value)]);
  return { ...(Object.fromEntries(sent) as object), what };
}

/** What no message can carry is replaced by its kind, which the core names in its refusal. */
function sendable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sendable);
  return typeof value === "function" || typeof value === "symbol"
    ? { unsendable: `a ${typeof value}` }
    : value;
}

function isSame(one: Query, other: Query): boolean {
  // A stage that is left out is the weights.
  const [a, b]: Query[] = [
    { stage: "weights", ...one },
    { stage: "weights", ...other },
  ];
  return Object.keys({ ...a, ...b }).every((field) => a?.[field] === b?.[field]);
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
