import type * as data from "../data/index.js";
import type { Backend, Weights } from "./contract.js";
import type { Failure } from "./errors.js";
import type { ModelFile } from "./source.js";

/** A file of weights. */
export interface NamedFile {
  name: string;
  file: ModelFile;
}

/** The texts of a model's files that the core reads. */
export interface ModelTexts {
  /** The text of config.json; absent for a GGUF file, which has the configuration itself. */
  config?: string | undefined;
  /** The text of generation_config.json, if the folder has it. */
  generation?: string | undefined;
}

/**
 * A file of weights of any format, of which the core reads the parts that it needs: directly from a
 * `Blob`, else by `read`.
 */
export type WeightFile =
  | { name: string; blob: Blob }
  | { name: string; size: number; read(start: number, end: number): Uint8Array };

/**
 * The metadata of a GGUF file by their keys: numbers, booleans, strings, arrays of strings, and
 * lists of numbers or flags as Float64Array.
 */
export type GgufMetadata = ReadonlyMap<string, unknown>;

/** A question to a run: which one, and its fields. The core reads them. */
export type Query = data.Question | data.GradientQuestion;

/** The part of the vocabulary that only the tokenizer and the model's notes have. */
export interface QueryLexicon {
  /** The ids of special tokens. */
  special: Uint32Array;
  /** The count of each id in the training text. */
  unigrams: Float64Array | null;
}

export type DemoName = keyof data.DemoQuestions;

/** The demos, which need no model: a question, its fields, and its answer. */
export type DemoCalls = {
  [K in DemoName]: {
    question: Extract<data.DemoQuestion, { what: K }>;
    ask: data.DemoQuestions[K]["fields"];
    answer: data.DemoQuestions[K]["answer"];
  };
};

/** What a thread that trains is asked: a training, its steps, and what comes out of it. */
export interface TrainerCalls {
  open: {
    ask: {
      config: string;
      weights: Uint8Array;
      settings: data.TrainerSettings;
      state?: Uint8Array;
    };
    answer: object;
  };
  steps: {
    ask: { batches: readonly data.TrainingBatch[] };
    answer: { outcomes: data.StepOutcome[] };
  };
  evaluate: { ask: { batch: data.TrainingBatch }; answer: data.Evaluation };
  weights: { ask: object; answer: { bytes: Uint8Array } };
  state: { ask: object; answer: { bytes: Uint8Array } };
}

export type TrainerTask = {
  [K in keyof TrainerCalls]: { what: K } & TrainerCalls[K]["ask"];
}[keyof TrainerCalls];

export interface LoadedInfo extends data.CoreInfo {
  adapter: data.Adapter | null;
  gpuFailure: string | null;
}

/** An image, 4 bytes (RGBA) for each pixel, row-major. */
export interface Pixels {
  height: number;
  width: number;
  data: Uint8Array;
}

/** An image as the model reads it: resized, and as numbers `[channels, height, width]`. */
export interface ProcessedImage extends Pixels {
  pixels: Float32Array;
}

/** Every question to the engine's thread, with the answer that it gets. */
export interface Calls {
  load: {
    ask: ModelTexts & {
      checkpoint: NamedFile[];
      /** `gradients`: a model whose runs record their operations, on the CPU. */
      backend: Backend | "gradients";
      /** Why a GPU was left for this load, if it was. */
      gpuFailure?: string;
      weights?: Weights;
      /**
       * The text of preprocessor_config.json, for a model of images; null if the folder has none.
       */
      preprocessor?: string | null;
    };
    /**
     * Information about the model, with the metadata of a GGUF file, from which the page makes its
     * tokenizer.
     */
    answer: LoadedInfo & { metadata: GgufMetadata | null };
  };
  preprocess: { ask: Pixels; answer: ProcessedImage };
  /**
   * Begins a run. The caller numbers the run, so that it can be asked while it is still computed.
   * The foreseen queries are answered as soon as the source is ready. A run aside is one that
   * another needs first: the run after it takes over what the run before it has computed.
   */
  begin: {
    ask: {
      run: number;
      request: data.RunRequest;
      pixels?: Float32Array;
      foreseen?: Query[];
      isAside?: true;
    };
    answer: RunState;
  };
  query: {
    ask: { run: number; query: Query; lexicon?: QueryLexicon | undefined };
    answer: object;
  };
  /** A question that needs no run. */
  inquire: { ask: { question: data.ModelQuestion }; answer: object };
  demo: { ask: { question: data.DemoQuestion }; answer: DemoCalls[DemoName]["answer"] };
  train: { ask: { task: TrainerTask }; answer: object };
}

export type CallKind = keyof Calls;
export type CallOf<K extends CallKind> = { kind: K } & Calls[K]["ask"];
export type Call = { [K in CallKind]: CallOf<K> }[CallKind];

/** The builds of the engine that run models; each has its own wasm file. */
export type Build = "cpu" | "webgpu" | "gradients";

/**
 * The first message to a thread: the addresses of the wasm files, which bundlers resolve in the
 * page's scripts only.
 */
export interface Files {
  kind: "files";
  wasm: Record<Build | "demos", string>;
}

/** The later messages to the engine's thread. Only calls are answered. */
export type Message =
  | { kind: "call"; id: number; call: Call }
  | { kind: "abort"; id: number }
  | { kind: "release"; run: number };

export interface StepState extends data.StepReport {
  /** The ids used so far; they grow while the model writes. */
  ids: number[];
  targetIds: number[];
  executed: data.Executed;
  /** The attention sites that a GPU leaves to the CPU. */
  onCpu: data.BlockRef[];
  /** The fit of lenient edits, with the last step. */
  fit?: data.EditFit | undefined;
}

export interface RunState extends StepState {
  /**
   * The answers to the foreseen queries, in their order: once, with the first state whose source is
   * ready. Null for a query without an answer.
   */
  answers: (object | null)[];
}

/**
 * The replies of a thread. `fatal` means that the thread cannot continue; `silent` that its GPU did
 * not answer in time.
 */
export type Reply =
  | { kind: "value"; id: number; value: Calls[CallKind]["answer"] }
  | { kind: "failure"; id: number; failure: Failure }
  | { kind: "progress"; id: number; state: RunState }
  | { kind: "fatal"; reason: string; silent: boolean };

/**
 * The messages of a thread. `started`: its script runs. `alive`: it holds the lock of its name,
 * which is free once the thread has ended. `blocked`: the resource that a content security policy
 * forbids to a script that starts another one, and the directive that forbids it.
 */
export type FromThread =
  | Reply
  | { kind: "started" }
  | { kind: "alive" }
  | { kind: "blocked"; uri: string; directive: string };

export interface WasmAnswer {
  /** Takes one short step; resolves to undefined until the answer is known, which is a copy. */
  step(): Promise<object | undefined>;
  free(): void;
}

export interface WasmRun {
  step(): Promise<StepState>;
  /**
   * Begins to answer a query; `other` is the run that `query.other` names, or any run if it names
   * none.
   */
  query(
    query: Query,
    other: WasmRun,
    special?: Uint32Array,
    unigrams?: Float64Array | null,
  ): WasmAnswer;
  free(): void;
}

/** A model whose runs record their operations. */
export interface WasmRecorder {
  /** Information about the model; at the first call with the metadata of a GGUF file. */
  info(): data.CoreInfo & { metadata: GgufMetadata | null };
  /** `pixels` are those of an image, `[channels, height, width]`. */
  begin(request: data.RunRequest, pixels?: Float32Array): WasmRun;
  /** The new run takes over what is the same in `earlier`. */
  beginAfter(request: data.RunRequest, earlier: WasmRun, pixels?: Float32Array): WasmRun;
  /** Why the GPU was lost, once it is. */
  lost?(): Promise<string>;
  free(): void;
}

export interface WasmModel extends WasmRecorder {
  /** Reads preprocessor_config.json; for a model of texts it does nothing. */
  readPreprocessor(json?: string): void;
  preprocess(height: number, width: number, data: Uint8Array): ProcessedImage;
  query(question: data.ModelQuestion): WasmAnswer;
}

/** What every generated wasm package has; a second call does nothing. */
export interface WasmPackage {
  default(options: { module_or_path: Response | Uint8Array<ArrayBuffer> }): Promise<unknown>;
}

export interface WasmModule extends WasmPackage {
  WasmModel: {
    load(
      config: string | undefined,
      checkpoint: WeightFile[],
      isNarrow: boolean,
      generation: string | undefined,
    ): Promise<WasmModel>;
  };
}

export interface WasmTrainer {
  step(batch: data.TrainingBatch): Promise<data.StepOutcome>;
  evaluate(batch: data.TrainingBatch): Promise<data.Evaluation>;
  weights(): Uint8Array;
  state(): Uint8Array;
  free(): void;
}

/** The build that records operations: its models answer no questions and read no image files. */
export interface WasmGradients extends WasmPackage {
  WasmModel: {
    load(...files: Parameters<WasmModule["WasmModel"]["load"]>): Promise<WasmRecorder>;
  };
  WasmTrainer: {
    load(
      config: string,
      weights: Uint8Array,
      settings: data.TrainerSettings,
      state?: Uint8Array,
    ): Promise<WasmTrainer>;
  };
}

export interface WasmDemos extends WasmPackage {
  demo(question: data.DemoQuestion): Calls["demo"]["answer"];
}
