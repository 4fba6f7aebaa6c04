import { html, type TemplateResult } from "lit";
import type { StepTensor } from "../../data/index.js";
import { isOfKeys, isPattern } from "../../draw/steps.js";
import { formatNumber, message } from "../../i18n/index.js";
import { numbersTable } from "../matrix/table.js";
import { stepWords, type StepLabels } from "./words.js";

/** One matrix of a block as a table, by its name; of a large one a single row. */
export function stepTable(
  { step, tensor: { data, shape } }: StepTensor,
  row: number,
  { queries, keys, ...made }: StepLabels,
): TemplateResult {
  const [rows = 0, columns = 0] = shape;
  const [ofKeys, pairs] = [isOfKeys(step), isPattern(step)];
  const named = (count: number, names: readonly string[]): string[] =>
    Array.from({ length: count }, (_, index) => names[index] ?? formatNumber(index + 1));
  const name = stepWords(step, made);
  const table = numbersTable({
    caption: name,
    data,
    queries: named(rows, ofKeys ? keys : queries),
    keys: named(columns, pairs ? keys : []),
    corner: {
      query: message(ofKeys ? "figure.key" : "figure.query"),
      key: message(pairs ? "figure.key" : "figure.dimension"),
    },
    query: row,
  });
  return html`<p class="at" aria-hidden="true">${name}</p>${table}`;
}
