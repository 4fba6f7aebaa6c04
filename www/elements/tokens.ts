import { html, nothing, type TemplateResult, css } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import type { Token } from "../data/index.js";
import { language, message } from "../i18n/index.js";
import { wordsOf, type Word } from "../reduce/index.js";
import { emit } from "./events.js";
import { COUNT, CheckedElement, NUMBER, TOKENS, given, listOf, orNull } from "./shared/checked.js";
import { Memo, SizeController, define } from "./shared/controllers.js";
import { styled, isHidden, chipLabel } from "./shared/templates.js";

const tokensStyles = css`
  .strip {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 4px;
    /* A layer of its own: a change of one chip does not composite the page again. */
    will-change: transform;
  }
  .word {
    display: inline-flex;
    flex-wrap: wrap;
    max-width: 100%;
    border-radius: 4px;
    background: var(--_chip);
  }
  .special {
    background: none;
    outline: 1px dashed var(--_line);
    outline-offset: -1px;
    color: var(--_muted);
  }
  button {
    min-width: 24px;
    min-height: max(28px, var(--_touch) - 4px);
    padding: 2px 8px 3px;
    border-radius: 4px;
    font-size: 13.5px;
    font-variant-east-asian: proportional-width;
    /* A token wider than the strip breaks: hundreds of chips that clip would slow the pointer down. */
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  /* A dotted seam between the tokens of a word. */
  button + button {
    border-left: 1px dotted var(--_muted);
  }
  :is(button + button, .mark.after) {
    border-top-left-radius: 0;
    border-bottom-left-radius: 0;
  }
  button:not(:only-child) {
    padding-inline: 6px;
  }
  :is(button:not(:last-child), .mark.before) {
    border-top-right-radius: 0;
    border-bottom-right-radius: 0;
  }
  .unknown:not(:focus-visible) {
    outline: 2px dotted var(--_muted);
    outline-offset: -2px;
  }
  .hidden {
    background: repeating-linear-gradient(45deg, var(--_line) 0 1px, transparent 1px 5px);
    color: var(--_muted);
    text-decoration: line-through 1px;
  }
  /* Not every chip: hundreds of positioned chips would slow the pointer down. */
  .whole,
  .shared {
    position: relative;
  }
  /* Contained: a moved mark does not lay out the page again. */
  .over {
    position: absolute;
    inset: 0;
    contain: layout size;
    pointer-events: none;
  }
  .mark {
    position: absolute;
    top: 0;
    left: 0;
    border-radius: 4px;
    visibility: hidden;
    will-change: transform;
  }
  .mark.on {
    box-shadow: inset 0 -2px 0 var(--_accent);
    visibility: visible;
  }
  .share {
    position: absolute;
    left: 6px;
    bottom: 3px;
    height: 3px;
    border-radius: 1.5px;
    background: var(--_bar);
    pointer-events: none;
  }
  .held {
    background: var(--_ink);
    color: var(--_paper);
  }
  .held .share {
    background: var(--_paper);
  }
`;

/**
 * A text as its tokens: subwords joined into words, special tokens outlined, hidden tokens struck through.
 *
 * @fires headscope-token-hover - the token under the pointer or the keyboard, or none
 * @fires headscope-token-lock - a token to lock, with Shift beside others; null unlocks all
 */
export class HeadscopeTokens extends CheckedElement {
  static override styles = tokensStyles;

  @given(TOKENS) tokens: Token[] = [];
  @property({ type: Number }) hovered: number | null = null;
  @given(listOf(COUNT)) locked: number[] = [];
  /** Whether the tokens of a word are hovered together. */
  @property({ type: Boolean, attribute: "by-word" }) byWord = false;
  /** For every token its share of the largest value, drawn as a line below it; null for none. */
  @given(listOf(orNull(NUMBER))) shares: readonly (number | null)[] = [];
  /** The name of the strip. */
  @property() label = "";

  private readonly size = new SizeController(this);
  private readonly mark = new Mark();

  /** The one token that the Tab key reaches; arrows lead to the others. */
  @state() private stop = 0;

  protected override willUpdate(): void {
    this.stop = Math.max(0, Math.min(this.stop, this.tokens.length - 1));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.tokens.length === 0) return nothing;
    return html`<div class="whole">
      <div
        class="strip"
        role="toolbar"
        aria-label=${this.label || nothing}
        @keydown=${this.pressed}
        @pointerleave=${this.left}
        @focusout=${this.left}
      >
        ${this.memo("words", [this.tokens], () => labelledWords(this.tokens)).map((word) => guard(this.inputsOf(word), () => this.word(word)))}
      </div>
      <div class="over" aria-hidden="true"><i class="mark"></i></div>
    </div>`;
  }

  protected override updated(): void {
    const [strip, mark] = [
      this.renderRoot.querySelector(".strip"),
      this.renderRoot.querySelector<HTMLElement>(".mark"),
    ];
    if (!strip || !mark) return;
    const chip = strip.querySelector(".hovered");
    const target = this.byWord ? (chip?.parentElement ?? null) : chip;
    this.mark.put(mark, strip, target, [this.tokens, language(), this.size.width, this.size.ratio]);
  }

  /** All inputs of a word's template: of the hundreds in a long text, a move of the pointer renders two. */
  private inputsOf({ indices, labels }: LabelledWord): unknown[] {
    const { hovered, locked, stop, byWord, shares } = this;
    const within = (index: number | null): number | null =>
      index !== null && indices.includes(index) ? index : null;
    return [
      labels,
      language(),
      within(hovered),
      within(stop),
      byWord,
      ...indices.flatMap((index) => [locked.includes(index), shares[index]]),
    ];
  }

  private word({ special, indices }: Word): TemplateResult {
    const inHovered = this.byWord && this.hovered !== null && indices.includes(this.hovered);
    return html`<span class=${classMap({ word: true, special })}>${indices.map((index) => this.token(index, inHovered))}</span>`;
  }

  private token(index: number, inHovered: boolean): TemplateResult | typeof nothing {
    const token = this.tokens[index];
    if (!token) return nothing;
    const held = this.locked.includes(index);
    const hidden = isHidden(token);
    const label = chipLabel(token);
    const unknown = token.role === "unknown" && !token.special;
    const remark = hidden
      ? message("token.hidden", { token: label })
      : unknown
        ? message("token.unknownPiece", { token: label })
        : nothing;
    const shared = (this.shares[index] ?? null) !== null;
    return html`<button
      part="chip"
      class=${classMap({ hovered: inHovered || this.hovered === index, held, hidden, unknown, shared })}
      data-index=${index}
      tabindex=${index === this.stop ? 0 : -1}
      title=${remark}
      aria-label=${remark}
      aria-pressed=${held || hidden}
      @pointerenter=${(event: PointerEvent) => {
        if (event.pointerType !== "touch") this.hover(index);
      }}
      @focus=${() => {
        this.stop = index;
        this.hover(index);
      }}
      @click=${(event: MouseEvent) => emit(this, "headscope-token-lock", { index, extend: event.shiftKey })}
      ><bdi>${label}</bdi>${this.share(index)}</button
    >`;
  }

  private share(index: number): TemplateResult | typeof nothing {
    const share = this.shares[index] ?? null;
    return share === null
      ? nothing
      : html`<i class="share" style=${styled({ width: `calc((100% - 12px) * ${share})` })}></i>`;
  }

  private hover(index: number | null): void {
    emit(this, "headscope-token-hover", { index });
  }

  private readonly left = (): void => {
    this.hover(null);
  };

  private readonly pressed = (event: KeyboardEvent): void => {
    const last = this.tokens.length - 1;
    const targets: Record<string, number> = {
      ArrowLeft: this.stop - 1,
      ArrowRight: this.stop + 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target !== undefined) this.go(Math.min(last, Math.max(0, target)));
    // Not every browser reports Shift in the click of a key.
    else if (event.key === "Enter" && event.shiftKey)
      emit(this, "headscope-token-lock", { index: this.stop, extend: true });
    else if (event.key === "Escape")
      emit(this, "headscope-token-lock", { index: null, extend: false });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  private go(index: number): void {
    this.renderRoot.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  }
}

/** A word with all that its chips show, as one string to compare. */
interface LabelledWord extends Word {
  labels: string;
}

function labelledWords(tokens: readonly Token[]): LabelledWord[] {
  return wordsOf(tokens).map(({ special, indices }) => {
    const chips = indices.map((index) => {
      const token = tokens[index];
      return [index, token?.text, token?.role, token?.special, token?.hiddenText];
    });
    return { special, indices, labels: JSON.stringify(chips) };
  });
}

/** Where a chip is, from the strip's upper left corner, in CSS pixels. */
interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The line under the hovered chip. It is a layer above the strip: a chip that changed its own style would make the browser
 * paint all chips of a long text again.
 */
class Mark {
  private readonly wanted = new Memo<void>();
  private readonly places = new Map<Element, Place>();
  private shown: { mark: HTMLElement; target: Element } | null = null;
  /** Called once the browser has laid out the strip, within the same frame. */
  private readonly laidOut = new ResizeObserver(([entry]) => {
    this.laidOut.disconnect();
    if (entry) this.read(entry.target);
    this.draw();
  });

  /**
   * Moves the mark to a chip or a word. Their places are read once as long as `inputs` stay the same, and only after the
   * browser's own layout: reading at once would force one more.
   */
  put(mark: HTMLElement, strip: Element, target: Element | null, inputs: readonly unknown[]): void {
    mark.classList.toggle("on", target !== null);
    this.shown = target && { mark, target };
    this.wanted.get([strip, ...inputs], () => this.places.clear());
    this.laidOut.disconnect();
    if (target && !this.places.has(target)) this.laidOut.observe(strip);
    this.draw();
  }

  /** Reads the place of the first hovered chip alone, since a text may be replaced at every keystroke, then those of all. */
  private read(strip: Element): void {
    const target = this.shown?.target;
    const chips =
      this.places.size > 0
        ? strip.querySelectorAll(".word, .word > button")
        : target
          ? [target]
          : [];
    const from = strip.getBoundingClientRect();
    for (const chip of chips) {
      const { x, y, width, height } = chip.getBoundingClientRect();
      this.places.set(chip, { x: x - from.x, y: y - from.y, width, height });
    }
  }

  private draw(): void {
    if (!this.shown) return;
    const { mark, target } = this.shown;
    const place = this.places.get(target);
    if (!place) return;
    mark.classList.toggle("after", target.matches(".word > :not(:first-child)"));
    mark.classList.toggle("before", target.matches(".word > :not(:last-child)"));
    mark.style.width = `${place.width}px`;
    mark.style.height = `${place.height}px`;
    mark.style.transform = `translate(${place.x}px, ${place.y}px)`;
  }
}

define("headscope-tokens", HeadscopeTokens);
