import { html, nothing, type TemplateResult, css } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import type { Token } from "../data/index.js";
import type { Rect } from "../draw/layout.js";
import { language, message } from "../i18n/index.js";
import { wordsOf, type Word } from "../reduce/index.js";
import { emit } from "./events.js";
import { CheckedElement, TOKENS, given, listOf, orNull } from "./shared/checked.js";
import { SizeController, define } from "./shared/controllers.js";
import { keyListener, moveInRow } from "./shared/grid-navigation.js";
import { styled, isHidden, chipLabel } from "./shared/templates.js";

const tokensStyles = css`
  .strip {
    display: flex;
    flex-wrap: var(--headscope-token-wrap, wrap);
    gap: 6px 4px;
    /* A layer of its own: a change of one chip does not composite the page again. */
    will-change: transform;
  }
  .word {
    display: inline-flex;
    flex: none;
    flex-wrap: wrap;
    max-width: 100%;
  }
  button {
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
  :is(.whole, .shared) {
    position: relative;
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

interface LabelledWord extends Word {
  labels: string;
}

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
  @given(listOf("count")) locked: number[] = [];
  /** Whether the tokens of a word are hovered together. */
  @property({ type: Boolean, attribute: "by-word" }) byWord = false;
  /** For every token its share of the largest value, drawn as a line below it; null for none. */
  @given(listOf(orNull("number"))) shares: readonly (number | null)[] = [];
  @property() label = "";
  /** The one token that the Tab key reaches; arrows lead to the others. */
  @state() private stop = 0;
  private readonly size = new SizeController(this);
  /** The places of chips and words, from the strip's upper left corner, and the one that has the mark. */
  private readonly places = new Map<Element, Rect>();
  private target: Element | null = null;
  /** Called once the browser has laid out the strip, within the same frame. */
  private readonly laidOut = new ResizeObserver(([entry]) => {
    this.laidOut.disconnect();
    if (entry) this.readPlaces(entry.target);
    this.drawMark();
  });

  protected override willUpdate(): void {
    this.stop = Math.max(0, Math.min(this.stop, this.tokens.length - 1));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { tokens } = this;
    if (tokens.length === 0) return nothing;
    const words = this.memo("words", [tokens], () =>
      wordsOf(tokens).map((word): LabelledWord => {
        const chips = word.indices.map((index) => {
          const { text, role, special, hiddenText } = tokens[index] ?? {};
          return [index, text, role, special, hiddenText];
        });
        return { ...word, labels: JSON.stringify(chips) };
      }),
    );
    return html`<div class="whole">
      <div class="strip" role="toolbar" aria-label=${this.label || nothing} @keydown=${this.pressed} @pointerleave=${this.left} @focusout=${this.left}>
        ${words.map((word) => guard(this.inputsOf(word), () => this.renderWord(word)))}
      </div>
      <div class="layer" aria-hidden="true"><i class="mark"></i></div>
    </div>`;
  }

  /** All inputs of a word's template: of the hundreds in a long text, a move of the pointer renders two. */
  private inputsOf({ indices, labels }: LabelledWord): unknown[] {
    const { hovered, locked, stop, byWord, shares } = this;
    const within = (index: number | null): number | null =>
      index !== null && indices.includes(index) ? index : null;
    const own = indices.flatMap((index) => [locked.includes(index), shares[index]]);
    return [labels, language(), within(hovered), within(stop), byWord, ...own];
  }

  private renderWord({ special, indices }: Word): TemplateResult {
    const inHovered = this.byWord && this.hovered !== null && indices.includes(this.hovered);
    return html`<span class=${classMap({ word: true, chip: true, special })}>${indices.map((index) => this.renderToken(index, inHovered))}</span>`;
  }

  private renderToken(index: number, inHovered: boolean): TemplateResult | typeof nothing {
    const token = this.tokens[index];
    if (!token) return nothing;
    const held = this.locked.includes(index);
    const hidden = isHidden(token);
    const label = chipLabel(token);
    const unknown = token.role === "unknown" && !token.special;
    const remark = hidden ? "token.hidden" : unknown ? "token.unknownPiece" : null;
    const words = remark ? message(remark, { token: label }) : nothing;
    const share = this.shares[index] ?? null;
    const hovered = inHovered || this.hovered === index;
    const width = `calc((100% - 12px) * ${share})`;
    return html`<button
      part="chip" class=${classMap({ hovered, held, hidden, unknown, shared: share !== null })} data-index=${index}
      tabindex=${index === this.stop ? 0 : -1} title=${words} aria-label=${words} aria-pressed=${held || hidden}
      @pointerenter=${({ pointerType }: PointerEvent) => {
        if (pointerType !== "touch") this.hover(index);
      }}
      @focus=${() => {
        this.stop = index;
        this.hover(index);
      }}
      @click=${(event: MouseEvent) => emit(this, "headscope-token-lock", { index, extend: event.shiftKey })}
      ><bdi>${label}</bdi>${share === null ? nothing : html`<i class="share" style=${styled({ width })}></i>`}</button
    >`;
  }

  private hover(index: number | null): void {
    emit(this, "headscope-token-hover", { index });
  }

  private readonly left = (): void => this.hover(null);

  private readonly pressed = keyListener((key, { shiftKey }) => {
    const { stop: index } = this;
    const to = moveInRow(key, index, this.tokens.length);
    if (to !== null) this.renderRoot.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus();
    // Not every browser reports Shift in the click of a key.
    else if (key === "Enter" && shiftKey)
      emit(this, "headscope-token-lock", { index, extend: true });
    else if (key === "Escape") emit(this, "headscope-token-lock", { index: null, extend: false });
    else return false;
    return true;
  });

  /**
   * Moves the mark under the hovered chip or word. It is a layer above the strip: a chip that changed its own style would
   * make the browser paint all chips of a long text again. Places are read once as long as texts and size stay the same,
   * and only after the browser's own layout: reading at once would force one more.
   */
  protected override updated(): void {
    const strip = this.renderRoot.querySelector(".strip");
    if (!strip) return;
    const chip = strip.querySelector(".hovered");
    this.target = this.byWord ? (chip?.parentElement ?? null) : chip;
    const { width, ratio } = this.size;
    const inputs = [strip, this.tokens, language(), width, ratio];
    this.memo("places", inputs, () => this.places.clear());
    this.laidOut.disconnect();
    if (this.target && !this.places.has(this.target)) this.laidOut.observe(strip);
    this.drawMark();
  }

  /** Reads the place of the first hovered chip alone, since a text may be replaced at every keystroke, then those of all. */
  private readPlaces(strip: Element): void {
    const first = this.target ? [this.target] : [];
    const all = strip.querySelectorAll(".word, .word > button");
    const from = strip.getBoundingClientRect();
    for (const chip of this.places.size > 0 ? all : first) {
      const { x, y, width, height } = chip.getBoundingClientRect();
      this.places.set(chip, { x: x - from.x, y: y - from.y, width, height });
    }
  }

  private drawMark(): void {
    const { target } = this;
    const mark = this.renderRoot.querySelector<HTMLElement>(".mark");
    const place = target && this.places.get(target);
    mark?.classList.toggle("on", target !== null);
    if (!mark || !place) return;
    mark.classList.toggle("after", target.matches(".word > :not(:first-child)"));
    mark.classList.toggle("before", target.matches(".word > :not(:last-child)"));
    mark.style.width = `${place.width}px`;
    mark.style.height = `${place.height}px`;
    mark.style.transform = `translate(${place.x}px, ${place.y}px)`;
  }
}

define("headscope-tokens", HeadscopeTokens);
