import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ROLES, wornRole, type ModelNotes, type Role, type RoleScores } from "../../data/index.js";
import { formatFixed, message } from "../../i18n/index.js";
import { foldStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import { ROLE_FORMULAS } from "./role-formulas.js";
import { partStyles } from "../../ui/base-styles.js";

const DIGITS = 2;

/** The role that a head wears, how far it plays it on held-out text and on the present one, and what that means. */
@customElement("headscope-head-role")
export class HeadscopeHeadRole extends PagePart {
  static override styles = [
    partStyles,
    foldStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: 0 16px;
        margin: 4px 0;
      }

      dd {
        text-align: right;
      }

      dt {
        color: var(--headscope-muted);
      }

      .name {
        font: 400 18px/1.4 var(--headscope-font-text);
      }

      th,
      td {
        padding: 2px 0 2px 12px;
      }

      th:first-child {
        padding-left: 0;
        text-align: left;
      }

      .formula td {
        padding: 0 0 8px;
        color: var(--headscope-muted);
        font-size: 14px;
        text-align: left;
      }

      .worn :is(th, td) {
        color: var(--headscope-ink);
        font-weight: 600;
      }
    `,
  ];

  /** How far it plays each role on held-out text; null where nobody measured it. */
  @property({ attribute: false }) heldOut: RoleScores | null = null;
  /** From how many sentences that is. */
  @property({ attribute: false }) notes: ModelNotes | null = null;
  /** Why there are no such scores although there may be some. */
  @property() problem: string | null = null;
  /** How far it plays each role on the present text; null until that was read. */
  @property({ attribute: false }) here: RoleScores | null = null;

  override render(): TemplateResult {
    if (!this.heldOut) return this.renderUnavailable();
    const role = wornRole(this.heldOut);
    return html`<p class="name">${message(role ? `role.${role}` : "roles.none")}</p>
      ${role ? this.renderScores(role, this.heldOut) : nothing}
      <p class="small muted">${message(role ? `role.${role}.meaning` : "role.none.meaning")}</p>
      ${this.renderAll(role, this.heldOut)}`;
  }

  private renderScores(role: Role, heldOut: RoleScores): TemplateResult {
    const where =
      role === "induction"
        ? message("roles.repeated")
        : message("roles.heldOut", { count: this.notes?.heldOut.sentences ?? 0 });
    return html`<dl class="small numbers">
      <dt>${where}</dt>
      <dd data-role="held-out">${score(heldOut[role])}</dd>
      <dt>${message("roles.hereLong")}</dt>
      <dd data-role="here">${score(this.here?.[role])}</dd>
    </dl>`;
  }

  private renderUnavailable(): TemplateResult {
    const role = this.here && wornRole(this.here);
    return html`<p class="small muted">${this.problem === null ? message("roles.unavailable") : message("roles.problem", { problem: this.problem })}</p>
      ${role ? html`<p class="small numbers">${message("roles.hereOnly", { role: message(`role.${role}`), score: score(this.here?.[role]) })}</p>` : nothing}
      ${this.renderAll(role, null)}`;
  }

  /** Every role that is defined for the head, held-out and here. */
  private renderAll(
    worn: Role | null,
    heldOut: RoleScores | null,
  ): TemplateResult | typeof nothing {
    const defined = ROLES.filter(({ role }) => typeof (heldOut ?? this.here)?.[role] === "number");
    if (defined.length === 0) return nothing;
    return html`<details class="small">
      <summary>${message("roles.all")}</summary>
      <table class="numbers">
        <tr>
          <th scope="col">${message("roles.role")}</th>
          ${heldOut ? html`<th scope="col">${message("roles.before")}</th>` : nothing}
          <th scope="col">${message("roles.here")}</th>
          <th scope="col">${message("roles.threshold")}</th>
        </tr>
        ${defined.map(
          ({
            role,
            threshold,
          }) => html`<tr class=${role === worn ? "worn" : ""} title=${message(`role.${role}.meaning`)}>
              <th scope="row">${message(`role.${role}`)}</th>
              ${heldOut ? html`<td>${score(heldOut[role])}</td>` : nothing}
              <td>${score(this.here?.[role])}</td>
              <td>${score(threshold)}</td>
            </tr>
            <tr class="formula">
              <td colspan=${heldOut ? 4 : 3}>${ROLE_FORMULAS[role]}</td>
            </tr>`,
        )}
      </table>
      <p class="muted">${message("roles.formulas")}</p>
    </details>`;
  }
}

function score(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, DIGITS) : "–";
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-role": HeadscopeHeadRole;
  }
}
