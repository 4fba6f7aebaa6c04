import { inflateSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { imagePixels } from "../draw/matrix.js";
import type { Brush } from "../draw/theme.js";
import { PdfBrush, pdfFile } from "./pdf.js";

const WORDS = { title: "Head · 5", description: "a (b)", record: "{}" };

async function fileOf(paint: (brush: Brush) => void, millimetres: number | null): Promise<Buffer> {
  const pages = [1, 2].map(() => ({ print: { width: 200, height: 100, paint }, millimetres }));
  const file = await pdfFile(pages, WORDS, "Headscope", (brush) => brush);
  return Buffer.from(await file.arrayBuffer());
}

/** The objects of a file, read by its table of places. */
function objectsIn(file: Buffer): Buffer[] {
  const text = file.toString("latin1");
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, at]) =>
    Number(at),
  );
  return places.map((at, index) => {
    const head = `${index + 1} 0 obj\n`;
    expect(text.slice(at, at + head.length)).toBe(head);
    return file.subarray(at + head.length, text.indexOf("\nendobj", at));
  });
}

function contentOf(object: Buffer): string {
  const start = object.indexOf("stream\n") + 7;
  const length = Number(/\/Length (\d+)/.exec(object.toString("latin1"))?.[1]);
  return inflateSync(object.subarray(start, start + length)).toString("latin1");
}

it("a file has a page for each picture, as wide as was asked, at the places that it names", async () => {
  const file = await fileOf((brush) => brush.fillRect(10, 20, 30, 40), 85);
  const objects = objectsIn(file);
  const pages = objects.filter((one) => one.includes("/Type /Page "));
  expect(pages).toHaveLength(2);
  // 85 mm are 240.945 points; the height is half of that.
  for (const page of pages) expect(page.toString()).toContain("/MediaBox [0 0 240.945 120.472]");
  const [content] = objects.filter((one) => one.includes("/FlateDecode")).map(contentOf);
  // Upright: 0 is at the top, as on a canvas.
  expect(content?.split("\n")[0]).toBe("1.204724 0 0 -1.204724 0 120.472 cm");
  expect(content).toContain("10 20 m\n40 20 l\n40 60 l\n10 60 l\nh\nf");
  const title = Buffer.from("FEFF0048006500610064002000B700200035", "hex").toString("hex");
  expect(file.toString("latin1").toLowerCase()).toContain(`/title <${title}>`);
});

it("a picture of the screen has the size of the screen, three quarters of a point to the pixel", async () => {
  const file = await fileOf(() => undefined, null);
  expect(file.toString("latin1")).toContain("/MediaBox [0 0 150 75]");
});

it("calls become operators in the coordinates of the page", () => {
  const brush = new PdfBrush();
  brush.save();
  brush.translate(100, 50);
  brush.rotate(Math.PI / 2);
  brush.strokeStyle = "#ff000080";
  brush.lineWidth = 2;
  brush.setLineDash([3, 1]);
  brush.beginPath();
  brush.moveTo(0, 0);
  brush.lineTo(10, 0);
  brush.stroke();
  brush.restore();
  brush.beginPath();
  brush.arc(0, 0, 10, 0, 2 * Math.PI);
  brush.fill();
  const [saved, opacity, line, ...rest] = brush.operators;
  expect([saved, line]).toEqual(["q", "1 0 0 RG 2 w 0 j [3 1] 0 d"]);
  expect(opacity).toBe("/A502 gs");
  expect(rest.slice(0, 4)).toEqual(["100 50 m", "100 60 l", "S", "Q"]);
  // A circle is four curves.
  expect(rest.filter((one) => one.endsWith(" c"))).toHaveLength(4);
});

const curvesIn = (brush: PdfBrush): string[] => brush.operators.filter((one) => one.endsWith(" c"));

it.each<[what: string, from: number, to: number, backwards: boolean, curves: string[]]>([
  ["a quarter", 0, Math.PI / 2, false, ["10 5.523 5.523 10 0 10 c"]],
  ["a quarter backwards", 0, -Math.PI / 2, true, ["10 -5.523 5.523 -10 0 -10 c"]],
  ["a quarter past the start", (3 / 2) * Math.PI, 0, false, ["5.523 -10 10 -5.523 10 0 c"]],
  ["a half", 0, Math.PI, false, ["10 5.523 5.523 10 0 10 c", "-5.523 10 -10 5.523 -10 0 c"]],
])("an arc of %s is drawn as far as it goes, in quarters", (_, from, to, backwards, curves) => {
  const brush = new PdfBrush();
  brush.beginPath();
  brush.arc(0, 0, 10, from, to, backwards);
  brush.fill();
  expect(curvesIn(brush)).toEqual(curves);
});

it("a path goes on from its last point, and what is painted beside it leaves it as it was", () => {
  const brush = new PdfBrush();
  brush.beginPath();
  brush.lineTo(1, 2);
  brush.arc(4, 2, 1, Math.PI, Math.PI);
  brush.strokeRect(0, 0, 1, 1);
  brush.lineJoin = "round";
  brush.bezierCurveTo(0, 0, 1, 1, 2, 2);
  brush.stroke();
  const shapes = brush.operators.filter((one) => /^[\d. -]+ [mlc]$/.test(one));
  const square = ["0 0 m", "1 0 l", "1 1 l", "0 1 l"];
  expect(shapes).toEqual([...square, "1 2 m", "3 2 l", "3 2 3 2 3 2 c", "0 0 1 1 2 2 c"]);
  const joins = brush.operators.flatMap((one) => / w (\d) j /.exec(one)?.[1] ?? []);
  expect(joins).toEqual(["0", "1"]);
});

it("nothing is painted of an empty path, and a clipped area is one of the page", () => {
  const brush = new PdfBrush();
  brush.beginPath();
  brush.fill();
  expect(brush.operators).toEqual([]);
  brush.translate(10, 20);
  brush.rect(0, 0, 3, 4);
  brush.clip();
  expect(brush.operators.join(" ")).toBe("10 20 m 13 20 l 13 24 l 10 24 l h W n");
});

/** An image whose pixels are remembered, each red as much as was said. */
function imageWith(
  columns: number,
  reds: readonly number[],
  alphas: readonly number[],
): ImageBitmap {
  const image = {} as ImageBitmap;
  const data = Uint8ClampedArray.from(reds.flatMap((red, at) => [red, 0, 0, alphas[at] ?? 255]));
  imagePixels.set(image, { data, columns, rows: reds.length / columns });
  return image;
}

it("cells are rectangles where they stand, without transparent ones, in colours of their own", () => {
  const brush = new PdfBrush();
  brush.imageSmoothingEnabled = false;
  brush.fillStyle = "#00ff00";
  brush.drawImage(imageWith(2, [255, 0, 51, 102, 0, 0], [255, 0]), 10, 20, 30, 60);
  const corners = brush.operators.filter((one) => one.endsWith(" m") || one.endsWith(" rg"));
  expect(corners).toEqual([
    "1 0 0 rg",
    "10 20 m",
    "0.2 0 0 rg",
    "10 40 m",
    "0.4 0 0 rg",
    "25 40 m",
    "0 0 0 rg",
    "10 60 m",
    "0 0 0 rg",
    "25 60 m",
  ]);
  expect(brush.operators).toContain("25 60 l");
  expect(brush.fillStyle).toBe("#00ff00");
  expect(brush.images).toEqual([]);
});

it("a smoothed picture is an image as it is; one among many has its cells enlarged", async () => {
  const image = imageWith(2, [1, 2, 3, 4], [255, 255, 255, 0]);
  const brush = new PdfBrush();
  brush.globalAlpha = 0.5;
  brush.drawImage(image, 10, 20, 30, 40);
  const pixels = imagePixels.get(image);
  if (pixels) imagePixels.set(image, { ...pixels, amongMany: true });
  brush.imageSmoothingEnabled = false;
  brush.drawImage(image, 0, 0, 1, 1);
  // The lower left corner is at (10, 60), and the unit square's y points up.
  expect(brush.operators.slice(0, 4)).toEqual(["q", "/A500 gs", "30 0 0 -40 10 60 cm /I0 Do", "Q"]);
  const [smooth, cells] = brush.images;
  const reds = (rgb: Uint8Array): number[] => [...rgb].filter((_, at) => at % 3 === 0);
  expect([smooth?.width, smooth?.height]).toEqual([2, 2]);
  expect(reds(smooth?.rgb ?? new Uint8Array())).toEqual([1, 2, 3, 4]);
  expect([...(smooth?.alpha ?? [])]).toEqual([255, 255, 255, 0]);
  expect([cells?.width, cells?.height]).toEqual([16, 16]);
  const row = [...Array<number>(8).fill(3), ...Array<number>(8).fill(4)];
  expect(reds(cells?.rgb ?? new Uint8Array()).slice(8 * 16, 9 * 16)).toEqual(row);
  expect(() => brush.drawImage({} as ImageBitmap, 0, 0, 1, 1)).toThrow("were remembered");

  const file = await fileOf((one) => one.drawImage(image, 0, 0, 200, 100), null);
  const objects = objectsIn(file);
  const masked = objects.filter((one) => one.includes("/SMask"));
  expect(masked).toHaveLength(2);
  const mask = Number(/\/SMask (\d+) 0 R/.exec(masked[0]?.toString("latin1") ?? "")?.[1]);
  expect(objects[mask - 1]?.toString("latin1")).toContain("/DeviceGray");
});

it("more cells than a page opens fast with are one image", () => {
  const brush = new PdfBrush();
  brush.imageSmoothingEnabled = false;
  const image = imageWith(101, Array<number>(101 * 100).fill(9), []);
  brush.drawImage(image, 0, 0, 101, 100);
  expect([brush.images[0]?.width, brush.images[0]?.height]).toEqual([808, 800]);
  expect(brush.images[0]?.alpha).toBeNull();
});

it("a text without outlines is a picture of it in its colour, at the place of the text", () => {
  const calls: unknown[] = [];
  const context = {
    font: "",
    measureText: () => ({ width: 40 }),
    scale: (...by: unknown[]) => calls.push(["scale", ...by]),
    fillText: (...at: unknown[]) => calls.push(at),
    getImageData: (_x: number, _y: number, width: number, height: number) => ({
      data: new Uint8ClampedArray(4 * width * height).fill(200),
    }),
  };
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext(): object {
        return context;
      }
    },
  );
  const brush = new PdfBrush();
  brush.font = "10px sans-serif";
  brush.fillStyle = "#ff0080";
  brush.textAlign = "right";
  brush.textBaseline = "middle";
  brush.fillText("猫", 100, 50);
  brush.textAlign = "left";
  brush.textBaseline = "alphabetic";
  brush.fillText("猫", 100, 50);
  vi.unstubAllGlobals();

  // 40 px of text and half its size on both sides, 20 px high, 8 pixels to the pixel.
  expect(calls.slice(0, 2)).toEqual([
    ["scale", 8, 8],
    ["猫", 5, 14],
  ]);
  const [image] = brush.images;
  expect([image?.width, image?.height]).toEqual([400, 160]);
  expect([...(image?.rgb.slice(-3) ?? [])]).toEqual([255, 0, 128]);
  expect(image?.alpha?.at(-1)).toBe(200);
  const places = brush.operators.filter((one) => one.includes(" cm "));
  // The end of the text is at 100; its middle lies 2.85 px above the baseline, 6 px of 20 below it.
  expect(places).toEqual(["50 0 0 -20 55 58.85 cm /I0 Do", "50 0 0 -20 95 56 cm /I1 Do"]);
});
