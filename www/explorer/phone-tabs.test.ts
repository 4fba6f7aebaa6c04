// @isolate: the panels here are placeholders, not elements that another file has defined.
// @vitest-environment happy-dom
import { html, type TemplateResult } from "lit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PagePart } from "../ui/page-part.js";
import { sessionWith } from "../session/testing/session.js";
import { NO_EDITS } from "../state/index.js";
import { PhoneTabs } from "./phone-tabs.js";

/** A narrow page with empty parts of the explorer. */
class Page extends PagePart {
  inspected = true;
  readonly session = sessionWith();
  readonly tabs = new PhoneTabs(this, this.session);

  override render(): TemplateResult {
    return html`${this.tabs.render(this.inspected)} <headscope-sentence-bar></headscope-sentence-bar
      ><headscope-heads-panel></headscope-heads-panel
      ><headscope-picture-panel tabindex="-1"></headscope-picture-panel>
      <headscope-inspector></headscope-inspector><headscope-edits-panel></headscope-edits-panel>`;
  }
}
customElements.define("test-phone-page", Page);

let page: Page;

beforeEach(async () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(390);
  page = document.body.appendChild(new Page());
  await page.updateComplete;
});
afterEach(() => {
  vi.restoreAllMocks();
  page.remove();
});

const selected = (): Element | null => page.renderRoot.querySelector("[aria-selected=true]");

it("the tabs of a narrow page follow arrow keys in a circle, Home and End, and ignore other keys", async () => {
  const press = async (key: string): Promise<(string | undefined)[]> => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    selected()?.dispatchEvent(event);
    await page.updateComplete;
    return [key, selected()?.id, event.defaultPrevented ? "used" : "ignored"];
  };
  for (const step of [
    ["ArrowRight", "tab-heads", "used"],
    ["End", "tab-edits", "used"],
    ["ArrowRight", "tab-text", "used"],
    ["ArrowLeft", "tab-edits", "used"],
    ["Home", "tab-text", "used"],
    ["ArrowDown", "tab-text", "ignored"],
  ])
    expect(await press(step[0] ?? "")).toEqual(step);
});

it("a narrow page has no tab of details where there are none, and then shows the text", async () => {
  page.tabs.reveal("headscope-inspector");
  await page.updateComplete;
  expect(selected()?.id).toBe("tab-details");
  page.inspected = false;
  page.requestUpdate();
  await page.updateComplete;
  expect([...page.renderRoot.querySelectorAll("[role=tab]")].map(({ id }) => id)).toEqual([
    "tab-text",
    "tab-heads",
    "tab-edits",
  ]);
  expect(selected()?.id).toBe("tab-text");
});

it("a tab that is pressed has the focus, and the top of its part in the window", async () => {
  const scrolled = vi.spyOn(HTMLElement.prototype, "scrollIntoView").mockReturnValue();
  page.renderRoot.querySelector<HTMLElement>("#tab-heads")?.click();
  await page.updateComplete;
  await Promise.resolve();
  expect([selected()?.id, page.shadowRoot?.activeElement?.id]).toEqual(["tab-heads", "tab-heads"]);
  expect(scrolled.mock.contexts).toEqual([page.renderRoot.querySelector("headscope-heads-panel")]);
  expect(scrolled.mock.calls).toEqual([[{ block: "start" }]]);
  page.tabs.skip();
  expect(page.shadowRoot?.activeElement?.localName).toBe("headscope-picture-panel");
});

it("the tab of the edits has their number, where there are any", async () => {
  const counts = (): (string | null)[] =>
    [...page.renderRoot.querySelectorAll("[role=tab]")].map(
      (tab) => tab.querySelector(".count")?.textContent ?? null,
    );
  expect(counts()).toEqual([null, null, null, null]);
  page.session.update({ edits: { ...NO_EDITS, heads: [{ gate: 0 }, { gate: 0.5, heads: [1] }] } });
  await page.updateComplete;
  expect(counts()).toEqual([null, null, null, "2"]);
});
