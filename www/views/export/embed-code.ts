import {
  encodeAttributes,
  isBundled,
  isOpened,
  type ModelName,
  type State,
} from "../../state/index.js";
import { home } from "../home.js";
import { addressOf } from "../run/model-cache.js";

/** The script that defines the elements, beside the page. */
const SCRIPT = "embed.js";

/** Attributes that a figure in another page does not get: its tag names the figure, and the page around it decides its looks. */
const APART: ReadonlySet<string> = new Set([
  "picture",
  "theme",
  "language",
  "tour",
  "sort",
  "role-filter",
  "picked",
  "bench",
  "labs",
  "numbers",
]);
/** Attributes of a difference alone: every other figure is of one run. */
const OF_TWO: ReadonlySet<string> = new Set(["compare", "other", "othermodel", "aligned", "pairs"]);
/** Figures that can show a part of themselves. */
const IN_PARTS: ReadonlySet<string> = new Set([
  "headscope-heatmap",
  "headscope-mask",
  "headscope-difference",
]);
/** Said even where a first visit has the same, so that the code can be read and changed. */
const ALWAYS = ["model", "text", "stack", "layer", "head"] as const;

/** What can be put into another page: the picture that is shown, all heads, a head's singular values, the tokens of a text or of both that a translator has, or everything. */
export type Embedded = "picture" | "grid" | "spectrum" | "tokens" | "both-tokens" | "explorer";

/** The HTML that shows a State in another page; null where a model is needed that only the reader has. */
export function embedCode(what: Embedded, state: State): string | null {
  const tags = tagsOf(what, state);
  const two = what === "explorer" || tags.includes("headscope-difference");
  if (isOpened(state.model) || (two && state.otherModel !== null && isOpened(state.otherModel)))
    return null;
  const elements = tags.map((tag, index) => {
    const shown = shownBy(what, index, state);
    const changed = encodeAttributes(shown).filter(
      ([name]) =>
        what === "explorer" ||
        (!APART.has(name) &&
          (two || !OF_TWO.has(name)) &&
          (name !== "region" || IN_PARTS.has(tag))),
    );
    return elementWith(tag, shown, changed);
  });
  return `<script type="module" src="${escapeHtml(new URL(SCRIPT, home()).href)}"></script>\n${elements.join("")}`;
}

/** Where each text of a translator stands in the rows. */
const TEXTS = ["encoder", "decoder"] as const;

function shownBy(what: Embedded, index: number, state: State): State {
  // What is held is a pair of one head, and the texts are shown apart from any.
  if (what === "tokens") return { ...state, locked: null };
  return what === "both-tokens"
    ? { ...state, locked: null, stack: TEXTS[index] ?? state.stack }
    : state;
}

function tagsOf(what: Embedded, { compare, picture }: State): string[] {
  if (what === "explorer") return ["head-scope"];
  if (what === "both-tokens") return TEXTS.map(() => "headscope-tokens");
  if (what === "grid" || what === "tokens" || what === "spectrum") return [`headscope-${what}`];
  return [compare === null ? `headscope-${picture}` : "headscope-difference"];
}

function elementWith(
  tag: string,
  { model, otherModel, text, stack, layer, head }: State,
  changed: readonly [name: string, value: string][],
): string {
  const usual = {
    model: attributeOfModel(model),
    text,
    stack,
    layer: `${layer + 1}`,
    head: `${head + 1}`,
  };
  const attributes = new Map<string, string>([
    ...ALWAYS.map((name): [string, string] => [name, usual[name]]),
    ...changed,
  ]);
  if (otherModel && attributes.has("othermodel"))
    attributes.set("othermodel", attributeOfModel(otherModel));
  const written = [...attributes]
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join("");
  return `<${tag}${written}></${tag}>\n`;
}

/** A folder that this page names by a relative URL has another one as seen from other pages. */
function attributeOfModel(model: ModelName): string {
  return isBundled(model) || isOpened(model) ? model : addressOf(model);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
