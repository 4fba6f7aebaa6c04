import { expect, it, vi } from "vitest";
import type { Print } from "../draw/theme.js";
import { recorder, testInks } from "../draw/testing/recorder.js";
import { pngFile } from "./png.js";
import { oneBelowAnother, sideBySide } from "./sheet.js";

type Scene = Parameters<typeof sideBySide>[0][number][1];

/** A picture of a size that writes its name where its corner is. */
const picture =
  (name: string, width: number, height: number, part?: string): Scene =>
  () => ({
    width,
    height,
    paint: (brush) => brush.fillText(name, 0, 0),
    ...(part !== undefined && { part }),
  });
const NONE: Scene = () => null;

/** Where the corners of the pictures are, and where their names stand. */
function painted(print: Print | null): [corners: unknown[], texts: unknown[]] {
  const { brush, done } = recorder();
  print?.paint(brush);
  return [done("translate").map(({ args }) => args), done("fillText").map(({ args }) => args)];
}

const ONE = picture("1", 100, 30);
const TWO = picture("2", 60, 50);

it("pictures side by side are 40 px apart, below the names of all", () => {
  const print = sideBySide([
    ["a", ONE],
    ["left out", NONE],
    ["b", TWO],
  ])(testInks);
  // A line of 20 px for each name, and 10 px below it.
  expect([print?.width, print?.height]).toEqual([200, 80]);
  const [corners, texts] = painted(print);
  expect(corners).toEqual([
    [0, 30],
    [140, 30],
  ]);
  expect(texts).toEqual([
    ["a", 0, 10],
    ["1", 0, 0],
    ["b", 140, 10],
    ["2", 0, 0],
  ]);
});

it("pictures one below another are 40 px apart, each below its name", () => {
  const print = oneBelowAnother([
    ["a", ONE],
    ["b", TWO],
  ])(testInks);
  expect([print?.width, print?.height]).toEqual([100, 30 + 30 + 40 + 30 + 50]);
  const [corners, texts] = painted(print);
  expect(corners).toEqual([
    [0, 30],
    [0, 130],
  ]);
  expect(texts.map((text) => (text as unknown[])[2])).toEqual([10, 0, 110, 0]);
});

it("a name of two lines makes room above all pictures", () => {
  const long = "a name that is longer than its picture";
  const print = sideBySide([
    [long, TWO],
    ["b", ONE],
  ])(testInks);
  const [corners] = painted(print);
  expect(corners.map((corner) => (corner as unknown[])[1])).toEqual([50, 50]);
  expect(print?.height).toBe(100);
});

it.each([
  [sideBySide, (400 - 40) / 2],
  [oneBelowAnother, 400],
] as const)("pictures share the room that there is: %o", (place, width) => {
  const asked: unknown[] = [];
  const asks: Scene = (_, room) => {
    asked.push(room?.width);
    return null;
  };
  const room = { width: 400 } as Parameters<Scene>[1];
  expect(
    place([
      ["a", asks],
      ["b", asks],
    ])(testInks, room),
  ).toBeNull();
  expect(asked).toEqual([width, width]);
  place([["a", asks]])(testInks);
  expect(asked.at(-1)).toBeNull();
});

it("what the pictures show of a whole is said once for all", () => {
  const parts = (...names: string[]): string | undefined =>
    sideBySide(names.map((name) => ["a", picture("", 1, 1, name)] as const))(testInks)?.part;
  expect(parts("rows 1–2", "rows 1–2")).toBe("rows 1–2");
  expect(parts("rows 1–2", "rows 3–4")).toBe("rows 1–2\nrows 3–4");
  expect(sideBySide([["a", ONE]])(testInks)).not.toHaveProperty("part");
});

it.each<[string, Partial<Print>, number | null, [number, number], number]>([
  ["in its own size, at the highest whole scale", {}, null, [600, 300], 11339],
  ["in a width on paper, at 600 dots to the inch", {}, 25.4, [600, 300], 23622],
  ["in a width that no canvas has, as large as one is", {}, 2540, [5792, 2896], 2280],
])("a PNG of a picture %s", async (_, print, millimetres, size, perMetre) => {
  const sizes: number[][] = [];
  const scales: number[] = [];
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      constructor(...sides: number[]) {
        sizes.push(sides);
      }
      getContext(): object {
        return { scale: (by: number) => scales.push(by) };
      }
      convertToBlob(): Promise<Blob> {
        return Promise.resolve(new Blob([new Uint8Array(33)]));
      }
    },
  );
  const whole = { width: 200, height: 100, paint: () => undefined, ...print };
  const words = { title: "Title", description: "", record: "" };
  const file = await pngFile(whole, words, "Headscope", millimetres);
  vi.unstubAllGlobals();
  const written = new DataView(await file.arrayBuffer());
  expect(sizes).toEqual([size]);
  expect(scales[0]).toBeCloseTo(size[0] / 200, 0);
  // The signature and the header take 33 bytes, then 8 of the name and the length of the density.
  expect([written.getUint32(41), written.getUint32(45), file.type]).toEqual([
    ...[perMetre, perMetre],
    "image/png",
  ]);
});
