import { encodeAttributes, isBundled, type State } from "../../state/index.js";
import { home } from "../home.js";

/** The script that defines the elements, beside the page. */
const SCRIPT = "embed.js";

/** What a figure in another page is not told: which figure it is says its tag, how it looks says the page around it, and it is of one head in one text. */
const APART = new Set(["picture", "theme", "language", "tour", "sort", "role-filter", "picked", "compare", "other", "othermodel", "aligned", "pairs"]);
/** Said even where a first visit has the same, so that the code can be read and changed. */
const ALWAYS = ["model", "text", "stack", "layer", "head"] as const;

/** What can be put into another page. */
export type Embedded = "picture" | "explorer";

/** The HTML that shows a State in another page; null for a model that only the reader has. */
export function embedCode(what: Embedded, state: State): string | null {
  if (!isBundled(state.model)) return null;
  const said = new Map(encodeAttributes(state).filter(([name]) => what === "explorer" || !APART.has(name)));
  const { model, text, stack } = state;
  const usual = { model, text, stack, layer: `${state.layer + 1}`, head: `${state.head + 1}` };
  const attributes = new Map<string, string>([...ALWAYS.map((name): [string, string] => [name, usual[name]]), ...said]);
  const tag = what === "picture" ? `headscope-${state.picture}` : "head-scope";
  const written = [...attributes].map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join("");
  return `<script type="module" src="${escapeHtml(new URL(SCRIPT, home()).href)}"></script>\n<${tag}${written}></${tag}>\n`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
