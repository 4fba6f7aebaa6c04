import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import type { Token } from "../data/index.js";
import { language, message } from "../i18n/index.js";
import { wordsOf, type Word } from "../reduce/index.js";
import { emit } from "./events.js";
import { CheckedElement, TOKENS, given, givenSmall, listOf, orNull } from "./shared/checked.js";
import { define, ScrollHints } from "./shared/controllers.js";
import { keyListener, moveInRow } from "./shared/grid-navigation.js";
import { styled, isMasked, chipLabel } from "./shared/templates.js";
import styles from "./tokens.css?inline";

/** What the templates of tokens depend on. */
type TokenInputs = Pick<HeadscopeTokens, "tokens" | "hovered" | "locked" | "byWord" | "shares"> & {
  stop: number;
};

/**
 * A text as its tokens: subwords joined into words, special tokens outlined, masked tokens struck
 * through.
 *
 * @fires headscope-token-hover - the token under the pointer or the keyboard, or none
 * @fires headscope-token-lock - a token to lock, with Shift beside others; null unlocks all
 */
export class HeadscopeTokens extends CheckedElement {
  static override styles = unsafeCSS(styles);
  @given(TOKENS) tokens: Token[] = [];
  @property({ type: Number }) hovered: number | null = null;
  @givenSmall(listOf("count")) locked: number[] = [];
  /** Whether the tokens of a word are hovered together. */
  @property({ type: Boolean, attribute: "by-word" }) byWord = false;
  /**
   * For every token a share of the largest value, drawn as a line below the token; null for none.
   */
  @givenSmall(listOf(orNull("number"))) shares: readonly (number | null)[] = [];
  @property() label = "";
  /** The token that the Tab key reaches; arrows lead to the others. */
  @state() private stop = 0;

  constructor() {
    super();
    new ScrollHints(this);
  }

  protected override willUpdate(): void {
    this.stop = Math.max(0, Math.min(this.stop, this.tokens.length - 1));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { tokens, hovered, locked, stop, byWord, shares } = this;
    if (tokens.length === 0) return nothing;
    const inputs = { tokens, hovered, locked, stop, byWord, shares };
    return html`<div
      class="strip"
      role="toolbar"
      aria-label=${this.label || nothing}
      @keydown=${this.pressed}
      @pointerleave=${this.left}
      @focusout=${this.left}
    >
      ${this.memo("words", [tokens], () => wordsOf(tokens)).map((word) =>
        guard([this.inputsOf(word, inputs)], () => this.renderWord(word)),
      )}
    </div>`;
  }

  /**
   * All inputs of a word's template: of the hundreds in a long text, a move of the pointer renders
   * two.
   */
  private inputsOf({ indices }: Word, inputs: TokenInputs): string {
    const { tokens, hovered, locked, stop, byWord, shares } = inputs;
    const own: unknown[] = [language(), byWord];
    for (const index of indices) {
      const { text, role, special, maskedText } = tokens[index] ?? {};
      const marks = [index === hovered, index === stop, locked.includes(index), shares[index]];
      own.push(index, text, role, special, maskedText, ...marks);
    }
    // One text, which is compared at once.
    return JSON.stringify(own);
  }

  private renderWord({ special, indices }: Word): TemplateResult {
    const inHovered = this.byWord && this.hovered !== null && indices.includes(this.hovered);
    return html`<span class=${classMap({ word: true, chip: true, special })}
      >${indices.map((index) => this.renderToken(index, inHovered))}</span
    >`;
  }

  private renderToken(index: number, inHovered: boolean): TemplateResult | typeof nothing {
    const token = this.tokens[index];
    if (!token) return nothing;
    const held = this.locked.includes(index);
    const masked = isMasked(token);
    const label = chipLabel(token);
    const unknown = token.role === "unknown" && !token.special;
    const remark = masked ? "token.masked" : unknown ? "token.unknownPiece" : null;
    const words = remark ? message(remark, { token: label }) : nothing;
    const share = this.shares[index] ?? null;
    const hovered = inHovered || this.hovered === index;
    const width = `calc((100% - 12px) * ${share})`;
    return html`<button
      part="chip"
      class=${classMap({ hovered, held, masked, unknown, shared: share !== null })}
      data-index=${index}
      tabindex=${index === this.stop ? 0 : -1}
      title=${words}
      aria-label=${words}
      aria-pressed=${held || masked}
      @pointerenter=${({ pointerType }: PointerEvent) => {
        if (pointerType !== "touch") this.hover(index);
      }}
      @focus=${() => {
        this.stop = index;
        this.hover(index);
      }}
      @click=${(event: MouseEvent) =>
        emit(this, "headscope-token-lock", { index, extend: event.shiftKey })}
    >
      <bdi>${label}</bdi
      >${share === null ? nothing : html`<i class="share" style=${styled({ width })}></i>`}
    </button>`;
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
}

define("headscope-tokens", HeadscopeTokens);
