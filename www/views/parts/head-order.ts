import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ROLES, type Role } from "../../data/index.js";
import { message } from "../../i18n/index.js";
import { HEAD_SORTS, ROLE_FILTERS, type HeadSort, type RoleFilter } from "../../state/index.js";
import { roleInQuestion } from "../run/head-order.js";
import { patch } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

const ALL = "";

/** Which heads the grid shows and in which order, and what the numbers below them then are. */
@customElement("headscope-head-order")
export class HeadscopeHeadOrder extends PagePart {
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

  @property({ attribute: false }) filter: RoleFilter | null = null;
  @property() sort: HeadSort = "place";
  /** While it is not known whether there are roles, nothing is said of them. */
  @property({ type: Boolean }) loading = false;
  /** Whether roles were measured on held-out text. */
  @property({ type: Boolean }) measured = false;
  /** How many heads are left; null where all are in their places. */
  @property({ attribute: false }) count: number | null = null;

  override render(): TemplateResult {
    const { loading, measured, sort } = this;
    const filter = measured ? this.filter : null;
    return html`<div class="choices">
        <label for="filter">${message("order.filter")}</label>
        <select id="filter" ?disabled=${!measured} @change=${this.filtered}>
          <option value=${ALL} .selected=${filter === null}>${message(measured || loading ? "order.all" : "order.unavailable")}</option>
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
    const { count, sort, measured } = this;
    if (count === null) return nothing;
    if (count === 0) {
      return html`<p class="small" role="status">${message("order.nobody")} <button @click=${() => patch(this, { roleFilter: null })}>${message("order.showAll")}</button></p>`;
    }
    const words = noteWords(filter, sort, measured);
    return words === "" ? nothing : html`<p class="small muted">${words}</p>`;
  }

  private readonly filtered = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    patch(this, { roleFilter: ROLE_FILTERS.find((role) => role === value) ?? null });
  };

  private readonly sorted = (event: Event): void => {
    if (!(event.target instanceof HTMLSelectElement)) return;
    const { value } = event.target;
    const sort = HEAD_SORTS.find((one) => one === value);
    if (sort) patch(this, { headSort: sort });
  };
}

/** What the numbers below the heads of a list are; empty where there are none. */
export function noteWords(filter: RoleFilter | null, sort: HeadSort, measured: boolean): string {
  const role = roleInQuestion(filter, sort);
  if (role !== null)
    return message(measured ? "order.scores" : "order.scoresHere", {
      role: message(`role.${role}`),
    });
  if (sort === "entropy") return message("order.entropies");
  return sort === "likeness" ? message("order.divergences") : "";
}

function isRole(sort: HeadSort): sort is Role {
  return ROLES.some(({ role }) => role === sort);
}

function sortWords(sort: HeadSort): string {
  return isRole(sort) ? message(`role.${sort}`) : message(`order.${sort}`);
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-head-order": HeadscopeHeadOrder;
  }
}
