import type {
  AttentionCost,
  Cell,
  DropoutMean,
  EditFit,
  Explanation,
  GenerationEvent,
  HeadCost,
  HeadLikeness,
  HeadMeasures,
  HeadRef,
  Marginals,
  ModelInfo,
  ModelNotes,
  Part,
  Prediction,
  RoleScores,
  Spectrum,
  Stack,
  Stage,
  StepPlace,
  StepTensor,
  StreamDepth,
  Tensor,
  TermSource,
  Token,
  TokenProbability,
} from "../../www/data/index.js";
import { ROLES } from "../../www/data/index.js";
import { marginalsOf } from "../../www/engine/run.js";
import { INFO } from "../../www/engine/testing/fake-wasm.js";
import {
  HeadscopeError,
  type GenerateOptions,
  type Model,
  type Restart,
  type Run,
  type RunInput,
  type RunOptions,
  type RunProgress,
} from "../../www/headscope.js";

/*
 * A model without an engine for tests of the page: words are tokens, a translation is the sentence backwards
 * in capitals, patterns are softmax rows of numbers that follow from the head's and the cell's indices.
 */

const SIZE = { layers: 3, heads: 8, kvHeads: 8, headDim: 24 };
const HEADS = Array.from({ length: SIZE.layers * SIZE.heads }, (_, index) => ({
  layer: Math.floor(index / SIZE.heads),
  head: index % SIZE.heads,
}));
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
  readonly hasTokenizer = true;
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
  private readonly restarts = new Set<(restart: Restart) => void>();

  constructor(readonly info: ModelInfo = FAKE_INFO) {}

  tokenize(text: string): Token[] {
    return [
      ...wordsOf(text).map(wordToken),
      { id: 1, text: "</s>", word: -1, special: true, role: "end" as const },
    ];
  }

  decode(ids: number[]): string {
    const words = ids.map((id) =>
      id >= REFRAIN_FIRST_ID ? ` ${REFRAIN[id - REFRAIN_FIRST_ID] ?? ""}` : id < 2 ? "" : `w${id}`,
    );
    return words.join("");
  }

  async run(input: RunInput, { signal, onProgress, onUpdate }: RunOptions = {}): Promise<Run> {
    this.inputs.push(input);
    const tokens = this.tokenize(input.text ?? "").map((token, at) =>
      input.hidden?.includes(at) ? this.masked(token) : token,
    );
    if (tokens.length > MAX_TOKENS) {
      throw failed("input/too-long", {
        message: "too long",
        expected: `at most ${MAX_TOKENS} tokens`,
        got: String(tokens.length),
      });
    }
    const translates = this.info.architecture === "encoder-decoder";
    const written = !translates
      ? []
      : input.target === undefined
        ? wordsOf(input.text ?? "")
            .reverse()
            .map((word) => word.toUpperCase())
        : wordsOf(input.target);
    const run = new FakeRun(this, tokens, input);
    this.held.add(run);
    for (let count = 0; count <= written.length; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
      if (this.failing) throw this.failing;
      if (signal?.aborted) {
        run.release();
        throw failed("run/aborted", { message: "stopped" });
      }
      run.write(written.slice(0, count));
      const progress: RunProgress = {
        done: count,
        total: written.length,
        at: count === written.length ? null : { stack: "decoder", layer: 0 },
        sourceReady: true,
        generated: count,
        finished: count === written.length,
      };
      onProgress?.(progress);
      onUpdate?.(run, progress);
    }
    return run;
  }

  async *generate(
    input: RunInput,
    { signal, maxTokens = 3 }: GenerateOptions = {},
  ): AsyncIterable<GenerationEvent> {
    this.generated.push(input);
    for (let step = 0; step < maxTokens; step += 1) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
      if (signal?.aborted) throw failed("run/aborted", { message: "stopped" });
      const candidates = [0, 1, 2].map((rank): Prediction => {
        const word = (step + rank) % REFRAIN.length;
        return {
          id: REFRAIN_FIRST_ID + word,
          text: REFRAIN[word] ?? "",
          logit: -rank,
          probability: 0.5 ** (rank + 1),
        };
      });
      const [chosen] = candidates;
      if (chosen) yield { step, candidates, chosen, probability: chosen.probability };
    }
  }

  onRestart(listener: (restart: Restart) => void): () => void {
    this.restarts.add(listener);
    return () => this.restarts.delete(listener);
  }

  private masked({ id, text }: Token): Token {
    const mask = this.info.maskToken;
    if (mask === null) throw failed("input/no-mask-token");
    return {
      id: mask,
      text: "[MASK]",
      word: -1,
      special: true,
      role: "mask",
      hiddenText: text,
      hiddenId: id,
    };
  }

  restart(restart: Restart = { code: "engine/crashed", reason: "killed", leftGpu: false }): void {
    for (const listener of this.restarts) listener(restart);
  }

  dispose(): void {
    this.disposed = true;
  }
}

export class FakeRun implements Run {
  readonly fit = (): EditFit | null =>
    this.model.fit ?? (this.input.edits ? { edits: this.input.edits, misfits: [] } : null);
  targetTokens: Token[] = [];
  targetText = "";
  released = false;

  constructor(
    private readonly model: FakeModel,
    readonly tokens: Token[],
    readonly input: RunInput,
  ) {}

  write(words: string[]): void {
    const { architecture } = this.model.info;
    if (architecture !== "encoder-decoder") {
      this.targetTokens = architecture === "decoder" ? this.tokens : [];
      return;
    }
    const start: Token = { id: 0, text: "<pad>", word: -1, special: true, role: "start" };
    this.targetTokens = [start, ...words.map(wordToken)];
    this.targetText = words.join(" ") + (this.input.edits ? "!" : "");
  }

  attention({ stage = "weights", ...head }: HeadRef & { stage?: Stage }): Promise<Tensor> {
    const raw = this.matrix(head.stack, (cell) => score(head, cell));
    const scores = mapped(raw, (value) => value / Math.sqrt(SIZE.headDim));
    const masked = mapped(scores, (value, cell) => (this.allows(head, cell) ? value : -Infinity));
    return Promise.resolve({ raw, scores, masked, weights: softmax(masked) }[stage]);
  }

  async marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals> {
    return marginalsOf(await this.attention(which));
  }

  mask(head: HeadRef): Promise<Tensor> {
    return Promise.resolve(
      this.matrix(head.stack, (cell) => (this.allows(head, cell) ? 0 : -Infinity)),
    );
  }

  async fullyMasked(head: HeadRef): Promise<number[]> {
    const { data, shape } = await this.mask(head);
    const [rows = 0, columns = 0] = shape;
    const rowOf = (row: number): Float32Array => data.subarray(row * columns, (row + 1) * columns);
    return Array.from({ length: rows }, (_, row) => row).filter((row) =>
      rowOf(row).every((value) => value === -Infinity),
    );
  }

  /** As if every second pair were masked. */
  cost({ lengths }: { lengths: number[] }): Promise<AttentionCost[]> {
    const site = (cells: number): AttentionCost["full"] => ({
      cells,
      multiplyAdds: 2 * cells * SIZE.headDim,
      weightBytes: 4 * cells,
      vectorBytes: 16,
    });
    const kinds = ["attention", "recurrent", "convolutional", "restricted"] as const;
    return Promise.resolve(
      lengths.map((tokens) => ({
        tokens,
        heads: SIZE.heads,
        masked: site((SIZE.heads * tokens * tokens) / 2),
        exact: tokens <= 1000,
        full: site(SIZE.heads * tokens * tokens),
        layers: kinds.map((kind, row) => ({
          kind,
          operations: tokens * (row + 1),
          sequential: row + 1,
          path: row + 1,
        })),
      })),
    );
  }

  qkv({ stack, head, part }: HeadRef & { part: Part }): Promise<Tensor> {
    const isTarget = stack === "decoder" || (stack === "cross" && part === "query");
    const rows = (isTarget ? this.targetTokens : this.tokens).length;
    return Promise.resolve(
      tensor([rows, SIZE.headDim], ["position", "head_dim"], (index) => Math.sin(index + head)),
    );
  }

  hidden(): Promise<Tensor> {
    return Promise.resolve(
      tensor([this.tokens.length, FAKE_INFO.dModel], ["position", "model_dim"], () => 0),
    );
  }

  logits({ positions }: { positions?: number[] } = {}): Promise<Tensor> {
    const rows = positions?.length ?? this.targetTokens.length;
    return Promise.resolve(tensor([rows, 8], ["position", "vocabulary"], (index) => index % 8));
  }

  predictions({ positions, topK }: { positions: number[]; topK: number }): Promise<Prediction[][]> {
    const share = (rank: number): number => 0.5 ** (rank + 1);
    const row = (position: number): Prediction[] =>
      Array.from({ length: topK }, (_, rank) => ({
        id: rank,
        text: `word ${position}.${rank}`,
        logit: -rank,
        probability: share(rank),
      }));
    return Promise.resolve(positions.map(row));
  }

  /** Of its scores, also of those that a test puts in their place. */
  async probabilities({
    positions,
    ids,
  }: {
    positions: number[];
    ids: number[];
  }): Promise<TokenProbability[]> {
    const { data, shape } = await this.logits({ positions });
    const [, width = 0] = shape;
    return ids.map((id, row) => {
      const scores = Array.from(data.subarray(row * width, (row + 1) * width));
      const top = Math.max(...scores);
      const logProbability =
        (scores[id] ?? NaN) -
        top -
        Math.log(scores.reduce((sum, one) => sum + Math.exp(one - top), 0));
      return { probability: Math.exp(logProbability), logProbability };
    });
  }

  positions({ stack }: { stack: Stack }): Promise<Tensor> {
    const rows = stack === "encoder" ? this.tokens.length : this.targetTokens.length;
    const half = FAKE_INFO.dModel / 2;
    return Promise.resolve(
      tensor([rows, FAKE_INFO.dModel], ["position", "model_dim"], (index) => {
        const [position, dim] = [Math.floor(index / FAKE_INFO.dModel), index % FAKE_INFO.dModel];
        const angle = position / 10_000 ** ((dim % half) / half);
        return dim < half ? Math.sin(angle) : Math.cos(angle);
      }),
    );
  }

  async steps(head: HeadRef): Promise<StepTensor[]> {
    const weights = await this.attention(head);
    const stream = tensor(
      [weights.shape[0] ?? 0, FAKE_INFO.dModel],
      ["position", "model_dim"],
      (index) => Math.sin(index + head.layer),
    );
    return [
      { step: "input", tensor: stream },
      { step: "weights", tensor: weights },
      { step: "ff-normed", tensor: stream },
    ];
  }

  /** Each number is that of the step before it, at the same place. */
  explain({ step, row, column, ...head }: StepPlace): Promise<Explanation> {
    const source: TermSource =
      step === "input"
        ? { kind: "token", id: row, column }
        : { kind: "step", ...head, step: "input", row, column, along: "cell" };
    return Promise.resolve({
      operation: { kind: "same" },
      lines: [{ source, values: Float32Array.of(1.5) }],
      value: 1.5,
    });
  }

  /** Nothing but zeros, before and after the only blocks that there are. */
  headCost(): Promise<HeadCost> {
    const exact = { largest: 0, relative: 0 };
    return Promise.resolve({
      kind: "softmax",
      implied: false,
      untrained: false,
      operations: 8,
      bytes: 16,
      exactOperations: 8,
      exactBytes: 16,
      pattern: exact,
      output: exact,
    });
  }

  dropoutMean(): Promise<DropoutMean> {
    return Promise.resolve({ draws: 2, mean: [1], undropped: [1], kept: [1] });
  }

  residuals(): Promise<StreamDepth[]> {
    const zeros = this.tokens.map(() => 0);
    return Promise.resolve([
      {
        layer: 0,
        point: "embedding",
        mean: zeros,
        deviation: zeros,
        norm: zeros,
        share: null,
        similarity: zeros.map(() => null),
      },
    ]);
  }

  distances(): Promise<Tensor> {
    return Promise.resolve(
      tensor([SIZE.layers + 1, this.tokens.length], ["layer", "position"], () => 0),
    );
  }

  /** The later a head, the more it changed. */
  divergences(): Promise<HeadLikeness[]> {
    return Promise.resolve(HEADS.map((head, index) => ({ ...head, divergence: index / 100 })));
  }

  async thumbnails({ stack, size }: { stack: Stack; size: number }): Promise<Tensor> {
    const patterns = await Promise.all(HEADS.map((head) => this.attention({ stack, ...head })));
    return tensor(
      [SIZE.layers, SIZE.heads, size, size],
      ["layer", "head", "query", "key"],
      (index) => {
        const pattern = patterns[Math.floor(index / size ** 2)];
        const [rows = 0, columns = 0] = pattern?.shape ?? [];
        const [row, column] = [Math.floor((index % size ** 2) / size), index % size];
        return (
          pattern?.data[
            Math.floor((row * rows) / size) * columns + Math.floor((column * columns) / size)
          ] ?? 0
        );
      },
    );
  }

  /** Each head's mean weight on the token before; of the other roles it knows nothing. */
  measures({ stack }: { stack: Stack }): Promise<HeadMeasures[]> {
    const none = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
    return Promise.all(
      HEADS.map(async (head) => {
        const { data, shape } = await this.attention({ stack, ...head });
        const [rows = 0, columns = 0] = shape;
        const before = Array.from(
          { length: rows - 1 },
          (_, row) => data[(row + 1) * columns + row] ?? 0,
        );
        const previous =
          stack === "cross" || rows < 2
            ? null
            : before.reduce((sum, weight) => sum + weight, 0) / before.length;
        return {
          ...head,
          entropy: 1,
          distance: stack === "cross" ? null : 1,
          roles: { ...none, previous },
        };
      }),
    );
  }

  /** Heads are as unlike as their weights' mean difference; each is like itself. */
  async likeness(which: HeadRef): Promise<HeadLikeness[]> {
    const { data } = await this.attention(which);
    return Promise.all(
      HEADS.map(async (head) => {
        const other = await this.attention({ stack: which.stack, ...head });
        const apart = data.reduce(
          (sum, weight, index) => sum + Math.abs(weight - (other.data[index] ?? 0)),
          0,
        );
        return { ...head, divergence: apart / (2 * data.length) };
      }),
    );
  }

  /** As many values as the shorter side, each half the one before. */
  async spectrum(which: HeadRef): Promise<Spectrum> {
    const { shape } = await this.attention(which);
    const values = Array.from(
      { length: Math.min(...shape) },
      (_, index) => 2 ** (which.head - index),
    );
    return { scores: { values, rank90: 2 }, weights: { values, rank90: 2 } };
  }

  /** By layer, less and less alike; words of the same text are the same. */
  cosines({
    positions,
    other,
    otherPositions,
  }: {
    positions: number[];
    other: Run;
    otherPositions: number[];
  }): Promise<(number | null)[]> {
    const [one, two] = [this.tokens[positions[0] ?? 0], other.tokens[otherPositions[0] ?? 0]];
    const apart = one?.text === two?.text ? 0 : 1;
    return Promise.resolve(
      Array.from({ length: SIZE.layers + 1 }, (_, layer) => 1 - (apart * (layer + 1)) / 8),
    );
  }

  executed(): { blocks: number; reusedBlocks: number; reusedTokens: number } {
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
        (edit.stack ?? stack) === stack &&
        (edit.layers?.includes(layer) ?? true) &&
        (edit.heads?.includes(head) ?? true) &&
        (edit.block ?? []).some(([q, k]) => q === query && k === key),
    );
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}']+|[^\s\p{L}\p{N}]/gu) ?? [];
}

function wordToken(text: string, word: number): Token {
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
  const columns = scores.shape[1] ?? 0;
  const powers = mapped(scores, (value) => Math.exp(value));
  const sumOf = (query: number): number =>
    powers.data
      .subarray(query * columns, (query + 1) * columns)
      .reduce((sum, value) => sum + value, 0);
  return mapped(powers, (value, { query }) => value / (sumOf(query) || 1));
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
