// What a generated wasm package looks like to the type checker before it has been built.
// Once it exists, its own declarations take precedence and are checked against `WasmModule`.
declare module "*/headscope.js" {
  // An import statement cannot name a relative path inside an ambient module; an import type can.
  // oxlint-disable-next-line typescript/consistent-type-imports
  type WasmModule = import("./engine/protocol.js").WasmModule;
  const init: WasmModule["default"];
  export default init;
  export const WasmModel: WasmModule["WasmModel"];
}

// Likewise the one for a GPU, which has the same door.
declare module "*/headscope_gpu.js" {
  export { default, WasmModel } from "*/headscope.js";
}

// Likewise the one that records operations, which also trains.
declare module "*/headscope_gradients.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports
  type WasmGradients = import("./engine/protocol.js").WasmGradients;
  const init: WasmGradients["default"];
  export default init;
  export const WasmModel: WasmGradients["WasmModel"];
  export const WasmTrainer: WasmGradients["WasmTrainer"];
}

// Likewise the demos' own.
declare module "*/headscope_demos.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports
  type WasmDemos = import("./engine/protocol.js").WasmDemos;
  const init: WasmDemos["default"];
  export default init;
  export const demo: WasmDemos["demo"];
}

// Likewise the library of tokenizers.
declare module "*/headscope_tokenizer.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports
  type WasmTokenizers = import("./engine/tokenizer/library.js").WasmTokenizers;
  const init: WasmTokenizers["default"];
  export default init;
  export const WasmTokenizer: WasmTokenizers["WasmTokenizer"];
  export const __wbg_reset_state: WasmTokenizers["__wbg_reset_state"];
  export const initSync: (options: { module: BufferSource }) => unknown;
}
