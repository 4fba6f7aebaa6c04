import { html, type TemplateResult } from "lit";
import { styleMap } from "lit/directives/style-map.js";
import type { Rect } from "../../draw/layout.js";

const GAP = 10;

/** The small card beside a cell: above it, and on the side that has room. */
export function tip(words: { query: string; key: string; value: string }, cell: Rect, width: number): TemplateResult {
  const right = cell.x < width / 2;
  const place = {
    top: `${Math.max(0, cell.y - GAP)}px`,
    left: right ? `${cell.x + cell.width + GAP}px` : "auto",
    right: right ? "auto" : `${width - cell.x + GAP}px`,
    transform: "translateY(-100%)",
  };
  return html`<div class="tip" style=${styleMap(place)} aria-hidden="true">
    ${words.query}<span class="arrow"> → </span>${words.key} <b>${words.value}</b>
  </div>`;
}
