import { html, type TemplateResult } from "lit";

/** A formula in which `W_Q` has its index below the line. */
export function symbols(formula: string): TemplateResult {
  return html`${formula.split(/(_[A-Z])/).map((part) => (part.startsWith("_") ? html`<sub>${part.slice(1)}</sub>` : part))}`;
}
