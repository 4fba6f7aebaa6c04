import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { type HeadLikeness, type HeadRef, type Role, ROLES } from "../../data/index.js";
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
import { factsStyles, foldStyles, partStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import { noteWords, roleInQuestion } from "../run/head-order.js";
import { SessionPart } from "../session.js";
import "./embed-buttons.js";
import { valueOf } from "./controls.js";
import { headRole, roleStyles } from "./head-role.js";

/** How many of the most similar heads are listed. */
const LISTED = 5;
/** How many decimals a score has, as in the grid. */
const SCORE_DIGITS = 2;
/** The largest divergence there is, in nats. */
const LARGEST = Math.LN2;

const EMBEDDED = [["grid", "embed.copyGrid"]] as const;

const headsPanelStyles = css`
  headscope-grid {
    margin: 16px 0 20px;
  }

  .order {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 4px 12px;
    align-items: center;
    margin-top: 16px;
  }

  .order select {
    width: 100%;
    border-bottom: 1px solid var(--headscope-line);
    border-radius: 0;
  }

  .head {
    align-items: baseline;
    gap: 0 12px;
    padding-top: 16px;
    border-top: 1px solid var(--headscope-line);
  }

  .role {
    margin-top: 12px;
  }

  .like,
  headscope-embed-buttons {
    margin-top: 20px;
  }

  .like > summary {
    margin: 0;
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
    min-height: 28px;
  }

  .caption {
    display: flex;
    gap: 4px;
    white-space: nowrap;
  }

  /* In a narrow column the name is cut, not its score. */
  .caption :first-child {
    overflow: hidden;
    text-overflow: ellipsis;
  }
`;

/**
 * The stack, the small pictures of its heads in the order that is asked for, the head that is shown with its role, and
 * the heads most similar to the chosen one. Pointing at a head shows its picture, a click chooses it.
 */
@customElement("headscope-heads-panel")
export class HeadscopeHeadsPanel extends SessionPart {
  static override styles = [partStyles, factsStyles, foldStyles, roleStyles, headsPanelStyles];

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
          ? choice({
              label: message("stack.label"),
              look: "tabs",
              values: stacks,
              value: stack,
              show: (one) => message(`stack.${one}`),
              choose: (chosen) => session.update({ stack: chosen, locked: null }),
            })
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
        .worn=${ranked && roleInQuestion(state.roleFilter, state.headSort) ? null : session.worn}
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
          ? html`<p class="small next" role="status">${message("order.nobody")} <button @click=${() => session.update({ roleFilter: null })}>${message("order.showAll")}</button></p>`
          : note
            ? html`<p class="small muted next">${note}</p>`
            : nothing
      }`;
  }

  private renderShown(shown: HeadRef): TemplateResult {
    const { state, sizes, stacks } = this.session;
    const silenced = isSilenced(state.edits, shown);
    const alone = isSolo(state.edits, shown, sizes);
    return html`<div class="head inline">
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

  /** The heads whose weights are most similar to the chosen one's. */
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
      <button class="numbers" @click=${() => session.update({ layer, head })} @focus=${() => this.preview({ layer, head })} @pointerenter=${point}>
        <span>${message("head.title", { layer: layer + 1, head: head + 1 })}</span>
        <span class="caption small muted" title=${session.captions?.[layer]?.[head] ?? nothing}>${roleWords(session.worn?.[layer]?.[head])}</span>
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
