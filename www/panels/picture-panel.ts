import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import {
  isOfEntry,
  isShare,
  type Region,
  type StepCell,
  type StepPlace,
  type Tensor,
} from "../data/index.js";
import "../elements/heatmap.js";
import { SizeController } from "../elements/shared/controllers.js";
import type { Printable } from "../elements/shared/figure.js";
import { setProperties, tokenLabel } from "../elements/shared/templates.js";
import { formatPercent, laterMessage, message } from "../i18n/index.js";
import { derived } from "../signals.js";
import { hasEdits, type Picture, PICTURES, toggled } from "../state/index.js";
import type { HeadscopeChoice } from "../ui/choice.js";
import { Later } from "../ui/lazy.js";
import { isLong } from "../ui/text-field.js";
import { isBlank } from "../session/run/computation.js";
import { type DisplayedPattern, placeIn } from "../session/run/head.js";
import { describeFailure } from "../session/run/failures.js";
import { lensHint, stageHint } from "../session/run/head-words.js";
import { shownNumbers } from "../session/run/other-numbers.js";
import { PAIR_PICTURES, pairPictureOf } from "../session/run/pair-pictures.js";
import { holding } from "../session/run/readings.js";
import { SessionPart } from "../session/session.js";
import "./export/export-menu.js";
import { offerStills } from "./export/stills.js";
import "./menus.js";
import "./notices.js";
import { entryChoice, fieldChoice, isMasked, stageChoice } from "./controls.js";
import { figure, offeredPictures, PICTURE_PARTS, stepsOf } from "./picture-parts.js";
import type { HeadscopeLayersPanel } from "./layers-panel.js";
import styles from "./picture-panel.css?inline";

const WITHOUT_MODELS = new Later(() => import("./without-models.js"), "notices");

/** The hints about positions that are not added, by the axes of their numbers. */
const POSITION_HINTS: Readonly<
  Record<string, `positions.${"rotary" | "relative" | "disentangled"}`>
> = {
  "position,head_dim": "positions.rotary",
  "distance,head": "positions.relative",
  "distance,model_dim": "positions.disentangled",
};

/** The height of the choices above the picture, beside tabs. */
const HEAD_HEIGHT = 86;
/**
 * The height above and below the cells: beside tabs, the panel's own; else the page's head, two
 * short texts, labels and bars, the edits; labels and bars, which an image lacks; the card of a
 * tour step; the lines of a long text; what is left out for a room; and the effect of edits.
 */
const AROUND_CELLS = {
  narrow: 171,
  all: 408,
  image: -90,
  card: 110,
  long: 180,
  presented: -36,
  edited: 84,
};
const MIN_HEIGHT = 160;
const MAX_HEIGHT = 720;

/**
 * The head that the page shows, in one of its pictures. The events of the figures bubble from here.
 */
@customElement("headscope-picture-panel")
export class HeadscopePicturePanel extends SessionPart {
  static override styles = unsafeCSS(styles);

  /** Whether the panel has a height of its own, beside the tabs of a narrow explorer. */
  @property({ type: Boolean }) narrow = false;

  @query("headscope-choice") private readonly pictures!: HeadscopeChoice;
  @query(".picture") private readonly place!: HTMLElement | null;
  /** The height of the previous picture, with which the next one starts. */
  private height = 0;
  /** Whether there is room for edits: a picture under the pointer keeps its size. */
  private edited = false;
  private drawn: Picture | null = null;
  /** The panel has a height of its own only where it is narrow; elsewhere its picture gives it. */
  private readonly size = new SizeController(this, () => (this.narrow ? "both" : "width"));
  protected override readonly turn = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener("resize", this.resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener("resize", this.resized);
  }

  private readonly resized = (): void => this.requestUpdate();

  override focus(): void {
    this.pictures.focus();
  }

  /**
   * The comfortable height of the picture, from window and State alone: a picture that grew with
   * its surroundings would move under the pointer.
   */
  private get comfortableHeight(): number {
    const { height: own, zoom } = this.size;
    if (this.narrow) return Math.max(MIN_HEIGHT, own - AROUND_CELLS.narrow);
    const { state, presenting } = this.session;
    const extra =
      (state.picture === "image" ? AROUND_CELLS.image : 0) +
      (state.tour ? AROUND_CELLS.card : 0) +
      (isLong(state.text) ? AROUND_CELLS.long : 0) +
      // Edits stand beside it there.
      (presenting ? AROUND_CELLS.presented : this.edited ? AROUND_CELLS.edited : 0);
    const around = AROUND_CELLS.all + extra;
    return Math.max(MIN_HEIGHT, Math.min(window.innerHeight / zoom - around, MAX_HEIGHT));
  }

  /**
   * The most height of a whole picture: beside tabs it is seen without scrolling, where it has room
   * for legible rows.
   */
  private get highest(): number | null {
    return this.narrow ? Math.max(2 * MIN_HEIGHT, this.size.height - HEAD_HEIGHT) : null;
  }

  protected override firstUpdated(): void {
    offerStills(this.session, this.figure);
  }

  protected override willUpdate(): void {
    const { picture, edits } = this.session.state;
    if (!this.place?.matches(":hover")) this.edited = hasEdits(edits);
    if (picture !== this.drawn) this.height = this.place?.offsetHeight ?? this.comfortableHeight;
    this.drawn = picture;
  }

  override render(): TemplateResult {
    const { session } = this;
    const mask = session.figures?.mask ?? null;
    return html`
      <div class="head">
        <h2 class="visually-hidden">${message("picture.label")}</h2>
        <div class="controls ${isMasked(mask) ? "masked" : ""}">
          ${fieldChoice(
            session,
            "picture",
            "picture.label",
            offeredPictures(session),
            (one) => message(`picture.${one}`),
            "tabs",
          )}
          <headscope-narrow-menu .label=${message("picture.more")}>
            <div class="end inline">
              <headscope-export-menu
                .figure=${this.figure}
                .ready=${this.savable}
              ></headscope-export-menu>
            </div>
          </headscope-narrow-menu>
          <div class="below small muted">
            ${this.renderBlocking()}
            ${
              session.first
                ? html`<div class="early">
                    <span>${message("load.early")}</span
                    ><headscope-download-status thin></headscope-download-status>
                  </div>`
                : html`<p class="hint">${this.hint()}</p>`
            }
          </div>
          <div class="numbers inline">${this.renderNumbers(mask)}</div>
        </div>
      </div>
      <div
        class="picture"
        @pointerleave=${this.resized}
        @headscope-mass-change=${({ detail: mass }: CustomEvent<number>) =>
          session.update({ mass })}
        @headscope-beside-toggle=${this.toggleBeside}
        @headscope-region-change=${({ detail: region }: CustomEvent<Region | null>) =>
          session.update({ region })}
      >
        ${this.renderPicture()}
      </div>
      ${this.renderSink()}
    `;
  }

  /**
   * Whether there is a picture to save; also in the moment in which the next one is computed, until
   * which the sheet is empty.
   */
  @derived private get savable(): boolean {
    const { subject, busy, displayed } = this.session;
    return subject !== null || (busy && displayed !== null);
  }

  /** Renders the switch by which a touch of a pair blocks it, in a picture of pairs. */
  private renderBlocking(): TemplateResult | typeof nothing {
    const { pointing, state } = this.session;
    if (!pairPictureOf(state.picture)) return nothing;
    return html`<button
      class="toggle"
      aria-pressed=${pointing.blocking}
      @click=${() => (pointing.blocking = !pointing.blocking)}
    >
      ${message("block.mode")}
    </button>`;
  }

  /** Renders the choice of the numbers, or the way back to the head from several joined ones. */
  private renderNumbers(mask: Tensor | null): TemplateResult | typeof nothing {
    const { session } = this;
    const { picture, joined, compare } = session.state;
    if (picture !== "heatmap" && picture !== "lines") return nothing;
    const numbers = shownNumbers(session.state);
    if (picture === "heatmap" && joined && compare === null)
      return html`<button class="act" @click=${() => session.update({ joined: null })}>
          ${message("joined.leave", { name: message(`stage.${joined}`) })}
        </button>
        ${isOfEntry(joined) ? entryChoice(session) : nothing}`;
    const entries = isOfEntry(numbers) ? entryChoice(session) : nothing;
    return html`${stageChoice(session, mask)} ${entries}`;
  }

  private hint(): string {
    const { state, displayed, pointing, positionTensor, size, unusual } = this.session;
    const { picture } = state;
    const numbers = shownNumbers(state);
    if (picture === "positions")
      return laterMessage(
        "hints",
        POSITION_HINTS[positionTensor?.axes.join() ?? ""] ?? "positions.hint",
      );
    // The hint would be about a missing picture.
    if (this.missing) return "";
    if (picture === "layers") return laterMessage("hints", "layers.hint");
    if (pointing.blocking)
      return laterMessage("hints", picture === "heatmap" ? "block.hint" : `${picture}.block`);
    const changed = displayed && lensHint(displayed);
    if (changed) return changed;
    if (picture !== "heatmap" && !isShare(numbers)) return laterMessage("hints", `${picture}.hint`);
    return stageHint(numbers, {
      headDim: size?.headDim ?? 0,
      layer: (displayed?.figures.head.layer ?? 0) + 1,
      unusual,
      fullyMasked: displayed?.fullyMasked ?? [],
      names: displayed?.whole?.other?.names,
    });
  }

  /** The hint about the text, if the text is why there is nothing to draw. */
  private get missing(): "text.invitation" | "text.shorten" | null {
    const { session } = this;
    const { computation, state, displayed, first } = session;
    const { download, run, failure } = computation;
    if (download.phase !== "ready") return null;
    if (isBlank(state.text) && !session.info?.image) return "text.invitation";
    const tooLong = run === null && failure?.code === "input/too-long";
    return tooLong && !displayed && !first ? "text.shorten" : null;
  }

  private renderPicture(): TemplateResult | typeof nothing {
    const { missing, session } = this;
    const { displayed, first, state } = session;
    const part = PICTURE_PARTS.get(state.picture);
    if (missing) return html`<p class="invitation muted">${message(missing)}</p>`;
    const { comfortableHeight } = this;
    if (first) {
      // The picture that the build computed: it answers the pointer as the model's own will, which
      // replaces it. A pair that is held meanwhile is held in that one, too.
      const { head, sourceTokens, targetTokens, weights: tensor } = first;
      const queries = head.stack === "encoder" ? sourceTokens : targetTokens;
      const keys = head.stack === "decoder" ? targetTokens : sourceTokens;
      const { colours, locked, region } = state;
      const { highest } = this;
      return figure("heatmap", {
        queries,
        keys,
        tensor,
        colours,
        locked,
        region,
        comfortableHeight,
        highest,
      });
    }
    if (!displayed) {
      if (session.computation.failure?.code === "load/no-examples")
        return WITHOUT_MODELS.show(
          this,
          () => html`<headscope-without-models></headscope-without-models>`,
        );
      part?.want();
      return html`<headscope-download-status></headscope-download-status>`;
    }
    const refusal = displayed.figures.other?.refusal ?? null;
    if (refusal !== null)
      return html`<p class="invitation muted">${describeFailure(refusal).sentence}</p>`;
    const draw = (): TemplateResult => this.renderFigure(displayed);
    return part ? part.show(this, draw, this.height) : draw();
  }

  /** Renders the figure of a displayed pattern, whose events name cells of the picture. */
  private renderFigure(displayed: DisplayedPattern): TemplateResult {
    const { session } = this;
    const { focused, locked, resting, state, unusual } = session;
    const { info, image } = session;
    const headCount = session.size?.heads ?? 0;
    const { picture } = state;
    if (picture === "steps")
      return html`<headscope-steps
        ${setProperties(stepsOf(session))}
        @headscope-number-hover=${({ detail }: CustomEvent<StepCell | null>) =>
          session.hoverNumber(detail)}
        @headscope-number-go=${this.goToNumber}
      ></headscope-steps>`;
    if (picture === "layers") return html`<headscope-layers-panel></headscope-layers-panel>`;
    if (picture === "positions")
      return html`<headscope-positions .tensor=${session.positionTensor}></headscope-positions>`;
    return figure(picture, {
      ...PAIR_PICTURES[picture].properties(displayed, { state, headCount, unusual, info, image }),
      blocked: session.blockedPlaces,
      focused: placeIn(displayed, focused),
      locked: placeIn(displayed, locked),
      ...(PAIR_PICTURES[picture].enlarges && { near: placeIn(displayed, resting) }),
      highest: this.highest,
      blocking: session.pointing.blocking,
      comfortableHeight: this.comfortableHeight,
    });
  }

  /**
   * Renders the explanation of an attention sink, if the head has one, with the offer to leave it
   * out.
   */
  private renderSink(): TemplateResult | typeof nothing {
    const { sink = null, lens, figures } = this.session.displayed ?? {};
    const key = sink && figures?.keys[sink.key];
    if (!sink || !key || !lens?.weightsOnly) return nothing;
    const token = tokenLabel(key);
    const left = lens.withoutSink;
    return html`<aside class="small muted" aria-label=${laterMessage("hints", "sink.label")}>
      <p>
        ${laterMessage("hints", "sink.what", { token, share: formatPercent(sink.share, 0) })}
        ${laterMessage("hints", "sink.why")}
      </p>
      <button
        class="act"
        aria-pressed=${left}
        @click=${() => this.session.update({ sink: left ? "kept" : "out" })}
      >
        ${laterMessage("hints", "sink.without", { token })}
      </button>
    </aside>`;
  }

  private readonly figure = (): Printable | null => {
    const tags = PICTURES.map((picture) => `headscope-${picture}`).join();
    const panel = this.renderRoot.querySelector<HeadscopeLayersPanel>("headscope-layers-panel");
    return panel ? panel.figure : this.renderRoot.querySelector<Element & Printable>(tags);
  };

  private readonly goToNumber = ({ detail: to }: CustomEvent<StepPlace | null>): void => {
    this.session.hoverNumber(null);
    this.session.update(holding(to));
  };

  private readonly toggleBeside = ({ detail: head }: CustomEvent<number>): void =>
    this.session.update({ beside: toggled(this.session.state.beside, head) });
}
