export { findAdapter } from "./backend.js";
export type {
  Backend,
  ChatMessage,
  ChatOptions,
  Foreseen,
  DecodeOptions,
  GenerateOptions,
  ImageLike,
  LoadOptions,
  LoadProgress,
  Model,
  ModelSource,
  NamedPair,
  PatchCell,
  PatchGridOptions,
  PatchTarget,
  Restart,
  Run,
  RunInput,
  RunOptions,
  RunProgress,
  TokenizeOptions,
  Weights,
} from "./contract.js";
export { HeadscopeError } from "./errors.js";
export { demoCore, type DemoCore } from "./client.js";
export { loadModel } from "./model-pool.js";
export { latest } from "./model.js";
export { openTrainer, type StepOptions, type Trainer, type TrainerFiles } from "./trainer.js";
