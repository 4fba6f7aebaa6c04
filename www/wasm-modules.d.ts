// What a generated wasm package looks like to the type checker before it has been built.
// Once it exists, its own declarations take precedence and are checked against `WasmModule`.
declare module "*/headscope.js" {
  import type { WasmModule } from "./engine/door.js";
  const init: WasmModule["default"];
  export default init;
  export const WasmModel: WasmModule["WasmModel"];
}
