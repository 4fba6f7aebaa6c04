import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Cell } from "../../data/index.js";
import { formatValue } from "../../draw/text.js";
import { valueAt } from "../../draw/layout.js";
import "../../elements/matrices.js";
import { Memo } from "../../elements/shared/controllers.js";
import { predictionLabel, tokenLabel, tokenLabels } from "../../elements/shared/templates.js";
import { formatFixed, formatPercent, language, message } from "../../i18n/index.js";
import { partStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import { SessionPart } from "../session.js";
import {
  type ExpectationChange,
  type HeadChange,
  meanVariation,
  rowVariation,
  type MovedStates,
} from "./head-change.js";

/** What active edits changed: at the pair that the page looks at, in the head, and in what the model expects. */
@customElement("headscope-edit-changes")
export class HeadscopeEditChanges extends SessionPart {
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

  /** The head's weights; null until they are read. */
  @property({ attribute: false }) head: HeadChange | null = null;
  /** Null where the model expects nothing that is shown. */
  @property({ attribute: false }) expectation: ExpectationChange | null = null;

  override render(): TemplateResult {
    const { head } = this;
    const { focused } = this.session;
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
      label: predictionLabel(prediction, at, this.session.info),
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

/** Low, for it stands below three pictures. */
const HEIGHT = 160;

/** ‖Δ‖ of the hidden states by layer and token: where an edit was felt, and how far it spread. */
@customElement("headscope-moved-states")
export class HeadscopeMovedStates extends PagePart {
  static override styles = [
    partStyles,
    css`
      p {
        margin: 4px 0 8px;
      }

      h3 {
        font: 400 16px/1.4 var(--headscope-font-text);
      }
    `,
  ];

  @property({ attribute: false }) moved: MovedStates | null = null;

  private readonly names = new Memo<{ rows: string[]; columns: string[] }>();

  override render(): TemplateResult | typeof nothing {
    const { moved } = this;
    if (!moved) return nothing;
    const { distances, tokens, stack } = moved;
    const { rows, columns } = this.names.get([moved, language()], () => ({
      rows: Array.from({ length: distances.shape[0] ?? 0 }, (_, layer) =>
        layer === 0 ? message("pairs.embedding") : message("pairs.layer", { layer }),
      ),
      columns: tokenLabels(tokens),
    }));
    return html`<h3>${message("moved.title", { stack: message(`stack.${stack}`) })}</h3>
      <p class="small muted">${message("moved.hint")}</p>
      <headscope-numbers
        .tensor=${distances}
        .rowNames=${rows}
        .columnNames=${columns}
        .titles=${{ rows: message("moved.depth"), columns: message("moved.token"), values: message("moved.values") }}
        .comfortableHeight=${HEIGHT}
        @headscope-cell-hover=${stop}
        @headscope-cell-lock=${stop}
        @headscope-cell-toggle=${stop}
        @headscope-region-change=${stop}
      ></headscope-numbers>`;
  }
}

/** Its cells are no pairs of a query and a key. */
function stop(event: Event): void {
  event.stopPropagation();
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-edit-changes": HeadscopeEditChanges;
  }
}
