import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { isolated } from "../data/index.js";
import { SizeController } from "../elements/shared/controllers.js";
import { pieceText, styled, tokenLabel } from "../elements/shared/templates.js";
import { formatPercent, laterMessage, message } from "../i18n/index.js";
import { DEFAULT_STATE, type ModelName, type Side, UNITS } from "../state/index.js";
import { Later } from "../ui/lazy.js";
import "../ui/text-field.js";
import type { TokenTouch } from "../session/run/pointing.js";
import type { Expectation } from "../session/run/readings.js";
import type { Strip } from "../session/run/selection.js";
import { partnerOf, sampleOf, samplesOf } from "../session/models/samples.js";
import { SessionPart } from "../session/session.js";
import "./menus.js";
import { fieldChoice, samplePicker, textStyles, tokenStrip } from "./controls.js";
import styles from "./sentence-bar.css?inline";

const IMAGE = new Later(() => import("./image-bar.js"), "notices");
/** The height that is kept for an image until what shows it is there. */
const IMAGE_HEIGHT = 96;
const CHAT = new Later(() => import("./chat-menu.js"), "chat");
const TRAINED = new Later(() => import("./training-slider.js"), "training");
const WRITER = new Later(() => import("./writer.js"), "writing");

const MAX_GUESSES = 3;

/**
 * The sentence and the model's output: a translation with its tokens, what a decoder goes on with,
 * or predictions for masked tokens. Typing changes the State at once.
 */
@customElement("headscope-sentence-bar")
export class HeadscopeSentenceBar extends SessionPart {
  static override styles = [textStyles, unsafeCSS(styles)];

  /** Whether a touch of a token selects it in addition to others, as a click with Shift does. */
  @state() private several = false;
  /** Whether a touch of a token masks it; null until the user chooses. */
  @state() private masks: boolean | null = null;

  @query("canvas") private readonly canvas!: HTMLCanvasElement | null;

  /**
   * The height of the bar while a translation is generated again, so that the parts below do not
   * move.
   */
  private minHeight = 0;
  private wasWriting = false;
  private readonly size = new SizeController(this, () => "both");
  protected override readonly turn = 1;

  protected override willUpdate(): void {
    const { writing } = this.session;
    if (writing !== this.wasWriting) this.minHeight = writing ? this.size.height : 0;
    this.wasWriting = writing;
  }

  override render(): TemplateResult {
    const { architecture } = this.session;
    const single = architecture !== "encoder-decoder" && architecture !== "decoder";
    const label = message(
      this.readsImages
        ? "image.label"
        : architecture === "encoder-decoder"
          ? "text.label"
          : "text.labelAlone",
    );
    return html`<section
      aria-label=${label}
      class="band"
      style=${styled({ "--_least": `${this.minHeight}px` })}
    >
      <div class="side">${this.readsImages ? this.renderImage() : this.renderSource()}</div>
      ${
        single
          ? nothing
          : html`<div class="arrow wide muted" aria-hidden="true">→</div>
              <div class="side">
                ${
                  architecture === "decoder" ? this.renderContinuation() : this.renderTarget()
                }${this.renderBeyond()}
              </div>`
      }
    </section>`;
  }

  private get readsImages(): boolean {
    return (this.session.info?.image ?? null) !== null;
  }

  protected override updated(): void {
    const { canvas } = this;
    const { image } = this.session;
    if (!canvas || !image) return;
    const { width, height, data } = image;
    Object.assign(canvas, { width, height });
    const pixels = new ImageData(Uint8ClampedArray.from(data), width, height);
    canvas.getContext("2d")?.putImageData(pixels, 0, 0);
  }

  /** Renders the image in place of a text, the steps of the training, and the controls. */
  private renderImage(): TemplateResult {
    return html`<div class="image inline">
      ${IMAGE.show(this, ({ renderImage }) => renderImage(this.session), IMAGE_HEIGHT)}
      ${TRAINED.want() ? this.renderTraining() : nothing} ${this.renderControls()}
    </div>`;
  }

  /** Renders the steps of the model's training, if they are kept. */
  private renderTraining(): TemplateResult {
    const { session } = this;
    const choose = ({ detail }: CustomEvent<ModelName>): void => session.update({ model: detail });
    return html`<headscope-training-slider
      .model=${session.state.model}
      @headscope-model-choose=${choose}
    ></headscope-training-slider>`;
  }

  private renderSource(): TemplateResult {
    const { session } = this;
    const { source, edited, architecture } = session;
    const { model, text, compare, target } = session.state;
    const beside = {
      otherText: partnerOf(model, text),
      otherTarget: null,
      otherModel: null,
      pairs: [],
    };
    const begin = (): void => session.store.step({ compare: "other", ...beside });
    // The note of a sample is about what the model made of it without changes.
    const note = target === null && !edited ? sampleOf(model, text)?.note : undefined;
    const namesIds = session.computation.model?.hasTokenizer === false;
    const words = namesIds ? message("text.ids") : note && laterMessage("hints", note);
    const single = architecture === "encoder";
    return html`<div class="over inline small muted">
        <span aria-hidden="true">${message("text.yours")}</span>
        <p class="note">${words}</p>
        ${single ? this.renderControls() : nothing}
        ${samplePicker(session, message("text.samples"), samplesOf(model))}
        ${
          session.computation.model?.hasChatTemplate === true
            ? CHAT.show(this, () => html`<headscope-chat-menu></headscope-chat-menu>`)
            : nothing
        }
        ${
          compare === "other"
            ? nothing
            : html`<button @click=${begin}>${message("pairs.begin")}</button>`
        }
      </div>
      <headscope-growing-text
        .value=${text}
        .label=${message("text.yours")}
        .placeholder=${message(namesIds ? "text.idsPlaceholder" : "text.placeholder")}
        @headscope-text=${({ detail }: CustomEvent<string>) => session.update({ text: detail })}
      ></headscope-growing-text>
      <div class="read">
        ${this.renderStrip("source", source, message("text.sourceTokens"))}
        ${single ? this.renderMasking() : nothing}
      </div>
      ${single ? this.renderBeyond() : nothing}`;
  }

  /** Renders what lets a touch of a token mask it, if the model predicts masked tokens. */
  private renderMasking(): TemplateResult | typeof nothing {
    const { source, info, expectation } = this.session;
    const canMask = info?.predicts === true && info.maskToken !== null;
    if (!canMask || source.tokens.length === 0) return nothing;
    const { masking } = this;
    return html`<div class="masking inline small muted">
      ${
        expectation?.truth
          ? html`<p class="guesses narrow" aria-hidden="true">${guesses(expectation)}</p>`
          : nothing
      }
      <button class="toggle" aria-pressed=${masking} @click=${() => (this.masks = !masking)}>
        ${message("text.maskTokens")}
      </button>
      ${masking ? html`<p>${laterMessage("notices", "text.clickToMask")}</p>` : nothing}
    </div>`;
  }

  /** Whether a touch masks: by default yes, but in a comparison it selects. */
  private get masking(): boolean {
    return this.masks ?? this.session.state.compare === null;
  }

  /** Renders that the text is longer than any of the training, beside the answer. */
  private renderBeyond(): TemplateResult | typeof nothing {
    const { beyondTraining: beyond } = this.session;
    return beyond
      ? html`<p class="beyond small" role="status">
          ${laterMessage("notices", "text.beyondTraining", beyond)}
        </p>`
      : nothing;
  }

  /** Renders the controls: tokens or words, special tokens or not, one or several. */
  private renderControls(): TemplateResult | typeof nothing {
    const { session, several } = this;
    const { unit, specials } = session.state;
    // A comparison shows every token of both sides.
    if (session.source.tokens.length === 0 || session.pairsShown) return nothing;
    const hidden = specials === "hidden";
    const changed = [unit !== DEFAULT_STATE.unit, hidden, several].filter(Boolean).length;
    return html`<div class="controls inline small">
      <headscope-narrow-menu
        long
        .label=${message("lens.menu")}
        .name=${message("lens.label")}
        .changed=${changed}
      >
        ${
          this.readsImages
            ? nothing
            : fieldChoice(
                session,
                "unit",
                "lens.unit",
                UNITS,
                (one) => message(`lens.${one}`),
                "segments",
              )
        }
        <button
          class="toggle"
          aria-pressed=${hidden}
          @click=${() => session.update({ specials: hidden ? "shown" : "hidden" })}
        >
          ${message("lens.ordinaryOnly")}
        </button>
        <button
          class="toggle"
          aria-pressed=${several}
          title=${message("lens.severalHint")}
          @click=${() => (this.several = !several)}
        >
          ${message("lens.several")}
        </button>
      </headscope-narrow-menu>
    </div>`;
  }

  /** Renders how the model goes on with the text. */
  private renderContinuation(): TemplateResult {
    return html`<div class="over inline small muted">
        <span>${message("go.label")}</span>
        ${this.renderControls()}
      </div>
      ${this.renderWriter()}`;
  }

  private renderWriter(): TemplateResult | typeof nothing {
    return WRITER.show(this, () => html`<headscope-writer></headscope-writer>`);
  }

  private renderTarget(): TemplateResult {
    const { session } = this;
    const { target } = session.state;
    const own = target !== null;
    return html`<div class="over inline small muted">
        <span aria-hidden="true"
          >${message(
            own ? "text.own" : session.writing ? "text.writing" : "text.translation",
          )}</span
        >
        ${
          own
            ? html`<button class="link" @click=${() => session.update({ target: null })}>
                ${message("text.letModelWrite")}
              </button>`
            : html`<span class="hint" aria-hidden="true">${message("text.orYourOwn")}</span>`
        }
        ${this.renderControls()}
      </div>
      <headscope-growing-text
        class=${classMap({ stale: session.computation.stale && !own })}
        .quiet=${!own}
        .value=${target ?? session.translation}
        .label=${message(own ? "text.own" : "text.translation")}
        .description=${message("text.ownHint")}
        .placeholder=${message(own ? "text.ownPlaceholder" : "text.translationPlaceholder")}
        @headscope-text=${({ detail }: CustomEvent<string>) => session.update({ target: detail })}
      ></headscope-growing-text>
      ${this.renderStrip("target", session.result, message("text.targetTokens"))}
      ${own || session.state.sampling ? this.renderWriter() : nothing}`;
  }

  private renderStrip(side: Side, strip: Strip, label: string): TemplateResult {
    const { pointing, computation } = this.session;
    const unknown = strip.tokens.some(({ role }) => role === "unknown");
    const touch = (index: number | null, action: TokenTouch["action"]): void => {
      const masks = side === "source" && this.masking;
      const locks = this.several ? "pick" : masks ? "mask" : "lock";
      pointing.touchToken({ side, index, action: action === "lock" ? locks : action });
    };
    return html`${tokenStrip(strip, label, computation.stale, touch)}
    ${
      unknown
        ? html`<p class="small muted next">${laterMessage("notices", "text.unknownPieces")}</p>`
        : nothing
    }`;
  }
}

function guesses({ at, predictions }: Expectation): string {
  const best = predictions
    .slice(0, MAX_GUESSES)
    .map((one) => `${isolated(pieceText(one, at))} ${formatPercent(one.probability)}`);
  return message("fill.short", { token: tokenLabel(at), guesses: best.join(" · ") });
}
