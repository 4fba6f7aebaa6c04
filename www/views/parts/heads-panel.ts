import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import {
  assignedRole,
  type HeadLikeness,
  type HeadRef,
  type Role,
  ROLES,
  type RoleScores,
} from "../../data/index.js";
import { emit, type HeadDetail, type HeadSoloDetail } from "../../elements/events.js";
import type { HeadRole } from "../../elements/grid/element.js";
import "../../elements/grid/element.js";
import { formatFixed, message } from "../../i18n/index.js";
import {
  HEAD_SORTS,
  type HeadSort,
  isSilenced,
  isSolo,
  ROLE_FILTERS,
  toggleHead,
  toggleSolo,
} from "../../state/index.js";
import { noteWords, roleInQuestion } from "../run/head-order.js";
import { type Session, SessionPart } from "../session.js";
import "./embed-buttons.js";
import { choiceOf, valueOf } from "./controls.js";

const LISTED = 5;
const SCORE_DIGITS = 2;
/** The largest divergence there is, in nats. */
const LARGEST = Math.LN2;

const EMBEDDED = [["grid", "embed.copyGrid"]] as const;

const headsPanelStyles = css`
  headscope-grid {
    margin: 16px 0;
  }
  .order {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 4px 12px;
    align-items: center;
    margin-top: 16px;
  }
  .order select {
    border-bottom: 1px solid var(--_line);
  }
  .head {
    align-items: baseline;
  }
  .role {
    margin-top: 12px;
  }
  .like,
  headscope-embed-buttons {
    margin-top: 16px;
  }
  .like > summary {
    color: inherit;
  }
  .like h2 {
    display: inline;
  }
  ol {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr) auto;
    margin: 8px 0;
  }
  li,
  li button {
    display: grid;
    grid-column: 1 / -1;
    grid-template-columns: subgrid;
    text-align: left;
  }
  li button {
    gap: 12px;
    align-items: baseline;
  }
  .caption {
    display: flex;
    gap: 4px;
  }
  .name {
    font-size: 18px;
  }
  .formula {
    font-size: 14px;
  }
  .assigned > * {
    color: var(--_ink);
    font-weight: 600;
  }
  tr:has(+ .formula) > * {
    border: 0;
  }
`;

/**
 * What each role's score is the mean of, over the queries q for which the question makes sense, as `docs/roles.md`
 * defines it. A is a weight, k a key, x a token, S the special tokens behind the first position, f how often training
 * saw a token, δ the best of the distances from −3 to 3, H the entropy of a row, n how many keys a query may look at.
 */
const ROLE_FORMULAS: Readonly<Record<Role, TemplateResult>> = {
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

/**
 * The stack, the small pictures of its heads in the order that is asked for, the head that is shown with its role, and
 * the heads most similar to the chosen one. Pointing at a head shows its picture, a click chooses it.
 */
@customElement("headscope-heads-panel")
export class HeadscopeHeadsPanel extends SessionPart {
  static override styles = headsPanelStyles;

  /** Whether the explorer is narrow: then the list of similar heads begins folded. */
  @property({ type: Boolean }) folded = false;

  override render(): TemplateResult {
    const { session } = this;
    const { stacks, stack, shown, first, ranked, state, thumbnails } = session;
    // In a model of one stack no sentence speaks of a translation.
    const hint =
      stacks.length > 1 || stack === "cross"
        ? message(`stack.${stack}.hint`)
        : message(`stack.${stack}.alone`);
    return html`
      ${
        stacks.length > 1
          ? choiceOf(
              "stack.label",
              stacks,
              stack,
              (one) => message(`stack.${one}`),
              (chosen) => session.update({ stack: chosen, locked: null }),
              "tabs",
            )
          : html`<h2>${message(`stack.${stack}`)}</h2>`
      }
      <p class="hint small muted next">${hint}</p>
      ${this.renderOrder()}
      <headscope-grid
        ?inert=${first !== null}
        .thumbnails=${thumbnails}
        .selected=${first?.head ?? session.chosen}
        .silenced=${session.silenced}
        .captions=${session.captions}
        .roles=${ranked && roleInQuestion(state.roleFilter, state.headSort) ? null : session.roles}
        .order=${ranked}
        .measures=${session.measures}
        .stack=${stack}
        .colours=${state.colours}
        @headscope-head-select=${({ detail: { layer, head } }: CustomEvent<HeadDetail>) => session.update({ layer, head })}
        @headscope-head-toggle=${({ detail }: CustomEvent<HeadDetail>) => this.change(toggleHead, { stack, ...detail })}
        @headscope-head-solo=${({ detail: { layer, head } }: CustomEvent<HeadSoloDetail>) => this.change(toggleSolo, { stack, layer, head })}
      ></headscope-grid>
      ${shown ? this.renderShown(shown) : nothing}
      ${this.renderLike()}
      <headscope-embed-buttons class="small muted" .shown=${first ? null : thumbnails && state} .kinds=${EMBEDDED} link></headscope-embed-buttons>
    `;
  }

  /** Which heads the grid shows and in which order, and what the numbers below them are. */
  private renderOrder(): TemplateResult {
    const { session } = this;
    const { state, heldOut, computation, ranked } = session;
    const { headSort: sort } = state;
    const filter = heldOut ? state.roleFilter : null;
    // Before the model is there, it is not known whether it has roles.
    const all = heldOut || !computation.model ? "order.all" : "order.unavailable";
    const sortOption = (value: HeadSort, words: string): TemplateResult =>
      html`<option value=${value} .selected=${value === sort}>${words}</option>`;
    const note = ranked && noteWords(filter, sort, heldOut !== null);
    return html`<div class="order">
        <label class="muted" for="filter">${message("order.filter")}</label>
        <select id="filter" ?disabled=${!heldOut} @change=${({ target }: Event) => session.update({ roleFilter: valueOf(target, ROLE_FILTERS) ?? null })}>
          <option value="" .selected=${filter === null}>${message(all)}</option>
          ${ROLE_FILTERS.map((role) => html`<option value=${role} .selected=${role === filter}>${message(role === "none" ? "roles.none" : `role.${role}`)}</option>`)}
        </select>
        <label class="muted" for="sort">${message("order.sort")}</label>
        <select id="sort" @change=${({ target }: Event) => session.update({ headSort: valueOf(target, HEAD_SORTS) ?? sort })}>
          ${HEAD_SORTS.map((value) => (isRole(value) ? nothing : sortOption(value, message(`order.${value}`))))}
          <optgroup label=${message("order.role")}>
            ${ROLES.map(({ role }) => sortOption(role, message(`role.${role}`)))}
          </optgroup>
        </select>
      </div>
      ${
        ranked?.length === 0
          ? html`<p class="small next" role="status">${message("order.noHead")} <button @click=${() => session.update({ roleFilter: null })}>${message("order.showAll")}</button></p>`
          : note
            ? html`<p class="small muted next">${note}</p>`
            : nothing
      }`;
  }

  private renderShown(shown: HeadRef): TemplateResult {
    const { state, sizes, stacks } = this.session;
    const silenced = isSilenced(state.edits, shown);
    const alone = isSolo(state.edits, shown, sizes);
    return html`<div class="head inline ruled">
        <h2>${message("head.title", { layer: shown.layer + 1, head: shown.head + 1 })}</h2>
        ${stacks.length > 1 ? html`<span class="small muted">${message(`stack.${shown.stack}`)}</span>` : nothing}
        <button class="link" aria-pressed=${silenced} @click=${() => this.change(toggleHead, shown)}>
          ${message(silenced ? "head.wake" : "head.silence")}
        </button>
        ${
          (sizes[shown.stack]?.heads ?? 0) > 1
            ? html`<button class="link" aria-pressed=${alone} @click=${() => this.change(toggleSolo, shown)}>
              ${message(alone ? "head.wakeOthers" : "head.solo")}
            </button>`
            : nothing
        }
        ${silenced ? html`<p class="small muted">${message("head.silenced")}</p>` : nothing}
      </div>
      <div class="role">${headRole(this.session)}</div>`;
  }

  private change(toggle: typeof toggleHead, head: HeadRef): void {
    const { state, sizes } = this.session;
    this.session.update({ edits: toggle(state.edits, head, sizes) });
  }

  private renderLike(): TemplateResult | typeof nothing {
    const { chosen: head, likeness, first } = this.session;
    if (!head || !likeness || first) return nothing;
    const near = nearest(likeness, head);
    const leave = (): void => this.preview(null);
    return html`<details class="like" .open=${!this.folded}>
      <summary><h2>${message("like.title", { layer: head.layer + 1, head: head.head + 1 })}</h2></summary>
      ${
        near.length > 0
          ? html`<ol @pointerleave=${leave} @focusout=${leave}>${near.map((one) => this.renderNear(one))}</ol>
            <p class="small muted">${message("like.hint", { most: formatFixed(LARGEST) })}</p>`
          : html`<p class="small muted">${message("like.none")}</p>`
      }
    </details>`;
  }

  private renderNear({ layer, head, divergence }: Near): TemplateResult {
    const { session } = this;
    const point = ({ pointerType }: PointerEvent): void => {
      if (pointerType !== "touch") this.preview({ layer, head });
    };
    return html`<li>
      <button @click=${() => session.update({ layer, head })} @focus=${() => this.preview({ layer, head })} @pointerenter=${point}>
        <span>${message("head.title", { layer: layer + 1, head: head + 1 })}</span>
        <span class="caption cut small muted" title=${session.captions?.[layer]?.[head] ?? nothing}>${roleWords(session.roles?.[layer]?.[head])}</span>
        <span data-divergence>${formatFixed(divergence)}</span>
      </button>
    </li>`;
  }

  private preview(head: HeadDetail | null): void {
    emit(this, "headscope-head-hover", head);
  }
}

function isRole(sort: HeadSort): sort is Role {
  return ROLES.some(({ role }) => role === sort);
}

/** The role's short name, as in the grid, and its score. */
function roleWords(worn: HeadRole | undefined): TemplateResult | typeof nothing {
  if (!worn) return nothing;
  const { role, score } = worn;
  return html`<span>${message(role === "none" ? "roles.none" : `role.${role}.short`)}</span>${score === null ? nothing : html` <span>${formatFixed(score, SCORE_DIGITS)}</span>`}`;
}

type Near = HeadLikeness & { divergence: number };

/** The most similar first, without the head itself and without those that cannot be compared. */
function nearest(likeness: readonly HeadLikeness[], { layer, head }: HeadRef): Near[] {
  const others = likeness.filter(
    (one): one is Near => one.divergence !== null && (one.layer !== layer || one.head !== head),
  );
  return others.toSorted((one, other) => one.divergence - other.divergence).slice(0, LISTED);
}

/** The role of the head that is shown, its score on held-out text and on the present one, and what the role means. */
function headRole({ shown, heldOut: ofStack, measured, computation }: Session): TemplateResult {
  const heldOut = (shown && ofStack?.[shown.layer]?.[shown.head]) ?? null;
  const here = measured?.roles ?? null;
  const { notes = null, notesProblem: problem = null } = computation.model ?? {};
  if (!heldOut) {
    const role = here && assignedRole(here);
    return html`<p class="small muted">${problem === null ? message("roles.unavailable") : message("roles.problem", { problem })}</p>
      ${role ? html`<p class="small">${message("roles.hereOnly", { role: message(`role.${role}`), score: score(here[role]) })}</p>` : nothing}
      ${scoreTable(role, null, here)}`;
  }
  const role = assignedRole(heldOut);
  const where =
    role === "induction"
      ? message("roles.repeated")
      : message("roles.heldOut", { count: notes?.heldOut.sentences ?? 0 });
  return html`<p class="name serif">${message(role ? `role.${role}` : "roles.none")}</p>
    ${
      role
        ? html`<dl class="small">
          <dt>${where}</dt>
          <dd data-role="held-out">${score(heldOut[role])}</dd>
          <dt>${message("roles.hereLong")}</dt>
          <dd data-role="here">${score(here?.[role])}</dd>
        </dl>`
        : nothing
    }
    <p class="small muted">${message(role ? `role.${role}.meaning` : "role.none.meaning")}</p>
    ${scoreTable(role, heldOut, here)}`;
}

/** Every role that is defined for the head, on held-out text and on the present one. */
function scoreTable(
  assigned: Role | null,
  heldOut: RoleScores | null,
  here: RoleScores | null,
): TemplateResult | typeof nothing {
  const defined = ROLES.filter(({ role }) => typeof (heldOut ?? here)?.[role] === "number");
  if (defined.length === 0) return nothing;
  const columns = [
    "roles.role",
    ...(heldOut ? (["roles.before"] as const) : []),
    "roles.here",
    "roles.threshold",
  ] as const;
  return html`<details class="small">
    <summary>${message("roles.all")}</summary>
    <table>
      <tr>${columns.map((column) => html`<th scope="col">${message(column)}</th> `)}</tr>
      ${defined.map(
        ({ role, threshold }) =>
          html`<tr class=${role === assigned ? "assigned" : ""} title=${message(`role.${role}.meaning`)}>
            <th scope="row">${message(`role.${role}`)}</th>
            ${heldOut ? html`<td>${score(heldOut[role])}</td>` : nothing}
            <td>${score(here?.[role])}</td>
            <td>${score(threshold)}</td>
          </tr>
          <tr class="formula"><td colspan=${columns.length}>${ROLE_FORMULAS[role]}</td></tr>`,
      )}
    </table>
    <p class="muted">${message("roles.formulas")}</p>
  </details>`;
}

function score(value: number | null | undefined): string {
  return typeof value === "number" ? formatFixed(value, SCORE_DIGITS) : "–";
}
