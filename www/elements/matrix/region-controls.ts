import { html, nothing, type TemplateResult } from "lit";
import type { Region } from "../../data/index.js";
import { canEnlarge, type Extent } from "../../draw/region.js";
import { formatNumber, message } from "../../i18n/index.js";
import { bounds } from "./drawn.js";
import { STEP, type RegionPointer } from "./region-pointer.js";

/** Up to this many rows and columns every label is read at a glance. */
const EASY = 24;

/** Buttons under a matrix that is too large to read as a whole, and which part of it is seen. */
export function regionControls(
  held: Region | null,
  extent: Extent,
  pointer: RegionPointer,
): TemplateResult | typeof nothing {
  if (!held && Math.max(extent.rows, extent.columns) <= EASY) return nothing;
  // What can do nothing now stays where the keyboard is.
  return html`<button part="button" aria-disabled=${!canEnlarge(held, extent)} @click=${() => pointer.zoom(STEP)}>${message("region.nearer")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => pointer.zoom(1 / STEP)}>${message("region.further")}</button>
    <button part="button" aria-disabled=${!held} @click=${() => pointer.ask(null)}>${message("region.all")}</button>
    ${held ? html`<span>${regionWords(held, extent)}</span>` : nothing}`;
}

/** Which rows and columns are shown. */
export function regionWords(held: Region, extent: Extent): string {
  const { firstQuery, lastQuery, firstKey, lastKey } = bounds(held, extent);
  return message("region.shown", {
    firstQuery: formatNumber(firstQuery),
    lastQuery: formatNumber(lastQuery),
    queries: formatNumber(extent.rows),
    firstKey: formatNumber(firstKey),
    lastKey: formatNumber(lastKey),
    keys: formatNumber(extent.columns),
  });
}
