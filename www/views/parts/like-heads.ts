import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { HeadLikeness, HeadRef } from "../../data/index.js";
import { emit } from "../../elements/events.js";
import type { WornScore } from "../../elements/grid/index.js";
import { formatFixed, message } from "../../i18n/index.js";
import { patch } from "./events.js";
import { foldStyles } from "../../ui/base-styles.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

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

declare global {
  interface HTMLElementTagNameMap {
    "headscope-like-heads": HeadscopeLikeHeads;
  }
}
