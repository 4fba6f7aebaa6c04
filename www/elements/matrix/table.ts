import { html, nothing, type TemplateResult } from "lit";
import type { Rect } from "../../draw/layout.js";
import { formatValue } from "../../draw/text.js";
import { message } from "../../i18n/index.js";
import { styled } from "../shared/templates.js";

/** The button that shows a figure's numbers as a table, and hides them again. */
export function numbersToggle(tabled: boolean, toggle: () => void): TemplateResult {
  return html`<button part="button" aria-expanded=${tabled} @click=${toggle}>${message(tabled ? "figure.hideNumbers" : "figure.showNumbers")}</button>`;
}

/** Beyond this many cells a table would take the browser seconds, so it shows one row. */
export const MOST_CELLS = 4096;

export interface DataTable {
  caption: string;
  /** Whether the caption is only heard, where what stands above it says the same. */
  hidden?: boolean;
  /** Which row it is, where all of them would be too many. */
  only?: string | null;
  columns: readonly string[];
  /** What the cells of a row add up to stands behind them. */
  rows: readonly { name: string; cells: readonly string[]; sum?: string | undefined }[];
}

/** Rows of words, each under the name of its column, in a region that the keyboard can scroll. */
export function dataTable({
  caption,
  hidden = true,
  only = null,
  columns,
  rows,
}: DataTable): TemplateResult {
  return html`<div class="numbers" part="table" role="region" aria-label=${caption} tabindex="0">
    ${only === null ? nothing : html`<p>${message("figure.oneRow", { query: only })}</p>`}
    <table>
      <caption class=${hidden ? "heard" : ""}>${caption}</caption>
      <thead><tr>${columns.map((name) => html`<th scope="col"><bdi>${name}</bdi></th>`)}</tr></thead>
      <tbody>
        ${rows.map(({ name, cells, sum }) => html`<tr><th scope="row"><bdi>${name}</bdi></th>${cells.map((cell) => html`<td>${cell}</td>`)}${sum === undefined ? nothing : html`<td class="sum">${sum}</td>`}</tr>`)}
      </tbody>
    </table>
  </div>`;
}

export interface MatrixTable {
  caption: string;
  data: Float32Array;
  /** What stands where there is no number. */
  blank?: string;
  queries: readonly string[];
  keys: readonly string[];
  /** What rows and columns are, where these are not queries and keys. */
  corner?: { query: string; key: string };
  /** The row to show where all of them would be too many. */
  query: number;
  /** What each row adds up to, where that is not the same of all. */
  sums?: Float64Array | null;
  /** How numbers read. */
  words?: ((value: number) => string) | undefined;
}

/** A matrix as a table: all of its numbers, or one query's when there are very many. */
export function numbersTable({
  caption,
  data,
  blank = formatValue(NaN),
  queries,
  keys,
  corner = { query: message("figure.query"), key: message("figure.key") },
  query,
  sums = null,
  words = formatValue,
}: MatrixTable): TemplateResult {
  const whole = queries.length * keys.length <= MOST_CELLS;
  const rows = whole ? queries.map((_, row) => row) : [Math.min(query, queries.length - 1)];
  const said = (number: number): string => (Number.isNaN(number) ? blank : words(number));
  return dataTable({
    caption,
    only: whole ? null : (queries[query] ?? ""),
    columns: [
      `${corner.query} ↓ ${corner.key} →`,
      ...keys,
      ...(sums ? [message("figure.rowSum")] : []),
    ],
    rows: rows.map((row) => ({
      name: queries[row] ?? "",
      cells: keys.map((_, column) => said(data[row * keys.length + column] ?? NaN)),
      sum: sums ? words(sums[row] ?? NaN) : undefined,
    })),
  });
}

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
