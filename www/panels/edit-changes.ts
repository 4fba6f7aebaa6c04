import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Cell } from "../data/index.js";
import { valueAt } from "../draw/layout.js";
import { formatValue } from "../draw/text.js";
import "../elements/numbers.js";
import { tokenLabels } from "../elements/shared/templates.js";
import { formatPercent, message } from "../i18n/index.js";
import { PagePart } from "../ui/page-part.js";
import { cellWithin } from "../session/run/selection.js";
import { depthLabel } from "../session/alignment.js";
import {
  type HeadChange,
  meanVariation,
  type MovedStates,
  rowVariation,
} from "../session/pairs.js";

/** The effects of active edits on the focused pair and in the head. */
@customElement("headscope-edit-changes")
export class HeadscopeEditChanges extends PagePart {
  static override styles = css`
    table {
      width: 100%;
    }
    .changes caption {
      color: var(--_ink);
    }
  `;

  /** The head's pattern without the edits and with them; null until both are there. */
  @property({ attribute: false }) head: HeadChange | null = null;
  @property({ attribute: false }) focused: Cell | null = null;

  override render(): TemplateResult {
    const { head } = this;
    return html`<section aria-label=${message("changes.title")}>
      <h2>${message("changes.title")}</h2>
      ${
        head
          ? this.renderHead(head)
          : html`<p class="small muted next">${message("pairs.waiting")}</p>`
      }
    </section>`;
  }

  private renderHead(head: HeadChange): TemplateResult {
    const { focused } = this;
    const sentence = (of: "row" | "head", share: number): TemplateResult =>
      html`<span data-change=${of}
        >${message(`changes.${of}`, { share: formatPercent(share) })}</span
      >`;
    // Until the cell is read again, it may belong to a shorter text.
    const cell = cellWithin(focused, head.after);
    return html`${
        cell ? renderWeights(valueAt(head.before, cell), valueAt(head.after, cell)) : nothing
      }
      <p class="small muted next">
        ${cell ? sentence("row", rowVariation(head, cell.query)) : nothing}
        ${sentence("head", meanVariation(head))}
      </p>`;
  }
}

function renderWeights(before: number, after: number): TemplateResult {
  const change = after - before;
  const size = formatValue(Math.abs(change));
  // With its sign, unless it rounds to zero.
  const signed = size === formatValue(0) ? size : `${change > 0 ? "+" : "−"}${size}`;
  const columns = ["changes.before", "changes.after", "pairs.difference"] as const;
  return html`<table class="changes apart">
    <caption class="strong">
      ${message("changes.weight")}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${message(column)}</th>`)}
      </tr>
    </thead>
    <tbody>
      <tr>
        <td>${formatValue(before)}</td>
        <td>${formatValue(after)}</td>
        <td class="strong">${signed}</td>
      </tr>
    </tbody>
  </table>`;
}

/**
 * The change ‖Δ‖ of the hidden states by layer and token, which shows the spread of an edit's
 * effect.
 */
@customElement("headscope-moved-states")
export class HeadscopeMovedStates extends PagePart {
  static override styles = css`
    p {
      margin: 4px 0 8px;
    }
  `;

  @property({ attribute: false }) moved!: MovedStates;

  override render(): TemplateResult {
    const { distances, tokens, stack } = this.moved;
    const rows = Array.from({ length: distances.shape[0] ?? 0 }, (_, layer) => depthLabel(layer));
    const [down, across, values] = ["moved.depth", "moved.token", "moved.values"] as const;
    const titles = { rows: message(down), columns: message(across), values: message(values) };
    // The cells are no pairs of a query and a key.
    const stop = (event: Event): void => event.stopPropagation();
    return html`<h3 class="serif">
        ${message("moved.title", { stack: message(`stack.${stack}`) })}
      </h3>
      <p class="small muted">${message("moved.hint")}</p>
      <headscope-numbers
        .tensor=${distances}
        .rowNames=${rows}
        .columnNames=${tokenLabels(tokens)}
        .titles=${titles}
        .comfortableHeight=${160}
        @headscope-cell-hover=${stop}
        @headscope-cell-lock=${stop}
        @headscope-cell-toggle=${stop}
        @headscope-region-change=${stop}
      ></headscope-numbers>`;
  }
}
