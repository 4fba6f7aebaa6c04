/**
 * `embed.js`: the script of figures in pages of others. It is small, and fetches the element of a
 * tag once the first one of the page is wanted: one with a model or a file when it comes near the
 * window or is printed, any other at once.
 */
import { tellFailure, UNREACHED } from "../elements/events.js";
import { configure } from "../session/models/home.js";
import { whenNear } from "./nearness.js";

export { configure };

// A site has the models beside this script, two folders above its source; the package has none.
if (import.meta.env.MODE !== "package")
  configure({ home: new URL(import.meta.env.DEV ? "../../" : "./", import.meta.url).href });

/** The script of an element, and about how tall it will be, in CSS pixels. */
type Fetched = readonly [load: () => Promise<unknown>, height: number];

/** The element of each tag. */
const ELEMENTS: Readonly<Record<string, Fetched>> = {
  "headscope-heatmap": [() => import("./entries/heatmap.js"), 540],
  "headscope-difference": [() => import("./entries/difference.js"), 540],
  "headscope-mask": [() => import("./entries/mask.js"), 520],
  "headscope-image": [() => import("./entries/image.js"), 470],
  "headscope-lines": [() => import("./entries/lines.js"), 550],
  "headscope-dimensions": [() => import("./entries/dimensions.js"), 550],
  "headscope-positions": [() => import("./entries/positions.js"), 620],
  "headscope-steps": [() => import("./entries/steps.js"), 900],
  "headscope-spectrum": [() => import("./entries/spectrum.js"), 160],
  "headscope-grid": [() => import("./entries/grid.js"), 290],
  "headscope-tokens": [() => import("./entries/tokens.js"), 60],
  "headscope-lens": [() => import("./entries/lens.js"), 260],
  "headscope-attribution": [() => import("./entries/attribution.js"), 350],
  "headscope-effects": [() => import("./entries/effects.js"), 300],
  "headscope-curves": [() => import("./entries/curves.js"), 290],
  "head-scope": [() => import("./entries/head-scope.js"), 800],
};
/** Elements that show only what a page gives them; they are in one script. */
const OTHERS: readonly string[] = ["numbers", "bars", "chips", "strip", "sum"];

const loaderOf = (tag: string): (() => Promise<unknown>) | null =>
  ELEMENTS[tag]?.[0] ??
  (OTHERS.some((name) => tag === `headscope-${name}`) ? () => import("./index.js") : null);

/** The attributes by which an element has something to wait for. */
const AWAITED = ["model", "src"];

/** `embed.unreached` in each language: the sentences of the page come with the first element. */
const SENTENCES = {
  en: "A part of Headscope could not be loaded. Try again, or reload the page.",
  zh: "Headscope 的部分代码加载失败。请重试，或刷新页面。",
};

/** Says that the script of an element did not come: what its page wrote into it goes before. */
function fail(element: Element): void {
  const sentence = SENTENCES[document.documentElement.lang.startsWith("zh") ? "zh" : "en"];
  tellFailure(element, { code: UNREACHED, sentence });
  if (element.querySelector(":scope > :not(script)")) return;
  const paragraph = document.createElement("p");
  paragraph.setAttribute("role", "alert");
  paragraph.textContent = sentence;
  element.append(paragraph);
}

/** Waits for what an undefined element needs. */
function want(element: Element, load: () => Promise<unknown>): void {
  const isWhole = element.localName === "head-scope";
  const awaits = isWhole || AWAITED.some((name) => element.hasAttribute(name));
  const begin = (): void => {
    // A script that did not come is asked for again by the next element that needs it.
    load().catch(() => fail(element));
  };
  if (!awaits) {
    begin();
    return;
  }
  element.setAttribute("state", "waiting");
  whenNear(element, begin, element.getAttribute("model"));
}

const seen = new WeakSet<Node>();

/** Finds the elements in a part of a page, and in the open shadow roots in it. */
function find(part: ParentNode): void {
  const isElement = part instanceof Element;
  for (const element of [...(isElement ? [part] : []), ...part.querySelectorAll("*")]) {
    const { localName, shadowRoot } = element;
    const load = loaderOf(localName);
    if (load) {
      if (customElements.get(localName) || seen.has(element)) continue;
      seen.add(element);
      want(element, load);
    } else if (shadowRoot) follow(shadowRoot);
    else if (localName.includes("-"))
      // An element of the page may get its shadow root when it is defined.
      void customElements.whenDefined(localName).then(() => {
        if (element.shadowRoot) follow(element.shadowRoot);
      });
  }
}

/** Finds what is in a document or a shadow root, and what is added to it. */
function follow(root: Document | ShadowRoot): void {
  if (seen.has(root)) return;
  seen.add(root);
  const changes = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node instanceof Element) find(node);
  });
  changes.observe(root, { childList: true, subtree: true });
  find(root);
}

/** Keeps room for elements to come, so that nothing below them moves when they are there. */
function reserve(): void {
  const sheet = new CSSStyleSheet();
  const rules = Object.entries(ELEMENTS).map(
    ([tag, [, height]]) => `${tag}[state]:not(:defined) { min-block-size: ${height}px; }`,
  );
  const all = Object.keys(ELEMENTS).join(", ");
  sheet.replaceSync(`:is(${all}):not(:defined) { display: block; } ${rules.join(" ")}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

if ("document" in globalThis) {
  reserve();
  follow(document);
}
