export type Family = "marian" | "bert" | "gpt2";
export type Architecture = "encoder" | "decoder" | "encoder-decoder";

/** The size of one stack of attention layers. */
export interface StackInfo {
  layers: number;
  heads: number;
  headDim: number;
}

/** What is known about a model once its config and checkpoint have been read. */
export interface ModelInfo {
  family: Family;
  architecture: Architecture;
  /** Only the stacks that the architecture has. */
  stacks: { encoder?: StackInfo; decoder?: StackInfo; cross?: StackInfo };
  dModel: number;
  vocabSize: number;
  /** The longest input, in tokens. */
  maxTokens: number;
  positions: string;
  norm: string;
  activation: string;
  /** Number of parameters, by component. */
  parameters: {
    total: number;
    embedding: number;
    encoder: number;
    decoder: number;
    cross: number;
    output: number;
  };
  startToken: number | null;
  endToken: number | null;
  padToken: number | null;
  backend: string;
  /** The matrix kernel in use, for instance the SIMD one. */
  kernel: string;
}
