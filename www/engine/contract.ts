import type {
  AttentionCost,
  BlockRef,
  DropoutMean,
  Edits,
  Executed,
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
  Spectrum,
  Stack,
  Stage,
  StepPlace,
  StepTensor,
  StreamDepth,
  Tensor,
  Token,
  TokenProbability,
} from "../data/index.js";

/**
 * Where a model comes from: a folder's URL (in Node also a path), a hub id such as `org/name`,
 * dropped files, or files in memory by name. A string of the form `a/b` is a hub id; write
 * `./a/b` for a folder. The tokenizer may be absent: then only ids can be run.
 */
export type ModelSource = string | URL | File[] | Record<string, Uint8Array>;

export interface LoadProgress {
  file: string;
  loadedBytes: number;
  totalBytes?: number;
}

export type Backend = "cpu" | "webgpu" | "auto";

export interface LoadOptions {
  /**
   * What computes. `"webgpu"` fails with `gpu/absent` where the browser gives no adapter; `"auto"` takes a real GPU
   * when there is one, else the CPU. Default `"cpu"`.
   */
  backend?: Backend;
  /** Default `https://huggingface.co`. */
  hub?: string;
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
}

/** What to run. Ids are used exactly as given; text is tokenized with the model's special tokens. */
export interface RunInput {
  text?: string;
  textPair?: string;
  ids?: number[];
  tokenTypeIds?: number[];
  attentionMask?: (0 | 1)[];
  target?: string;
  /** Exactly Hugging Face's `decoder_input_ids`, start token included. */
  targetIds?: number[];
  /** Positions of the text's tokens that the mask token stands for, in a model that has one. */
  hidden?: number[];
  edits?: Edits;
}

export interface RunProgress {
  /** Blocks computed, of all that are foreseen. */
  done: number;
  total: number;
  /** The block that is being computed, its layer from 0; null where every known token went through. */
  at: BlockRef | null;
  /** Whether the source's patterns can be read. */
  sourceReady: boolean;
  /** How many tokens have been written. */
  generated: number;
  finished: boolean;
}

/** A question about a head that can be foreseen: whoever shows a head will ask the same of the next run. */
export type Foreseen = HeadRef &
  (
    | { what: "attention"; stage: Stage }
    | { what: "qkv"; part: Part }
    | { what: "mask" | "fullyMasked" }
  );

export interface RunOptions {
  signal?: AbortSignal;
  /** Called after every piece of work, also before anything can be read. */
  onProgress?: (progress: RunProgress) => void;
  /**
   * Called once the source's patterns can be read, after each batch of written tokens, and at the
   * end, with the very run that `run` resolves to. What it has so far can be read at once, and
   * stays readable if the run is stopped, until it is released.
   */
  onUpdate?: (run: Run, progress: RunProgress) => void;
  /**
   * What will be asked in the first `onUpdate`. The answers come with that news, so that asking there does not
   * take another way to the engine and back, nor wait for what it has begun meanwhile.
   */
  foreseen?: readonly Foreseen[];
}

/** Greedy decoding only: each of the others is refused with `input/unsupported-option`. */
export interface GenerateOptions {
  signal?: AbortSignal;
  maxTokens?: number;
  temperature?: number;
  topK?: number;
  topP?: number;
  seed?: number;
  beams?: number;
}

export interface DecodeOptions {
  /** Whether bytes that make no whole character are named, `⟨E2⟩`, as in the text of a token. Else they are U+FFFD. */
  nameBytes?: boolean;
}

/** A model in an engine of its own. */
export interface Model {
  /** Another one after a restart that left the GPU. */
  readonly info: ModelInfo;
  /** Whether the folder had a tokenizer, so that text can be run. */
  readonly hasTokenizer: boolean;
  /** What `headscope.json` says of the trained model; null if the folder has none that can be used. */
  readonly notes: ModelNotes | null;
  /** Why there are no notes although the folder may have some; null if all is well or it has none. */
  readonly notesProblem: string | null;
  tokenize(text: string, textPair?: string): Token[];
  /** The text that these ids spell, special tokens left out. */
  decode(ids: number[], options?: DecodeOptions): string;
  /** An encoder-decoder without a target translates greedily first; the run holds what it wrote. */
  run(input: RunInput, options?: RunOptions): Promise<Run>;
  generate(input: RunInput, options?: GenerateOptions): AsyncIterable<GenerationEvent>;
  /**
   * Called after the engine crashed and was started again: earlier runs are gone. Gives back how to stop that.
   * If starting again fails, the next run tries once more. A model whose GPU failed goes on on the CPU.
   */
  onRestart(listener: (restart: Restart) => void): () => void;
  dispose(): void;
}

/** Why an engine was started again. */
export interface Restart {
  /** What ended it: a crash, a GPU that failed, or one that did not answer in time. */
  code: "engine/crashed" | "gpu/lost" | "gpu/silent";
  reason: string;
  /** Whether it computed on a GPU before, and does so no more. */
  leftGpu: boolean;
}

/** What the model computed. Patterns are derived when they are asked for. */
export interface Run {
  readonly tokens: Token[];
  /** What the decoder read, start token included; of a decoder alone the text itself; empty without a decoder. */
  readonly targetTokens: Token[];
  /** The text that the target spells, special tokens left out. */
  readonly targetText: string;
  /**
   * `[query, key]`. Default stage `"weights"`; a forbidden cell is -Infinity in `"masked"`, exactly 0 in `"weights"`. With
   * `rows`, a first query and the one behind the last, of those alone: no other row is computed.
   */
  attention(which: HeadRef & { stage?: Stage; rows?: readonly [number, number] }): Promise<Tensor>;
  /** The sums of the rows and columns of `attention`, and between which numbers its cells lie. */
  marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals>;
  /** `[query, key]`: 0 where a query may look at a key, -Infinity where not. */
  mask(which: HeadRef): Promise<Tensor>;
  /** Query rows that may look at nothing; their weights are 0. */
  fullyMasked(which: HeadRef): Promise<number[]>;
  /**
   * What the attention of a layer costs under the masks in force, for texts of other lengths (at most 100,000 tokens, of
   * cross-attention both) than the run's own: all heads together, beside full attention and other kinds of layers.
   */
  cost(which: { stack: Stack; layer: number; lengths: number[] }): Promise<AttentionCost[]>;
  /** `[position, head_dim]`. In models with rotary positions as they are compared, or, with `rotated: false`, as they were projected. */
  qkv(which: HeadRef & { part: Part; rotated?: boolean }): Promise<Tensor>;
  /** The same numbers as Hugging Face's `hidden_states[layer]`. */
  hidden(which: { stack: "encoder" | "decoder"; layer: number }): Promise<Tensor>;
  /** `[position, vocabulary]`, for all positions by default. */
  logits(which?: { positions?: number[] }): Promise<Tensor>;
  /** For each position the most probable next tokens, best first. */
  predictions(which: { positions: number[]; topK: number }): Promise<Prediction[][]>;
  /**
   * How probable entries of the vocabulary are, pair by pair: `ids[i]` at `positions[i]`, in f64, after softmax over the whole
   * vocabulary. Scores stay in the engine, so that a long text costs no more than its answers.
   */
  probabilities(which: { positions: number[]; ids: number[] }): Promise<TokenProbability[]>;
  /** `[position, model_dim]`: the positional encoding that was added; with rotary positions `[position, head_dim]`, the cosines and sines; with relative ones `[distance, head]`, what joins the scores. */
  positions(which: { stack: Stack }): Promise<Tensor>;
  /** `[layer, head, size, size]`, reduced in the engine. */
  thumbnails(which: { stack: Stack; size: number; stage?: Stage }): Promise<Tensor>;
  /**
   * What every head of a stack did on this text, block by block: how wide and how far it looked, and which roles it
   * played. `rare` needs the unigram counts of the model's notes and is null without them.
   */
  measures(which: { stack: Stack }): Promise<HeadMeasures[]>;
  /** How unlike every head of the stack is to this one, block by block, itself included: a Jensen-Shannon divergence in nats. */
  likeness(which: HeadRef): Promise<HeadLikeness[]>;
  /** The singular values of a head's scores before the mask and of its weights; of a pattern with at most 512 queries or keys. */
  spectrum(which: HeadRef): Promise<Spectrum>;
  /**
   * What a head's attention took, counted while it was computed once more, and how far its weights and what it finds are
   * from exact attention under the same mask.
   */
  headCost(which: HeadRef): Promise<HeadCost>;
  /** `[query, key]`, row after row: a head's weights on the average of many draws of its dropout, and without it. */
  dropoutMean(which: HeadRef & { draws: number }): Promise<DropoutMean>;
  /**
   * Every matrix between a block's input and its output, in the order in which the block computes them, as one head
   * sees it. The steps are those that the block has: one with its norms before the sublayers has other ones.
   */
  steps(which: HeadRef): Promise<StepTensor[]>;
  /** What makes one cell of one of those matrices: the operation, its terms, and where each of them stands. */
  explain(which: StepPlace): Promise<Explanation>;
  /**
   * The cosine of a word's hidden states with those of a word of another run of the same model, for `hidden[0]` and
   * every layer after it. A word of several tokens is the mean of their states; null where a state is zero.
   */
  cosines(which: {
    stack: "encoder" | "decoder";
    positions: number[];
    other: Run;
    otherPositions: number[];
  }): Promise<(number | null)[]>;
  /**
   * The residual stream at every depth, a number per token: after the embedding, after each sublayer of every block, and
   * after the last norm where there is one.
   */
  residuals(which: { stack: "encoder" | "decoder" }): Promise<StreamDepth[]>;
  /**
   * `[layer, position]`: how far every token's `hidden[layer]` is from that of another run of the same model, of a text of
   * the same length. With an order a token `t` is compared with the other's token `order[t]`.
   */
  distances(which: { stack: "encoder" | "decoder"; other: Run; order?: number[] }): Promise<Tensor>;
  /** How unlike every head of a stack is to itself in another run of the same model and of texts as long, block by block. */
  divergences(which: { stack: Stack; other: Run }): Promise<HeadLikeness[]>;
  /** What this run really computed, and what it took over from the run before it. */
  executed(): Executed;
  /**
   * The attention sites that a run on a GPU leaves to the CPU, for a kind of attention of which a GPU makes nothing
   * sensible. Empty where none is, and of every run on the CPU.
   */
  onCpu(): BlockRef[];
  /** Frees the run's memory; without it this happens when the run is garbage collected. */
  release(): void;
}
