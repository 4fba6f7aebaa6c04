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
vi.mock("../views/explorer/explorer.js", () => ({
  get HeadscopeExplorer() {
    if (!reached) throw new TypeError("Failed to fetch dynamically imported module");
    return Explorer;
  },
}));

class Explorer extends HTMLElement {}
customElements.define("an-explorer", Explorer);
customElements.define("head-scope", HeadScope);

it("an explorer that could not be fetched says so in its place, and comes when it is asked for again", async () => {
  const place = document.createElement("head-scope");
  document.body.append(place);
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("failed"));
  const alert = (): Element | null =>
    place.querySelector("[role=alert]") ?? place.shadowRoot?.querySelector("[role=alert]") ?? null;
  expect(alert()?.textContent).toContain("could not be fetched");
  reached = true;
  const again = place.querySelector("button") ?? place.shadowRoot?.querySelector("button");
  again?.click();
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("ready"));
  expect(place.shadowRoot?.querySelector("an-explorer")).not.toBeNull();
  expect(alert()?.textContent ?? "").toBe("");
  // The page's own sheets know nothing of the faces that the explorer's words are set in.
  expect(document.adoptedStyleSheets).toHaveLength(1);
});

it("refuses an attribute that cannot be read, and begins once it is mended", async () => {
  reached = true;
  const place = document.createElement("head-scope");
  place.setAttribute("layer", "x");
  document.body.append(place);
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("failed"));
  const { shadowRoot } = place;
  expect(shadowRoot?.querySelector("[role=alert]")?.textContent).toMatch(
    /layer="x".*attribute\/unreadable/s,
  );
  expect(shadowRoot?.querySelector("an-explorer")).toBeNull();
  place.setAttribute("layer", "1");
  shadowRoot?.querySelector("button")?.click();
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("ready"));
});
