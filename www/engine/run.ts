import {
  type EntryName,
  GRADIENT_QUESTIONS,
  type GradientQuestion,
  type GradientQuestions,
  isDrawn,
  isForbidden,
  type Marginals,
  RUN_QUESTIONS,
  type RunQuestions,
  type Tensor,
  type Token,
} from "../data/index.js";
import type { Methods, Run } from "./contract.js";
import { refuse } from "./errors.js";
import type { GradientCore, RunSource, SoFar } from "./gradients.js";
import type { Query, QueryLexicon, RunState } from "./protocol.js";
import type { Line } from "./use.js";
import type { Vocabulary } from "./vocabulary.js";

/** The vocabulary of a run's model, with counts from the notes. */
export interface Lexicon {
  vocabulary: Vocabulary;
  special: Uint32Array;
  /** The count of each id in the training text. */
  unigrams: Float64Array | null;
}

/**
 * The run in the engine's thread: its number, and the epoch of the client in which it was computed.
 */
interface Place {
  /** The line to the thread that computed the run. */
  line: Line;
  number: number;
  lexicon: Lexicon;
}

/** What answers about gradients of a run need: the run so far, and the thread that records. */
export interface Gradients {
  source: RunSource;
  core: () => Promise<GradientCore>;
}
const places = new WeakMap<object, Place>();
const soFar = new WeakMap<object, () => SoFar>();

const unreleased = new FinalizationRegistry<Place>(({ line, number }) => line.release(number));

/**
 * A run, with the function that gives it the engine's next state and the answers to the queries
 * sent along.
 */
export interface Advancing {
  run: Run;
  advance(next: RunState, foreseen: readonly Query[]): void;
}

export function openRun(
  line: Line,
  number: number,
  lexicon: Lexicon,
  tokens: Token[] | null,
  first: RunState,
  { source, core }: Gradients,
): Advancing {
  const place: Place = { line, number, lexicon };
  const { vocabulary, special, unigrams } = lexicon;
  let state = first;
  let targetTokens: Token[] | null = null;
  /** Answers that came with the run's state, and are valid until the next state. */
  let known: { query: Query; answer: object }[] = [];

  type Name = keyof RunQuestions;
  const ask = async (what: Name, which: unknown, lexicon?: QueryLexicon): Promise<unknown> => {
    const query = queryOf(what, which);
    if ("other" in query) query.other = numberOf(query.other, place);
    const at = known.findIndex((one) => isSame(one.query, query));
    // Each answer is given once: its buffers have one owner.
    const [found] = at < 0 ? [] : known.splice(at, 1);
    return found?.answer ?? (await line.send("query", { run: number, query, lexicon }));
  };
  const methods = methodsOf<RunQuestions>(RUN_QUESTIONS, ask);
  let recording: GradientCore | null = null;
  let released = false;
  const askGradients = async (what: keyof GradientQuestions, which: unknown): Promise<unknown> => {
    const expected = "one that is still held";
    if (released) throw refuse("run/released", "reading a run", expected, "one that was released");
    const query = queryOf(what, which) as GradientQuestion & { other?: unknown };
    const isOfOther = "other" in query;
    if (isOfOther) numberOf(query.other, place);
    const other = isOfOther ? soFar.get(query.other as object) : undefined;
    return line.until(async () => {
      recording = await core();
      return recording.ask(query, { source, state }, other?.());
    });
  };
  const given = tokens ?? vocabulary.tokens(first.ids);
  const targets = (): Token[] => (targetTokens ??= vocabulary.targetTokens(state.targetIds));
  const run: Run = {
    ...methods,
    ...methodsOf<GradientQuestions>(GRADIENT_QUESTIONS, askGradients),
    get tokens() {
      // Without an encoder the text itself grows.
      const isGrown = vocabulary.info.architecture === "decoder" && targets().length > given.length;
      return isGrown ? targets() : given;
    },
    get targetTokens() {
      return targets();
    },
    get targetText() {
      return vocabulary.decode(state.targetIds, { target: true });
    },
    marginals: async (which) => marginalsOf(await methods.attention(which)),
    predictions: async (which) => {
      const rows = await methods.predictions(which);
      return rows.map((row) => row.map((candidate) => vocabulary.named(candidate)));
    },
    lens: async (which) => {
      const answer = await methods.lens(which);
      const names = new Map<number, EntryName>();
      for (const id of answer.ids.data) if (!names.has(id)) names.set(id, vocabulary.named({ id }));
      return { ...answer, names };
    },
    measures: (which) => {
      const answer = ask("measures", which, { special, unigrams });
      return answer as Promise<RunQuestions["measures"]["answer"]>;
    },
    tallies: (which) => {
      const answer = ask("tallies", which, { special, unigrams });
      return answer as Promise<RunQuestions["tallies"]["answer"]>;
    },
    executed: () => state.executed,
    onCpu: () => state.onCpu,
    fit: () => state.fit ?? null,
    release: () => {
      unreleased.unregister(place);
      line.release(number);
      recording?.forget({ state });
      released = true;
    },
  };
  places.set(run, place);
  soFar.set(run, () => ({ source, state }));
  unreleased.register(run, place, place);
  return {
    run,
    advance: (next, foreseen) => {
      known = next.answers.flatMap((answer, at) => {
        const query = foreseen[at];
        return answer === null || query === undefined ? [] : [{ query, answer }];
      });
      if (next.targetIds.length !== state.targetIds.length) targetTokens = null;
      state = next;
    },
  };
}

/** A method for each question, which sends its fields as they are. */
export function methodsOf<Questions>(
  names: readonly (keyof Questions & string)[],
  ask: (what: keyof Questions & string, which: unknown) => Promise<unknown>,
): Methods<Questions> {
  // A value from another thread has no static type.
  return Object.fromEntries(
    names.map((what) => [what, (which: unknown) => ask(what, which)]),
  ) as unknown as Methods<Questions>;
}

function numberOf(other: unknown, { line, lexicon }: Place): number {
  const place = places.get(Object(other) as object);
  const expected = "a run of the same model";
  if (!place) throw refuse("input/malformed", "the other run", expected, "another thing");
  if (place.lexicon !== lexicon)
    throw refuse("selection/other-model", "the other run", expected, "a run of another model");
  // A run from before a crash has lost its number.
  const got = "one that was lost with its thread";
  if (place.line.channel !== line.channel)
    throw refuse("run/released", "the other run", "one that is still held", got);
  return place.number;
}

/**
 * A query in the form in which it is sent. Callers without types may pass anything; the core
 * refuses what it cannot use.
 */
export function queryOf(what: Query["what"], which: unknown): Query {
  return { ...(which as object | null | undefined), what } as Query;
}

function isSame(one: Query, other: Query): boolean {
  // A missing stage means the weights.
  const [a, b] = [one, other].map(
    (query) => new Map(Object.entries({ stage: "weights", ...query })),
  );
  return [...(a?.keys() ?? []), ...(b?.keys() ?? [])].every(
    (field) => a?.get(field) === b?.get(field),
  );
}

/** The sums of a pattern; cells without a colour are not summed. */
export function marginalsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): Marginals {
  const queries = new Array<number>(rows).fill(0);
  const keys = new Array<number>(columns).fill(0);
  let least = Infinity;
  let largest = -Infinity;
  let forbidden = 0;
  data.forEach((cell, at) => {
    if (isForbidden(cell)) forbidden += 1;
    if (!isDrawn(cell)) return;
    const query = Math.floor(at / columns);
    const key = at % columns;
    queries[query] = (queries[query] ?? 0) + cell;
    keys[key] = (keys[key] ?? 0) + cell;
    least = Math.min(least, cell);
    largest = Math.max(largest, cell);
  });
  const isEmpty = least > largest;
  return {
    queries,
    keys,
    least: isEmpty ? 0 : least,
    largest: isEmpty ? 0 : largest,
    forbidden,
  };
}
