// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { rememberPixels } from "../draw/matrix.js";
import { SvgBrush } from "./svg.js";

const brush = (): SvgBrush => new SvgBrush("test", "sans-serif", () => (text) => text.length * 6);

/** What was painted, read by a parser of XML. */
async function painted(given: SvgBrush): Promise<Element[]> {
  const file = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg">${await given.markup()}</svg>`,
    "image/svg+xml",
  );
  return [...file.documentElement.children];
}

const attributes = (element: Element | undefined, names: string): string =>
  names
    .split(" ")
    .map((name) => element?.getAttribute(name) ?? "–")
    .join(" ");

/** Whole pictures stand in the snapshots; these are the rules of a canvas that they depend on. */
describe("a brush that writes SVG", () => {
  it("places the points of a path when they are given, and goes round a circle once", async () => {
    const given = brush();
    given.beginPath();
    given.moveTo(1, 1);
    given.save();
    given.rotate(Math.PI / 2);
    given.lineTo(5, 0);
    given.restore();
    given.closePath();
    given.strokeStyle = "#123456";
    given.lineWidth = 2;
    given.setLineDash([4, 2]);
    given.stroke();
    given.beginPath();
    given.arc(0, 0, 10, 0, 2 * Math.PI);
    given.fill();
    const [path, circle] = await painted(given);
    expect(attributes(path, "fill stroke stroke-width stroke-dasharray d")).toBe(
      "none #123456 2 4 2 M1 1L0 5Z",
    );
    const data = circle?.getAttribute("d") ?? "";
    expect(data.match(/C/g)).toHaveLength(4);
    expect(data).toMatch(/^M10 0C10 5\.52 5\.52 10 0 10C.* 10 0$/);
  });

  it("keeps text as text: font, anchor, height of the line, turn, and any sign", async () => {
    const given = brush();
    given.font = '600 10px "Noto Sans", sans-serif';
    given.textAlign = "right";
    given.textBaseline = "middle";
    given.fillText('<&">\u0000   a', 5, 5);
    given.font = "12px sans-serif";
    given.textAlign = "left";
    given.textBaseline = "alphabetic";
    given.translate(3, 4);
    given.rotate(-Math.PI / 2);
    given.fillText("up", 0, 0);
    const [text, turned] = await painted(given);
    expect(text?.textContent).toBe('<&">\uFFFD\u00A0\u00A0 a');
    const names = "x y font-size font-weight font-family text-anchor transform";
    expect(attributes(text, names)).toBe('5 7.85 10 600 "Noto Sans", sans-serif end –');
    expect(attributes(turned, names)).toBe("0 0 12 – – – matrix(0 -1 1 0 3 4)");
    expect(given.measureText("four").width).toBe(24);
  });

  it("hangs a text that is read from the right where a canvas does", async () => {
    const given = brush();
    given.direction = "rtl";
    for (const align of ["left", "right", "center", "start", "end"] as const) {
      given.textAlign = align;
      given.fillText("כלב!", 0, 0);
    }
    const anchors = (await painted(given)).map((text) => attributes(text, "direction text-anchor"));
    expect(anchors).toEqual(["rtl end", "rtl –", "rtl middle", "rtl –", "rtl end"]);
  });

  it("writes few cells of a matrix as rectangles, none for one that shows nothing, and very many as an image", async () => {
    const given = brush();
    const [few, many] = [{} as ImageBitmap, {} as ImageBitmap];
    const data = Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 0, 0);
    rememberPixels(few, { data, columns: 2, rows: 1 });
    rememberPixels(many, { data: new Uint8ClampedArray(4 * 101 * 100), columns: 101, rows: 100 });
    given.imageSmoothingEnabled = false;
    given.drawImage(few, 10, 10, 40, 20);
    given.drawImage(many, 0, 0, 101, 100);
    const [group, image] = await painted(given);
    const cells = [...(group?.children ?? [])];
    expect(cells.map((cell) => attributes(cell, "x y width height fill"))).toEqual([
      "10 10 20 20 #ff0000",
    ]);
    expect(attributes(image, "width height preserveAspectRatio style")).toBe(
      "101 100 none image-rendering:pixelated",
    );
    expect(image?.getAttribute("href")).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    given.drawImage({} as ImageBitmap, 0, 0, 1, 1);
    await expect(given.markup()).rejects.toThrow(TypeError);
  });
});
