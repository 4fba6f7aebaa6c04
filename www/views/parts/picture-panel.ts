import { html, nothing, type TemplateResult } from "lit";
import { customElement, query } from "lit/decorators.js";
import type { Region } from "../../data/index.js";
import type { Printable } from "../../elements/shared/scene.js";
import { message } from "../../i18n/index.js";
import { type Picture, PICTURES } from "../../state/index.js";
import { partStyles, toggleStyles } from "../../ui/base-styles.js";
import { choice, type HeadscopeChoice } from "../../ui/choice.js";
import { isBlank } from "../run/computation.js";
import { SessionPart } from "../session.js";
import type { HeadscopeExportMenu } from "./export-menu.js";
import "./export-menu.js";
import { lensHint, stageHint } from "./lens-words.js";
import "./menus.js";
import "./notices.js";
import { colourChoice, picturePanelStyles, stageChoice, WindowHeight } from "./picture-controls.js";
import { drawnPicture, earlyHeatmap, PICTURE_PARTS } from "./pictures.js";

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
export class HeadscopePicturePanel extends SessionPart {
  static override styles = [partStyles, toggleStyles, picturePanelStyles];

  @query("headscope-choice") private readonly pictures!: HeadscopeChoice;
  @query("headscope-export-menu") private readonly exports!: HeadscopeExportMenu;
  @query(".picture") private readonly place!: HTMLElement | null;
  /** The height of the picture before this one: the next begins with as much room. */
  private room = 0;
  private readonly window = new WindowHeight(this);
  /** The picture that was shown last. */
  private drawn: Picture | null = null;
  protected override readonly turn = 0;

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

  protected override willUpdate(): void {
    const { picture } = this.session.state;
    if (picture !== this.drawn) this.room = this.place?.offsetHeight ?? this.comfortableHeight;
    this.drawn = picture;
  }

  override render(): TemplateResult {
    const { session } = this;
    const { picture, colours } = session.state;
    return html`
      <div class="head">
        <div class="controls">
          ${choice({
            label: message("picture.label"),
            look: "tabs",
            values: PICTURES,
            value: picture,
            show: (one) => message(`picture.${one}`),
            choose: (chosen) => session.update({ picture: chosen }),
          })}
          <headscope-narrow-menu .label=${message("picture.more")}>
            <div class="tools">
              ${picture === "heatmap" || picture === "steps" ? colourChoice(session, colours) : nothing}
              <headscope-export-menu .subject=${session.subject} .figure=${this.figure} .linkCopied=${session.links.linkCopied}></headscope-export-menu>
            </div>
          </headscope-narrow-menu>
        </div>
        <div class="below">
          ${this.renderSwitches()}
          ${session.first ? this.renderWaiting() : html`<p class="hint small muted">${this.hint()}</p>`}
        </div>
      </div>
      <div class="picture" @headscope-mass-change=${this.changeMass} @headscope-beside-toggle=${this.toggleBeside} @headscope-region-change=${this.showRegion}>${this.renderPicture()}</div>
      <headscope-lens-note></headscope-lens-note>
    `;
  }

  private renderSwitches(): TemplateResult | typeof nothing {
    const { pointing, state } = this.session;
    if (state.picture === "positions" || state.picture === "steps") return nothing;
    return html`<div class="switches">
      <button class="toggle" aria-pressed=${pointing.blocking} @click=${() => (pointing.blocking = !pointing.blocking)}>${message("block.mode")}</button>
      ${state.picture === "heatmap" ? stageChoice(this.session, state.stage) : nothing}
    </div>`;
  }

  /** In the place of the hint, and no higher. */
  private renderWaiting(): TemplateResult {
    return html`<div class="hint small muted early"><span>${message("load.early")}</span><headscope-download-status thin></headscope-download-status></div>`;
  }

  private hint(): string {
    const { state, displayed, pointing, positionTensor, headDim, unusual } = this.session;
    const { picture, stage } = state;
    if (picture === "positions")
      return message(POSITION_HINTS[positionTensor?.axes.join() ?? ""] ?? "positions.hint");
    // It would speak of a picture that is not there.
    if (this.missing) return "";
    if (pointing.blocking)
      return message(picture === "heatmap" ? "block.hint" : `${picture}.block`);
    const changed = displayed && lensHint(displayed);
    if (changed) return changed;
    if (picture !== "heatmap") return message(`${picture}.hint`);
    return stageHint(stage, { headDim, unusual, fullyMasked: displayed?.fullyMasked ?? [] });
  }

  /** What to do about the text, where that is why there is nothing to draw. */
  private get missing(): "text.invitation" | "text.shorten" | null {
    const { computation, state, displayed, first } = this.session;
    const { download, run, failure } = computation;
    if (download.phase !== "ready") return null;
    if (isBlank(state.text)) return "text.invitation";
    const tooLong = run === null && failure?.code === "input/too-long";
    return tooLong && !displayed && !first ? "text.shorten" : null;
  }

  private renderPicture(): TemplateResult | typeof nothing {
    const { missing, session, comfortableHeight } = this;
    const { displayed, first, state } = session;
    const part = PICTURE_PARTS[state.picture];
    if (missing) return html`<p class="invitation muted">${message(missing)}</p>`;
    if (first) return earlyHeatmap(first, state.colours, comfortableHeight);
    if (!displayed) {
      part?.want();
      return html`<headscope-download-status></headscope-download-status>`;
    }
    const draw = (): TemplateResult => drawnPicture(displayed, session, comfortableHeight);
    return part ? part.show(this, draw, this.room) : draw();
  }

  /** The figure that is on the screen. */
  private readonly figure = (): Printable | null =>
    this.renderRoot.querySelector<Element & Printable>(
      ["headscope-steps-panel", ...PICTURES.map((picture) => `headscope-${picture}`)].join(),
    );

  /** What the figures ask for besides cells: how much lines hold, whose lines are drawn beside the head's, which part of a matrix is shown. */
  private readonly changeMass = ({ detail: mass }: CustomEvent<number>): void =>
    this.session.update({ mass });

  private readonly toggleBeside = ({ detail: head }: CustomEvent<number>): void => {
    const { beside } = this.session.state;
    this.session.update({
      beside: beside.includes(head) ? beside.filter((other) => other !== head) : [...beside, head],
    });
  };

  private readonly showRegion = ({ detail: region }: CustomEvent<Region | null>): void => {
    this.session.update({ region });
  };
}

declare global {
  interface HTMLElementEventMap {
    /** Whether clicks on cells block them from now on. */
    "headscope-blocking": CustomEvent<boolean>;
  }
}
