import type {
  At,
  BeamEvent,
  BlockRef,
  EditFit,
  Edits,
  EntryName,
  Executed,
  GenerateRequest,
  GenerationEvent,
  GradientQuestions,
  HeadRef,
  Lens,
  LensAsked,
  Marginals,
  ModelInfo,
  ModelNotes,
  ModelQuestions,
  PatchReceiver,
  Prediction,
  PredictionsAsked,
  Question,
  RunQuestions,
  Stack,
  Stage,
  TokenPair,
  TokenPairsAsked,
  Token,
} from "../data/index.js";

/**
 * The source of a model: a folder's URL (in Node also a path), a hub id such as `org/name`, dropped
 * files, or files in memory by name. `a/b` is a hub id, `./a/b` a folder. Without a tokenizer a
 * text is a list of ids, such as `5 17 2`.
 */
export type ModelSource = string | URL | File[] | Record<string, Uint8Array>;

export interface LoadProgress {
  file: string;
  /** The loaded bytes of this file. */
  loadedBytes: number;
  totalBytes?: number;
  /** The seconds until the server is asked again: it is busy, or the connection was lost. */
  waitSeconds?: number;
  /**
   * Whether another page of this site fetches and stores the same model: its files are read after
   * that.
   */
  waitsForPage?: true;
}

export type Backend = "cpu" | "webgpu" | "auto";

/**
 * How weights are stored in memory: as in the file, or in a byte each; sums are f32 in any case.
 */
export type Weights = "stored" | "int8";

export interface LoadOptions {
  /**
   * The backend; default `"cpu"`. `"webgpu"` needs an adapter; `"auto"` takes a real GPU if there
   * is one, else the CPU.
   */
  backend?: Backend;
  /**
   * How weights are stored; default `"stored"`. `"int8"` is for the CPU alone; a GPU refuses it
   * with `input/unsupported-option`.
   */
  weights?: Weights;
  /** The hub of ids; default `https://huggingface.co`. */
  hub?: string;
  /** An access token for private models; it is sent to the hub's origin alone. */
  token?: string;
  /**
   * Whether the files are stored in the page's private file system and read from there the next
   * time. Browsers only.
   */
  store?: boolean;
  /**
   * Whether a model that is loaded from the same address, with the same backend, weights and token,
   * is used together with its other users, the figures of a page among them; default true. With
   * false it has a thread and weights of its own, such as to compute beside another. Files and
   * bytes are never shared.
   */
  shared?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: LoadProgress) => void;
}

/**
 * An image, 4 bytes (RGBA) for each pixel, row-major: `ImageData` is one. Transparent pixels become
 * white if preprocessor_config.json says `do_convert_rgb`; otherwise their colours are read
 * unchanged.
 */
export interface ImageLike {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}

/** How a text is cut into tokens. */
export interface TokenizeOptions {
  /**
   * Whether the special tokens that belong around a text, such as `<s>`, are added; default true.
   * False is for a text that has them, as one of {@link Model.chatText} does. Special tokens within
   * a text are tokens in any case.
   */
  specialTokens?: boolean;
}

/** One message of a conversation. Templates may read other fields than these two. */
export interface ChatMessage {
  /** The speaker, such as `"system"`, `"user"` or `"assistant"`. */
  role: string;
  content?: unknown;
  [field: string]: unknown;
}

/** What a chat template is rendered with, beside the messages. */
export interface ChatOptions {
  /**
   * Whether the text ends with what begins an answer, so that the model writes one; default true.
   */
  add_generation_prompt?: boolean;
  /** The name of one of several templates; default `"default"`. */
  chat_template?: string;
  /** Further variables of the template, such as `enable_thinking` of Qwen 3. */
  variables?: Readonly<Record<string, unknown>>;
}

/**
 * The input of a run. Ids are used exactly as given; text is tokenized with the model's special
 * tokens.
 */
export interface RunInput extends TokenizeOptions {
  text?: string;
  textPair?: string;
  /** An image of any size, for a model of images. */
  image?: ImageLike;
  ids?: number[];
  tokenTypeIds?: number[];
  attentionMask?: (0 | 1)[];
  target?: string;
  /** The ids of the decoder, exactly Hugging Face's `decoder_input_ids`, start token included. */
  targetIds?: number[];
  /** Positions of the text's tokens that the mask token replaces, in a model that has one. */
  masked?: number[];
  /**
   * Lets the model write behind the text, or behind the target, with these settings, as `generate`
   * does; the run then holds what it wrote. A translator without a target always writes.
   */
  generate?: GenerateRequest;
  edits?: Edits;
  /**
   * Whether edits are cut down to what the model and the text have, instead of refused; `fit` of
   * the run names what is left out.
   */
  lenient?: boolean;
}

export interface RunProgress {
  /** The computed rows of blocks, of `total`. */
  done: number;
  total: number;
  /**
   * The block that is being computed, its layer from 0; null when all tokens so far went through.
   */
  at: BlockRef | null;
  /** Whether the source's patterns can be read. */
  sourceReady: boolean;
  /** The number of tokens written so far. */
  generated: number;
  finished: boolean;
}

/** A query about a head that can travel with the request for a run. */
export type Foreseen = Extract<Question, { what: "attention" | "qkv" | "mask" | "fullyMasked" }>;

export interface RunOptions {
  signal?: AbortSignal;
  /** Called after every unit of work, also before anything can be read. */
  onProgress?: (progress: RunProgress) => void;
  /**
   * Called once the source's patterns can be read, after each batch of written tokens, and at the
   * end, with the same run that `run` resolves to. The run can be read immediately, also if it is
   * stopped, until it is released.
   */
  onUpdate?: (run: Run, progress: RunProgress) => void;
  /** Called with each token that the model writes, before the `onUpdate` of the same batch. */
  onToken?: (event: GenerationEvent) => void;
  /** The questions of the first `onUpdate`: their answers arrive with that message. */
  foreseen?: readonly Foreseen[];
}

/**
 * The settings of generation, in the names of Hugging Face's `GenerationConfig`, and a signal that
 * stops it. A name that is none of these, such as `num_beam_groups`, is refused with
 * `input/unsupported-option`.
 */
export interface GenerateOptions extends GenerateRequest {
  signal?: AbortSignal;
}

/** What a grid of patches reads of each run. */
export interface PatchTarget {
  /** The token, an entry of the vocabulary, whose log-probability is read. */
  id: number;
  /** Another token: then the difference of both logits is read, that of `id` less this one's. */
  minus?: number;
  /**
   * The position that predicts, of a translator in the target; by default the last masked token,
   * else the last token.
   */
  position?: number;
}

/** Options of `patchGrid`. */
export interface PatchGridOptions {
  /** The text on which the model does what is studied. */
  clean: RunInput;
  /** A text of as many tokens on which it does not. */
  corrupted: RunInput;
  target: PatchTarget;
  /**
   * The patched activation. Of each head: its output, its pattern alone, its values alone. Of each
   * layer and position: the output of the feed-forward network, or the residual stream before the
   * layer.
   */
  what: "head" | "pattern" | "values" | "feed-forward" | "residual";
  /**
   * Which run is patched: `"denoise"` (the default) puts activations of the clean text into the
   * run of the corrupted one, `"noise"` those of the corrupted text into the run of the clean one.
   */
  direction?: "denoise" | "noise";
  /**
   * The patched stack; by default that of the receiver, without one the encoder, in a model without
   * an encoder the decoder.
   */
  stack?: Stack;
  /**
   * The end of a path: then the head's output reaches the receiver alone, through the residual
   * stream, and every other component between both keeps its output (path patching, Wang et al.
   * 2022; Goldowsky-Dill et al. 2023). Only of `"head"`, and of the heads that have a path to it.
   */
  receiver?: PatchReceiver;
  /** The number of cells at the beginning that are left out: `done` of the last known cell. */
  start?: number;
  /**
   * Whether each cell also has the effect that one reverse pass estimates of its patch (attribution
   * patching, Nanda 2023). Refused with a receiver.
   */
  estimated?: boolean;
  signal?: AbortSignal;
}

/** One patch of a grid, and what it does to the target. */
export interface PatchCell {
  /** The address of the patched activation, of a path that of its sender. */
  at: At;
  /** The number of cells so far, this one included. */
  done: number;
  /** The number of all cells of the grid. */
  total: number;
  /** The target, a natural logarithm or a difference of logits, in the patched run. */
  value: number;
  /** The target in the run of the clean text. */
  clean: number;
  /** The target in the run of the corrupted text. */
  corrupted: number;
  /**
   * The recovered effect, `(value − corrupted) / (clean − corrupted)`: 0 as in the corrupted text,
   * 1 as in the clean one; null where both texts have the same target.
   */
  recovered: number | null;
  /** The reason why there is no recovered effect; null where there is one. */
  reason: string | null;
  /** The recovered effect as it is estimated, where that was asked for; null as `recovered`. */
  estimated?: number | null;
}

export interface DecodeOptions {
  /**
   * Whether bytes that make no whole character are shown by name, `⟨E2⟩`, as in the text of a
   * token. Otherwise they become U+FFFD.
   */
  nameBytes?: boolean;
  /**
   * Whether the ids are of the target language, if the model has a vocabulary for each language.
   */
  target?: boolean;
}

/** Two entries of the vocabulary with their number in a circuit, and their texts. */
export interface NamedPair extends TokenPair {
  fromText: string;
  toText: string;
}

/**
 * A model in a thread of its own. After a failure, always a `HeadscopeError`, it can still compute
 * unless it was disposed of.
 */
export interface Model extends Methods<ModelQuestions> {
  /** Information about the model; a new object after a restart that left the GPU. */
  readonly info: ModelInfo;
  /** Whether the folder had a tokenizer. Without one a text is a list of ids, such as `5 17 2`. */
  readonly hasTokenizer: boolean;
  /** Whether the model's files have a chat template. */
  readonly hasChatTemplate: boolean;
  /** The model's notes in `headscope.json`; null if the folder has no usable ones. */
  readonly notes: ModelNotes | null;
  /** The reason why there are no notes although the folder may have some; otherwise null. */
  readonly notesProblem: string | null;
  /**
   * The tokens of a text, with the model's special tokens; for a model of images the tokens of
   * every image. @throws input/malformed, input/missing-tokenizer
   */
  tokenize(text: string, textPair?: string, options?: TokenizeOptions): Token[];
  /**
   * The text that the model's chat template makes of messages, equal to `apply_chat_template` of
   * transformers. It has its special tokens: read it with `specialTokens: false`.
   * @throws chat/no-template, chat/refused if the template refuses the messages, chat/unsupported
   *   if the template has what is not rendered as in Python, input/malformed
   */
  chatText(messages: readonly ChatMessage[], options?: ChatOptions): Promise<string>;
  /**
   * The image as a model of images reads it: resized and cropped. Null for a model of texts. An
   * image with the same bytes as before is not processed again. @throws input/bad-image
   */
  preprocess(image: ImageLike): Promise<ImageLike | null>;
  /** The text of ids, without special tokens. @throws input/malformed */
  decode(ids: number[], options?: DecodeOptions): string;
  /** The strongest pairs of entries of the vocabulary in a head's circuit, with their texts. */
  tokenPairs(which: TokenPairsAsked): Promise<NamedPair[]>;
  /**
   * Computes a run. An encoder-decoder without a target translates greedily first; the run holds
   * what it wrote.
   * @throws `input/*` and `edit/*` for what the model cannot take, run/aborted, run/not-finite,
   *   engine/crashed, engine/not-restarted, engine/disposed, gpu/lost
   */
  run(input: RunInput, options?: RunOptions): Promise<Run>;
  /**
   * Generates text: the likeliest token at each step, or with `do_sample` one that is drawn by its
   * probability; leaving the loop stops the engine. @throws input/unsupported-option,
   * input/out-of-range, input/malformed, and the errors of `run`
   */
  generate(
    input: RunInput,
    options?: GenerateOptions & { num_beams?: 1 },
  ): AsyncIterable<GenerationEvent>;
  /** Generates text, with beams if `num_beams` is above 1: steps of the search, then its end. */
  generate(input: RunInput, options: GenerateOptions): AsyncIterable<GenerationEvent | BeamEvent>;
  /**
   * Patches activations between a clean and a corrupted text, one for each cell, the last layer
   * first, and yields what each recovers of a target (Meng et al. 2022; Wang et al. 2022; Zhang &
   * Nanda 2024); leaving the loop stops the engine. @throws selection/other-length,
   * output/unavailable, input/bad-id, input/unsupported-option, and the errors of `run`
   */
  patchGrid(options: PatchGridOptions): AsyncIterable<PatchCell>;
  /**
   * The fingerprint of each file that decides the model's numbers, its config and its weights, by
   * the file's name: the SHA-256 of the SHA-256s of its pieces of 4 MiB. @throws load/no-hash on a
   * page that is neither of https nor of localhost
   */
  fingerprints(): Promise<Record<string, string>>;
  /**
   * Calls the listener after the engine crashed and was started again, until the returned function
   * is called: earlier runs are gone. If the restart fails, the next run tries again. After a GPU
   * failed, the CPU computes.
   */
  onRestart(listener: (restart: Restart) => void): () => void;
  /**
   * Ends this use of the model: its pending calls reject with engine/disposed, and its runs are
   * released. Others that use the model are not concerned; the thread ends with its last use.
   */
  dispose(): void;
}

/** The reason why an engine was started again. */
export interface Restart {
  /** The cause: a crash, a GPU that failed, or one that did not answer in time. */
  code: "engine/crashed" | "gpu/lost" | "gpu/silent";
  reason: string;
  /** Whether the model computed on a GPU before the restart, and now on the CPU. */
  leftGpu: boolean;
}

/**
 * Questions as methods. The argument may be left out if all fields may; the field `other` of a
 * comparison is the other run.
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
 * A run: what the model computed for an input. Patterns are derived when they are requested. Every
 * question throws run/released after `release`, engine/crashed or gpu/lost after a restart, and
 * `selection/*` for a stack, layer, head or position that the run does not have. Tensors are
 * copies, row-major, with their axes in brackets. Questions about gradients are answered by a
 * second thread, on the CPU, which loads the model again when the first of them is asked; they are
 * refused with input/unsupported-option where `weights: "int8"` was asked for.
 */
export interface Run extends Methods<RunQuestions>, Methods<GradientQuestions> {
  /** The tokens of the text; of a decoder-only model with what it wrote. */
  readonly tokens: Token[];
  /**
   * The tokens that the decoder read, start token included; for a decoder-only model the text
   * itself; empty without a decoder.
   */
  readonly targetTokens: Token[];
  /** The text of the target, without special tokens. */
  readonly targetText: string;
  /** The sums of the rows and columns of `attention`, and its smallest and largest number. */
  marginals(which: HeadRef & { stage?: Stage }): Promise<Marginals>;
  /** What each depth predicts at each position, with the texts of the entries. */
  lens(which: LensAsked): Promise<Lens & { names: ReadonlyMap<number, EntryName> }>;
  /** For each position the most probable next tokens, best first. */
  predictions(which: PredictionsAsked): Promise<Prediction[][]>;
  /**
   * The edits of a lenient input that this run has, and those that it leaves out; null before the
   * run's end, and for a strict input.
   */
  fit(): EditFit | null;
  /**
   * The numbers of blocks that this run computed, and of blocks and tokens that it reuses from the
   * run before.
   */
  executed(): Executed;
  /**
   * The attention sites that a run on a GPU computes on the CPU, because the GPU has no kernel for
   * the variant.
   */
  onCpu(): BlockRef[];
  /** Frees the run's memory; without it this happens when the run is garbage collected. */
  release(): void;
}
