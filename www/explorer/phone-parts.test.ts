// @isolate: the panels here are placeholders, not elements that another file has defined.
// @vitest-environment happy-dom
// Which parts of the explorer a narrow page shows, and what they are to a screen reader.
import { html, type TemplateResult } from "lit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sessionWith } from "../session/testing/session.js";
import { PagePart } from "../ui/page-part.js";
import { PhoneTabs } from "./phone-tabs.js";

const PARTS = ["sentence-bar", "heads-panel", "picture-panel", "inspector", "edits-panel"];

class Page extends PagePart {
  readonly tabs = new PhoneTabs(this, sessionWith());

  override render(): TemplateResult {
    return html`${this.tabs.render(true)} <headscope-sentence-bar></headscope-sentence-bar
      ><headscope-heads-panel></headscope-heads-panel
      ><headscope-picture-panel tabindex="-1"></headscope-picture-panel>
      <headscope-inspector></headscope-inspector><headscope-edits-panel></headscope-edits-panel>`;
  }
}
customElements.define("test-phone-parts", Page);

let page: Page;
const hidden = (): string[] =>
  PARTS.filter((name) => page.renderRoot.querySelector<HTMLElement>(`headscope-${name}`)?.hidden);
const panels = (): (string | null)[] =>
  [...page.renderRoot.querySelectorAll("[role=tabpanel]")].map(
    (panel) => `${panel.id} ${panel.getAttribute("aria-labelledby")}`,
  );

beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(390);
  page = document.body.appendChild(new Page());
  await page.updateComplete;
});
afterEach(() => {
  vi.restoreAllMocks();
  page.remove();
});

it("an open tab hides the parts of all others, and says which it is", async () => {
  const open = async (name: string): Promise<unknown[]> => {
    page.tabs.reveal(`headscope-${name}`);
    await page.updateComplete;
    return [page.getAttribute("tab"), hidden().includes(name)];
  };
  expect(await open("heads-panel")).toEqual(["heads", false]);
  expect(hidden()).toContain("edits-panel");
  expect(panels()).toContain("part-heads tab-heads");
  expect(await open("edits-panel")).toEqual(["edits", false]);
  expect(hidden()).toContain("heads-panel");
});
