/**
 * `embed.html`, a page for a frame: it shows a figure or the explorer of a link, and tells the page
 * around it how tall it is.
 *
 *     embed.html?show=picture#text=I+like+cats.
 *
 * What stands behind `#` is a link's. The message is `{ headscope: "height", height }`, in CSS
 * pixels, after each change.
 */
import { decodeState, isBeside, isBundled, type ModelName } from "../state/index.js";
import { embedCode, type Embedded } from "../kit/embed-buttons.js";
import { configure } from "./index.js";

const home = new URL("./", document.baseURI).href;
configure({ home });

/** What a frame can show, by the parameter `show`; a frame without it shows the picture. */
const SHOWN: Readonly<Record<string, Embedded>> = {
  picture: "picture",
  grid: "grid",
  spectrum: "spectrum",
  tokens: "tokens",
  explorer: "explorer",
};

/** Shows what the address asks for. */
function show(): void {
  const { state, named } = decodeState(location.hash);
  const asked = new URL(location.href).searchParams.get("show") ?? "picture";
  const what = needsConsent(state.model) ? "explorer" : SHOWN[asked];
  const { documentElement: root, body } = document;
  root.lang = state.language ?? navigator.language;
  root.style.colorScheme = state.theme === "system" ? "light dark" : state.theme;
  if (what === undefined) {
    body.textContent = `show=${asked}: ${Object.keys(SHOWN).join(" | ")}`;
    return;
  }
  const template = document.createElement("template");
  // Without the script that the code has for other pages: this one is it.
  template.innerHTML = embedCode(what, state, home)?.replace(/<script.*<\/script>\n/, "") ?? "";
  // The code writes the head even where the link names none, and the model may not have that one.
  for (const place of ["stack", "layer", "head"] as const)
    if (!named.includes(place))
      for (const figure of template.content.children) figure.removeAttribute(place);
  body.replaceChildren(template.content);
}

/**
 * Whether a model is fetched only after a question, which the explorer asks: this page by itself is
 * as a link, while a page around it has chosen the model.
 */
function needsConsent(model: ModelName): boolean {
  return window.parent === window && !isBundled(model) && !isBeside(model);
}

/** Tells the page around the frame the height of this one, which is no secret of any page. */
function tell(): void {
  const { height } = document.body.getBoundingClientRect();
  window.parent.postMessage({ headscope: "height", height: Math.ceil(height) }, "*");
}

show();
window.addEventListener("hashchange", show);
if (window.parent !== window) new ResizeObserver(tell).observe(document.body);
