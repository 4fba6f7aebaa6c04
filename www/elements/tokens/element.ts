import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { classMap } from "lit/directives/class-map.js";
import { guard } from "lit/directives/guard.js";
import type { Token } from "../../data/index.js";
import { LanguageController, language, message } from "../../i18n/index.js";
import { wordsOf, type Word } from "../../reduce/index.js";
import { emit } from "../events.js";
import { Memo } from "../shared/memo.js";
import { baseStyles } from "../shared/base-styles.js";
import { SizeController } from "../shared/size.js";
import { styled } from "../shared/styled.js";
import { isHidden, saidOf } from "../shared/token-label.js";
import { Mark } from "./mark.js";
import { tokensStyles } from "./styles.js";
import { COUNT, CheckedElement, NUMBER, TOKENS, given, listOf, orNull } from "../shared/checked.js";

/**
 * A text as its tokens: subwords joined into words, special tokens marked, those that the model does not see struck out.
 *
 * @fires headscope-token-hover - the token under the pointer or the keyboard, or none
 * @fires headscope-token-lock - a token to hold; with Shift in addition to others; null lets go
 */
export class HeadscopeTokens extends CheckedElement {
  static override styles = [baseStyles, tokensStyles];

  @given(TOKENS) tokens: Token[] = [];
  @property({ type: Number }) hovered: number | null = null;
  @given(listOf(COUNT)) locked: number[] = [];
  /** Whether the pieces of a word are looked at as one. */
  @property({ type: Boolean, attribute: "by-word" }) byWord = false;
  /** For every token how much it has of the most that any has, drawn as a line below it; null for none. */
  @given(listOf(orNull(NUMBER))) shares: readonly (number | null)[] = [];
  /** The name of the strip. */
  @property() label = "";

  private readonly words = new Memo<SaidWord[]>();
  private readonly size = new SizeController(this);
  private readonly mark = new Mark();

  /** The one token that the Tab key reaches; arrows lead to the others. */
  @state() private stop = 0;

  constructor() {
    super();
    new LanguageController(this);
  }

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
        ${this.words.get([this.tokens], () => saidWords(this.tokens)).map((word) => guard(this.marks(word), () => this.word(word)))}
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

  /**
   * All that a word's looks follow from: a long text has hundreds, of which a move of the pointer changes two and a
   * keystroke, or a word more of a translation, one.
   */
  private marks({ indices, said }: SaidWord): unknown[] {
    const { hovered, locked, stop, byWord, shares } = this;
    const within = (index: number | null): number | null =>
      index !== null && indices.includes(index) ? index : null;
    return [
      said,
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
    const label = saidOf(token);
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
    // Not every browser says of a key's click that Shift was held.
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

/** A word with all that its chips say, to be compared in one. */
interface SaidWord extends Word {
  said: string;
}

function saidWords(tokens: readonly Token[]): SaidWord[] {
  return wordsOf(tokens).map(({ special, indices }) => {
    const chips = indices.map((index) => {
      const {
        text,
        role,
        special: alone,
        hiddenText,
      } = tokens[index] ?? { text: "", role: null, special: false };
      return [index, text, role, alone, hiddenText];
    });
    return { special, indices, said: JSON.stringify(chips) };
  });
}
