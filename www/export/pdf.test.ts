import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
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
