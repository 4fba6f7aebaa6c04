import { html, nothing, type TemplateResult } from "lit";
import type { Cell } from "../../data/index.js";
import type { Rect } from "../../draw/layout.js";
import { formatValue } from "../../draw/text.js";
import { message } from "../../i18n/index.js";
import { styled } from "../shared/templates.js";

/**
 * The most cells of a table: a larger one would take the browser seconds and shows one row instead.
 */
export const MOST_CELLS = 4096;

interface TableOptions {
  titled?: boolean;
  only?: string | null;
  summed?: boolean;
}

/** A table in a region that the keyboard can scroll; rows begin with their names. */
export function dataTable(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { titled = false, only = null, summed = false }: TableOptions = {},
): TemplateResult {
  const isSum = (at: number): boolean => summed && at === columns.length - 2;
  return html`<div class="scroll" part="table" role="region" aria-label=${caption} tabindex="0">
    ${
      only === null
        ? nothing
        : html`<p class="muted">${message("figure.oneRow", { query: only })}</p>`
    }
    <table>
      <caption class=${titled ? "" : "visually-hidden"}>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((name) => html`<th scope="col"><bdi>${name}</bdi></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row"><bdi>${name}</bdi></th>
              ${cells.map(
                (cell, at) => html`<td class=${isSum(at) ? "sum" : nothing}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

interface MatrixTable {
  blank?: string;
  /** The titles of rows and columns, if not queries and keys. */
  corner?: Readonly<Record<keyof Cell, string>>;
  row: number;
  sums?: readonly number[] | null;
  words?: ((value: number) => string) | undefined;
}

export function numbersTable(
  caption: string,
  data: Float32Array,
  { query: names, key: keys }: Readonly<Record<keyof Cell, readonly string[]>>,
  { row: one, sums = null, words = formatValue, ...options }: MatrixTable,
): TemplateResult {
  const blank = options.blank ?? formatValue(NaN);
  const corner = options.corner ?? { query: message("figure.query"), key: message("figure.key") };
  const whole = names.length * keys.length <= MOST_CELLS;
  const rows = whole ? names.map((_, row) => row) : [Math.min(one, names.length - 1)];
  const written = (number = NaN): string => (Number.isNaN(number) ? blank : words(number));
  const sum = (row: number): string[] => (sums ? [words(sums[row] ?? NaN)] : []);
  const titles = sums ? [...keys, message("figure.rowSum")] : keys;
  return dataTable(
    caption,
    [`${corner.query} ↓ ${corner.key} →`, ...titles],
    rows.map((row) => {
      const cells = keys.map((_, column) => written(data[row * keys.length + column]));
      return [names[row] ?? "", ...cells, ...sum(row)];
    }),
    { only: whole ? null : (names[one] ?? ""), summed: sums !== null },
  );
}

const GAP = 10;
const WIDEST = 320;

/** The tooltip of a cell: above it, on the side that has more room. */
export function tip(
  words: { query: string; key: string; value: string },
  cell: Rect,
  width: number,
): TemplateResult {
  const right = cell.x < width / 2;
  const room = right ? width - cell.x - cell.width : cell.x;
  // Only the transform changes with the pointer: anything else would lay it out again.
  const along = right ? cell.x + cell.width + GAP : cell.x - GAP - width;
  const place = {
    [right ? "left" : "right"]: "0",
    "max-width": `${Math.min(WIDEST, Math.floor(room - GAP))}px`,
    transform: `translate(${along}px, ${Math.max(0, cell.y - GAP)}px) translateY(-100%)`,
  };
  return html`<div class="tips" aria-hidden="true">
    <div class="tip" part="tip" style=${styled(place)}>
      <span class="cut"
        ><bdi>${words.query}</bdi><span class="arrow"> → </span><bdi>${words.key}</bdi></span
      ><b>${words.value}</b>
    </div>
  </div>`;
}
