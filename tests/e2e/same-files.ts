// Whether a file that was saved on a GPU says and shows what the CPU's does.
import { expect, type Page } from "@playwright/test";
import { saysSame } from "./shown.js";

/** A picture as it is saved. */
interface Picture {
  svg: string;
  png: Buffer;
}

export const near = (one: number, other: number): boolean =>
  Object.is(one, other) || Math.abs(one - other) <= 2e-4 * Math.max(1, Math.abs(one));
/** Fields that are numbers are to be near, all others the same. */
const isSame = (one: string, other: string): boolean =>
  one === other || (one !== "" && other !== "" && near(Number(one), Number(other)));

const COLOUR = /#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/g;

/** The colours of an SVG, and all else that it says but its fonts, images of pixels, what computed it, and names that are made of all of that. */
function taken(svg: string): { colours: number[][]; words: string[] } {
  const plain = svg
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/data:image\/png;base64,[^"]*/g, "")
    .replaceAll(/&(?:amp;)?backend=webgpu/g, "")
    .replaceAll(/headscope-[0-9a-z]+-/g, "");
  const colours = [...plain.matchAll(COLOUR)].map(([, ...channels]) =>
    channels.map((channel) => parseInt(channel, 16)),
  );
  return { colours, words: plain.replaceAll(COLOUR, "colour").split(">") };
}

/** Of how many pixels two pictures have, in how many they differ by more than a shade. */
function pixelsApart(
  page: Page,
  pictures: readonly Buffer[],
): Promise<{ sizes: string[]; all: number; other: number }> {
  return page.evaluate(
    async (files) => {
      const read = async (file: string): Promise<ImageData> => {
        const image = await createImageBitmap(
          new Blob([Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0))]),
        );
        const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
        if (!brush) throw new Error("no canvas");
        brush.drawImage(image, 0, 0);
        return brush.getImageData(0, 0, image.width, image.height);
      };
      const [one, other] = await Promise.all(files.map(read));
      if (!one || !other) throw new Error("two pictures");
      const apart = one.data.reduce(
        (count, channel, at) => count + (Math.abs(channel - (other.data[at] ?? NaN)) <= 6 ? 0 : 1),
        0,
      );
      return {
        sizes: [one, other].map(({ width, height }) => `${width} × ${height}`),
        all: one.data.length,
        other: apart,
      };
    },
    pictures.map((picture) => picture.toString("base64")),
  );
}

export function expectSameRows(
  what: string,
  own: readonly string[][],
  saved: readonly string[][],
): void {
  expect(
    saved.map(({ length }) => length),
    what,
  ).toEqual(own.map(({ length }) => length));
  const fields = saved.flat();
  expect(
    own.flat().filter((field, at) => !isSame(field, fields[at] ?? "")),
    `${what}: CSV`,
  ).toEqual([]);
}

/** Compares what either says, its colours, and its pixels, which a page reads. */
export async function expectSamePicture(
  page: Page,
  what: string,
  own: Picture,
  saved: Picture,
): Promise<void> {
  const [one, other] = [taken(own.svg), taken(saved.svg)];
  expect(other.words.length, what).toBe(one.words.length);
  expect(
    one.words
      .flatMap((words, at) =>
        saysSame(words, other.words[at] ?? "") ? [] : [[words, other.words[at]]],
      )
      .slice(0, 4),
    `${what}: SVG`,
  ).toEqual([]);
  expect(other.colours.length, what).toBe(one.colours.length);
  expect(
    one.colours.filter((colour, at) =>
      colour.some(
        (channel, index) => !(Math.abs(channel - (other.colours[at]?.[index] ?? NaN)) <= 3),
      ),
    ),
    `${what}: SVG's colours`,
  ).toEqual([]);
  const pixels = await pixelsApart(page, [own.png, saved.png]);
  expect(pixels.sizes[1], what).toBe(pixels.sizes[0]);
  expect(pixels.other / pixels.all, `${what}: PNG`).toBeLessThan(0.001);
}
