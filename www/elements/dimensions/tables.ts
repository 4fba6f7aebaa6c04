import { html, type TemplateResult } from "lit";
import type { Cell, Stage, Tensor } from "../../data/index.js";
import type { DimensionStrips } from "../../draw/dimensions-paint.js";
import { formatValue } from "../../draw/format.js";
import { valueAt } from "../../draw/strongest.js";
import { message } from "../../i18n/index.js";

interface Rows {
  caption: string;
  columns: readonly string[];
  rows: readonly { name: string; values: readonly number[] }[];
}

interface KeysContent {
  queries: readonly string[];
  keys: readonly string[];
  query: number;
  stages: Record<Stage, Tensor>;
  titles: { raw: string; scores: string; weights: string };
}

interface PairContent {
  queries: readonly string[];
  keys: readonly string[];
  cell: Cell;
  strips: DimensionStrips;
  dimensions: number;
  /** The engine's own sum of the products; null where an edit has it take none. */
  sum: number | null;
}

/** What one query's row of every stage says of each key. */
export function keysTable({ queries, keys, query, stages, titles }: KeysContent): TemplateResult {
  return table({
    caption: message("dimensions.keysTable", { query: queries[query] ?? "" }),
    columns: [
      message("figure.key"),
      titles.raw,
      titles.scores,
      message("stage.masked"),
      titles.weights,
    ],
    rows: keys.map((name, key) => ({
      name,
      values: [stages.raw, stages.scores, stages.masked, stages.weights].map((stage) =>
        valueAt(stage, { query, key }),
      ),
    })),
  });
}

/** One pair, dimension by dimension, with what it adds up to. */
export function pairTable({
  queries,
  keys,
  cell,
  strips,
  dimensions,
  sum,
}: PairContent): TemplateResult {
  const value = (data: Float32Array, dimension: number): number =>
    data[cell.key * dimensions + dimension] ?? NaN;
  const rows = Array.from(strips.query, (number, dimension) => ({
    name: String(dimension + 1),
    values: [number, value(strips.keys, dimension), value(strips.products, dimension)],
  }));
  return table({
    caption: message("dimensions.pairTable", {
      query: queries[cell.query] ?? "",
      key: keys[cell.key] ?? "",
    }),
    columns: [message("figure.dimension"), "q", "k", "q ⊙ k"],
    rows:
      sum === null ? rows : [...rows, { name: message("dimensions.sum"), values: [NaN, NaN, sum] }],
  });
}

function table({ caption, columns, rows }: Rows): TemplateResult {
  return html`<div class="numbers" part="table" role="region" aria-label=${caption} tabindex="0">
    <table>
      <caption>${caption}</caption>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>
        ${rows.map(
          ({ name, values }) =>
            html`<tr><th scope="row"><bdi>${name}</bdi></th>${values.map((value) => html`<td>${Number.isNaN(value) ? "" : formatValue(value)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
