// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import type { Brush, Print } from "../draw/theme.js";
import { stillHtml } from "./still.js";

afterEach(() => vi.unstubAllGlobals());

/** A picture of so many small squares. */
const squares = (count: number): Print => ({
  width: 400,
  height: 100,
  paint: (brush: Brush) => {
    brush.fillStyle = "#123456";
    for (let at = 0; at < count; at++) brush.fillRect(at, at, 3, 3);
  },
});
const WORDS = { title: "Weights & more", lines: ["Model: mine", "Text: <a>"] };

it("is an SVG with its words, without an attribute that a policy may forbid", async () => {
  const html = (await stillHtml({ ...WORDS, scene: () => squares(2) })) ?? "";
  const place = document.createElement("div");
  place.innerHTML = html;
  const [svg] = place.children;
  expect([svg?.localName, svg?.getAttribute("role")]).toEqual(["svg", "img"]);
  expect(svg?.querySelector("title")?.textContent).toBe("Weights & more");
  expect(svg?.querySelector("desc")?.textContent).toBe("Model: mine · Text: <a>");
  expect(html).not.toMatch(/ style=|<metadata|<\?xml/);
});

it("is a PNG of a bounded size where the SVG is large", async () => {
  const sizes: number[] = [];
  // A PNG of so many bytes a pixel: at the full scale it is too large.
  class Canvas {
    constructor(
      private readonly width: number,
      private readonly height: number,
    ) {
      sizes.push(width);
    }
    getContext = () => ({ scale: () => undefined, fillRect: () => undefined });
    convertToBlob = () =>
      Promise.resolve({
        arrayBuffer: () => Promise.resolve(new ArrayBuffer(2 * this.width * this.height)),
      });
  }
  vi.stubGlobal("OffscreenCanvas", Canvas);
  const html = (await stillHtml({ ...WORDS, scene: () => squares(2000) })) ?? "";
  const place = document.createElement("div");
  place.innerHTML = html;
  const [image] = place.children;
  expect(image?.getAttribute("alt")).toBe("Weights & more · Model: mine · Text: <a>");
  expect([image?.getAttribute("width"), image?.getAttribute("height")]).toEqual(["400", "100"]);
  expect(image?.getAttribute("src")).toMatch(/^data:image\/png;base64,/);
  expect(html.length).toBeLessThan(66_000);
  expect(sizes).toEqual([800, 400, 200]);
});

it("is nothing where there is no picture, or no canvas for a large one", async () => {
  expect(await stillHtml(WORDS)).toBeNull();
  expect(await stillHtml({ ...WORDS, scene: () => null })).toBeNull();
  vi.stubGlobal("OffscreenCanvas", undefined);
  expect(await stillHtml({ ...WORDS, scene: () => squares(2000) })).toBeNull();
});
