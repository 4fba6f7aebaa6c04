import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, state } from "lit/decorators.js";
import type { DirectiveResult } from "lit/directive.js";
import { guard } from "lit/directives/guard.js";
import {
  reachedRoles,
  type HeadDivergence,
  type HeadRef,
  JOINED,
  type Role,
  ROLES,
  type RoleScores,
  type Stack,
} from "../data/index.js";
import { emit, type HeadDetail, type HeadSoloDetail } from "../elements/events.js";
import "../elements/grid/element.js";
import type { Model } from "../headscope.js";
import { formatFixed, language, laterMessage, message } from "../i18n/index.js";
import {
  type BundledModel,
  HEAD_SORTS,
  type HeadSort,
  isAblated,
  isSolo,
  ROLE_FILTERS,
  type RoleFilter,
  toggleHead,
  toggleSolo,
} from "../state/index.js";
import { choice } from "../ui/choice.js";
import { isHere } from "../session/models/addresses.js";
import { modelLabel, stacksWith } from "../session/models/models.js";
import { noteWords, roleInQuestion, scoreWords } from "../session/run/head-order.js";
import { joinedIn } from "../session/run/selection.js";
import { SessionPart } from "../session/session.js";
import { derived } from "../signals.js";
import { Later } from "../ui/lazy.js";
import { valueOf } from "./controls.js";
import styles from "./heads-panel.css?inline";

const ROLE_TABLE = new Later(() => import("./role-table.js"), "roles");
const STUDIES = new Later(() => import("./head-studies.js"), "roles");
const LISTED = 5;
/** The most roles of a head that are explained. */
const MOST_ROLES = 2;

const ORDERS = HEAD_SORTS.filter(
  (sort): sort is Exclude<HeadSort, Role> => !ROLES.some(({ role }) => role === sort),
);

/** The stack of a bundled model that is opened for its heads of a role. */
interface Sought {
  name: BundledModel;
  stack: Stack;
  filter: RoleFilter;
  /** The model in use that another one replaces; null where the stack is one of the same model. */
  before: Model | null;
}

/**
 * The heads: the stack, the thumbnails in the chosen order, the shown head with its role, and the
 * heads most similar to the chosen one. Pointing at a head shows its picture, a click chooses it.
 */
@customElement("headscope-heads-panel")
export class HeadscopeHeadsPanel extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** What is open of the details of the shown head. */
  @state() private opened: Partial<Record<"all" | "typical", boolean>> = {};
  /** The stack that was opened for its heads of a role, until its first one is chosen. */
  private sought: Sought | null = null;

  protected override updated(): void {
    this.chooseSought();
  }

  override render(): TemplateResult {
    const { session } = this;
    const { stacks, stack, shown, first, ranked, state, thumbnails, knownRoles } = session;
    const { headSort: sort } = state;
    const filter = knownRoles ? state.roleFilter : null;
    const basis = knownRoles?.basis ?? "heldOut";
    const note = ranked && noteWords(filter, sort, basis);
    const named = (one: Stack): string => message(`stack.${one}`);
    return html`
      ${
        stacks.length > 1
          ? choice(
              message("stack.label"),
              stacks,
              stack,
              named,
              (chosen) => session.update({ stack: chosen, locked: null }),
              "tabs",
            )
          : html`<h2>${named(stack)}</h2>`
      }
      <p class="hint small muted next">
        ${message(
          stacks.length > 1 || stack === "cross" ? `stack.${stack}.hint` : `stack.${stack}.alone`,
        )}
      </p>
      ${guard([language(), sort, filter, knownRoles === null], () =>
        this.renderOrder(sort, filter, knownRoles !== null),
      )}
      ${
        ranked?.length === 0
          ? html`<p class="small next" role="status">
                ${laterMessage("notices", "order.noHead")}
                <button @click=${() => session.update({ roleFilter: null })}>
                  ${laterMessage("notices", "order.showAll")}
                </button>
              </p>
              ${filter && this.renderElsewhere(filter)}`
          : note && html`<p class="small muted next">${note}</p>`
      }
      <headscope-grid
        ?inert=${first !== null}
        .thumbnails=${thumbnails}
        .selected=${first?.head ?? session.chosen}
        .ablated=${session.ablated}
        .captions=${session.captions}
        .basis=${basis}
        .roles=${ranked && roleInQuestion(state.roleFilter, sort) ? null : session.roles}
        .order=${ranked}
        .measures=${session.measures}
        .stack=${stack}
        .colours=${state.colours}
        @headscope-head-select=${({ detail: { layer, head } }: CustomEvent<HeadDetail>) =>
          session.update({ layer, head, joined: null })}
        @headscope-head-toggle=${({ detail }: CustomEvent<HeadDetail>) =>
          this.change(toggleHead, { stack, ...detail })}
        @headscope-head-solo=${({ detail: { layer, head } }: CustomEvent<HeadSoloDetail>) =>
          this.change(toggleSolo, { stack, layer, head })}
      ></headscope-grid>
      ${first ? nothing : this.renderJoined()} ${this.renderStudy()}
      ${shown ? this.renderShown(shown) : nothing} ${this.renderLike()}
    `;
  }

  /** Renders the choice of the heads by their role, and of their order. */
  private renderOrder(sort: HeadSort, filter: RoleFilter | null, isKnown: boolean): TemplateResult {
    const { session } = this;
    const option = (value: HeadSort, words: string): TemplateResult =>
      html`<option value=${value} .selected=${value === sort}>${words}</option>`;
    return html`<div class="order far">
      <label class="muted" for="filter">${message("order.filter")}</label>
      <select
        id="filter"
        ?disabled=${!isKnown}
        @change=${({ target }: Event) =>
          session.update({ roleFilter: valueOf(target, ROLE_FILTERS) ?? null })}
      >
        <option value="" .selected=${filter === null}>${message("order.all")}</option>
        ${ROLE_FILTERS.map(
          (role) =>
            html`<option value=${role} .selected=${role === filter}>
              ${message(role === "none" ? "roles.none" : `role.${role}`)}
            </option>`,
        )}
      </select>
      <label class="muted" for="sort">${message("order.sort")}</label>
      <select
        id="sort"
        @change=${({ target }: Event) =>
          session.update({ headSort: valueOf(target, HEAD_SORTS) ?? sort })}
      >
        ${ORDERS.map((one) => option(one, message(`order.${one}`)))}
        <optgroup label=${message("order.role")}>
          ${ROLES.map(({ role }) => option(role, message(`role.${role}`)))}
        </optgroup>
      </select>
    </div>`;
  }

  /**
   * Renders the choice of several heads whose patterns are shown as one, or of the gradients of one
   * head.
   */
  private renderJoined(): DirectiveResult {
    const { session } = this;
    const { state, stack } = session;
    const layer = (session.chosen?.layer ?? 0) + 1;
    const isGradient = state.joined === null && state.stage === "gradient";
    const choose = ({ target }: Event): void => {
      const joined = valueOf(target, JOINED) ?? null;
      const stage = valueOf(target, ["gradient"] as const);
      if (joined || stage)
        session.update({ joined, picture: "heatmap", compare: null, ...(stage && { stage }) });
      else session.update({ joined, ...(isGradient && { stage: "weights" }) });
    };
    const canPredict = session.info?.predicts === true;
    const inputs = [language(), stack, layer, state.joined, isGradient, canPredict];
    return guard(
      inputs,
      () =>
        html`<div class="inline small next">
          <label class="muted" for="joined">${message("joined.label")}</label>
          <select id="joined" @change=${choose}>
            <option value="" .selected=${state.joined === null}>${message("joined.none")}</option>
            ${
              canPredict
                ? html`<option value="gradient" .selected=${isGradient}>
                    ${message("joined.gradient")}
                  </option>`
                : nothing
            }
            ${joinedIn(stack).map(
              (one) =>
                html`<option value=${one} .selected=${one === state.joined}>
                  ${message(`joined.${one}`, { layer })}
                </option>`,
            )}
          </select>
        </div>`,
    );
  }

  /** Renders what was studied of the heads beyond the present text, and the offer to do so. */
  private renderStudy(): TemplateResult | typeof nothing {
    const { session } = this;
    const { knownRoles, studying, studiedHere } = session;
    return studying || studiedHere || knownRoles?.basis === "here"
      ? STUDIES.show(this, ({ renderStudies }) => renderStudies(session))
      : nothing;
  }

  /** Renders buttons to the stacks of bundled models that have a head of the filtered role. */
  private renderElsewhere(filter: RoleFilter): TemplateResult {
    const places = stacksWith(filter).filter(({ name }) => isHere(name));
    const open = ({ name, stack }: (typeof places)[number]): void => {
      const { session } = this;
      const before = name === session.state.model ? null : session.computation.model;
      session.switchTo(name);
      session.update({ stack, locked: null });
      this.sought = { name, stack, filter, before };
    };
    return html`<p class="small next">
      ${message(places.length > 0 ? "order.elsewhere" : "order.nowhere")}
      ${places.map(
        (place) =>
          html`<button class="act" @click=${() => open(place)}>
            ${modelLabel(place.name)}: ${message(`stack.${place.stack}`)}
          </button> `,
      )}
    </p>`;
  }

  /** Chooses the first head of the filtered role, once the heads of the opened stack are there. */
  private chooseSought(): void {
    const { sought, session } = this;
    if (!sought) return;
    const { state, stack, ranked, computation } = session;
    if (state.model !== sought.name || state.roleFilter !== sought.filter) this.sought = null;
    else if (computation.model !== sought.before && stack === sought.stack && ranked?.[0]) {
      const [{ layer, head }] = ranked;
      this.sought = null;
      session.update({ layer, head, joined: null });
    }
  }

  /** Whether the shown head is ablated, or alone in its layer; a blocked cell changes neither. */
  @derived private get shownEdits(): { ablated: boolean; alone: boolean } {
    const { shown, sizes, state } = this.session;
    return {
      ablated: shown !== null && isAblated(state.edits, shown),
      alone: shown !== null && isSolo(state.edits, shown, sizes),
    };
  }

  /**
   * Renders the shown head: its edits, its roles with what they were measured on, and their
   * meanings.
   */
  private renderShown(shown: HeadRef): TemplateResult {
    const { sizes, stacks, knownRoles, measured, computation } = this.session;
    const { ablated, alone } = this.shownEdits;
    const button = (toggle: typeof toggleHead, on: boolean, words: string): TemplateResult =>
      html`<button class="act" aria-pressed=${on} @click=${() => this.change(toggle, shown)}>
        ${words}
      </button>`;
    const { notes, notesProblem: problem = null } = computation.model ?? {};
    const basis = knownRoles?.basis ?? "here";
    const known = knownRoles?.scores[shown.layer]?.[shown.head] ?? null;
    const here = measured?.roles ?? null;
    const roles = known ? reachedRoles(known) : [];
    const { texts = null } = knownRoles ?? {};
    const where = (role: Role): string => {
      if (basis === "here") return message("roles.hereLong");
      if (texts) return message("studies.on", { name: texts.name, count: texts.count });
      if (role === "induction") return message("roles.repeated");
      const count = notes?.heldOut.sentences ?? 0;
      return message(basis === "sample" ? "roles.sample" : "roles.heldOut", { count });
    };
    const one = (role: Role): TemplateResult =>
      html`<p class="name serif">${message(`role.${role}`)}</p>
        <dl class="small">
          <dt>${where(role)}</dt>
          <dd data-role=${basis === "here" ? "here" : "held-out"}>${scoreWords(known?.[role])}</dd>
          ${
            basis === "here"
              ? nothing
              : html`<dt>${message("roles.hereLong")}</dt>
                  <dd data-role="here">${scoreWords(here?.[role])}</dd>`
          }
        </dl>
        <p class="small muted">${message(`role.${role}.meaning`)}</p>`;
    const facts = html`${
      roles.length > 0
        ? roles.slice(0, MOST_ROLES).map(one)
        : known
          ? html`<p class="name serif">${message("roles.none")}</p>
              <p class="small muted">${message("role.none.meaning")}</p>`
          : nothing
    }
    ${
      problem === null
        ? nothing
        : html`<p class="small muted">${message("roles.problem", { problem })}</p>`
    }`;
    const [role = null] = roles;
    const before = basis === "here" ? null : known;
    return html`<div class="head inline baseline ruled">
        <h2>${message("head.title", { layer: shown.layer + 1, head: shown.head + 1 })}</h2>
        ${
          stacks.length > 1
            ? html`<span class="small muted">${message(`stack.${shown.stack}`)}</span>`
            : nothing
        }
        ${button(toggleHead, ablated, message(ablated ? "head.wake" : "head.ablate"))}
        ${
          (sizes[shown.stack]?.heads ?? 0) > 1
            ? button(toggleSolo, alone, message(alone ? "head.wakeOthers" : "head.solo"))
            : nothing
        }
        <button
          class="act"
          title=${message("head.besideHint")}
          @click=${() => this.setBeside(shown)}
        >
          ${message("head.beside")}
        </button>
        ${ablated ? html`<p class="small muted">${message("head.ablated")}</p>` : nothing}
      </div>
      <div class="role apart">
        ${facts} ${this.renderRoleTable(role, before, here)} ${this.renderTypical(shown)}
      </div>`;
  }

  /** Renders every role that is defined for the head, behind a word. */
  private renderRoleTable(
    assigned: Role | null,
    heldOut: RoleScores | null,
    here: RoleScores | null,
  ): TemplateResult | typeof nothing {
    const defined = ROLES.filter(({ role }) => typeof (heldOut ?? here)?.[role] === "number");
    if (defined.length === 0) return nothing;
    return this.renderDetails("all", () =>
      ROLE_TABLE.show(this, ({ roleTable }) => roleTable(defined, assigned, heldOut, here)),
    );
  }

  /**
   * Renders the sentences on which the head plays its role most and least, and the choice of a file
   * of texts, behind a word.
   */
  private renderTypical(shown: HeadRef): TemplateResult | typeof nothing {
    const { session } = this;
    const { model } = session.computation;
    const readsTexts = model?.hasTokenizer === true && !model.info.image;
    if (!readsTexts && !model?.notes?.typical?.[shown.stack]?.[shown.layer]?.[shown.head])
      return nothing;
    return this.renderDetails("typical", () =>
      STUDIES.show(this, ({ typicalSentences }) => typicalSentences(session, shown)),
    );
  }

  private renderDetails(
    name: "all" | "typical",
    content: () => TemplateResult | typeof nothing,
  ): TemplateResult {
    const follow = ({ target }: Event): void =>
      void (this.opened = { ...this.opened, [name]: (target as HTMLDetailsElement).open });
    return html`<details class="small" @toggle=${follow}>
      <summary>${message(`roles.${name}`)}</summary>
      ${this.opened[name] === true ? content() : nothing}
    </details>`;
  }

  /** Makes a head the second of a comparison; the first is any that is chosen from then on. */
  private setBeside({ stack, layer, head }: HeadRef): void {
    const { store, state } = this.session;
    const alone = { otherText: null, otherTarget: null, otherModel: null, pairs: [] };
    const otherHead = { stack, layer, head };
    store.step({ compare: "other", ...(state.compare === "other" ? {} : alone), otherHead });
  }

  private change(toggle: typeof toggleHead, head: HeadRef): void {
    const { state, sizes } = this.session;
    this.session.update({ edits: toggle(state.edits, head, sizes) });
  }

  /** Renders the heads most similar to the chosen one, without those that cannot be compared. */
  private renderLike(): TemplateResult | typeof nothing {
    const { session } = this;
    const { chosen, divergences, first } = session;
    if (!chosen || !divergences || first) return nothing;
    const title = (at: HeadDetail, key: "head.title" | "like.title" = "head.title"): string =>
      message(key, { layer: at.layer + 1, head: at.head + 1 });
    const near = divergences
      .filter((one): one is HeadDivergence & { divergence: number } => one.divergence !== null)
      .filter(({ layer, head }) => layer !== chosen.layer || head !== chosen.head)
      .toSorted((one, other) => one.divergence - other.divergence)
      .slice(0, LISTED);
    const preview = (at: HeadDetail | null): void => emit(this, "headscope-head-hover", at);
    const leave = (): void => preview(null);
    const item = ({ layer, head, divergence }: (typeof near)[number]): TemplateResult => {
      const at = { layer, head };
      const role = session.roles?.[layer]?.[head];
      return html`<li>
        <button
          @click=${() => session.update(at)}
          @focus=${() => preview(at)}
          @pointermove=${(event: PointerEvent) => event.pointerType !== "touch" && preview(at)}
        >
          <span>${title(at)}</span>
          <span
            class="caption cut small muted"
            title=${session.captions?.[layer]?.[head] ?? nothing}
            >${
              role
                ? html`<span
                      >${message(
                        role.role === "none" ? "roles.none" : `role.${role.role}.short`,
                      )}</span
                    >
                    <span>${role.score === null ? nothing : scoreWords(role.score)}</span>`
                : nothing
            }</span
          >
          <span data-divergence>${formatFixed(divergence)}</span>
        </button>
      </li>`;
    };
    return html`<details class="like far">
      <summary><h2>${title(chosen, "like.title")}</h2></summary>
      ${
        near.length > 0
          ? html`<ol @pointerleave=${leave} @focusout=${leave}>
              ${near.map(item)}
            </ol>`
          : nothing
      }
      <p class="small muted">
        ${
          near.length > 0
            ? message("like.hint", { most: formatFixed(Math.LN2) })
            : message("like.none")
        }
      </p>
    </details>`;
  }
}
