export { findAdapter } from "./backend.js";
export type {
  Backend,
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
  Weights,
} from "./contract.js";
export { HeadscopeError } from "./errors.js";
export { demoCore, type DemoCore } from "./client.js";
export { loadModel } from "./load.js";
export { latest } from "./model.js";
