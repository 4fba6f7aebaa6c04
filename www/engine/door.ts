import type {
  AttentionCost,
  BlockRef,
  Candidate,
  CoreInfo,
  DropoutMean,
  Executed,
  Explanation,
  HeadCost,
  HeadLikeness,
  HeadMeasures,
  LabQuestion,
  Part,
  RunRequest,
  Spectrum,
  Stack,
  Stage,
  Step,
  StepReport,
  StepTensor,
  StreamDepth,
  Tensor,
  TokenProbability,
} from "../data/index.js";
import type { LabKind, Labs } from "./protocol.js";

/** Singular values inside wasm, while they are computed. */
export interface WasmSpectrum {
  /** Undefined until they are known. */
  step(): Spectrum | undefined;
  free(): void;
}

/** The matrices of a block inside wasm, while they are computed. */
export interface WasmSteps {
  /** Undefined until they are known. */
  step(): Promise<StepTensor[] | undefined>;
  free(): void;
}

/** A run inside wasm. Each method copies its answer out of wasm memory. */
export interface WasmRun {
  step(): Promise<StepReport>;
  ids(): Uint32Array;
  targetIds(): Uint32Array;
  /** Of all queries where no rows are named. */
  attention(
    stack: Stack,
    layer: number,
    head: number,
    stage: Stage,
    rows: readonly number[] | undefined,
  ): Promise<Tensor>;
  mask(stack: Stack, layer: number, head: number): Tensor;
  qkv(stack: Stack, layer: number, head: number, part: Part, rotated: boolean): Promise<Tensor>;
  hidden(stack: Stack, layer: number): Promise<Tensor>;
  logits(positions?: number[]): Promise<Tensor>;
  predictions(positions: number[], topK: number): Promise<Candidate[][]>;
  /** Pair by pair of both lists. */
  probabilities(positions: number[], ids: number[]): Promise<TokenProbability[]>;
  positions(stack: Stack): Promise<Tensor>;
  /** Of all layers where none is named. */
  thumbnails(stack: Stack, size: number, stage: Stage, layer: number | undefined): Promise<Tensor>;
  cost(stack: Stack, layer: number, lengths: number[]): AttentionCost[];
  fullyMasked(stack: Stack, layer: number, head: number): Uint32Array;
  /** `special` are the ids of special tokens, `unigrams` how often training saw each id. */
  measures(
    stack: Stack,
    special: Uint32Array,
    unigrams: Float64Array | undefined,
  ): Promise<HeadMeasures[]>;
  /** Of the heads of the layer `among`, or of all. */
  likeness(
    stack: Stack,
    layer: number,
    head: number,
    among: number | undefined,
  ): Promise<HeadLikeness[]>;
  spectrum(stack: Stack, layer: number, head: number): Promise<WasmSpectrum>;
  headCost(stack: Stack, layer: number, head: number): Promise<HeadCost>;
  dropoutMean(stack: Stack, layer: number, head: number, draws: number): Promise<DropoutMean>;
  steps(stack: Stack, layer: number, head: number): WasmSteps;
  explain(
    stack: Stack,
    layer: number,
    head: number,
    step: Step,
    row: number,
    column: number,
  ): Promise<Explanation>;
  /** By layer; null where a state is zero. */
  cosines(
    stack: Stack,
    positions: number[],
    other: WasmRun,
    otherPositions: number[],
  ): Promise<(number | null)[]>;
  /** Of one block. */
  residuals(stack: Stack, layer: number): Promise<StreamDepth[]>;
  /** `order` pairs each token with one of the other's. */
  distances(stack: Stack, other: WasmRun, order: number[] | undefined): Promise<Tensor>;
  /** Of the heads of the layer `among`, or of all. */
  divergences(stack: Stack, other: WasmRun, among: number | undefined): Promise<HeadLikeness[]>;
  executed(): Executed;
  /** The blocks of which a GPU leaves an attention site to the CPU: only its own build has anything to tell. */
  onCpu?(): BlockRef[];
  free(): void;
}

/** A model inside wasm. */
export interface WasmModel {
  info(): CoreInfo;
  begin(request: RunRequest): WasmRun;
  /** `earlier` is only looked at, for what the new run can take over. */
  beginAfter(request: RunRequest, earlier: WasmRun): WasmRun;
  /** Why the GPU was lost, once it is. */
  lost?(): Promise<string>;
  free(): void;
}

/** What every generated wasm package has; a second call does nothing. */
export interface Starts {
  default(options: { module_or_path: Response | Uint8Array<ArrayBuffer> }): Promise<unknown>;
}

/** The package that runs models, as far as it is used. */
export interface WasmModule extends Starts {
  WasmModel: { load(config: string, checkpoint: Uint8Array): Promise<WasmModel> };
}

/** The package of the laboratories. */
export interface WasmLab extends Starts {
  /** Answers what needs no model. */
  lab(question: LabQuestion): Labs[LabKind]["answer"];
}
