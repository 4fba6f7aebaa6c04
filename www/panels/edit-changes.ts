import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { valueAt } from "../draw/layout.js";
import { formatValue } from "../draw/text.js";
import "../elements/matrices.js";
import { predictionLabel, tokenLabel, tokenLabels } from "../elements/shared/templates.js";
import { formatFixed, formatPercent, message } from "../i18n/index.js";
import { PagePart } from "../ui/page-part.js";
import { cellWithin } from "../session/run/selection.js";
import { SessionPart } from "../session/session.js";
import { depthLabel } from "../session/alignment.js";
import {
  type HeadChange,
  meanVariation,
  type MovedStates,
  rowVariation,
} from "../session/pairs.js";

/**
 * The effects of active edits: on the focused pair, in the head, and on the model's predictions.
 */
@customElement("headscope-edit-changes")
export class HeadscopeEditChanges extends SessionPart {
  static override styles = css`
    table {
      width: 100%;
    }
    .changes caption {
      color: var(--_ink);
    }
  `;

  override render(): TemplateResult {
    const { pairs, info } = this.session;
    const { head = null, expectation = null } = pairs?.changes ?? {};
    const caption = expectation?.kind === "instead" ? "changes.instead" : "changes.next";
    const shares = expectation?.shares.map(({ prediction, ...share }) => ({
      ...share,
      label: predictionLabel(prediction, expectation.at, info),
    }));
    return html`<section aria-label=${message("changes.title")}>
      <h2>${message("changes.title")}</h2>
      ${
        head
          ? this.renderHead(head)
          : html`<p class="small muted next">${message("pairs.waiting")}</p>`
      }
      ${
        head && expectation && shares
          ? table(
              message(caption, { token: tokenLabel(expectation.at) }),
              shares,
              // The effect of an edit on a probability is often less than a tenth of a percent.
              (share) => formatPercent(share, 2),
            )
          : nothing
      }
    </section>`;
  }

  private renderHead(head: HeadChange): TemplateResult {
    const { focused } = this.session;
    const sentence = (of: "row" | "head", share: number): TemplateResult =>
      html`<span data-change=${of}
        >${message(`changes.${of}`, { share: formatFixed(share) })}</span
      >`;
    // Until the cell is read again, it may belong to a shorter text.
    const cell = cellWithin(focused, head.after);
    const weights = cell && {
      label: message("changes.weight"),
      before: valueAt(head.before, cell),
      after: valueAt(head.after, cell),
    };
    return html`${weights ? table(message("changes.pair"), [weights], formatValue) : nothing}
      <p class="small muted next">
        ${cell ? sentence("row", rowVariation(head, cell.query)) : nothing}
        ${sentence("head", meanVariation(head))}
      </p>`;
  }
}

function table(
  caption: string,
  rows: readonly { label: string; before: number; after: number }[],
  text: (value: number) => string,
): TemplateResult {
  // With its sign, unless it rounds to zero.
  const difference = (change: number): string => {
    const size = text(Math.abs(change));
    return size === text(0) ? size : `${change > 0 ? "+" : "−"}${size}`;
  };
  const columns = ["changes.before", "changes.after", "pairs.difference"] as const;
  return html`<table class="changes apart">
    <caption class="strong">
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${columns.map((column) => html`<th scope="col">${message(column)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ label, before, after }) =>
          html`<tr>
            <th scope="row"><bdi>${label}</bdi></th>
            <td>${text(before)}</td>
            <td>${text(after)}</td>
            <td class="strong">${difference(after - before)}</td>
          </tr>`,
      )}
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
