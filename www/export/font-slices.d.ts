/** The module that `tools/vite/fonts.ts` writes. */
declare module "virtual:headscope-font-slices" {
  // An import statement cannot name a relative path inside an ambient module; an import type can.
  // oxlint-disable-next-line typescript/consistent-type-imports
  const slices: import("./fonts.js").Slice[];
  export default slices;
}
