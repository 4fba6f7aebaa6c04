import type {
  Adapter,
  Alibi,
  AttentionCost,
  BlockRef,
  Bucketed,
  Candidate,
  CoreInfo,
  DropoutMean,
  Executed,
  Explanation,
  FourTerms,
  GeneratedToken,
  HeadCost,
  HeadLikeness,
  HeadMeasures,
  HeadRef,
  LabQuestion,
  Likeness,
  Overflow,
  Part,
  Projected,
  Rotary,
  RunRequest,
  Scores,
  Spectrum,
  Stack,
  Stage,
  StepPlace,
  StepTensor,
  StreamDepth,
  Tensor,
  TokenProbability,
  Waves,
  Workbench,
} from "../data/index.js";
import type { Backend } from "./contract.js";
import type { Failure } from "./errors.js";

/** What is known of a vocabulary beside the weights: it comes from the tokenizer and the model's notes. */
export interface Lexicon {
  /** Ids of special tokens. */
  special: Uint32Array;
  /** How often each id stood in the training text. */
  unigrams: Float64Array | null;
}

/** What can be read from a run: the question's parameters and the answer. */
export interface Reads {
  /** `rows` are a first query and the one behind the last. */
  attention: {
    ask: HeadRef & { stage: Stage; rows: readonly [number, number] | null };
    answer: Tensor;
  };
  mask: { ask: HeadRef; answer: Tensor };
  qkv: { ask: HeadRef & { part: Part; rotated: boolean }; answer: Tensor };
  hidden: { ask: { stack: Stack; layer: number }; answer: Tensor };
  logits: { ask: { positions: number[] | null }; answer: Tensor };
  predictions: { ask: { positions: number[]; topK: number }; answer: Candidate[][] };
  probabilities: { ask: { positions: number[]; ids: number[] }; answer: TokenProbability[] };
  positions: { ask: { stack: Stack }; answer: Tensor };
  thumbnails: { ask: { stack: Stack; size: number; stage: Stage }; answer: Tensor };
  cost: { ask: { stack: Stack; layer: number; lengths: number[] }; answer: AttentionCost[] };
  fullyMasked: { ask: HeadRef; answer: number[] };
  measures: { ask: { stack: Stack; lexicon: Lexicon }; answer: HeadMeasures[] };
  likeness: { ask: HeadRef; answer: HeadLikeness[] };
  spectrum: { ask: HeadRef; answer: Spectrum };
  headCost: { ask: HeadRef; answer: HeadCost };
  dropoutMean: { ask: HeadRef & { draws: number }; answer: DropoutMean };
  steps: { ask: HeadRef; answer: StepTensor[] };
  explain: { ask: StepPlace; answer: Explanation };
  /** `other` is the name of a run of the same model. */
  cosines: {
    ask: { stack: Stack; positions: number[]; other: number; otherPositions: number[] };
    answer: (number | null)[];
  };
  residuals: { ask: { stack: Stack }; answer: StreamDepth[] };
  /** `other` is the name of a run of the same model. */
  distances: { ask: { stack: Stack; other: number; order: number[] | null }; answer: Tensor };
  /** `other` is the name of a run of the same model. */
  divergences: { ask: { stack: Stack; other: number }; answer: HeadLikeness[] };
}

export type ReadKind = keyof Reads;
export type Read = { [K in ReadKind]: { what: K } & Reads[K]["ask"] }[ReadKind];

export type LabKind = LabQuestion["what"];

/** The laboratories, which need no model: the answer to each question. */
interface LabAnswers {
  waves: Waves;
  likeness: Likeness;
  workbench: Workbench;
  projection: Projected;
  overflow: Overflow;
  scores: Scores;
  rotary: Rotary;
  alibi: Alibi;
  buckets: Bucketed;
  fourTerms: FourTerms;
}

export type Labs = {
  [K in LabKind]: {
    question: Extract<LabQuestion, { what: K }>;
    ask: Omit<Extract<LabQuestion, { what: K }>, "what">;
    answer: LabAnswers[K];
  };
};

/** What the core says of a model, and the adapter that it is on. */
export interface LoadedInfo extends CoreInfo {
  adapter: Adapter | null;
}

/** Every question to the engine's thread, with the answer that it gets. */
export interface Calls {
  load: { ask: { config: string; checkpoint: Blob; backend: Backend }; answer: LoadedInfo };
  /** The caller names the run, so that it can be read while it is still computed. What is foreseen is read as soon as the source is ready. */
  begin: { ask: { run: number; request: RunRequest; foreseen?: Read[] }; answer: RunState };
  read: { ask: { run: number; read: Read }; answer: Reads[ReadKind]["answer"] };
  lab: { ask: { question: LabQuestion }; answer: Labs[LabKind]["answer"] };
}

export type CallKind = keyof Calls;
export type Call = { [K in CallKind]: { kind: K } & Calls[K]["ask"] }[CallKind];

/** The addresses of the wasm files. */
export type WasmFiles = Record<"cpu" | "webgpu" | "lab", string>;

/** The first message to a thread. Bundlers copy the thread's script, and resolve addresses in the page's scripts only. */
export interface Files {
  kind: "files";
  wasm: WasmFiles;
}

/** What goes to the engine's thread after that. Only calls are answered. */
export type Message =
  | { kind: "call"; id: number; call: Call }
  | { kind: "abort"; id: number }
  | { kind: "release"; run: number };

/** Where a run stands. */
export interface RunState {
  done: number;
  total: number;
  at: BlockRef | null;
  finished: boolean;
  sourceReady: boolean;
  /** Written since the state before this one. */
  generated: GeneratedToken[];
  /** The ids used so far; they grow while the model writes. */
  ids: number[];
  targetIds: number[];
  executed: Executed;
  /** Attention that a GPU leaves to the CPU. */
  onCpu: BlockRef[];
  /** Answers to what was foreseen, in its order: once, with the first state whose source is ready. Null where there is none. */
  answers: (Reads[ReadKind]["answer"] | null)[];
}

/** What comes back. `fatal` means that the thread cannot go on; `silent` that its GPU did not answer in time. */
export type Reply =
  | { kind: "value"; id: number; value: Calls[CallKind]["answer"] }
  | { kind: "failure"; id: number; failure: Failure }
  | { kind: "progress"; id: number; state: RunState }
  | { kind: "fatal"; reason: string; silent: boolean };
