import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { type Role, ROLES, type RoleScores, wornRole } from "../../data/index.js";
import { formatFixed, message } from "../../i18n/index.js";
import { HEAD_SORTS, type HeadSort, ROLE_FILTERS, type RoleFilter } from "../../state/index.js";
import { foldStyles, partStyles } from "../../ui/base-styles.js";
import { noteWords } from "../run/head-order.js";
import { SessionPart } from "../session.js";

const ALL = "";

/** Which heads the grid shows and in which order, and what the numbers below them then are. */
@customElement("headscope-head-order")
export class HeadscopeHeadOrder extends SessionPart {
  static override styles = [
    partStyles,
    css`
      .choices {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 4px 12px;
        align-items: center;
      }

      label {
        color: var(--headscope-muted);
      }

      select {
        width: 100%;
        border-bottom: 1px solid var(--headscope-line);
        border-radius: 0;
      }

      option,
      optgroup {
        background: var(--headscope-paper);
        color: var(--headscope-ink);
      }

      p {
        margin-top: 8px;
      }
    `,
  ];

  override render(): TemplateResult {
    const { state, heldOut, computation } = this.session;
    const { headSort: sort } = state;
    const filter = heldOut ? state.roleFilter : null;
    // While it is not known whether there are roles, nothing is said of them.
    const all = heldOut || !computation.model ? "order.all" : "order.unavailable";
    return html`<div class="choices">
        <label for="filter">${message("order.filter")}</label>
        <select id="filter" ?disabled=${!heldOut} @change=${this.filtered}>
          <option value=${ALL} .selected=${filter === null}>${message(all)}</option>
          ${ROLE_FILTERS.map((role) => html`<option value=${role} .selected=${role === filter}>${message(role === "none" ? "roles.none" : `role.${role}`)}</option>`)}
        </select>
        <label for="sort">${message("order.sort")}</label>
        <select id="sort" @change=${this.sorted}>
          ${HEAD_SORTS.filter((value) => !isRole(value)).map((value) => html`<option value=${value} .selected=${value === sort}>${sortWords(value)}</option>`)}
          <optgroup label=${message("order.role")}>
            ${ROLES.map(({ role }) => html`<option value=${role} .selected=${role === sort}>${message(`role.${role}`)}</option>`)}
          </optgroup>
        </select>
      </div>
      ${this.renderNumbers(filter)}`;
  }

  private renderNumbers(filter: RoleFilter | null): TemplateResult | typeof nothing {
    const { ranked, state, heldOut } = this.session;
    if (ranked === null) return nothing;
    if (ranked.length === 0) {
      return html`<p class="small" role="status">${message("order.nobody")} <button @click=${() => this.session.update({ roleFilter: null })}>${message("order.showAll")}</button></p>`;
    }
    const words = noteWords(filter, state.headSort, heldOut !== null);
    return words === "" ? nothing : html`<p class="small muted">${words}</p>`;
  }

  private readonly filtered = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    this.session.update({ roleFilter: ROLE_FILTERS.find((role) => role === value) ?? null });
  };

  private readonly sorted = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    const sort = HEAD_SORTS.find((one) => one === value);
    if (sort) this.session.update({ headSort: sort });
  };
}

function isRole(sort: HeadSort): sort is Role {
  return ROLES.some(({ role }) => role === sort);
}

function sortWords(sort: HeadSort): string {
  return isRole(sort) ? message(`role.${sort}`) : message(`order.${sort}`);
}

/**
 * What each role's score is the mean of, over the queries q for which the question makes sense, as `docs/roles.md`
 * defines it. A is a weight, k a key, x a token, S the special tokens behind the first position, f how often training
 * saw a token, δ the best of the distances from −3 to 3, H the entropy of a row, n how many keys a query may look at.
 */
export const ROLE_FORMULAS: Readonly<Record<Role, TemplateResult>> = {
  induction: html`<math><munder><mo>∑</mo><mrow><mi>j</mi><mo>&lt;</mo><mi>q</mi><mo>−</mo><mn>1</mn><mo>,</mo><msub><mi>x</mi><mi>j</mi></msub><mo>=</mo><msub><mi>x</mi><mi>q</mi></msub></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>j</mi><mo>+</mo><mn>1</mn></mrow></msub></math>`,
  duplicate: html`<math><munder><mo>∑</mo><mrow><mi>k</mi><mo>≠</mo><mi>q</mi><mo>,</mo><msub><mi>x</mi><mi>k</mi></msub><mo>=</mo><msub><mi>x</mi><mi>q</mi></msub></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub></math>`,
  previous: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi><mo>−</mo><mn>1</mn></mrow></msub></math>`,
  next: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi><mo>+</mo><mn>1</mn></mrow></msub></math>`,
  self: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>q</mi></mrow></msub></math>`,
  separator: html`<math><munder><mo>∑</mo><mrow><mi>k</mi><mo>∈</mo><mi>S</mi></mrow></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub></math>`,
  first: html`<math><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mn>0</mn></mrow></msub></math>`,
  rare: html`<math><mo>[</mo><munder><mi>argmax</mi><mi>k</mi></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub><mo>=</mo><munder><mi>argmin</mi><mi>k</mi></munder><mi>f</mi><mo>(</mo><msub><mi>x</mi><mi>k</mi></msub><mo>)</mo><mo>]</mo></math>`,
  positional: html`<math><mo>[</mo><munder><mi>argmax</mi><mi>k</mi></munder><msub><mi>A</mi><mrow><mi>q</mi><mo>,</mo><mi>k</mi></mrow></msub><mo>=</mo><mi>q</mi><mo>+</mo><mi>δ</mi><mo>]</mo></math>`,
  broad: html`<math><mfrac><mrow><mi>H</mi><mo>(</mo><mi>q</mi><mo>)</mo></mrow><mrow><mi>ln</mi><msub><mi>n</mi><mi>q</mi></msub></mrow></mfrac></math>`,
};

const DIGITS = 2;

/** The role that a head wears, how far it plays it on held-out text and on the present one, and what that means. */
@customElement("headscope-head-role")
export class HeadscopeHeadRole extends SessionPart {
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

  override render(): TemplateResult {
    const { heldOut } = this;
    if (!heldOut) return this.renderUnavailable();
    const role = wornRole(heldOut);
    return html`<p class="name">${message(role ? `role.${role}` : "roles.none")}</p>
      ${role ? this.renderScores(role, heldOut) : nothing}
      <p class="small muted">${message(role ? `role.${role}.meaning` : "role.none.meaning")}</p>
      ${this.renderAll(role, heldOut)}`;
  }

  /** How far the head that is shown plays each role on held-out text; null where nobody measured it. */
  private get heldOut(): RoleScores | null {
    const { shown, heldOut } = this.session;
    return (shown && heldOut?.[shown.layer]?.[shown.head]) ?? null;
  }

  /** How far on the present text; null until that was read. */
  private get here(): RoleScores | null {
    return this.session.measured?.roles ?? null;
  }

  private renderScores(role: Role, heldOut: RoleScores): TemplateResult {
    const where =
      role === "induction"
        ? message("roles.repeated")
        : message("roles.heldOut", {
            count: this.session.computation.model?.notes?.heldOut.sentences ?? 0,
          });
    return html`<dl class="small numbers">
      <dt>${where}</dt>
      <dd data-role="held-out">${score(heldOut[role])}</dd>
      <dt>${message("roles.hereLong")}</dt>
      <dd data-role="here">${score(this.here?.[role])}</dd>
    </dl>`;
  }

  private renderUnavailable(): TemplateResult {
    const { here } = this;
    const role = here && wornRole(here);
    const { notesProblem: problem = null } = this.session.computation.model ?? {};
    return html`<p class="small muted">${problem === null ? message("roles.unavailable") : message("roles.problem", { problem })}</p>
      ${role ? html`<p class="small numbers">${message("roles.hereOnly", { role: message(`role.${role}`), score: score(here[role]) })}</p>` : nothing}
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
