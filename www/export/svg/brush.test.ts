// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { rememberPixels } from "../../draw/matrix.js";
import { SvgBrush } from "./brush.js";

const CHARACTER = 6;
const brush = (): SvgBrush =>
  new SvgBrush("test", "sans-serif", () => (text) => text.length * CHARACTER);

/** What was painted, read by a parser of XML. */
async function painted(given: SvgBrush): Promise<Element[]> {
  const file = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg">${await given.markup()}</svg>`,
    "image/svg+xml",
  );
  return [...file.documentElement.children];
}

const attributes = (element: Element | undefined, ...names: string[]): (string | null)[] =>
  names.map((name) => element?.getAttribute(name) ?? null);

describe("SvgBrush", () => {
  it("writes rectangles where the brush was moved to, with colour and transparency apart", async () => {
    const given = brush();
    given.save();
    given.translate(10, 20);
    given.fillStyle = "rgb(1, 2, 3)";
    given.globalAlpha = 0.5;
    given.fillRect(1, 2, 3, 4);
    given.restore();
    given.fillRect(1, 2, 3, 4);
    const [moved, plain] = await painted(given);
    expect(attributes(moved, "x", "y", "width", "height", "fill", "fill-opacity")).toEqual([
      "11",
      "22",
      "3",
      "4",
      "#010203",
      "0.5",
    ]);
    expect(attributes(plain, "x", "y", "fill", "fill-opacity")).toEqual([
      "1",
      "2",
      "#000000",
      null,
    ]);
  });

  it("places the points of a path when they are given, as a canvas does", async () => {
    const given = brush();
    given.beginPath();
    given.moveTo(1, 1);
    given.rotate(Math.PI / 2);
    given.lineTo(5, 0);
    given.closePath();
    given.strokeStyle = "#123456";
    given.lineWidth = 2;
    given.setLineDash([4, 2]);
    given.stroke();
    const [path] = await painted(given);
    expect(attributes(path, "d", "fill", "stroke", "stroke-width", "stroke-dasharray")).toEqual([
      "M1 1L0 5Z",
      "none",
      "#123456",
      "2",
      "4 2",
    ]);
  });

  it("goes round a circle once and ends where it began", async () => {
    const given = brush();
    given.beginPath();
    given.arc(0, 0, 10, 0, 2 * Math.PI);
    given.fill();
    const [path] = await painted(given);
    const data = path?.getAttribute("d") ?? "";
    expect(data.match(/C/g)).toHaveLength(4);
    expect(data).toMatch(/^M10 0C10 5\.52 5\.52 10 0 10C.* 10 0$/);
  });

  it("keeps to an area until it is restored, and to both of two", async () => {
    const given = brush();
    given.save();
    given.beginPath();
    given.rect(0, 0, 5, 5);
    given.clip();
    given.beginPath();
    given.rect(2, 2, 5, 5);
    given.clip();
    given.fillRect(0, 0, 9, 9);
    given.restore();
    given.fillRect(0, 0, 1, 1);
    const [outer, inner, inside, outside] = await painted(given);
    expect(attributes(outer, "id", "clip-path")).toEqual(["test-clip-1", null]);
    expect(attributes(inner, "id", "clip-path")).toEqual(["test-clip-2", "url(#test-clip-1)"]);
    expect(attributes(inside, "clip-path")).toEqual(["url(#test-clip-2)"]);
    expect(attributes(outside, "clip-path")).toEqual([null]);
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
    expect(
      attributes(
        text,
        "x",
        "y",
        "font-size",
        "font-weight",
        "font-family",
        "text-anchor",
        "transform",
      ),
    ).toEqual(["5", "7.85", "10", "600", '"Noto Sans", sans-serif', "end", null]);
    expect(attributes(turned, "x", "y", "font-family", "text-anchor", "transform")).toEqual([
      "0",
      "0",
      null,
      null,
      "matrix(0 -1 1 0 3 4)",
    ]);
    expect(given.measureText("four").width).toBe(4 * CHARACTER);
  });

  it("hangs a text that is read from the right where a canvas does", async () => {
    const given = brush();
    given.direction = "rtl";
    for (const align of ["left", "right", "center", "start", "end"] as const) {
      given.textAlign = align;
      given.fillText("כלב!", 0, 0);
    }
    const texts = await painted(given);
    expect(texts.map((text) => attributes(text, "direction", "text-anchor"))).toEqual([
      ["rtl", "end"],
      ["rtl", null],
      ["rtl", "middle"],
      ["rtl", null],
      ["rtl", "end"],
    ]);
  });

  it("writes a cell of a matrix as a rectangle in its colour, and nothing for one that shows nothing", async () => {
    const given = brush();
    const image = {} as ImageBitmap;
    rememberPixels(image, {
      data: Uint8ClampedArray.of(255, 0, 0, 255, 0, 0, 0, 0),
      columns: 2,
      rows: 1,
    });
    given.imageSmoothingEnabled = false;
    given.drawImage(image, 10, 10, 40, 20);
    const [group] = await painted(given);
    expect(
      [...(group?.children ?? [])].map((cell) =>
        attributes(cell, "x", "y", "width", "height", "fill"),
      ),
    ).toEqual([["10", "10", "20", "20", "#ff0000"]]);
  });

  it("embeds a matrix of very many cells as an image", async () => {
    const given = brush();
    const image = {} as ImageBitmap;
    rememberPixels(image, { data: new Uint8ClampedArray(4 * 101 * 100), columns: 101, rows: 100 });
    given.imageSmoothingEnabled = false;
    given.drawImage(image, 0, 0, 101, 100);
    const [embedded] = await painted(given);
    expect(attributes(embedded, "width", "height", "preserveAspectRatio", "style")).toEqual([
      "101",
      "100",
      "none",
      "image-rendering:pixelated",
    ]);
    expect(embedded?.getAttribute("href")).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
  });

  it("refuses an image that nobody knows", () => {
    expect(() => brush().drawImage({} as ImageBitmap, 0, 0, 1, 1)).toThrow(TypeError);
  });
});
