// What a generated wasm package looks like to the type checker before it has been built.
// Once it exists, its own declarations take precedence and are checked against `WasmModule`.
declare module "*/headscope.js" {
  const module: import("./engine/door.js").WasmModule;
  export const initSync: (typeof module)["initSync"];
  export const WasmModel: (typeof module)["WasmModel"];
  export default module.default;
}
