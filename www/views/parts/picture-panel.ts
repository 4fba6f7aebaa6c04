import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import type {
  Cell,
  Palette,
  PositionOrigins,
  Region,
  Stage,
  StepCell,
  Tensor,
} from "../../data/index.js";
import { Memo } from "../../elements/shared/controllers.js";
import { message } from "../../i18n/index.js";
import {
  NO_EDITS,
  PICTURES,
  unusualStages,
  type EditLists,
  type Picture,
} from "../../state/index.js";
import type { Sight } from "../first/sight.js";
import { LaterPlaces } from "../../ui/lazy.js";
import type { Printable } from "../../elements/shared/scene.js";
import type { ExportSubject } from "../export/subject.js";
import type { Download } from "../run/download.js";
import type { Looked } from "../run/looked.js";
import { blockedPlaces, placeIn } from "../run/looked-cells.js";
import { choice, type HeadscopeChoice } from "../../ui/choice.js";
import { colourChoice, picturePanelStyles, stageChoice, WindowHeight } from "./picture-controls.js";
import "./notices.js";
import { patch } from "./events.js";
import "./export-menu.js";
import type { HeadscopeExportMenu } from "./export-menu.js";
import { lensHint, stageHint } from "./lens-words.js";
import "./menus.js";
import { PagePart } from "../../ui/page-part.js";
import { drawnPicture, earlyHeatmap, PICTURE_PARTS } from "./pictures.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";

/** What is said of positions that are not added, by the axes of their numbers. */
const POSITION_HINTS: Readonly<Record<string, "positions.rotary" | "positions.relative">> = {
  "position,head_dim": "positions.rotary",
  "distance,head": "positions.relative",
};

/** What stands above and below the cells of a picture: the page's head, two short texts, labels and bars, the edits. */
const ROOM_AROUND_CELLS = 526;
/** Less than this and a picture is no picture. */
const LEAST_HEIGHT = 280;
const MOST_HEIGHT = 720;
/** The head that the page looks at, in one of its pictures. The figures' own events bubble from here. */
@customElement("headscope-picture-panel")
export class HeadscopePicturePanel extends PagePart {
  static override styles = [partStyles, toggleStyles, picturePanelStyles];

  @property() picture: Picture = "heatmap";
  @property() stage: Stage = "weights";
  /** The colour map of the weights, here and in the grid. */
  @property() colours: Palette = "blue";
  /** The head as the picture shows it. Cells come in and go out as cells of tokens. */
  @property({ attribute: false }) looked: Looked | null = null;
  /** Whether there is no text to draw anything of. */
  @property({ type: Boolean }) blank = false;
  /** Whether the text is too long for the model, and no earlier one is shown. */
  @property({ type: Boolean }) tooLong = false;
  /** Shown until there are figures. */
  @property({ attribute: false }) download: Download = { phase: "ready" };
  /** The heatmap that was computed before there was a model, if it is the one that is asked for. */
  @property({ attribute: false }) first: Sight | null = null;
  @property({ attribute: false }) positions: Tensor | null = null;
  @property({ attribute: false }) blocked: Cell[] = [];
  @property({ attribute: false }) focused: Cell | null = null;
  @property({ attribute: false }) locked: Cell | null = null;
  @property({ type: Boolean }) blocking = false;
  @property({ attribute: false }) edits: EditLists = NO_EDITS;
  /** Size of a head's queries and keys, for the formula of a stage. */
  @property({ type: Number }) headDim = 0;
  /** How many heads the layer has, for the choice of those whose lines are drawn beside this one's. */
  @property({ type: Number }) headCount = 0;
  @property({ type: Number }) tokenTypes = 0;
  @property({ attribute: false }) origins: PositionOrigins | null = null;
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
  @query(".picture") private readonly place!: HTMLElement | null;
  private readonly places = new LaterPlaces(this);
  /** The height of the picture before this one: the next begins with as much room. */
  private room = 0;
  private readonly window = new WindowHeight(this);
  private readonly blockedShown = new Memo<Cell[]>();
  private readonly stagesKept = new Memo<readonly Stage[]>();

  /** Takes the keyboard to the first control. */
  override focus(): void {
    this.pictures.focus();
  }

  /** Opens what can be exported, under the button that asks for it. */
  openExport(under: Element): void {
    this.exports.open(under);
  }

  /** Follows from the window alone: a picture that grew with its surroundings would move under the pointer. */
  get comfortableHeight(): number {
    return Math.max(LEAST_HEIGHT, Math.min(this.window.height - ROOM_AROUND_CELLS, MOST_HEIGHT));
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("picture")) this.room = this.place?.offsetHeight ?? this.comfortableHeight;
  }

  override render(): TemplateResult {
    return html`
      <div class="head">
        <div class="controls">
          ${choice({
            label: message("picture.label"),
            look: "tabs",
            values: PICTURES,
            value: this.picture,
            show: (picture) => message(`picture.${picture}`),
            choose: (picture) => patch(this, { picture }),
          })}
          <headscope-narrow-menu .label=${message("picture.more")}>
            <div class="tools">
              ${this.picture === "heatmap" || this.picture === "steps" ? colourChoice(this, this.colours) : nothing}
              <headscope-export-menu .subject=${this.subject} .figure=${this.figure} .linkCopied=${this.linkCopied}></headscope-export-menu>
            </div>
          </headscope-narrow-menu>
        </div>
        <div class="below">
          ${this.renderSwitches()}
          ${this.first ? this.renderWaiting() : html`<p class="hint small muted">${this.hint()}</p>`}
        </div>
      </div>
      <div class="picture" @headscope-mass-change=${this.changeMass} @headscope-beside-toggle=${this.toggleBeside} @headscope-region-change=${this.showRegion}>${this.renderPicture()}</div>
      <headscope-lens-note .looked=${this.looked}></headscope-lens-note>
    `;
  }

  private renderSwitches(): TemplateResult | typeof nothing {
    if (this.picture === "positions" || this.picture === "steps") return nothing;
    return html`<div class="switches">
      <button class="toggle" aria-pressed=${this.blocking} @click=${this.toggleBlocking}>${message("block.mode")}</button>
      ${this.picture === "heatmap" ? stageChoice(this, this.stage) : nothing}
    </div>`;
  }

  /** In the place of the hint, and no higher. */
  private renderWaiting(): TemplateResult {
    return html`<div class="hint small muted early"><span>${message("load.early")}</span><headscope-download-status thin .download=${this.download}></headscope-download-status></div>`;
  }

  private hint(): string {
    if (this.picture === "positions")
      return message(POSITION_HINTS[this.positions?.axes.join() ?? ""] ?? "positions.hint");
    // It would speak of a picture that is not there.
    if (this.missing) return "";
    if (this.blocking)
      return message(this.picture === "heatmap" ? "block.hint" : `${this.picture}.block`);
    const changed = this.looked && lensHint(this.looked);
    if (changed) return changed;
    if (this.picture !== "heatmap") return message(`${this.picture}.hint`);
    return stageHint(this.stage, {
      headDim: this.headDim,
      unusual: this.unusual,
      fullyMasked: this.looked?.fullyMasked ?? [],
    });
  }

  /** Stages of the head that is drawn which edits make other than their formula. */
  private get unusual(): readonly Stage[] {
    const head = this.looked?.figures.head;
    return this.stagesKept.get([this.edits, head], () =>
      head ? unusualStages(this.edits, head) : [],
    );
  }

  /** What to do about the text, where that is why there is nothing to draw. */
  private get missing(): "text.invitation" | "text.shorten" | null {
    if (this.download.phase !== "ready") return null;
    if (this.blank) return "text.invitation";
    return this.tooLong && !this.looked && !this.first ? "text.shorten" : null;
  }

  private renderPicture(): TemplateResult | typeof nothing {
    const { looked } = this;
    const part = PICTURE_PARTS[this.picture];
    const { missing } = this;
    if (missing) return html`<p class="invitation muted">${message(missing)}</p>`;
    if (this.first) return earlyHeatmap(this.first, this);
    if (!looked) {
      part?.want();
      return html`<headscope-download-status .download=${this.download}></headscope-download-status>`;
    }
    return part
      ? this.places.show(part, () => this.renderFigure(looked), this.room)
      : this.renderFigure(looked);
  }

  private renderFigure(looked: Looked): TemplateResult {
    const {
      picture,
      stage,
      colours,
      positions,
      headCount,
      tokenTypes,
      origins,
      mass,
      region,
      number,
      focused,
      locked,
      blocked,
      blocking,
      comfortableHeight,
    } = this;
    const pairs = {
      queries: looked.queries,
      keys: looked.keys,
      fullyMasked: looked.fullyMasked,
      blocked: this.blockedShown.get([looked, blocked], () => blockedPlaces(looked, blocked)),
      focused: placeIn(looked, focused),
      locked: placeIn(looked, locked),
      blocking,
      comfortableHeight,
    };
    return drawnPicture(picture, {
      looked,
      pairs,
      stage,
      colours,
      positions,
      headCount,
      tokenTypes,
      origins,
      mass,
      region,
      number,
      cell: focused,
      unusual: this.unusual,
    });
  }

  /** The figure that is on the screen. */
  private readonly figure = (): Printable | null =>
    this.renderRoot.querySelector<Element & Printable>(
      ["headscope-steps-panel", ...PICTURES.map((picture) => `headscope-${picture}`)].join(),
    );

  /** What the figures ask for besides cells: how much lines hold, whose lines are drawn beside the head's, which part of a matrix is shown. */
  private readonly changeMass = ({ detail: mass }: CustomEvent<number>): void =>
    patch(this, { mass });

  private readonly toggleBeside = ({ detail: head }: CustomEvent<number>): void => {
    const { beside } = this;
    patch(this, {
      beside: beside.includes(head) ? beside.filter((other) => other !== head) : [...beside, head],
    });
  };

  private readonly showRegion = ({ detail: region }: CustomEvent<Region | null>): void => {
    patch(this, { region });
  };

  private readonly toggleBlocking = (): void => {
    this.dispatchEvent(
      new CustomEvent("headscope-blocking", {
        detail: !this.blocking,
        bubbles: true,
        composed: true,
      }),
    );
  };
}

declare global {
  interface HTMLElementEventMap {
    /** Whether clicks on cells block them from now on. */
    "headscope-blocking": CustomEvent<boolean>;
  }
}
