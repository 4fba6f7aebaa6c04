import type { Edits, ModelInfo, Stack, Stage, Tensor } from "../data/index.js";

/** What a run is asked to compute, as the Rust core reads it. */
export interface RunRequest {
  ids: number[];
  tokenTypeIds?: number[];
  attentionMask?: number[];
  targetIds?: number[];
  generate?: { maxTokens?: number };
  edits?: Edits;
}

/** One token that was written, by id. */
export interface GeneratedToken {
  step: number;
  chosen: number;
  probability: number;
  logProbability: number;
  candidates: CandidateToken[];
}

/** A possible next token, by id. */
export interface CandidateToken {
  id: number;
  logit: number;
  probability: number;
}

/** What one step of a run did. */
export interface StepReport {
  done: number;
  total: number;
  finished: boolean;
  /** Whether the source's patterns can be read. */
  sourceReady: boolean;
  /** The tokens written in this very step. */
  generated: GeneratedToken[];
}

/** How much of a run was computed, and how much taken over from the run before it. */
export interface Executed {
  blocks: number;
  reusedBlocks: number;
  reusedTokens: number;
}

export type QkvPart = "query" | "key" | "value";

/** A run inside wasm. Each method copies its answer out of wasm memory. */
export interface WasmRun {
  step(): Promise<StepReport>;
  ids(): Uint32Array;
  targetIds(): Uint32Array;
  attention(stack: Stack, layer: number, head: number, stage: Stage): Promise<Tensor>;
  mask(stack: Stack, layer: number, head: number): Tensor;
  qkv(stack: Stack, layer: number, head: number, part: QkvPart, rotated: boolean): Promise<Tensor>;
  hidden(stack: Stack, layer: number): Promise<Tensor>;
  logits(positions?: number[]): Promise<Tensor>;
  predictions(positions: number[], topK: number): Promise<CandidateToken[][]>;
  positions(stack: Stack): Promise<Tensor>;
  thumbnails(stack: Stack, size: number, stage: Stage): Promise<Tensor>;
  fullyMasked(stack: Stack, layer: number, head: number): Uint32Array;
  executed(): Executed;
  free(): void;
}

/** A model inside wasm. */
export interface WasmModel {
  info(): ModelInfo;
  begin(request: RunRequest): WasmRun;
  /** `earlier` is only looked at, for what the new run can take over. */
  beginAfter(request: RunRequest, earlier: WasmRun): WasmRun;
  free(): void;
}

/** The generated wasm package, as far as it is used. */
export interface WasmModule {
  default(options: { module_or_path: URL | Uint8Array<ArrayBuffer> }): Promise<unknown>;
  WasmModel: { load(config: string, checkpoint: Uint8Array): WasmModel };
}
