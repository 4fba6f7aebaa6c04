import { html, type TemplateResult } from "lit";
import type { Rect } from "../../draw/layout.js";
import { styled } from "../shared/styled.js";

const GAP = 10;
const WIDEST = 320;

/** The small card beside a cell: above it, and on the side that has room. */
export function tip(words: { query: string; key: string; value: string }, cell: Rect, width: number): TemplateResult {
  const right = cell.x < width / 2;
  const room = right ? width - cell.x - cell.width : cell.x;
  const place = {
    top: `${Math.max(0, cell.y - GAP)}px`,
    left: right ? `${cell.x + cell.width + GAP}px` : "auto",
    right: right ? "auto" : `${width - cell.x + GAP}px`,
    "max-width": `${Math.min(WIDEST, Math.floor(room - GAP))}px`,
    transform: "translateY(-100%)",
  };
  return html`<div class="tip" part="tip" style=${styled(place)} aria-hidden="true">
    <span class="pair">${words.query}<span class="arrow"> → </span>${words.key}</span><b>${words.value}</b>
  </div>`;
}
