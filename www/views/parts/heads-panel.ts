import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type {
  HeadLikeness,
  HeadMeasures,
  HeadRef,
  ModelNotes,
  Palette,
  RoleScores,
  Stack,
  Tensor,
} from "../../data/index.js";
import { emit, type HeadDetail, type HeadSoloDetail } from "../../elements/events.js";
import type { RankedHead, WornScore } from "../../elements/grid/element.js";
import "../../elements/grid/element.js";
import { Memo } from "../../elements/shared/controllers.js";
import { formatFixed, language, message } from "../../i18n/index.js";
import {
  type EditLists,
  type HeadSort,
  isSilenced,
  isSolo,
  NO_EDITS,
  type RoleFilter,
  STACKS,
  type StackSizes,
  type State,
  toggleHead,
  toggleSolo,
} from "../../state/index.js";
import { foldStyles, partStyles } from "../../ui/base-styles.js";
import { choice } from "../../ui/choice.js";
import { PagePart } from "../../ui/page-part.js";
import { rankHeads, roleInQuestion } from "../run/head-order.js";
import "./embed-buttons.js";
import { patch } from "./events.js";
import "./head-order.js";

/** How many heads are listed. */
const LISTED = 5;
/** How many decimals a score has, as in the grid. */
const SCORE_DIGITS = 2;
/** The largest divergence there is, in nats. */
const MOST = Math.LN2;

/** The heads whose weights are most like the chosen one's. Pointing at one shows its picture, a click chooses it. */
@customElement("headscope-like-heads")
export class HeadscopeLikeHeads extends PagePart {
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

  /** The head that the others are like. */
  @property({ attribute: false }) head: HeadRef | null = null;
  /** How unlike every head of its stack is to it; null until that was read. */
  @property({ attribute: false }) likeness: readonly HeadLikeness[] | null = null;
  /** The role that each head of the stack wears. */
  @property({ attribute: false }) worn: readonly (readonly WornScore[])[] | null = null;
  /** The same in full words, for whoever points at it. */
  @property({ attribute: false }) captions: readonly (readonly string[])[] | null = null;

  /** Where the parts of the page take turns, the list is folded. */
  @property({ type: Boolean }) folded = false;

  override render(): TemplateResult | typeof nothing {
    const { head, likeness } = this;
    if (!head || !likeness) return nothing;
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
        @click=${() => patch(this, place)}
        @focus=${preview}
        @pointerenter=${(event: PointerEvent) => {
          if (event.pointerType !== "touch") preview();
        }}
      >
        <span>${message("head.title", { layer: layer + 1, head: head + 1 })}</span>
        <span class="caption small muted" title=${this.captions?.[layer]?.[head] ?? nothing}>${wornWords(this.worn?.[layer]?.[head])}</span>
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
export class HeadscopeHeadsPanel extends PagePart {
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

  @property({ attribute: false }) stacks: readonly Stack[] = STACKS;
  @property() stack: Stack = "encoder";
  /** The head that was chosen. */
  @property({ attribute: false }) chosen: HeadRef | null = null;
  /** The head that the picture shows: the one under the pointer, or else the chosen one. */
  @property({ attribute: false }) shown: HeadRef | null = null;
  @property({ attribute: false }) thumbnails: Tensor | null = null;
  /** Whether they were computed before there was a model, which nothing can be asked of yet. */
  @property({ type: Boolean }) early = false;
  @property({ attribute: false }) silenced: HeadDetail[] = [];
  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  /** How many layers and heads each stack of the model has. */
  @property({ attribute: false }) sizes: StackSizes = {};
  /** Before there is a model. */
  @property({ type: Boolean }) loading = false;
  /** What is known of the model's heads from held-out text, or why it is not. */
  @property({ attribute: false }) notes: ModelNotes | null = null;
  @property() notesProblem: string | null = null;
  /** A few words for each head of the stack. */
  @property({ attribute: false }) captions: readonly (readonly string[])[] | null = null;
  /** The role that each head of the stack wears. */
  @property({ attribute: false }) worn: readonly (readonly WornScore[])[] | null = null;
  /** How far the head that is shown plays each role, on held-out text and on the present one. */
  @property({ attribute: false }) heldOut: RoleScores | null = null;
  @property({ attribute: false }) here: RoleScores | null = null;

  @property() colours: Palette = "blue";
  /** Whether the parts of the page take turns. */
  @property({ type: Boolean }) folded = false;
  /** What the page shows, to be shown in other pages. */
  @property({ attribute: false }) state: State | null = null;
  /** Whether the link to it was copied a moment ago. */
  @property({ type: Boolean }) linkCopied = false;

  /** Which heads the grid shows, and in which order. */
  @property({ attribute: false }) filter: RoleFilter | null = null;
  @property() sort: HeadSort = "place";
  /** What every head of the stack does on the present text, and how unlike it is to the chosen one. */
  @property({ attribute: false }) measures: readonly HeadMeasures[] | null = null;
  @property({ attribute: false }) likeness: readonly HeadLikeness[] | null = null;

  private readonly ranked = new Memo<RankedHead[] | null>();

  override render(): TemplateResult {
    const { chosen, shown, stack } = this;
    const order = this.rank();
    return html`
      ${this.stacks.length > 1 ? this.renderStacks() : html`<h2>${message(`stack.${stack}`)}</h2>`}
      <p class="hint small muted">${this.hint}</p>
      <headscope-head-order .filter=${this.filter} .sort=${this.sort} .loading=${this.loading} .measured=${this.notes?.roles[stack] !== undefined} .count=${order?.length ?? null}></headscope-head-order>
      <headscope-grid
        ?inert=${this.early}
        .thumbnails=${this.thumbnails}
        .selected=${chosen}
        .silenced=${this.silenced}
        .captions=${this.captions}
        .worn=${order && roleInQuestion(this.filter, this.sort) ? null : this.worn}
        .order=${order}
        .measures=${this.measures}
        .stack=${stack}
        .colours=${this.colours}
        @headscope-head-select=${this.chooseHead}
        @headscope-head-toggle=${this.toggleHead}
        @headscope-head-solo=${this.soloHead}
      ></headscope-grid>
      ${shown ? this.renderShown(shown) : nothing}
      <headscope-like-heads .head=${this.early ? null : chosen} .likeness=${this.likeness} .worn=${this.worn} .captions=${this.captions} .folded=${this.folded}></headscope-like-heads>
      <headscope-embed-buttons class="small muted" .shown=${this.early ? null : this.thumbnails && this.state} .kinds=${EMBEDDED} .linkCopied=${this.linkCopied}></headscope-embed-buttons>
    `;
  }

  /** The same list as before for as long as nothing in it changes, so that no picture is drawn again for it. */
  private rank(): RankedHead[] | null {
    const { thumbnails, filter, sort, measures, likeness, stack } = this;
    const heldOut = this.notes?.roles[stack] ?? null;
    const [layers = 0, heads = 0] = thumbnails?.shape ?? [];
    // The words below the pictures are the language's.
    return this.ranked.get(
      [language(), layers, heads, filter, sort, heldOut, measures, likeness],
      () => rankHeads({ layers, heads }, filter, sort, { heldOut, measures, likeness }),
    );
  }

  private renderStacks(): TemplateResult {
    return choice({
      label: message("stack.label"),
      look: "tabs",
      values: this.stacks,
      value: this.stack,
      show: (stack) => message(`stack.${stack}`),
      choose: (stack) => patch(this, { stack, locked: null }),
    });
  }

  /** In a model of one stack there is no translation to speak of. */
  private get hint(): string {
    const { stack } = this;
    return message(
      this.stacks.length > 1 || stack === "cross" ? `stack.${stack}.hint` : `stack.${stack}.alone`,
    );
  }

  private renderShown(shown: HeadRef): TemplateResult {
    const silenced = isSilenced(this.edits, shown);
    const { sizes } = this;
    const count = sizes[shown.stack]?.heads ?? 0;
    const alone = isSolo(this.edits, shown, sizes);
    return html`<div class="head">
      <h2>${message("head.title", { layer: shown.layer + 1, head: shown.head + 1 })}</h2>
      ${this.stacks.length > 1 ? html`<span class="small muted">${message(`stack.${shown.stack}`)}</span>` : nothing}
      <button aria-pressed=${silenced} @click=${() => patch(this, { edits: toggleHead(this.edits, shown, sizes) })}>
        ${message(silenced ? "head.wake" : "head.silence")}
      </button>
      ${
        count > 1
          ? html`<button aria-pressed=${alone} @click=${() => patch(this, { edits: toggleSolo(this.edits, shown, sizes) })}>
            ${message(alone ? "head.wakeOthers" : "head.solo")}
          </button>`
          : nothing
      }
      ${silenced ? html`<p class="small muted">${message("head.silenced")}</p>` : nothing}
      </div>
      <headscope-head-role .heldOut=${this.heldOut} .notes=${this.notes} .problem=${this.notesProblem} .here=${this.here}></headscope-head-role>`;
  }

  private readonly chooseHead = (event: CustomEvent<HeadDetail>): void => {
    patch(this, { layer: event.detail.layer, head: event.detail.head });
  };

  private readonly soloHead = ({ detail: { layer, head } }: CustomEvent<HeadSoloDetail>): void => {
    if (this.chosen)
      patch(this, {
        edits: toggleSolo(this.edits, { stack: this.chosen.stack, layer, head }, this.sizes),
      });
  };

  private readonly toggleHead = (event: CustomEvent<HeadDetail>): void => {
    if (this.chosen)
      patch(this, {
        edits: toggleHead(this.edits, { stack: this.chosen.stack, ...event.detail }, this.sizes),
      });
  };
}
