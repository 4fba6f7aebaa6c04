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
const APART = new Set(
  "picture theme language tour sort role-filter picked bench labs numbers".split(" "),
);
/** Attributes of a difference alone: every other figure is of one run. */
const OF_TWO = new Set(["compare", "other", "othermodel", "aligned", "pairs"]);
/** Figures that can show a part of themselves. */
const IN_PARTS = new Set(["headscope-heatmap", "headscope-mask", "headscope-difference"]);

/** What can be put into another page: the picture that is shown, all heads, a head's singular values, the tokens of a text or of both that a translator has, or everything. */
export type Embedded = "picture" | "grid" | "spectrum" | "tokens" | "both-tokens" | "explorer";

/** The HTML that shows a State in another page; null where a model is needed that only the reader has. */
export function embedCode(what: Embedded, state: State): string | null {
  const explorer = what === "explorer";
  const two = explorer || (what === "picture" && state.compare !== null);
  if (isOpened(state.model) || (two && state.otherModel !== null && isOpened(state.otherModel)))
    return null;
  const figures = figuresOf(what, state).map(([tag, shown]) => {
    const { model, otherModel, text, stack, layer, head } = shown;
    // Written even where a first visit has the same, so that the code can be read and changed.
    const attributes = new Map<string, string>([
      ["model", addressIn(model)],
      ["text", text],
      ["stack", stack],
      ["layer", `${layer + 1}`],
      ["head", `${head + 1}`],
    ]);
    for (const [name, value] of encodeAttributes(shown)) {
      const belongs =
        !APART.has(name) && (two || !OF_TWO.has(name)) && (name !== "region" || IN_PARTS.has(tag));
      if (explorer || belongs) attributes.set(name, value);
    }
    if (otherModel && attributes.has("othermodel"))
      attributes.set("othermodel", addressIn(otherModel));
    const written = [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
    return `<${tag}${written.join("")}></${tag}>\n`;
  });
  return `<script type="module" src="${escapeHtml(new URL(SCRIPT, home()).href)}"></script>\n${figures.join("")}`;
}

/** The elements with the States that they show; texts are shown apart from the pair of a head that is held. */
function figuresOf(what: Embedded, state: State): [tag: string, shown: State][] {
  switch (what) {
    case "explorer":
      return [["head-scope", state]];
    case "picture":
      return [[`headscope-${state.compare === null ? state.picture : "difference"}`, state]];
    case "both-tokens":
      return (["encoder", "decoder"] as const).map((stack) => [
        "headscope-tokens",
        { ...state, locked: null, stack },
      ]);
    case "tokens":
      return [["headscope-tokens", { ...state, locked: null }]];
    default:
      return [[`headscope-${what}`, state]];
  }
}

/** A folder that this page names by a relative URL has another one as seen from other pages. */
function addressIn(model: ModelName): string {
  return isBundled(model) || isOpened(model) ? model : addressOf(model);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
