import { escaped } from "../../draw/text.js";
import { encodeAttributes, isBundled, isOpened, type State } from "../../state/index.js";
import { home } from "../home.js";
import { addressOf } from "../run/model-cache.js";

/** Attributes that a figure in another page does not get: its tag names the picture, and the page around it decides its looks. */
const APART = new Set(
  "picture theme language tour sort role-filter picked bench labs numbers".split(" "),
);
/** Attributes of a difference alone: every other figure is of one run. */
const OF_TWO = new Set(["compare", "other", "othermodel", "aligned", "pairs"]);
const IN_PARTS = new Set(["headscope-heatmap", "headscope-mask", "headscope-difference"]);

/** What can be put into another page: the picture that is shown, all heads, a head's singular values, the tokens of a text or of both that a translator has, or everything. */
export type Embedded = "picture" | "grid" | "spectrum" | "tokens" | "both-tokens" | "explorer";

/** The HTML that shows a State in another page; null where a model is needed that only the user has. */
export function embedCode(what: Embedded, state: State): string | null {
  const explorer = what === "explorer";
  const two = explorer || (what === "picture" && state.compare !== null);
  if (isOpened(state.model) || (two && state.otherModel !== null && isOpened(state.otherModel)))
    return null;
  const unlocked = { ...state, locked: null };
  const one = (name: string): [tag: string, shown: State][] => [[`headscope-${name}`, state]];
  const figures: Record<Embedded, [tag: string, shown: State][]> = {
    explorer: [["head-scope", state]],
    picture: one(state.compare === null ? state.picture : "difference"),
    grid: one("grid"),
    spectrum: one("spectrum"),
    // Texts are shown apart from the locked pair of a head.
    tokens: [["headscope-tokens", unlocked]],
    "both-tokens": [
      ["headscope-tokens", { ...unlocked, stack: "encoder" }],
      ["headscope-tokens", { ...unlocked, stack: "decoder" }],
    ],
  };
  const elements = figures[what].map(([tag, shown]) => {
    const { text, stack, layer, head } = shown;
    // Written even where a first visit has the same, so that the code can be read and changed.
    const attributes = new Map([
      ["model", ""],
      ...Object.entries({ text, stack, layer: `${layer + 1}`, head: `${head + 1}` }),
    ]);
    for (const [name, value] of encodeAttributes(shown)) {
      const belongs =
        !APART.has(name) && (two || !OF_TWO.has(name)) && (name !== "region" || IN_PARTS.has(tag));
      if (explorer || belongs) attributes.set(name, value);
    }
    // A folder that this page names by a relative URL has another one as seen from other pages.
    for (const [name, model] of [
      ["model", shown.model] as const,
      ["othermodel", shown.otherModel] as const,
    ])
      if (model && attributes.has(name))
        attributes.set(name, isBundled(model) ? model : addressOf(model));
    const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`);
    return `<${tag}${written.join("")}></${tag}>\n`;
  });
  const script = escaped(new URL("embed.js", home()).href);
  return `<script type="module" src="${script}"></script>\n${elements.join("")}`;
}
