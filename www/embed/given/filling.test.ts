// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { HeadscopeGrid } from "../../elements/grid/element.js";
import { HeadscopeHeatmap } from "../../elements/heatmap.js";
import { meet } from "../../elements/shared/controllers.js";
import { textOf } from "../../elements/testing/mount.js";
import { FigureController } from "../figure.js";

vi.mock("../nearness.js", () => ({
  whenNear: (_: Element, then: () => void) => {
    then();
    return () => undefined;
  },
}));
beforeAll(() => {
  for (const element of [HeadscopeHeatmap, HeadscopeGrid])
    meet(element, (one) => void new FigureController(one));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const file = (figure: string, properties: object): string =>
  JSON.stringify({
    format: "headscope-figure",
    formatVersion: 1,
    figure,
    about: "Mine",
    properties,
  });
const HEATMAP = file("heatmap", { tensor: [[0.5, 0.5]], queries: ["a"], keys: ["b", "c"] });
const written = (json: string): string => `<script type="application/json">${json}</script>`;

function put(html: string): HTMLElement {
  const place = document.createElement("div");
  place.innerHTML = html;
  document.body.append(place);
  return place.firstElementChild as HTMLElement;
}

const becomes = (figure: Element, state: string): Promise<void> =>
  vi.waitFor(() => expect(figure.getAttribute("state")).toBe(state), { timeout: 20_000 });
const say = (figure: Element, name: string, detail: unknown): boolean =>
  figure.dispatchEvent(new CustomEvent(`headscope-${name}`, { detail }));
const fetched = (...bodies: readonly (string | null)[]): ReturnType<typeof vi.fn> => {
  const fetching = vi.fn<(url: URL) => Promise<Response>>();
  for (const body of bodies)
    fetching.mockResolvedValueOnce(new Response(body, { status: body === null ? 404 : 200 }));
  vi.stubGlobal("fetch", fetching);
  return fetching;
};

it("shows the numbers that its page writes into it, and answers to itself", async () => {
  const figure = put(
    `<headscope-heatmap caption>${written(HEATMAP)}</headscope-heatmap>`,
  ) as HeadscopeHeatmap;

  await becomes(figure, "ready");
  expect([...(figure.tensor?.data ?? [])]).toEqual([0.5, 0.5]);
  // The picture has taken the place of what stood there before, and left the caption.
  await figure.updateComplete;
  expect(textOf(figure.shadowRoot?.querySelector(".about"))).toBe("Mine");
  expect(figure.hasAttribute("computed-by")).toBe(false);
  say(figure, "cell-lock", { query: 0, key: 1 });
  expect(figure.locked).toEqual({ query: 0, key: 1 });
  figure.firstElementChild?.remove();
  await vi.waitFor(() => expect(figure.hasAttribute("state")).toBe(false));
  say(figure, "cell-lock", null);
  expect(figure.locked).toBeNull();
});

it("shows the numbers of a file, reads it once, and another one when its address changes", async () => {
  const heads = file("grid", { thumbnails: [[[[1]], [[0]]]] });
  const fetching = fetched(heads, HEATMAP);
  const figure = put('<headscope-grid src="figure.json"></headscope-grid>') as HeadscopeGrid;
  await becomes(figure, "ready");
  expect(String(fetching.mock.calls[0]?.[0])).toBe(new URL("figure.json", document.baseURI).href);
  expect([figure.plain, figure.thumbnails?.shape]).toEqual([true, [1, 2, 1, 1]]);
  say(figure, "head-select", { layer: 0, head: 1 });
  expect(figure.selected).toEqual({ layer: 0, head: 1 });
  figure.setAttribute("caption", "All heads");
  await vi.waitFor(() =>
    expect(textOf(figure.shadowRoot?.querySelector(".about"))).toBe("All heads"),
  );
  expect(fetching).toHaveBeenCalledOnce();
  figure.setAttribute("src", "other.json");
  await becomes(figure, "failed");
  expect(textOf(figure.shadowRoot?.querySelector(".notice"))).toMatch(
    /belong to another figure: expected grid, got heatmap.*figure\/other/,
  );
});

it("says in its place what is wrong with its file, and reads it again", async () => {
  fetched(null, HEATMAP);
  const figure = put(
    '<headscope-heatmap src="figure.json"><img alt="as a picture"></headscope-heatmap>',
  );
  await becomes(figure, "failed");
  const notice = figure.shadowRoot?.querySelector(".notice");
  expect(textOf(notice)).toMatch(/There is no figure\.json \(.*load\/not-found/);
  // What stands in a figure is there for print alone.
  expect(figure.shadowRoot?.querySelector("slot.instead")).not.toBeNull();
  notice?.querySelector("button")?.click();
  await becomes(figure, "ready");
  const unread = put('<headscope-heatmap src="http://["></headscope-heatmap>');
  await becomes(unread, "failed");
  expect(textOf(unread.shadowRoot?.querySelector(".notice"))).toContain("attribute/unreadable");
});

it("answers to itself where a script sets its properties, but not as a part of an explorer", () => {
  const pair = { query: 0, key: 0 };
  const own = document.createElement("headscope-heatmap");
  document.body.append(own);
  say(own, "cell-lock", pair);
  expect(own.locked).toEqual(pair);
  own.addEventListener("headscope-cell-lock", () => (own.locked = null));
  say(own, "cell-lock", { query: 1, key: 1 });
  // The page has the last word.
  expect(own.locked).toBeNull();
  const part = document.createElement("headscope-heatmap");
  const explorer = document.body.appendChild(document.createElement("headscope-explorer"));
  explorer.attachShadow({ mode: "open" }).append(part);
  say(part, "cell-lock", pair);
  expect(part.locked).toBeNull();
});
