/** The singular values of the patterns of the shown head, as charts and as a table. */
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { HELD } from "../data/index.js";
import { formatValue } from "../draw/text.js";
import { dataTable } from "../elements/matrix/table.js";
import "../elements/spectrum.js";
import type { SingularList } from "../elements/spectrum.js";
import { formatPercent, message } from "../i18n/index.js";
import { namedSpectra } from "../session/run/head-words.js";
import { SessionPart } from "../session/session.js";
import { derived } from "../signals.js";

@customElement("headscope-head-spectrum")
export class HeadscopeHeadSpectrum extends SessionPart {
  static override styles = css`
    :host > * + * {
      margin-top: 8px;
    }
    .charts {
      max-width: 480px;
      min-height: 128px;
    }
  `;

  override render(): TemplateResult {
    const { spectrum } = this.session;
    if (spectrum === "too-long") return note(message("error.selection/too-large"));
    return html`<div class="charts">
        ${
          spectrum
            ? html`<headscope-spectrum .lists=${this.lists}></headscope-spectrum>`
            : note(message("spectrum.working"))
        }
      </div>
      ${spectrum ? renderTable([spectrum.scores.values, spectrum.weights.values]) : nothing}`;
  }

  @derived private get lists(): SingularList[] {
    const { spectrum, unusual } = this.session;
    return spectrum && spectrum !== "too-long" ? namedSpectra(spectrum, unusual) : [];
  }
}

function renderTable(lists: readonly ArrayLike<number>[]): TemplateResult {
  const columns = ["spectrum.index", "stage.scores", "stage.weights"] as const;
  const rows = Math.max(...lists.map(({ length }) => length));
  // A matrix with a number that is not finite has no singular values.
  const cell = (value = NaN): string => (Number.isNaN(value) ? "–" : formatValue(value));
  const table = Array.from({ length: rows }, (_, index) => [
    String(index + 1),
    ...lists.map((values) => cell(values[index])),
  ]);
  const names = columns.map((column) => message(column));
  return html`${note(message("spectrum.hint", { share: formatPercent(HELD, 0) }))}
    <details class="small">
      <summary>${message("spectrum.table")}</summary>
      ${dataTable(message("spectrum.table"), names, table)}
    </details>`;
}

function note(words: string): TemplateResult {
  return html`<p class="small muted">${words}</p>`;
}
