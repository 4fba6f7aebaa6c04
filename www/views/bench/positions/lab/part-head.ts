import { html, type TemplateResult } from "lit";

/** What a part of the laboratory begins with: its formula, or several `<math>` in a row, and the paper that it is from. */
export function partHead(formula: TemplateResult, paper: string): TemplateResult {
  return html`<div class="formula">${formula}</div>
    <p class="small muted paper">${paper}</p>`;
}
