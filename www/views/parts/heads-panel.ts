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
import "../../elements/grid/index.js";
import type { HeadDetail, HeadSoloDetail } from "../../elements/events.js";
import type { RankedHead, WornScore } from "../../elements/grid/index.js";
import { Kept } from "../../elements/shared/kept.js";
import { language, message } from "../../i18n/index.js";
import {
  isSilenced,
  isSolo,
  NO_EDITS,
  STACKS,
  toggleHead,
  toggleSolo,
  type EditLists,
  type HeadSort,
  type RoleFilter,
  type StackSizes,
  type State,
} from "../../state/index.js";
import { rankHeads, roleInQuestion } from "../run/head-order.js";
import "../../ui/choice.js";
import "./embed-buttons.js";
import { patch } from "./events.js";
import "./head-order.js";
import "./head-role.js";
import "./like-heads.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

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

  private readonly ranked = new Kept<RankedHead[] | null>();

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
    return html`<headscope-choice
      look="tabs"
      .label=${message("stack.label")}
      .value=${this.stack}
      .choices=${this.stacks.map((value) => ({ value, label: message(`stack.${value}`) }))}
      @headscope-choose=${this.chooseStack}
    ></headscope-choice>`;
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

  private readonly chooseStack = (event: CustomEvent<string>): void => {
    const stack = STACKS.find((candidate) => candidate === event.detail);
    if (stack) patch(this, { stack, locked: null });
  };

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

declare global {
  interface HTMLElementTagNameMap {
    "headscope-heads-panel": HeadscopeHeadsPanel;
  }
}
