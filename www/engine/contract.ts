import type {
  BlockRef,
  EditFit,
  Edits,
  Executed,
  GenerationEvent,
  HeadRef,
  Marginals,
  ModelInfo,
  ModelNotes,
  ModelQuestions,
  Prediction,
  PredictionsAsked,
  Question,
  RunQuestions,
  Stage,
  Token,
} from "../data/index.js";

/**
 * A folder's URL (in Node also a path), a hub id such as `org/name`, dropped files, or files in
 * memory by name. `a/b` is a hub id, `./a/b` a folder. Without a tokenizer a text names ids, `5 17
 * 2`.
 */
export type ModelSource = string | URL | File[] | Record<string, Uint8Array>;

export interface LoadProgress {
  file: string;
  /** Bytes of this file. */
  loadedBytes: number;
  totalBytes?: number;
  /** Seconds until the server is asked again: it is busy, or the connection was lost. */
  waitSeconds?: number;
  /**
   * Whether another page of this site fetches and stores the same model: its files are read once
   * they are there.
   */
  waitsForPage?: true;
}

export type Backend = "cpu" | "webgpu" | "auto";

/** How weights are held, as the file has them or in a byte each; sums are f32 in any case. */
export type Weights = "stored" | "int8";

export interface LoadOptions {
  /**
   * Default `"cpu"`. `"webgpu"` needs an adapter; `"auto"` takes a real GPU where there is one,
   * else the CPU.
   */
  backend?: Backend;
  /**
   * Default `"stored"`. `"int8"` is for the CPU alone; a GPU refuses it with
   * `input/unsupported-option`.
   */
  weights?: Weights;
  /** Default `https://huggingface.co`. */
  hub?: string;
  /** An access token for private models; it is sent to the hub's origin alone. */
  token?: string;
  /**
   * Whether the files are stored in the page's private file system and read from there the next
   * time. Browsers only.
   */
  store?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
}

/**
 * An image, 4 bytes (RGBA) for each pixel, row after row: `ImageData` is one. Transparent pixels
 * lie on white where preprocessor_config.json says `do_convert_rgb`; otherwise their colours are
 * read as they are.
 */
export interface ImageLike {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

/**
 * What to run. Ids are used exactly as given; text is tokenized with the model's special tokens.
 */
export interface RunInput {
  text?: string;
  textPair?: string;
  /** Of any size, in a model of images. */
  image?: ImageLike;
  ids?: number[];
  tokenTypeIds?: number[];
  attentionMask?: (0 | 1)[];
  target?: string;
  /** Exactly Hugging Face's `decoder_input_ids`, start token included. */
  targetIds?: number[];
  /** Positions of the text's tokens that the mask token stands for, in a model that has one. */
  masked?: number[];
  edits?: Edits;
  /**
   * Whether edits are cut down to what the model and the text have, instead of refused; `fit` of
   * the run has what is left out.
   */
  lenient?: boolean;
}

export interface RunProgress {
  /** Rows of blocks, of all that the run will compute. */
  done: number;
  total: number;
  /**
   * The block that is being computed, its layer from 0; null once all tokens so far are through.
   */
  at: BlockRef | null;
  /** Whether the source's patterns can be read. */
  sourceReady: boolean;
  /** Tokens written so far. */
  generated: number;
  finished: boolean;
}

/** A query about a head that can travel with the request for a run. */
export type Foreseen = Extract<Question, { what: "attention" | "qkv" | "mask" | "fullyMasked" }>;

export interface RunOptions {
  signal?: AbortSignal;
  /** Called after every piece of work, also before anything can be read. */
  onProgress?: (progress: RunProgress) => void;
  /**
   * Called once the source's patterns can be read, after each batch of written tokens, and at the
   * end, with the very run that `run` resolves to. It can be read at once, also if it is stopped,
   * until it is released.
   */
  onUpdate?: (run: Run, progress: RunProgress) => void;
  /** What will be asked in the first `onUpdate`: the answers arrive with that message. */
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
  /**
   * Whether bytes that make no whole character are named, `⟨E2⟩`, as in the text of a token. Else
   * they are U+FFFD.
   */
  nameBytes?: boolean;
  /** Whether the model writes these ids, where it has a vocabulary for each language. */
  target?: boolean;
}

/**
 * A model in a thread of its own. After a failure, always a `HeadscopeError`, it still runs unless
 * it was disposed of.
 */
export interface Model extends Methods<ModelQuestions> {
  /** Another one after a restart that left the GPU. */
  readonly info: ModelInfo;
  /** Whether the folder had a tokenizer. Without one a text names ids, `5 17 2`. */
  readonly hasTokenizer: boolean;
  /**
   * What `headscope.json` says of the trained model; null if the folder has none that can be used.
   */
  readonly notes: ModelNotes | null;
  /** Why there are no notes although the folder may have some. */
  readonly notesProblem: string | null;
  /**
   * With the model's special tokens; of images, the tokens that all of them have. @throws
   * input/malformed, input/missing-tokenizer
   */
  tokenize(text: string, textPair?: string): Token[];
  /**
   * An image as a model of images sees it: in its size, cropped. Null for a model of texts. An
   * image that has the same bytes as before is not processed again. @throws input/bad-image
   */
  preprocess(image: ImageLike): Promise<ImageLike | null>;
  /** The text that ids spell, special tokens left out. @throws input/malformed */
  decode(ids: number[], options?: DecodeOptions): string;
  /**
   * Computes a run. An encoder-decoder without a target translates greedily first; the run holds
   * what it wrote.
   * @throws `input/*` and `edit/*` for what the model cannot take, run/aborted, run/not-finite,
   *   engine/crashed, engine/not-restarted, engine/disposed, gpu/lost
   */
  run(input: RunInput, options?: RunOptions): Promise<Run>;
  /**
   * Writes greedily; leaving the loop stops the engine. @throws input/unsupported-option, and what
   * `run` throws
   */
  generate(input: RunInput, options?: GenerateOptions): AsyncIterable<GenerationEvent>;
  /**
   * Calls the listener after the engine crashed and was started again, until the returned function
   * is called: earlier runs are gone. If the restart fails, the next run tries again. After a GPU
   * failed, the CPU computes.
   */
  onRestart(listener: (restart: Restart) => void): () => void;
  /** Ends the thread; pending calls reject with engine/disposed. */
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

/**
 * Questions as methods. Fields may be left out altogether where all of them may; where another run
 * is compared with, the field is that run.
 */
export type Methods<Questions> = {
  [Name in keyof Questions]: Questions[Name] extends { fields: infer Fields; answer: infer Answer }
    ? (
        ...which: Partial<Fields> extends Fields ? [which?: Fields] : [which: Which<Fields>]
      ) => Promise<Answer>
    : never;
};

type Which<Fields> = { [Name in keyof Fields]: Name extends "other" ? Run : Fields[Name] };

/**
 * What the model computed. Patterns are derived when they are asked for. Every question throws
 * run/released after `release`, engine/crashed or gpu/lost after a restart, and `selection/*` for a
 * stack, layer, head or position that the run does not have. Tensors are copies, row after row,
 * their axes in brackets.
 */
export interface Run extends Methods<RunQuestions> {
  readonly tokens: Token[];
  /**
   * What the decoder read, start token included; of a decoder alone the text itself; empty without
   * a decoder.
   */
  readonly targetTokens: Token[];
  /** The text that the target spells, special tokens left out. */
  readonly targetText: string;
  /** The sums of the rows and columns of `attention`, and its smallest and largest number. */
  marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals>;
  /** For each position the most probable next tokens, best first. */
  predictions(which: PredictionsAsked): Promise<Prediction[][]>;
  /**
   * The edits of a lenient input that this run has, and what it leaves out; null before its end,
   * and of a strict input.
   */
  fit(): EditFit | null;
  /** Blocks that this run computed, and blocks and tokens that it reuses from the run before it. */
  executed(): Executed;
  /**
   * The attention sites that a run on a GPU computes on the CPU, because the GPU has no kernel for
   * the variant.
   */
  onCpu(): BlockRef[];
  /** Frees the run's memory; without it this happens when the run is garbage collected. */
  release(): void;
}
