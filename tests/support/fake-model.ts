import type {
  Cell,
  EditFit,
  GenerationEvent,
  HeadRef,
  LogitPart,
  ModelInfo,
  ModelNotes,
  Prediction,
  RoleScores,
  Stack,
  Tensor,
  Token,
  Circuits,
  WeightsAsked,
} from "../../www/data/index.js";
import { ROLES } from "../../www/data/index.js";
import { marginalsOf } from "../../www/engine/run.js";
import type { NamedPair } from "../../www/headscope.js";
import { INFO } from "../../www/engine/testing/fake-wasm.js";
import {
  type ChatMessage,
  type GenerateOptions,
  HeadscopeError,
  type Model,
  type PatchCell,
  type PatchGridOptions,
  type Restart,
  type Run,
  type RunInput,
  type RunOptions,
  type TokenizeOptions,
} from "../../www/headscope.js";
import { covers } from "../../www/state/edits.js";

/*
 * A model without an engine for tests of the page: words are tokens, a translation is the sentence
 * backwards in capitals, patterns are softmax rows of numbers that follow from the head's and the
 * cell's indices.
 */

const SIZE = { layers: 3, heads: 8, kvHeads: 8, headDim: 24 };
type Place = Pick<HeadRef, "layer" | "head">;
const HEADS = Array.from({ length: SIZE.layers * SIZE.heads }, (_, index): Place => ({
  layer: Math.floor(index / SIZE.heads),
  head: index % SIZE.heads,
}));
type Method = Exclude<keyof Run, "tokens" | "targetTokens" | "targetText">;
type Which<K extends Method> = NonNullable<Parameters<Run[K]>[0]>;
type Answer<K extends Method> = ReturnType<Run[K]>;

const MAX_TOKENS = 64;
const PAUSE_MILLIS = 1;
/** What the fake writer writes, over and over. */
const REFRAIN = ["and", "so", "on"];
const REFRAIN_FIRST_ID = 1000;

/** A failure as the engine reports it; fields that a test does not read are empty. */
export const failed = (
  code: string,
  fields: Partial<Record<"message" | "doing" | "expected" | "got", string>> = {},
): HeadscopeError =>
  new HeadscopeError({ code, message: "", doing: "", expected: "", got: "", ...fields });

export const FAKE_INFO: ModelInfo = {
  ...INFO,
  stacks: { encoder: SIZE, decoder: SIZE, cross: SIZE },
  dModel: 192,
  maxTokens: MAX_TOKENS,
};

/** A model that writes: its one stack looks back at the text itself. */
export const FAKE_WRITER: ModelInfo = {
  ...FAKE_INFO,
  family: "gpt2",
  architecture: "decoder",
  stacks: { decoder: SIZE },
};

/** A model that reads, and fills gaps. */
export const FAKE_READER: ModelInfo = {
  ...FAKE_INFO,
  family: "bert",
  architecture: "encoder",
  stacks: { encoder: SIZE },
  startToken: null,
  maskToken: 99,
};

/** Answers like an engine, a little later each time, and counts what is still held. */
export class FakeModel implements Model {
  hasTokenizer = true;
  hasChatTemplate = false;
  notes: ModelNotes | null = null;
  notesProblem: string | null = null;
  /** Runs that were given out and not released. */
  readonly held = new Set<FakeRun>();
  readonly inputs: RunInput[] = [];
  /** What its runs leave out of edits; null where they have all. */
  fit: EditFit | null = null;
  readonly generated: RunInput[] = [];
  /** Makes the next runs fail. */
  failing: HeadscopeError | null = null;
  disposed = false;
  /** The time that a token takes. */
  pauseMillis = PAUSE_MILLIS;
  private readonly restarts = new Set<(restart: Restart) => void>();

  constructor(readonly info: ModelInfo = FAKE_INFO) {}

  tokenize(text: string, _pair?: string, { specialTokens = true }: TokenizeOptions = {}): Token[] {
    const end = specialTokens ? [special(1, "</s>", "end")] : [];
    return [...wordsOf(text).map(wordToken), ...end];
  }

  /** A text with each speaker named before what he says. */
  chatText(messages: readonly ChatMessage[]): Promise<string> {
    const lines = messages.map(({ role, content }) => `${role}: ${String(content)}`);
    return Promise.resolve([...lines, "assistant:"].join(" "));
  }

  decode(ids: number[]): string {
    const wordOf = (id: number): string => (id < 2 ? "" : `w${id}`);
    return ids
      .map((id) => (id < REFRAIN_FIRST_ID ? wordOf(id) : ` ${REFRAIN[id - REFRAIN_FIRST_ID]}`))
      .join("");
  }

  circuits(): Promise<Circuits> {
    const spectrum = { values: [2, 1], rank90: 2 };
    return Promise.resolve({
      queryKey: spectrum,
      valueOutput: spectrum,
      eigenvalues: [[1, 0]],
      copying: 0.5,
      tokenCopying: 0.25,
      previousToken: 0.75,
      induction: { layer: 0, head: 1, previousToken: 0.9, matching: 0.8 },
      sharedRank: { rank90: 3, of: 4 },
    });
  }

  tokenPairs(): Promise<NamedPair[]> {
    return Promise.resolve([{ from: 2, to: 3, value: 1.5, fromText: "two", toText: "three" }]);
  }

  weights({ head, part }: WeightsAsked): Promise<Tensor> {
    const { headDim } = SIZE;
    const wave = (index: number): number => Math.sin(index + head);
    switch (part) {
      case "output":
        return Promise.resolve(
          tensor([headDim, FAKE_INFO.dModel], ["head_dim", "model_dim"], wave),
        );
      case "query":
      case "key":
      case "value":
        return Promise.resolve(
          tensor([FAKE_INFO.dModel, headDim], ["model_dim", "head_dim"], wave),
        );
      case "output-bias":
        return Promise.resolve(tensor([FAKE_INFO.dModel], ["model_dim"], () => 0));
      default:
        return Promise.resolve(tensor([headDim], ["head_dim"], () => 0));
    }
  }

  preprocess(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(
    input: RunInput,
    { signal, onProgress, onUpdate, onToken }: RunOptions = {},
  ): Promise<Run> {
    this.inputs.push(input);
    const tokens = this.tokenize(input.text ?? "").map((token, at) =>
      input.masked?.includes(at) ? this.masked(token) : token,
    );
    if (tokens.length > MAX_TOKENS) {
      const expected = `at most ${MAX_TOKENS} tokens`;
      throw failed("input/too-long", { expected, got: String(tokens.length) });
    }
    const backwards = wordsOf((input.text ?? "").toUpperCase()).reverse();
    const translates = this.info.architecture === "encoder-decoder";
    const written = translates
      ? input.target === undefined
        ? backwards
        : wordsOf(input.target)
      : [];
    const { max_new_tokens: most = 0 } = input.generate ?? {};
    const total = translates ? written.length : most;
    const run = new FakeRun(this, tokens, input);
    this.held.add(run);
    for (let count = 0; count <= total; count += 1) {
      await pause(this.pauseMillis);
      if (this.failing) throw this.failing;
      if (signal?.aborted) {
        run.release();
        throw failed("run/aborted");
      }
      if (translates && input.target === undefined && count > 0) onToken?.(refrainAt(count - 1));
      if (translates || most === 0) run.write(written.slice(0, count));
      else if (count > 0) {
        const event = refrainAt(count - 1);
        onToken?.(event);
        run.goOn(event.chosen);
      }
      const finished = count === total;
      const at = finished ? null : ({ stack: "decoder", layer: 0 } as const);
      const progress = { done: count, total, at, sourceReady: true, generated: count, finished };
      onProgress?.(progress);
      onUpdate?.(run, progress);
    }
    return run;
  }

  async *generate(
    input: RunInput,
    { signal, max_new_tokens: most = 3 }: GenerateOptions = {},
  ): AsyncIterable<GenerationEvent> {
    this.generated.push(input);
    for (let step = 0; step < most; step += 1) {
      await pause();
      if (signal?.aborted) throw failed("run/aborted");
      yield refrainAt(step);
    }
  }

  /** A grid of heads: the effect grows with layer and head; the very last cell has none. */
  async *patchGrid({
    signal,
    stack = "encoder",
    start = 0,
  }: PatchGridOptions): AsyncGenerator<PatchCell> {
    const total = HEADS.length;
    for (const [index, { layer, head }] of HEADS.entries()) {
      if (index < start) continue;
      await pause();
      if (signal?.aborted) throw failed("run/aborted");
      const at = { stack, layer, step: "context", head } as const;
      const value = index / total - 1;
      const counted = { at, done: index + 1, total, value, clean: 0, corrupted: -1 };
      const isLast = index + 1 === total;
      yield isLast
        ? { ...counted, recovered: null, reason: "There is no effect to recover." }
        : { ...counted, recovered: index / total, reason: null };
    }
  }

  onRestart(listener: (restart: Restart) => void): () => void {
    this.restarts.add(listener);
    return () => this.restarts.delete(listener);
  }

  private masked({ id, text }: Token): Token {
    const mask = this.info.maskToken;
    if (mask === null) throw failed("input/no-mask-token");
    return { ...special(mask, "[MASK]", "mask"), maskedText: text, maskedId: id };
  }

  restart(restart: Restart = { code: "engine/crashed", reason: "killed", leftGpu: false }): void {
    for (const listener of this.restarts) listener(restart);
  }

  fingerprints(): Promise<Record<string, string>> {
    return Promise.resolve({ "config.json": "1", "model.safetensors": "2" });
  }

  dispose(): void {
    this.disposed = true;
  }
}

/** A token that the fake writer writes. */
function refrainAt(step: number): GenerationEvent {
  const candidates = [0, 1, 2].map((rank) => {
    const word = (step + rank) % REFRAIN.length;
    return predicted(rank, REFRAIN[word] ?? "", REFRAIN_FIRST_ID + word);
  });
  const chosen = candidates[0] ?? predicted(0, "", REFRAIN_FIRST_ID);
  const { probability } = chosen;
  return { kind: "step", step, candidates, chosen, probability, stages: [], draw: null };
}

export class FakeRun implements Run {
  readonly fit = (): EditFit | null =>
    this.model.fit ?? (this.input.edits ? { edits: this.input.edits, misfits: [] } : null);
  targetTokens: Token[] = [];
  targetText = "";
  released = false;

  constructor(
    private readonly model: FakeModel,
    public tokens: Token[],
    readonly input: RunInput,
  ) {}

  /** Adds a written token to the text itself. */
  goOn({ id, text }: Prediction): void {
    const word = this.tokens.length;
    this.tokens = [...this.tokens, { id, text, word, special: false, role: null }];
    this.targetTokens = this.tokens;
  }

  write(words: string[]): void {
    const { architecture } = this.model.info;
    if (architecture !== "encoder-decoder") {
      this.targetTokens = architecture === "decoder" ? this.tokens : [];
      return;
    }
    this.targetTokens = [special(0, "<pad>", "start"), ...words.map(wordToken)];
    this.targetText = words.join(" ") + (this.input.edits ? "!" : "");
  }

  async activation({ step, layer, head = 0, ...at }: Which<"activation">): Answer<"activation"> {
    const steps = await this.steps({ ...at, layer, head });
    const found = steps.find((one) => one.step === step);
    if (!found) throw failed("selection/bad-stage");
    return found.tensor;
  }

  attention({ stage = "weights", ...head }: Which<"attention">): Answer<"attention"> {
    const raw = this.matrix(head.stack, (cell) => score(head, cell));
    const scores = mapped(raw, (value) => value / Math.sqrt(SIZE.headDim));
    const masked = mapped(scores, (value, cell) => (this.allows(head, cell) ? value : -Infinity));
    return Promise.resolve({ raw, scores, masked, weights: softmax(masked) }[stage]);
  }

  aggregate({ stack, layer = 0, head = 0 }: Which<"aggregate">): Answer<"aggregate"> {
    return this.attention({ stack, layer, head });
  }

  norms({ stack, layer, head }: Which<"norms">): Answer<"norms"> {
    return this.attention({ stack, layer, head });
  }

  async effects({ stack, layer, head }: Which<"effects">): Answer<"effects"> {
    const { layers = 0, heads = 0 } = this.model.info.stacks[stack] ?? {};
    const places = Array.from({ length: layers * heads }, (_, at) => [
      Math.floor(at / heads),
      at % heads,
    ]).filter(([at, of]) => (layer ?? at) === at && (head ?? of) === of);
    const all: Tensor[] = [];
    for (const [at = 0, of = 0] of places)
      all.push(await this.attention({ stack, layer: at, head: of, stage: "raw" }));
    const data = Float32Array.from(all.flatMap((one) => [...one.data]));
    const around: [string, number][] = [
      ["layer", layers],
      ["head", heads],
    ];
    const named = [layer, head];
    const kept = around.filter((_, at) => named[at] === undefined);
    return {
      data,
      shape: [...kept.map(([, size]) => size), ...(all[0]?.shape ?? [])],
      axes: [...kept.map(([axis]) => axis), "query", "key"],
    };
  }

  async marginals(which: Which<"marginals">): Answer<"marginals"> {
    return marginalsOf(await this.attention(which));
  }

  mask(head: HeadRef): Answer<"mask"> {
    const open = (cell: Cell): number => (this.allows(head, cell) ? 0 : -Infinity);
    return Promise.resolve(this.matrix(head.stack, open));
  }

  async fullyMasked(head: HeadRef): Answer<"fullyMasked"> {
    const rows = rowsOf(await this.mask(head));
    return rows.flatMap((row, at) => (row.every((value) => value === -Infinity) ? [at] : []));
  }

  cost(): Answer<"cost"> {
    return Promise.resolve([]);
  }

  qkv({ stack, head, part }: Which<"qkv">): Answer<"qkv"> {
    const isTarget = stack === "decoder" || (stack === "cross" && part === "query");
    const rows = (isTarget ? this.targetTokens : this.tokens).length;
    const wave = (index: number): number => Math.sin(index + head);
    return Promise.resolve(tensor([rows, SIZE.headDim], ["position", "head_dim"], wave));
  }

  hidden(): Answer<"hidden"> {
    return Promise.resolve(stream(this.tokens.length, () => 0));
  }

  logits({ positions }: Which<"logits"> = {}): Answer<"logits"> {
    const rows = positions?.length ?? this.targetTokens.length;
    return Promise.resolve(tensor([rows, 8], ["position", "vocabulary"], (index) => index % 8));
  }

  lens({ topK, positions, ids }: Which<"lens">): Answer<"lens"> {
    const n = positions?.length ?? this.targetTokens.length;
    const cells = (value: (index: number) => number): Tensor =>
      tensor([SIZE.layers + 1, n], ["layer", "position"], value);
    const ranks = (value: (rank: number) => number): Tensor =>
      tensor([SIZE.layers + 1, n, topK], ["layer", "position", "rank"], (index) =>
        value(index % topK),
      );
    return Promise.resolve({
      finalNorm: true,
      ids: ranks((rank) => REFRAIN_FIRST_ID + (rank % REFRAIN.length)),
      logits: ranks((rank) => -rank),
      probabilities: ranks((rank) => 0.5 ** (rank + 1)),
      entropy: cells((index) => 1 / (index + 1)),
      divergence: cells((index) => Math.max(0, SIZE.layers - Math.floor(index / n))),
      names: new Map(
        REFRAIN.map((text, at) => [REFRAIN_FIRST_ID + at, { id: REFRAIN_FIRST_ID + at, text }]),
      ),
      chosen: ids ? { probabilities: cells(() => 0.25), ranks: cells(() => 1) } : null,
    });
  }

  patched({ at, ids }: Which<"patched">): Answer<"patched"> {
    const cell = ids.map(() => ({ probability: 0.5, logProbability: Math.log(0.5) }));
    return Promise.resolve(at.flatMap(() => cell));
  }

  direct(): Answer<"direct"> {
    const data = Float32Array.of(9);
    return Promise.resolve({ data, shape: [1, 1], axes: ["position", "head_dim"] });
  }

  gradient({ at }: Which<"gradient">): Answer<"gradient"> {
    return Promise.resolve(at.map(() => tensor([1, 1], ["position", "model_dim"], () => 0.5)));
  }

  weightedGradient(which: Which<"weightedGradient">): Answer<"weightedGradient"> {
    return this.attention(which);
  }

  relevance({ stack }: Which<"relevance">): Answer<"relevance"> {
    return this.attention({ stack, layer: 0, head: 0 });
  }

  integratedGradients(): Answer<"integratedGradients"> {
    const tokens = this.tokens.map((_, position) => position);
    const target = tokens.reduce((sum, token) => sum + token, 0);
    return Promise.resolve({ tokens, target, baseline: 0 });
  }

  patchEstimates({ at }: Which<"patchEstimates">): Answer<"patchEstimates"> {
    return Promise.resolve(at.map((_, index) => index));
  }

  gradientNorms(): Answer<"gradientNorms"> {
    const shape = [SIZE.layers + 1, this.tokens.length];
    return Promise.resolve(tensor(shape, ["layer", "position"], (index) => index));
  }

  attribution({ head }: Which<"attribution">): Answer<"attribution"> {
    const stack = this.model.info.architecture === "encoder" ? "encoder" : "decoder";
    const parts: LogitPart[] = HEADS.map((place, index) => ({
      kind: "head",
      stack,
      ...place,
      value: Math.sin(index + 1),
    }));
    const sum = parts.reduce((all, { value }) => all + value, 0);
    const keys = head ? this.targetTokens.map((_, key) => ({ weight: 0, value: key })) : null;
    return Promise.resolve({ logit: sum, uncapped: sum, sum, frozen: ["final-norm"], parts, keys });
  }

  predictions({ positions, topK }: Which<"predictions">): Answer<"predictions"> {
    const ranks = Array.from({ length: topK }, (_, rank) => rank);
    return Promise.resolve(
      positions.map((position) => ranks.map((rank) => predicted(rank, `word ${position}.${rank}`))),
    );
  }

  async probabilities({ positions, ids }: Which<"probabilities">): Answer<"probabilities"> {
    const rows = rowsOf(await this.logits({ positions }));
    return ids.map((id, at) => {
      const scores = rows[at] ?? [];
      const top = Math.max(...scores);
      const sum = scores.reduce((all, one) => all + Math.exp(one - top), 0);
      const logProbability = (scores[id] ?? NaN) - top - Math.log(sum);
      return { probability: Math.exp(logProbability), logProbability };
    });
  }

  positions({ stack }: { stack: Stack }): Answer<"positions"> {
    const rows = (stack === "encoder" ? this.tokens : this.targetTokens).length;
    return Promise.resolve(stream(rows, (index) => Math.sin(index)));
  }

  async steps(head: HeadRef): Answer<"steps"> {
    const weights = await this.attention(head);
    const state = stream(weights.shape[0] ?? 0, (index) => Math.sin(index + head.layer));
    return [
      { step: "input", tensor: state },
      { step: "weights", tensor: weights },
      { step: "ff-normed", tensor: state },
    ];
  }

  explain({ step, row, column, ...head }: Which<"explain">): Answer<"explain"> {
    const source =
      step === "input"
        ? ({ kind: "token", id: row, column } as const)
        : ({ kind: "step", ...head, step: "input", row, column, along: "cell" } as const);
    const lines = [{ source, values: Float32Array.of(1.5) }];
    return Promise.resolve({ operation: { kind: "same" }, lines, value: 1.5 });
  }

  headCost(): Answer<"headCost"> {
    const exact = { largest: 0, relative: 0 };
    const counts = { operations: 8, bytes: 16, exactOperations: 8, exactBytes: 16 };
    const variant = { variant: "softmax", implied: false, untrained: false } as const;
    return Promise.resolve({ ...variant, ...counts, pattern: exact, output: exact });
  }

  dropoutMean(): Answer<"dropoutMean"> {
    return Promise.resolve({ draws: 2, mean: [1], undropped: [1], kept: [1] });
  }

  residuals(): Answer<"residuals"> {
    return Promise.resolve([]);
  }

  distances(): Answer<"distances"> {
    const shape = [SIZE.layers + 1, this.tokens.length];
    return Promise.resolve(tensor(shape, ["layer", "position"], () => 0));
  }

  runDivergences(): Answer<"runDivergences"> {
    return Promise.resolve(HEADS.map((head, index) => ({ ...head, divergence: index / 100 })));
  }

  thumbnails({ size }: Which<"thumbnails">): Answer<"thumbnails"> {
    const shape = [SIZE.layers, SIZE.heads, size, size];
    return Promise.resolve(tensor(shape, ["layer", "head", "query", "key"], () => 0));
  }

  measures({ stack }: { stack: Stack }): Answer<"measures"> {
    const roles = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
    const distance = stack === "cross" ? null : 1;
    return Promise.resolve(HEADS.map((head) => ({ ...head, entropy: 1, distance, roles })));
  }

  tallies(): Answer<"tallies"> {
    const mean = { sum: 0, count: 0 };
    const lists = { means: ROLES.map(() => mean), offsets: Array<typeof mean>(7).fill(mean) };
    const tally = { ...lists, entropy: mean, distance: mean, nQueries: this.tokens.length };
    return Promise.resolve(HEADS.map((head) => ({ ...head, tally })));
  }

  headDivergences(): Answer<"headDivergences"> {
    return this.runDivergences();
  }

  spectrum(): Answer<"spectrum"> {
    const values = [2, 1];
    return Promise.resolve({ scores: { values, rank90: 2 }, weights: { values, rank90: 2 } });
  }

  contentRetention(): Answer<"contentRetention"> {
    return Promise.resolve({ retained: 1, positions: 4 });
  }

  cosines({ positions, other, otherPositions }: Which<"cosines">): Answer<"cosines"> {
    const one = this.tokens[positions[0] ?? 0];
    const two = other.tokens[otherPositions[0] ?? 0];
    const apart = one?.text === two?.text ? 0 : 1;
    const layers = Array.from({ length: SIZE.layers + 1 }, (_, layer) => layer + 1);
    return Promise.resolve(layers.map((layer) => 1 - (apart * layer) / 8));
  }

  executed(): Answer<"executed"> {
    return { blocks: 6, reusedBlocks: 0, reusedTokens: 0 };
  }

  onCpu(): [] {
    return [];
  }

  release(): void {
    this.released = true;
    this.model.held.delete(this);
  }

  private matrix(stack: Stack, value: (cell: Cell) => number): Tensor {
    const queries = (stack === "encoder" ? this.tokens : this.targetTokens).length;
    const keys = (stack === "decoder" ? this.targetTokens : this.tokens).length;
    return tensor([queries, keys], ["query", "key"], (index) =>
      value({ query: Math.floor(index / keys), key: index % keys }),
    );
  }

  private allows({ stack, layer, head }: HeadRef, { query, key }: Cell): boolean {
    if (stack === "decoder" && key > query) return false;
    const masks = this.input.edits?.masks ?? [];
    return !masks.some(
      (edit) =>
        covers(edit, { stack, layer, head }) &&
        edit.block?.some(([q, k]) => q === query && k === key),
    );
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}']+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function pause(millis = PAUSE_MILLIS): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

function special(id: number, text: string, role: Token["role"]): Token {
  return { id, text, word: -1, special: true, role };
}

function predicted(rank: number, text: string, id = rank): Prediction {
  return { id, text, logit: -rank, probability: 0.5 ** (rank + 1) };
}

function stream(rows: number, value: (index: number) => number): Tensor {
  return tensor([rows, FAKE_INFO.dModel], ["position", "model_dim"], value);
}

export function wordToken(text: string, word: number): Token {
  return { id: word + 2, text, word, special: false, role: null };
}

function score({ layer, head }: HeadRef, { query, key }: Cell): number {
  const off = query - key + (head % 4) - 2;
  return (
    30 * Math.exp(-(off ** 2) / (1 + layer + head / 2)) +
    8 * Math.sin(12.9898 * (query + 1) * (head + 1) + 78.233 * key)
  );
}

function softmax(scores: Tensor): Tensor {
  const powers = mapped(scores, (value) => Math.exp(value));
  const sums = rowsOf(powers).map((row) => row.reduce((sum, value) => sum + value, 0) || 1);
  return mapped(powers, (value, { query }) => value / (sums[query] ?? 1));
}

function rowsOf({ data, shape: [rows = 0, columns = 0] }: Tensor): number[][] {
  return Array.from({ length: rows }, (_, row) => [
    ...data.subarray(row * columns, (row + 1) * columns),
  ]);
}

function mapped(source: Tensor, change: (value: number, cell: Cell) => number): Tensor {
  const columns = source.shape[1] ?? 1;
  const data = source.data.map((value, index) =>
    change(value, { query: Math.floor(index / columns), key: index % columns }),
  );
  return { ...source, data };
}

function tensor(shape: number[], axes: string[], value: (index: number) => number): Tensor {
  const length = shape.reduce((product, size) => product * size, 1);
  return { data: Float32Array.from({ length }, (_, index) => value(index)), shape, axes };
}
