import { html, type TemplateResult } from "lit";
import type { Rect } from "../../draw/layout.js";
import { styled } from "../shared/styled.js";

const GAP = 10;
const WIDEST = 320;

/** The small card beside a cell: above it, and on the side that has room. */
export function tip(
  words: { query: string; key: string; value: string },
  cell: Rect,
  width: number,
): TemplateResult {
  const right = cell.x < width / 2;
  const room = right ? width - cell.x - cell.width : cell.x;
  // It moves by its transform alone: anything else would have it laid out anew.
  const along = right ? cell.x + cell.width + GAP : cell.x - GAP - width;
  const place = {
    [right ? "left" : "right"]: "0",
    "max-width": `${Math.min(WIDEST, Math.floor(room - GAP))}px`,
    transform: `translate(${along}px, ${Math.max(0, cell.y - GAP)}px) translateY(-100%)`,
  };
  return html`<div class="tips" aria-hidden="true">
    <div class="tip" part="tip" style=${styled(place)}>
      <span class="pair"><bdi>${words.query}</bdi><span class="arrow"> → </span><bdi>${words.key}</bdi></span><b>${words.value}</b>
    </div>
  </div>`;
}
