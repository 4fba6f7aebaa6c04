import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { PALETTES, type Cell, type Palette, type Region, type Stage, type StepCell, type Tensor } from "../../data/index.js";
import { rampSwatch, sequentialRamp } from "../../draw/ramp.js";
import "../../elements/dimensions/index.js";
import "../../elements/heatmap/index.js";
import "../../elements/lines/index.js";
import "../../elements/mask/index.js";
import "../../elements/positions/index.js";
import { Kept } from "../../elements/shared/kept.js";
import { message } from "../../i18n/index.js";
import { PICTURES, STAGES, type Picture } from "../../state/index.js";
import type { Printable } from "../export/files.js";
import type { ExportSubject } from "../export/subject.js";
import type { Download } from "../run/computation.js";
import type { Looked } from "../run/looked.js";
import { blockedPlaces, placeIn } from "../run/looked-cells.js";
import "./choice.js";
import type { HeadscopeChoice } from "./choice.js";
import "./download-status.js";
import { patch } from "./events.js";
import "./export-menu.js";
import type { HeadscopeExportMenu } from "./export-menu.js";
import "./lens-note.js";
import { lensHint, withoutName } from "./lens-words.js";
import { PagePart } from "./page-part.js";
import "./steps-panel.js";
import { partStyles, toggleStyles } from "./styles.js";
import { WindowHeight } from "./window-height.js";

/** What stands above and below the cells of a picture: the page's head, two short texts, labels and bars, the edits. */
const ROOM_AROUND_CELLS = 526;
/** Less than this and a picture is no picture. */
const LEAST_HEIGHT = 280;
const MOST_HEIGHT = 720;
const SWATCH_COLOURS = 5;

/** Each colour map in a few of its colours, for either ground. */
const SWATCHES = Object.fromEntries(
  PALETTES.map((palette) => {
    const dark = rampSwatch(sequentialRamp(palette, "dark"), SWATCH_COLOURS);
    return [palette, rampSwatch(sequentialRamp(palette, "light"), SWATCH_COLOURS).map((colour, index) => `light-dark(${colour}, ${dark[index] ?? colour})`)];
  }),
) as Record<Palette, string[]>;

/** The head that the page looks at, in one of its pictures. The figures' own events bubble from here. */
@customElement("headscope-picture-panel")
export class HeadscopePicturePanel extends PagePart {
  static override styles = [
    partStyles,
    toggleStyles,
    css`
      .controls {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 16px;
      }

      .switches {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px 20px;
      }

      .below {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px 24px;
        margin: 8px 0 12px;
      }

      @media (max-height: 760px) {
        .below {
          margin: 4px 0;
        }
      }

      .colours {
        margin-left: auto;
      }

      .invitation {
        padding: 15vh 0;
        text-align: center;
        font: 400 20px/1.5 var(--headscope-font-text);
      }
    `,
  ];

  @property() picture: Picture = "heatmap";
  @property() stage: Stage = "weights";
  /** The colour map of the weights, here and in the grid. */
  @property() colours: Palette = "blue";
  /** The head as the picture shows it. Cells come in and go out as cells of tokens. */
  @property({ attribute: false }) looked: Looked | null = null;
  /** Whether there is no text to draw anything of. */
  @property({ type: Boolean }) blank = false;
  /** Shown until there are figures. */
  @property({ attribute: false }) download: Download = { phase: "ready" };
  @property({ attribute: false }) positions: Tensor | null = null;
  @property({ attribute: false }) blocked: Cell[] = [];
  @property({ attribute: false }) focused: Cell | null = null;
  @property({ attribute: false }) locked: Cell | null = null;
  @property({ type: Boolean }) blocking = false;
  /** Size of a head's queries and keys, for the formula of a stage. */
  @property({ type: Number }) headDim = 0;
  /** How many heads the layer has, for the choice of those whose lines are drawn beside this one's. */
  @property({ type: Number }) headCount = 0;
  @property({ type: Number }) tokenTypes = 0;
  @property({ attribute: false }) beside: readonly number[] = [];
  /** The percentage of each query's weight that lines hold. */
  @property({ type: Number }) mass = 90;

  /** The part of a matrix that is shown. */
  @property({ attribute: false }) region: Region | null = null;

  /** The number of the steps that is held. */
  @property({ attribute: false }) number: StepCell | null = null;

  /** What can be exported; null while that would not be what is shown. */
  @property({ attribute: false }) subject: ExportSubject | null = null;
  @property({ type: Boolean }) linkCopied = false;

  @query("headscope-choice") private readonly pictures!: HeadscopeChoice;
  @query("headscope-export-menu") private readonly exports!: HeadscopeExportMenu;
  private readonly window = new WindowHeight(this);
  private readonly blockedShown = new Kept<Cell[]>();

  /** Takes the keyboard to the first control. */
  override focus(): void {
    this.pictures.focus();
  }

  /** Opens what can be exported, under the button that asks for it. */
  openExport(under: Element): void {
    this.exports.open(under);
  }

  /** Follows from the window alone: a picture that grew with its surroundings would move under the pointer. */
  private get comfortableHeight(): number {
    return Math.max(LEAST_HEIGHT, Math.min(this.window.height - ROOM_AROUND_CELLS, MOST_HEIGHT));
  }

  override render(): TemplateResult {
    return html`
      <div class="controls">
        <headscope-choice
          look="tabs"
          .label=${message("picture.label")}
          .value=${this.picture}
          .choices=${PICTURES.map((value) => ({ value, label: message(`picture.${value}`) }))}
          @headscope-choose=${this.choosePicture}
        ></headscope-choice>
        ${this.picture === "heatmap" || this.picture === "steps" ? this.renderColours() : nothing}
        <headscope-export-menu .subject=${this.subject} .figure=${this.figure} .linkCopied=${this.linkCopied}></headscope-export-menu>
      </div>
      <div class="below">
        ${this.renderSwitches()}
        <p class="small muted">${this.hint()}</p>
      </div>
      ${this.renderPicture()}
      <headscope-lens-note .looked=${this.looked}></headscope-lens-note>
    `;
  }

  private renderSwitches(): TemplateResult | typeof nothing {
    if (this.picture === "positions" || this.picture === "steps") return nothing;
    return html`<div class="switches">
      <button class="toggle" aria-pressed=${this.blocking} @click=${this.toggleBlocking}>${message("block.mode")}</button>
      ${this.picture === "heatmap"
        ? html`<headscope-choice
            look="segments"
            .label=${message("stage.label")}
            .value=${this.stage}
            .choices=${STAGES.map((value) => ({ value, label: message(`stage.${value}`) }))}
            @headscope-choose=${this.chooseStage}
          ></headscope-choice>`
        : nothing}
    </div>`;
  }

  private renderColours(): TemplateResult {
    return html`<headscope-choice
      class="colours"
      look="words"
      .label=${message("colours.label")}
      .value=${this.colours}
      .choices=${PALETTES.map((value) => ({ value, label: message(`colours.${value}`), swatch: SWATCHES[value] }))}
      @headscope-choose=${this.chooseColours}
    ></headscope-choice>`;
  }

  private hint(): string {
    if (this.picture === "positions") return message(this.positions?.axes[1] === "head_dim" ? "positions.rotary" : "positions.hint");
    if (this.blocking) return message(this.picture === "heatmap" ? "block.hint" : `${this.picture}.block`);
    const changed = this.looked && lensHint(this.looked);
    if (changed) return changed;
    if (this.picture !== "heatmap") return message(`${this.picture}.hint`);
    return message(`stage.${this.stage}.hint`, { size: this.headDim });
  }

  private renderPicture(): TemplateResult {
    const { looked } = this;
    if (this.blank && this.download.phase === "ready") return html`<p class="invitation muted">${message("text.invitation")}</p>`;
    if (!looked) return html`<headscope-download-status .download=${this.download}></headscope-download-status>`;
    if (this.picture === "positions") return html`<headscope-positions .tensor=${this.positions}></headscope-positions>`;
    if (this.picture === "steps") {
      return html`<headscope-steps-panel .figures=${looked.figures} .heads=${this.headCount} .tokenTypes=${this.tokenTypes} .number=${this.number} .colours=${this.colours} .pair=${this.focused}></headscope-steps-panel>`;
    }
    const shown = {
      blocked: this.blockedShown.get([looked, this.blocked], () => blockedPlaces(looked, this.blocked)),
      focused: placeIn(looked, this.focused),
      locked: placeIn(looked, this.locked),
      without: withoutName(looked),
    };
    if (this.picture === "mask") {
      return html`<headscope-mask
        .mask=${looked.whole?.mask ?? null}
        .queries=${looked.queries}
        .keys=${looked.keys}
        .blocked=${shown.blocked}
        .fullyMasked=${looked.fullyMasked}
        .focused=${shown.focused}
        .locked=${shown.locked}
        .blocking=${this.blocking}
        .comfortableHeight=${this.comfortableHeight}
        .region=${this.region}
        @headscope-region-change=${this.showRegion}
      ></headscope-mask>`;
    }
    if (this.picture === "lines") {
      return html`<headscope-lines
        .patterns=${looked.patterns}
        .heads=${this.headCount}
        .mass=${this.mass}
        .queries=${looked.queries}
        .keys=${looked.keys}
        .blocked=${shown.blocked}
        .fullyMasked=${looked.fullyMasked}
        .emptied=${looked.emptied}
        .without=${shown.without}
        .focused=${shown.focused}
        .locked=${shown.locked}
        .blocking=${this.blocking}
        .comfortableHeight=${this.comfortableHeight}
        @headscope-mass-change=${(event: CustomEvent<number>) => patch(this, { mass: event.detail })}
        @headscope-beside-toggle=${this.toggleBeside}
      ></headscope-lines>`;
    }
    if (this.picture === "dimensions") {
      return html`<headscope-dimensions
        .stages=${looked.whole?.stages ?? null}
        .vectors=${looked.whole?.vectors ?? null}
        .queries=${looked.queries}
        .keys=${looked.keys}
        .blocked=${shown.blocked}
        .fullyMasked=${looked.fullyMasked}
        .focused=${shown.focused}
        .locked=${shown.locked}
        .blocking=${this.blocking}
        .comfortableHeight=${this.comfortableHeight}
      ></headscope-dimensions>`;
    }
    return html`<headscope-heatmap
      .tensor=${looked.whole?.stages[this.stage] ?? looked.weights}
      .queries=${looked.queries}
      .keys=${looked.keys}
      .stage=${this.stage}
      .colours=${this.colours}
      .blocked=${shown.blocked}
      .fullyMasked=${looked.fullyMasked}
      .emptied=${looked.emptied}
      .without=${shown.without}
      .focused=${shown.focused}
      .locked=${shown.locked}
      .blocking=${this.blocking}
      .comfortableHeight=${this.comfortableHeight}
      .region=${this.region}
      @headscope-region-change=${this.showRegion}
    ></headscope-heatmap>`;
  }

  /** The figure that is on the screen. */
  private readonly figure = (): Printable | null =>
    this.renderRoot.querySelector<Element & Printable>(["headscope-steps-panel", ...PICTURES.map((picture) => `headscope-${picture}`)].join());

  private readonly choosePicture = (event: CustomEvent<string>): void => {
    const picture = PICTURES.find((candidate) => candidate === event.detail);
    if (picture) patch(this, { picture });
  };

  private readonly chooseStage = (event: CustomEvent<string>): void => {
    const stage = STAGES.find((candidate) => candidate === event.detail);
    if (stage) patch(this, { stage });
  };

  private readonly chooseColours = (event: CustomEvent<string>): void => {
    const colours = PALETTES.find((candidate) => candidate === event.detail);
    if (colours) patch(this, { colours });
  };

  private readonly toggleBeside = ({ detail: head }: CustomEvent<number>): void => {
    const { beside } = this;
    patch(this, { beside: beside.includes(head) ? beside.filter((other) => other !== head) : [...beside, head] });
  };

  private readonly showRegion = ({ detail: region }: CustomEvent<Region | null>): void => {
    patch(this, { region });
  };

  private readonly toggleBlocking = (): void => {
    this.dispatchEvent(new CustomEvent("headscope-blocking", { detail: !this.blocking, bubbles: true, composed: true }));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "headscope-picture-panel": HeadscopePicturePanel;
  }
  interface HTMLElementEventMap {
    /** Whether clicks on cells block them from now on. */
    "headscope-blocking": CustomEvent<boolean>;
  }
}
