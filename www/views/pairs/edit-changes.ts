import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Cell, ModelInfo } from "../../data/index.js";
import { formatValue } from "../../draw/format.js";
import { valueAt } from "../../draw/strongest.js";
import { predictionLabel, tokenLabel } from "../../elements/shared/token-label.js";
import { formatFixed, formatPercent, message } from "../../i18n/index.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";
import { meanVariation, rowVariation, type ExpectationChange } from "./changes.js";
import type { HeadChange } from "./head-change.js";

/** What active edits changed: at the pair that the page looks at, in the head, and in what the model expects. */
@customElement("headscope-edit-changes")
export class HeadscopeEditChanges extends PagePart {
  static override styles = [
    partStyles,
    css`
      table {
        width: 100%;
        margin-top: 12px;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }

      caption {
        padding-bottom: 4px;
        text-align: left;
        font-weight: 600;
      }

      th {
        font-weight: 400;
        color: var(--headscope-muted);
      }

      th,
      td {
        padding: 2px 0 2px 8px;
        text-align: right;
      }

      thead th {
        font-size: 12px;
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
        overflow-wrap: anywhere;
      }

      td:last-child {
        font-weight: 600;
      }

      p {
        margin-top: 8px;
      }
    `,
  ];

  @property({ attribute: false }) info: ModelInfo | null = null;
  /** The head's weights; null until they are read. */
  @property({ attribute: false }) head: HeadChange | null = null;
  @property({ attribute: false }) focused: Cell | null = null;
  /** Null where the model expects nothing that is shown. */
  @property({ attribute: false }) expectation: ExpectationChange | null = null;

  override render(): TemplateResult {
    const { head, focused } = this;
    return html`<section aria-label=${message("changes.title")}>
      <h2>${message("changes.title")}</h2>
      ${head ? this.renderHead(head, focused) : html`<p class="small muted">${message("pairs.waiting")}</p>`}
      ${head && this.expectation ? this.renderExpectation(this.expectation) : nothing}
    </section>`;
  }

  private renderHead({ before, after }: HeadChange, focused: Cell | null): TemplateResult {
    const [rows = 0, columns = 0] = after.shape;
    // Until it is read anew, it may be that of a shorter text.
    const cell = focused && focused.query < rows && focused.key < columns ? focused : null;
    const pair = cell && { before: valueAt(before, cell), after: valueAt(after, cell) };
    return html`${pair ? table(message("changes.pair"), [{ label: message("changes.weight"), ...pair, text: formatValue }]) : nothing}
      <p class="small muted">
        ${cell ? html`<span data-change="row">${message("changes.row", { share: formatFixed(rowVariation(before, after, cell.query)) })}</span>` : nothing}
        <span data-change="head">${message("changes.head", { share: formatFixed(meanVariation(before, after)) })}</span>
      </p>`;
  }

  private renderExpectation({ kind, at, shares }: ExpectationChange): TemplateResult {
    const rows = shares.map(({ prediction, before, after }) => ({
      label: predictionLabel(prediction, at, this.info),
      before,
      after,
      // What an edit does to a word is often less than a tenth of a percent.
      text: (share: number) => formatPercent(share, 2),
    }));
    return table(
      message(kind === "instead" ? "changes.instead" : "changes.next", { token: tokenLabel(at) }),
      rows,
    );
  }
}

interface Row {
  label: string;
  before: number;
  after: number;
  text: (value: number) => string;
}

function table(caption: string, rows: readonly Row[]): TemplateResult {
  return html`<table>
    <caption>${caption}</caption>
    <thead><tr><td></td><th scope="col">${message("changes.before")}</th><th scope="col">${message("changes.after")}</th><th scope="col">${message("pairs.difference")}</th></tr></thead>
    <tbody>${rows.map(
      ({ label, before, after, text }) => html`<tr>
      <th scope="row"><bdi>${label}</bdi></th><td>${text(before)}</td><td>${text(after)}</td><td>${difference(after - before, text)}</td>
    </tr>`,
    )}</tbody>
  </table>`;
}

/** With its sign, unless no digit of it is shown. */
function difference(change: number, text: Row["text"]): string {
  const size = text(Math.abs(change));
  return size === text(0) ? size : `${change > 0 ? "+" : "−"}${size}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-edit-changes": HeadscopeEditChanges;
  }
}
