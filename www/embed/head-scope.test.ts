// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { HeadscopeEvents } from "../elements/index.js";
import { Explorer, type ExplorerOptions, type StateChange } from "../session/explorer.js";
import { DEFAULT_STATE } from "../state/index.js";
import { HeadScope } from "./head-scope.js";

let reached = false;
/** Begins to show the elements that wait until they are near the window. */
let arrive: () => void = () => undefined;
let explorer: Explorer | null = null;

vi.mock("./nearness.js", () => ({
  whenNear: (_: Element, come: () => void) => {
    arrive = come;
    return () => undefined;
  },
}));
vi.mock("../explorer/guest.js", () => ({
  get fillPlace() {
    if (!reached) throw new TypeError("Failed to fetch dynamically imported module");
    return (
      _: HTMLElement,
      root: Node,
      options: ExplorerOptions,
      changed: (change: StateChange) => void,
    ): Explorer => {
      explorer = new Explorer({ ...options, load: () => new Promise(() => undefined) });
      explorer.onState((change) => change.isOwn && changed(change));
      root.appendChild(document.createElement("an-explorer"));
      return explorer;
    };
  },
}));
customElements.define("head-scope", HeadScope);

beforeEach(() => {
  reached = true;
  explorer = null;
});
afterEach(() => document.body.replaceChildren());

function placed(attributes: Readonly<Record<string, string>> = {}): HeadScope {
  const place = new HeadScope();
  for (const [name, value] of Object.entries(attributes)) place.setAttribute(name, value);
  document.body.append(place);
  return place;
}

const inside = (place: HeadScope, selector: string): HTMLElement | null =>
  place.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
const says = (place: HeadScope, words: RegExp): Promise<void> =>
  vi.waitFor(() => expect(inside(place, "[role=alert]")?.textContent).toMatch(words));
const isReady = (place: HeadScope): Promise<void> =>
  vi.waitFor(() => expect(place.getAttribute("state")).toBe("ready"));

it("an explorer whose attribute cannot be read, or that could not be fetched, says so, and comes when it is asked for again", async () => {
  reached = false;
  const place = placed({ layer: "1" });
  arrive();
  await says(place, /could not be loaded/);
  reached = true;
  place.setAttribute("layer", "x");
  inside(place, "button")?.click();
  arrive();
  await says(place, /layer="x".*attribute\/unreadable/s);
  expect(place.getAttribute("state")).toBe("failed");
  expect(inside(place, "an-explorer")).toBeNull();
  place.setAttribute("layer", "1");
  await vi.waitFor(() => expect(place.getAttribute("state")).toBe("waiting"));
  arrive();
  await isReady(place);
  expect(inside(place, "an-explorer")).not.toBeNull();
  await says(place, /^$/);
});

it("reads attributes whenever they change, beside what its user did", async () => {
  const place = placed({ text: "A cat", layer: "3" });
  arrive();
  await isReady(place);
  expect(explorer?.state).toMatchObject({ text: "A cat", layer: 2 });
  explorer?.session.update({ head: 0 });
  place.setAttribute("text", "A dog");
  place.removeAttribute("layer");
  const { layer } = DEFAULT_STATE;
  await vi.waitFor(() => expect(explorer?.state).toMatchObject({ text: "A dog", layer, head: 0 }));
  const told = vi.fn();
  place.addEventListener("headscope-failed", ({ detail }) => void told(detail.code));
  place.setAttribute("layer", "x");
  place.setAttribute("head", "3");
  await says(place, /layer="x"/);
  expect([told.mock.calls, place.getAttribute("state")]).toEqual([
    [["attribute/unreadable"]],
    "failed",
  ]);
  expect(explorer?.state.head).toBe(0);
  place.setAttribute("layer", "2");
  await isReady(place);
  expect(explorer?.state).toMatchObject({ layer: 1, head: 2 });
  place.setAttribute("height", "all");
  await says(place, /height="all"/);
  place.setAttribute("height", "600");
  await isReady(place);
  const sheets = place.shadowRoot?.adoptedStyleSheets ?? [];
  const rules = sheets.flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText));
  expect(rules.filter((rule) => rule.includes("block-size: 600px"))).toHaveLength(1);
});

it("has its State as a property, before and while it is near the window, and refuses what no State has", async () => {
  const place = placed({ text: "A cat" });
  place.state = { layer: 3 };
  expect(place.state).toEqual({ text: "A cat", layer: "3" });
  arrive();
  await isReady(place);
  expect(place.state).toEqual({ text: "A cat", layer: "3" });
  place.state = { layer: null, head: "1" };
  expect(place.state).toEqual({ text: "A cat", head: "1" });
  expect(() => (place.state = { layers: 1 })).toThrow(/layers/);
  const other = placed();
  if (place.state) other.state = place.state;
  expect(other.state).toEqual(place.state);
});

it("fires headscope-state for what its user changes, and for nothing that the page sets", async () => {
  const place = placed({ text: "A cat" });
  arrive();
  await isReady(place);
  const fired: HeadscopeEvents["headscope-state"][] = [];
  document.body.addEventListener("headscope-state", ({ detail }) => fired.push(detail));
  place.state = { layer: 3 };
  place.setAttribute("head", "1");
  await vi.waitFor(() => expect(explorer?.state.head).toBe(0));
  expect(fired).toEqual([]);
  explorer?.session.update({ text: "A dog" });
  expect(fired).toEqual([{ state: { text: "A dog", layer: "3", head: "1" } }]);
});
