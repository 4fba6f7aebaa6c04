import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import type { Architecture } from "../../data/index.js";
import type { Chip } from "../../elements/chips.js";
import "../../elements/chips.js";
import { message } from "../../i18n/index.js";
import {
  hasEdits,
  NO_EDITS,
  removeEdit,
  type Bench,
  type Comparison,
  type EditLists,
  type StepKind,
} from "../../state/index.js";
import { refOf } from "../edit-ref.js";
import "../bench/bench.js";
import { saysMore, type OnBench } from "../bench/on-bench.js";
import { changedWords } from "../word-diff.js";
import { command, patch, step } from "./events.js";
import { PagePart } from "../../ui/page-part.js";
import { partStyles } from "../../ui/base-styles.js";

const INVITATIONS = {
  "encoder-decoder": "edits.none",
  decoder: "edits.noneDecoder",
  encoder: "edits.noneEncoder",
} as const;

/** The active edits as chips, each of which can be taken back, what they changed, and undo and redo. */
@customElement("headscope-edits-panel")
export class HeadscopeEditsPanel extends PagePart {
  static override styles = [
    partStyles,
    css`
      .panel {
        display: flex;
        flex-wrap: wrap;
        align-items: baseline;
        gap: 8px 20px;
        padding: 12px 28px;
        border-top: 1px solid var(--headscope-line);
      }

      .chips {
        flex: 1 1 300px;
        min-width: 0;
      }

      /* Two dozen edits must not push the page away. */
      headscope-chips {
        display: block;
        max-height: 72px;
        overflow: auto;
      }

      .unedited,
      .now {
        flex: 1 0 100%;
        min-width: 0;
        font: 400 15px/1.5 var(--headscope-font-text);
      }

      .unedited {
        color: var(--headscope-muted);
      }

      .unedited .small {
        font: 400 12px/1.5 var(--headscope-font-ui);
      }

      .unedited del {
        color: var(--headscope-accent);
        text-decoration-thickness: 1px;
      }

      .now {
        display: none;
      }

      headscope-bench {
        flex: 1 0 100%;
        min-width: 0;
      }

      .history {
        display: flex;
        gap: 20px;
      }

      @container (max-width: 820px) {
        .panel {
          padding: 12px 16px;
        }

        /* The sentence is a screen away here: say what became of it. */
        .edited .now {
          display: block;
        }

        /* It has the page to itself. */
        .chips {
          flex-basis: 100%;
        }

        headscope-chips {
          max-height: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  @property({ attribute: false }) chips: Chip[] = [];
  /** What the model writes with the edits, and without them where that is known; null without edits. */
  @property({ attribute: false }) translation: string | null = null;
  @property({ attribute: false }) unedited: string | null = null;
  /** What there is to watch; null while that is not known. */
  @property() architecture: Architecture | null = null;
  /** What undo would take back and redo would bring again; null when there is nothing. */
  @property() undoes: StepKind | null = null;
  @property() redoes: StepKind | null = null;
  /** What the run stands beside already. */
  @property() compare: Comparison | null = null;

  /** The part of the bench that is open. */
  @property() bench: Bench | null = null;
  /** What its parts are told. */
  @property({ attribute: false, hasChanged: saysMore }) on: OnBench | null = null;
  /** Whether the bench has all the height it needs: then the panel goes with the page. */
  @property({ type: Boolean, reflect: true }) unfolded = false;

  override render(): TemplateResult {
    return html`<div class=${classMap({ panel: true, edited: hasEdits(this.edits) })}>
      ${this.renderTranslation()}
      <h2>${message("edits.title")}</h2>
      <div class="chips">
        ${hasEdits(this.edits) ? this.renderChips() : html`<p class="muted">${message(INVITATIONS[this.architecture ?? "encoder-decoder"])}</p>`}
      </div>
      <div class="history">
        ${!hasEdits(this.edits) || this.compare === "original" ? nothing : html`<button class="compare" @click=${() => step(this, { compare: "original" })}>${message("pairs.withOriginal")}</button>`}
        ${this.renderStep("undo", this.undoes)} ${this.renderStep("redo", this.redoes)}
      </div>
      <headscope-bench .open=${this.bench} .on=${this.on} @headscope-bench-fold=${(event: CustomEvent<boolean>) => (this.unfolded = event.detail)}></headscope-bench>
    </div>`;
  }

  private renderChips(): TemplateResult {
    // Words for the edits may be on their way, or not to be had: all of them can be taken back without.
    if (this.chips.length === 0)
      return html`<button class="clear" @click=${this.clear}>${message("edits.clear")}</button>`;
    return html`<headscope-chips
      .chips=${this.chips}
      .label=${message("edits.title")}
      @headscope-chip-remove=${this.removeChip}
      @headscope-chips-clear=${this.clear}
    ></headscope-chips>`;
  }

  private renderStep(name: "undo" | "redo", kind: StepKind | null): TemplateResult {
    const title =
      kind === null ? nothing : message(`edits.${name}Step`, { step: message(`undo.${kind}`) });
    return html`<button ?disabled=${kind === null} title=${title} @click=${() => command(this, name)}>${message(`edits.${name}`)}</button>`;
  }

  private renderTranslation(): TemplateResult | typeof nothing {
    const { translation, unedited } = this;
    if (translation === null) return nothing;
    return html`<p class="now" aria-hidden="true">${translation}</p>
      ${unedited === null ? nothing : html`<p class="unedited" role="status">${this.changes(unedited, translation)}</p>`}`;
  }

  private changes(unedited: string, translation: string): TemplateResult {
    if (unedited === translation)
      return html`<span class="small">${message("text.unchanged")}</span>`;
    const words = changedWords(unedited, translation);
    return html`<span class="small">${message("text.unedited")}</span>
      ${words.map(({ text, changed }) => (changed ? html`<del>${text}</del> ` : html`${text} `))}`;
  }

  private readonly clear = (): void => {
    patch(this, { edits: NO_EDITS });
  };

  private readonly removeChip = (event: CustomEvent<{ id: string }>): void => {
    const ref = refOf(event.detail.id);
    if (ref) patch(this, { edits: removeEdit(this.edits, ref) });
  };
}
