import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadLikeness, HeadRef } from "../../data/index.js";
import { emit, type HeadDetail, type HeadSoloDetail } from "../../elements/events.js";
import type { WornScore } from "../../elements/grid/element.js";
import "../../elements/grid/element.js";
import { formatFixed, message } from "../../i18n/index.js";
import { isSilenced, isSolo, toggleHead, toggleSolo } from "../../state/index.js";
import { foldStyles, partStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import { roleInQuestion } from "../run/head-order.js";
import { SessionPart } from "../session.js";
import "./embed-buttons.js";
import "./head-order.js";

/** How many heads are listed. */
const LISTED = 5;
/** How many decimals a score has, as in the grid. */
const SCORE_DIGITS = 2;
/** The largest divergence there is, in nats. */
const MOST = Math.LN2;

/** The heads whose weights are most like the chosen one's. Pointing at one shows its picture, a click chooses it. */
@customElement("headscope-like-heads")
export class HeadscopeLikeHeads extends SessionPart {
  static override styles = [
    partStyles,
    foldStyles,
    css`
      summary {
        margin: 0;
        color: inherit;
      }

      summary h2 {
        display: inline;
      }

      ol {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        margin: 8px 0;
        padding: 0;
        list-style: none;
      }

      li {
        display: grid;
        grid-column: 1 / -1;
        grid-template-columns: subgrid;
      }

      button {
        display: grid;
        grid-column: 1 / -1;
        grid-template-columns: subgrid;
        gap: 12px;
        align-items: baseline;
        min-height: 28px;
        text-align: left;
        font-variant-numeric: tabular-nums;
      }

      .caption {
        display: flex;
        gap: 4px;
        white-space: nowrap;
      }

      /* Where room is short, a name is cut and never its score. */
      .role {
        overflow: hidden;
        text-overflow: ellipsis;
      }
    `,
  ];

  /** Where the parts of the page take turns, the list is folded. */
  @property({ type: Boolean }) folded = false;

  override render(): TemplateResult | typeof nothing {
    const { chosen: head, likeness, first } = this.session;
    if (!head || !likeness || first) return nothing;
    const near = nearest(likeness, head);
    return html`<details .open=${!this.folded}>
      <summary><h2>${message("like.title", { layer: head.layer + 1, head: head.head + 1 })}</h2></summary>
      ${
        near.length > 0
          ? html`<ol @pointerleave=${this.leave} @focusout=${this.leave}>${near.map((one) => this.renderHead(one))}</ol>
            <p class="small muted">${message("like.hint", { most: formatFixed(MOST) })}</p>`
          : html`<p class="small muted">${message("like.none")}</p>`
      }
    </details>`;
  }

  private renderHead({ layer, head, divergence }: Near): TemplateResult {
    const place = { layer, head };
    const preview = (): void => emit(this, "headscope-head-hover", place);
    return html`<li>
      <button
        @click=${() => this.session.update(place)}
        @focus=${preview}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== "touch") preview();
        }}
      >
        <span>${message("head.title", { layer: layer + 1, head: head + 1 })}</span>
        <span class="caption small muted" title=${this.session.captions?.[layer]?.[head] ?? nothing}>${wornWords(this.session.worn?.[layer]?.[head])}</span>
        <span data-divergence>${formatFixed(divergence)}</span>
      </button>
    </li>`;
  }

  private readonly leave = (): void => {
    emit(this, "headscope-head-hover", null);
  };
}

/** The name as short as below the pictures of the grid, and the score. */
function wornWords(worn: WornScore | undefined): TemplateResult | typeof nothing {
  if (!worn) return nothing;
  const { role, score } = worn;
  return html`<span class="role">${message(role === "none" ? "roles.none" : `role.${role}.short`)}</span>${score === null ? nothing : html` <span>${formatFixed(score, SCORE_DIGITS)}</span>`}`;
}

type Near = HeadLikeness & { divergence: number };

/** The most alike first, without the head itself and without those that cannot be compared. */
function nearest(likeness: readonly HeadLikeness[], { layer, head }: HeadRef): Near[] {
  const others = likeness.filter(
    (one): one is Near => one.divergence !== null && (one.layer !== layer || one.head !== head),
  );
  return others.toSorted((one, other) => one.divergence - other.divergence).slice(0, LISTED);
}

const EMBEDDED = [["grid", "embed.copyGrid"]] as const;

/** Which stack, and which head of it: small pictures of all heads. Hovering fires the grid's own events. */
@customElement("headscope-heads-panel")
export class HeadscopeHeadsPanel extends SessionPart {
  static override styles = [
    partStyles,
    css`
      headscope-grid {
        margin: 16px 0 20px;
      }

      .hint {
        margin-top: 8px;
      }

      .head {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 0 12px;
        padding-top: 16px;
        border-top: 1px solid var(--headscope-line);
      }

      headscope-head-order {
        margin-top: 16px;
      }

      headscope-head-role {
        margin-top: 12px;
      }

      headscope-like-heads,
      headscope-embed-buttons {
        margin-top: 20px;
      }

      .head button {
        color: var(--headscope-accent);
      }
    `,
  ];

  /** Whether the parts of the page take turns. */
  @property({ type: Boolean }) folded = false;

  override render(): TemplateResult {
    const { session } = this;
    const { stacks, stack, shown, first, ranked, state, thumbnails } = session;
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
      <p class="hint small muted">${this.hint}</p>
      <headscope-head-order></headscope-head-order>
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
      <headscope-like-heads .folded=${this.folded}></headscope-like-heads>
      <headscope-embed-buttons class="small muted" .shown=${first ? null : thumbnails && state} .kinds=${EMBEDDED} .linkCopied=${session.links.linkCopied}></headscope-embed-buttons>
    `;
  }

  /** In a model of one stack there is no translation to speak of. */
  private get hint(): string {
    const { stack, stacks } = this.session;
    return message(
      stacks.length > 1 || stack === "cross" ? `stack.${stack}.hint` : `stack.${stack}.alone`,
    );
  }

  private renderShown(shown: HeadRef): TemplateResult {
    const { state, sizes, stacks } = this.session;
    const silenced = isSilenced(state.edits, shown);
    const alone = isSolo(state.edits, shown, sizes);
    return html`<div class="head">
      <h2>${message("head.title", { layer: shown.layer + 1, head: shown.head + 1 })}</h2>
      ${stacks.length > 1 ? html`<span class="small muted">${message(`stack.${shown.stack}`)}</span>` : nothing}
      <button aria-pressed=${silenced} @click=${() => this.change(toggleHead, shown)}>
        ${message(silenced ? "head.wake" : "head.silence")}
      </button>
      ${
        (sizes[shown.stack]?.heads ?? 0) > 1
          ? html`<button aria-pressed=${alone} @click=${() => this.change(toggleSolo, shown)}>
            ${message(alone ? "head.wakeOthers" : "head.solo")}
          </button>`
          : nothing
      }
      ${silenced ? html`<p class="small muted">${message("head.silenced")}</p>` : nothing}
      </div>
      <headscope-head-role></headscope-head-role>`;
  }

  private change(toggle: typeof toggleHead, head: HeadRef): void {
    const { state, sizes } = this.session;
    this.session.update({ edits: toggle(state.edits, head, sizes) });
  }
}
