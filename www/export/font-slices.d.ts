/** The module that `tools/vite/fonts.ts` writes. */
declare module "virtual:headscope-font-slices" {
  // An import statement cannot name a relative path inside an ambient module; an import type can.
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  const slices: import("./fonts.js").Slice[];
  export default slices;
}
