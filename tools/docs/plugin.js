/**
 * What the documentation has beside TypeDoc: pages that are named by their headings, and figures
 * that are live where their code is shown.
 */
import { Converter, JSX, PageEvent } from "typedoc";

/** @import { Application, DocumentReflection } from "typedoc" */
/** @import { PageEvent as Page } from "typedoc" */

/** The scheme of links to views of the explorer, such as `explorer:#v=1&text=A+cat`. */
const EXPLORER = "explorer:";

/**
 * Names each page by its first heading, which GitHub shows as well.
 *
 * @param {Application} app
 */
export function headings(app) {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, /** @type {DocumentReflection} */ page) => {
    const [first] = page.content;
    const [, title] = /^\s*# (.+)$/m.exec(first?.text ?? "") ?? [];
    if (first && title) {
      page.name = title;
    }
  });
}

/**
 * Adds the script of figures, which is in the folder above the documentation.
 *
 * @param {Application} app
 */
export function scripts(app) {
  app.renderer.hooks.on("head.end", (context) =>
    JSX.createElement("script", { type: "module", src: context.relativeURL("../embed.js") }),
  );
}

/**
 * Links the explorer, which is in the folder above the documentation.
 *
 * @param {Application} app
 */
export function explorer(app) {
  app.renderer.hooks.on("sidebar.begin", () =>
    JSX.createElement("a", { class: "explorer", href: EXPLORER }, "Open the explorer"),
  );
  app.renderer.on(PageEvent.END, (/** @type {Page} */ page) => {
    const up = "../".repeat(page.url.split("/").length);
    page.contents = (page.contents ?? "").replaceAll(`href="${EXPLORER}`, `href="${up}`);
  });
}

/**
 * @typedef {{ info: string, content: string }} Token a block of code in a page
 * @typedef {(tokens: Token[], at: number, ...rest: unknown[]) => string} Rule
 */

/**
 * Shows the figures of blocks of code that are marked as `html live`.
 *
 * @param {{ renderer: { rules: { fence: Rule } } }} parser that of markdown-it
 */
export function liveFigures({ renderer: { rules } }) {
  const { fence } = rules;
  rules.fence = (tokens, at, ...rest) => {
    const code = fence(tokens, at, ...rest);
    const token = tokens[at];
    if (token?.info.trim() !== "html live") return code;
    return `${code}<div class="live">${token.content}</div>`;
  };
}
