// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { imagePixels } from "../draw/matrix.js";
import type { Print } from "../draw/theme.js";
import { SvgBrush, svgFile } from "./svg.js";

const brush = (): SvgBrush => new SvgBrush("test", "sans-serif");

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

/**
 * Whole pictures stand in the golden files; these are the rules of a canvas that they depend on.
 */
it("a brush that writes SVG writes text as text, any sign", async () => {
  const given = brush();
  given.fillText('<&">\u0000   a', 5, 5);
  expect((await painted(given))[0]?.textContent).toBe('<&">\uFFFD\u00A0\u00A0 a');
});

it("a text that is read from the right hangs where it does on a canvas", async () => {
  const given = brush();
  given.direction = "rtl";
  for (const align of ["left", "right", "center", "start", "end"] as const) {
    given.textAlign = align;
    given.fillText("כלב!", 0, 0);
  }
  const anchors = (await painted(given)).map((text) => attributes(text, "direction text-anchor"));
  expect(anchors).toEqual(["rtl end", "rtl –", "rtl middle", "rtl –", "rtl end"]);
});

it("a full circle is drawn in halves, and a part of one is drawn as far as it goes", async () => {
  const given = brush();
  for (const to of [2 * Math.PI, Math.PI / 2]) {
    given.beginPath();
    given.arc(10, 10, 4, 0, to);
    given.fill();
  }
  const paths = (await painted(given)).map((path) => path.getAttribute("d"));
  expect(paths).toEqual([
    "M14 10A4 4 0 0 1 6 10A4 4 0 0 1 14 10",
    "M14 10A4 4 0 0 1 12.83 12.83A4 4 0 0 1 10 14",
  ]);
});

it("shapes move with the brush and keep their size; a saved place comes back", async () => {
  const given = brush();
  given.save();
  given.translate(10, 20);
  given.translate(1, 2);
  given.fillRect(1, 2, 3, 4);
  given.strokeRect(1, 2, 3, 4);
  given.beginPath();
  given.rect(1, 2, 3, 4);
  given.bezierCurveTo(0, 0, 1, 1, 2, 2);
  given.stroke();
  given.fillText("a", 1, 2);
  given.restore();
  given.fillRect(1, 2, 3, 4);
  const [filled, framed, path, text, after] = await painted(given);
  for (const one of [filled, framed]) expect(attributes(one, "x y width height")).toBe("12 24 3 4");
  expect(path?.getAttribute("d")).toBe("M12 24L15 24L15 28L12 28ZC11 22 12 23 13 24");
  expect(attributes(text, "x y transform")).toBe("12 24 –");
  expect(attributes(after, "x y width height")).toBe("1 2 3 4");
});

it("a file has its size in pixels or millimetres, and its words under ids of its own", async () => {
  const print: Print = {
    width: 200,
    height: 50,
    paint: (given) => given.fillRect(1, 2, 3, 4),
  };
  const file = async (record: string, millimetres?: number): Promise<Element> => {
    const words = { title: "A & B", description: "What it shows", record };
    const text = await svgFile(print, words, "Own Sans", [], millimetres);
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg /);
    return new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  };
  const root = await file("{}");
  expect(attributes(root, "width height viewBox role")).toBe("200 50 0 0 200 50 img");
  expect(attributes(await file("{}", 80), "width height viewBox")).toBe("80mm 20mm 0 0 200 50");
  const [title, described, record, painting] = [...root.children];
  expect([title, described, record].map((one) => one?.textContent)).toEqual([
    "A & B",
    "What it shows",
    "{}",
  ]);
  expect(attributes(root, "aria-labelledby")).toBe(`${title?.id} ${described?.id}`);
  expect(attributes(painting, "x y width height")).toBe("1 2 3 4");
  expect((await file("{ }")).children[0]?.id).not.toBe(title?.id);
});

it("a turned text has a matrix, and stands in a group that is clipped instead of it", async () => {
  const given = brush();
  given.translate(10, 20);
  given.rotate(-Math.PI / 2);
  given.textBaseline = "middle";
  given.font = "20px sans-serif";
  given.fillText("a", 1, 2);
  given.beginPath();
  given.rect(0, 0, 5, 5);
  given.clip();
  given.fillText("b", 0, 0);
  const [text, area, group] = await painted(given);
  expect(attributes(text, "x y transform")).toBe("1 7.7 matrix(0 -1 1 0 10 20)");
  expect(area?.firstElementChild?.getAttribute("d")).toBe("M10 20L10 15L15 15L15 20Z");
  expect(group?.getAttribute("clip-path")).toBe(`url(#${area?.id})`);
  expect(group?.firstElementChild?.localName).toBe("text");
});

it("colours have their opacity beside them, times that of the brush", async () => {
  const given = brush();
  given.fillStyle = "rgba(255, 0, 0, 0.5)";
  given.globalAlpha = 0.5;
  given.fillRect(0, 0, 1, 1);
  given.fillStyle = "red";
  given.globalAlpha = 1;
  given.fillRect(0, 0, 1, 1);
  const [pale, full] = await painted(given);
  expect(attributes(pale, "fill fill-opacity")).toBe("#ff0000 0.25");
  expect(attributes(full, "fill fill-opacity")).toBe("#ff0000 –");
});

it("cells are rectangles where they stand, without transparent ones; smoothed ones are an image", async () => {
  const image = {} as CanvasImageSource;
  const pixel = (red: number, alpha = 255): number[] => [red, 0, 0, alpha];
  const data = Uint8ClampedArray.from([pixel(1), pixel(2, 0), pixel(3), pixel(4)].flat());
  imagePixels.set(image, { data, columns: 2, rows: 2 });
  const given = brush();
  given.translate(100, 200);
  given.imageSmoothingEnabled = false;
  given.drawImage(image, 10, 20, 30, 40);
  given.imageSmoothingEnabled = true;
  given.globalAlpha = 0.5;
  given.drawImage(image, 10, 20, 30, 40);
  const [cells, smooth] = await painted(given);
  expect(
    [...(cells?.children ?? [])].map((one) => attributes(one, "x y width height fill")),
  ).toEqual(["110 220 15 20 #010000", "110 240 15 20 #030000", "125 240 15 20 #040000"]);
  expect(attributes(smooth, "x y width height opacity")).toBe("110 220 30 40 0.5");
  given.drawImage({} as CanvasImageSource, 0, 0, 1, 1);
  await expect(given.markup()).rejects.toThrow("its pixels were remembered");
});
