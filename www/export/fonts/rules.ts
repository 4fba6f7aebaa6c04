// Slices as a file carries them.
import { base64 } from "../base64.js";
import type { LoadedSlice } from "./load.js";

/** A style sheet with the fonts in it: nothing has to be fetched, or to be installed. */
export function fontRules(slices: readonly LoadedSlice[]): string {
  return slices
    .map(
      ({ slice: { family, weight, range }, bytes }) =>
        `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${base64(new Uint8Array(bytes))}) format("woff2");unicode-range:${range}}`,
    )
    .join("\n");
}
