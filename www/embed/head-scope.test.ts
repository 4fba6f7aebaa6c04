// @vitest-environment happy-dom
import { expect, it, vi } from "vitest";
import { HeadScope } from "./head-scope.js";

let reached = false;

vi.mock("./nearness.js", () => ({
  whenNear: (_: Element, come: () => void) => {
    come();
    return () => undefined;
  },
}));
vi.mock("../explorer/explorer.js", () => ({
  get HeadscopeExplorer() {
    if (!reached) throw new TypeError("Failed to fetch dynamically imported module");
    return Explorer;
  },
}));

class Explorer extends HTMLElement {}
customElements.define("an-explorer", Explorer);
customElements.define("head-scope", HeadScope);

it("an explorer whose attribute cannot be read, or that could not be fetched, says so, and comes when it is asked for again", async () => {
  const place = document.createElement("head-scope");
  place.setAttribute("layer", "x");
  document.body.append(place);
  const inside = (selector: string): HTMLElement | null =>
    place.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
  const says = (words: RegExp): Promise<void> =>
    vi.waitFor(() => expect(inside("[role=alert]")?.textContent).toMatch(words));
  await says(/layer="x".*attribute\/unreadable/s);
  expect(place.getAttribute("state")).toBe("failed");
  place.setAttribute("layer", "1");
  inside("button")?.click();
  await says(/could not be loaded/);
  expect(inside("an-explorer")).toBeNull();
  reached = true;
  inside("button")?.click();
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("ready"));
  expect(inside("an-explorer")).not.toBeNull();
  await says(/^$/);
});
