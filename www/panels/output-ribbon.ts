import { html, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { ModelInfo } from "../data/index.js";
import { predictionLabel, styled, tokenLabel } from "../elements/shared/templates.js";
import { formatPercent, message } from "../i18n/index.js";
import type { PredictionChanges } from "../session/pairs.js";
import { PagePart } from "../ui/page-part.js";
import styles from "./output-ribbon.css?inline";

/**
 * The likeliest tokens at the chosen place, each with its probability without the edits and with
 * them. The bars move while an edit is dragged.
 */
@customElement("headscope-output-ribbon")
export class HeadscopeOutputRibbon extends PagePart {
  static override styles = unsafeCSS(styles);

  @property({ attribute: false }) changes!: PredictionChanges;
  /** The model, which says how its tokens are written. */
  @property({ attribute: false }) info: ModelInfo | null = null;

  override render(): TemplateResult {
    const { kind, at, shares } = this.changes;
    const caption = message(kind === "instead" ? "changes.instead" : "changes.next", {
      token: tokenLabel(at),
    });
    const bar = (of: "before" | "after", share: number): TemplateResult =>
      html`<i class=${of} style=${styled({ width: `${share * 100}%` })}></i>`;
    return html`<table>
      <caption class="small muted">
        ${caption}
      </caption>
      <thead class="visually-hidden">
        <tr>
          ${(["changes.token", "changes.before", "changes.after"] as const).map(
            (name) => html`<th scope="col">${message(name)}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${shares.map(
          ({ prediction, before, after }) =>
            html`<tr>
              <th scope="row" class="cut">
                <bdi>${predictionLabel(prediction, at, this.info)}</bdi>
              </th>
              <td class="bars" aria-hidden="true">
                ${bar("before", before)}${bar("after", after)}
              </td>
              <td class="small muted">${formatPercent(before)}</td>
              <td class="small strong">${formatPercent(after)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}
