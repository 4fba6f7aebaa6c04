// @isolate: the panels here are placeholders, not elements that another file has defined.
// @vitest-environment happy-dom
import { html, type TemplateResult } from "lit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PagePart } from "../../ui/page-part.js";
import { sessionWith } from "../testing/session.js";
import { PhoneTabs } from "./phone-tabs.js";

/** A page with the explorer's parts, and nothing in them. */
class Page extends PagePart {
  inspected = true;
  readonly session = sessionWith();
  readonly tabs = new PhoneTabs(this, this.session);

  override render(): TemplateResult {
    return html`${this.tabs.render(this.inspected)}
      <headscope-heads-panel></headscope-heads-panel><headscope-picture-panel tabindex="-1"></headscope-picture-panel>
      <headscope-inspector></headscope-inspector><headscope-edits-panel></headscope-edits-panel>`;
  }
}
customElements.define("test-phone-page", Page);

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(390);
});

afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

async function open(): Promise<Page> {
  const page = new Page();
  document.body.append(page);
  await page.updateComplete;
  return page;
}

const all = (page: Page, selector: string): HTMLElement[] => [
  ...page.renderRoot.querySelectorAll<HTMLElement>(selector),
];
const words = (page: Page): string[] =>
  all(page, "[role=tab]").map(({ textContent }) => textContent.replaceAll(/\s+/g, " ").trim());
const shown = (page: Page): string[] =>
  ["heads-panel", "picture-panel", "inspector", "edits-panel"].filter(
    (part) => !all(page, `headscope-${part}`)[0]?.hidden,
  );
const selected = (page: Page): (string | undefined)[] =>
  all(page, "[aria-selected=true]").map(({ id }) => id);

async function press(page: Page, key: string): Promise<boolean> {
  const free =
    all(page, "[aria-selected=true]")[0]?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true }),
    ) ?? true;
  await page.updateComplete;
  return free;
}

describe("the tabs of a narrow page", () => {
  it("follow arrow keys in a circle, Home and End, and ignore other keys", async () => {
    const page = await open();
    const way: (string | undefined)[] = [];
    for (const key of ["ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home"]) {
      expect(await press(page, key)).toBe(false);
      way.push(...selected(page));
    }
    expect(way).toEqual(["tab-details", "tab-edits", "tab-heads", "tab-edits", "tab-heads"]);
    expect(await press(page, "ArrowDown")).toBe(true);
  });

  it("omit details where there are none, and then show the picture", async () => {
    const page = await open();
    page.tabs.reveal("headscope-inspector");
    await page.updateComplete;
    expect(shown(page)).toEqual(["inspector"]);
    page.inspected = false;
    page.requestUpdate();
    await page.updateComplete;
    expect([words(page), selected(page)]).toEqual([["Heads", "Picture", "Edits"], ["tab-picture"]]);
  });
});
