import { noChange } from "lit";
import { directive, Directive, type AttributePart, type ElementPart } from "lit/directive.js";
import type { ModelInfo, Prediction, Token } from "../../data/index.js";
import { message } from "../../i18n/index.js";

/** CSS properties by their names in CSS, custom ones included. */
export type Styles = Readonly<Record<string, string>>;

/**
 * Sets an element's own styles one by one: `style=${styled({ width: "4px" })}`. A page may forbid style attributes (with
 * `style-src 'self'`), which Lit's own `styleMap` writes when it renders first; this way is always allowed.
 */
class Styled extends Directive {
  private last: Styles = {};
  private element: HTMLElement | null = null;

  override update({ element }: AttributePart, [styles]: [Styles]): typeof noChange {
    this.element = element instanceof HTMLElement ? element : null;
    return this.render(styles);
  }

  override render(styles: Styles): typeof noChange {
    const { element } = this;
    if (!element) return noChange;
    for (const name of Object.keys(this.last))
      if (!(name in styles)) element.style.removeProperty(name);
    for (const [name, value] of Object.entries(styles))
      if (this.last[name] !== value) element.style.setProperty(name, value);
    this.last = styles;
    return noChange;
  }
}

export const styled = directive(Styled);

/**
 * Hands an element several properties at once, so that what many figures are told is written down once:
 * `<headscope-lines ${setProperties(pairs)} .mass=${mass}>`. A property that is the same as before changes nothing.
 */
class SetProperties extends Directive {
  private element: Element | null = null;

  override update({ element }: ElementPart, [properties]: [object]): typeof noChange {
    this.element = element;
    return this.render(properties);
  }

  override render(properties: object): typeof noChange {
    if (this.element) Object.assign(this.element, properties);
    return noChange;
  }
}

export const setProperties = directive(SetProperties);

const SIGNS: Record<string, string> = { " ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥" };

/** What a token is called on the page: its text, a sign for white space, a word for a special one. */
export function tokenLabel(token: Token): string {
  // Of an unknown piece the reader's own text says more than that it is unknown.
  if (token.role && (token.special || token.role !== "unknown"))
    return message(`token.${token.role}`);
  if (token.text.trim() !== "") return token.text;
  return token.text.replace(/\s/g, (space) => SIGNS[space] ?? "␣") || "␣";
}

/** What a chip says of a token: of one that is hidden behind the mask token what a person reads there, and not what the model reads. */
export function saidOf(token: Token): string {
  return tokenLabel(
    isHidden(token) ? { ...token, text: token.hiddenText ?? token.text, role: null } : token,
  );
}

/** Whether the mask token stands there in place of a token of the text. */
export function isHidden({ role, hiddenText }: Token): boolean {
  return role === "mask" && hiddenText !== undefined;
}

/** What ends as words do, not as an apostrophe, a hyphen or a bracket does. */
const ENDS_AS_WORD = /[\p{L}\p{M}\p{N}]$/u;

/** What a possible token is called after, or in the place of, another: a piece that goes on with a word shows that it does. */
export function pieceText({ text, continuesWord }: Prediction, at: Token): string {
  // In the place of a hidden token it may go on with the one before, which is not at hand.
  const goesOn =
    continuesWord && (at.hiddenId !== undefined || (!at.special && ENDS_AS_WORD.test(at.text)));
  return goesOn ? `…${text}` : text;
}

/** The tokens that a vocabulary has for the ends of a text. */
type EndsOf = Pick<ModelInfo, "endToken" | "padToken" | "startToken">;

/** What a possible token is called on the page: a special one by what it does, in the page's language. */
export function predictionLabel(prediction: Prediction, at: Token, ends: EndsOf | null): string {
  const { id } = prediction;
  const role =
    ends === null
      ? null
      : id === ends.endToken
        ? "end"
        : id === ends.padToken
          ? "pad"
          : id === ends.startToken
            ? "start"
            : null;
  return tokenLabel({
    id,
    text: pieceText(prediction, at),
    word: -1,
    special: role !== null,
    role,
  });
}

export function labelAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  return token ? tokenLabel(token) : "";
}

export function tokenLabels(tokens: readonly Token[]): string[] {
  return tokens.map(tokenLabel);
}
