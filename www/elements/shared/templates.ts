import { html, noChange, type TemplateResult } from "lit";
import { directive, Directive, type AttributePart, type ElementPart } from "lit/directive.js";
import type { ModelInfo, Prediction, Token, TokenRole } from "../../data/index.js";
import { message } from "../../i18n/index.js";

export type Styles = Readonly<Record<string, string>>;

/**
 * Sets inline styles one by one: `style=${styled({ width: "4px" })}`. Unlike Lit's `styleMap`, it
 * writes no style attribute, which a page may forbid (`style-src 'self'`).
 */
class Styled extends Directive {
  private last: Styles = {};

  override render(styles: Styles): unknown {
    return styles;
  }

  override update({ element }: AttributePart, [styles]: [Styles]): typeof noChange {
    const { style } = element;
    for (const name of Object.keys(this.last)) if (!(name in styles)) style.removeProperty(name);
    for (const [name, value] of Object.entries(styles))
      if (this.last[name] !== value) style.setProperty(name, value);
    this.last = styles;
    return noChange;
  }
}

export const styled = directive(Styled);

/** Technical detail, such as the code of a failure, behind a word. */
export function renderDetails(detail: unknown): TemplateResult {
  return html`<details class="technical small muted">
    <summary>${message("phone.details")}</summary>
    ${detail}
  </details>`;
}

/**
 * Sets several properties of an element: `<headscope-lines ${setProperties(pairs)} .mass=${mass}>`.
 */
class SetProperties extends Directive {
  override render(properties: object): unknown {
    return properties;
  }

  override update({ element }: ElementPart, [properties]: [object]): typeof noChange {
    Object.assign(element, properties);
    return noChange;
  }
}

export const setProperties = directive(SetProperties);
const SIGNS: Record<string, string> = { " ": "␣", "\n": "↵", "\r": "↵", "\t": "⇥" };

/** The label of a token: its text, a sign for white space, a word for a special one. */
export function tokenLabel(token: Token): string {
  // An unknown piece keeps its own text.
  if (token.role && (token.special || token.role !== "unknown"))
    return message(`token.${token.role}`);
  if (token.text.trim() !== "") return token.text;
  return token.text.replace(/\s/g, (space) => SIGNS[space] ?? "␣") || "␣";
}

/** The label of a token's chip: for a masked one the text that the mask token replaces. */
export function chipLabel(token: Token): string {
  const { maskedText = token.text } = token;
  return tokenLabel(isMasked(token) ? { ...token, text: maskedText, role: null } : token);
}

export const isMasked = ({ role, maskedText }: Token): boolean =>
  role === "mask" && maskedText !== undefined;

/** The end of a word: a letter, a mark or a digit, not an apostrophe, a hyphen or a bracket. */
const ENDS_AS_WORD = /[\p{L}\p{M}\p{N}]$/u;

/**
 * The text of a predicted token after, or instead of, another: a piece that continues a word begins
 * with dots.
 */
export function pieceText({ text, continuesWord }: Prediction, at: Token): string {
  // A masked token is replaced, so the token before it is unknown here.
  const continues =
    continuesWord && (at.maskedId !== undefined || (!at.special && ENDS_AS_WORD.test(at.text)));
  return continues ? `…${text}` : text;
}

/** The special tokens by which a model's texts begin and end. */
export type EndTokens = Pick<ModelInfo, "endTokens" | "padToken" | "startToken">;

/** The role of a token by the model's files; the first that applies. */
function roleOf(id: number, { endTokens, padToken, startToken }: EndTokens): TokenRole | undefined {
  if (endTokens.includes(id)) return "end";
  if (id === padToken) return "pad";
  return id === startToken ? "start" : undefined;
}

/** The label of a predicted token; a special one has a word in the page's language. */
export function predictionLabel(prediction: Prediction, at: Token, ends: EndTokens | null): string {
  const { id } = prediction;
  const role = ends ? roleOf(id, ends) : undefined;
  const text = pieceText(prediction, at);
  return tokenLabel({ id, text, word: -1, special: role !== undefined, role: role ?? null });
}

export function labelAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  return token ? tokenLabel(token) : "";
}

/** The name of a token of an image in a sentence: a patch by its row and its column. */
export const patchLabel = (token: Token): string => namePatch(token, "image.patch");

/** The name of a token of an image in a sentence, by its place in the image's tokens. */
export function patchLabelAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  return token ? patchLabel(token) : "";
}

/** The short name of a token of an image, in a list. */
export function patchNameAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  return token ? namePatch(token, "image.patchShort") : "";
}

function namePatch(token: Token, name: "image.patch" | "image.patchShort"): string {
  const [row, column] = token.special ? [] : token.text.split(",");
  return row && column ? message(name, { row, column }) : tokenLabel(token);
}

export const tokenLabels = (tokens: readonly Token[]): string[] => tokens.map(tokenLabel);
