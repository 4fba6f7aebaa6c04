import { expect, type Page } from "@playwright/test";
import { ExportMenu } from "./export-menu.js";
import { csvRows, npyFile } from "./files.js";
import { begin, Patient, test, type Pages } from "./gpu-pages.js";
import { saysSame } from "./shown.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const BERT = "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=2&head=3&cell=3-2";
const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2&cell=3-2";

/** What a person saves of what is shown, beside the heatmap: `picture` and `numbers` by their names in the menu, where they are not the first. */
const SAVED: { what: string; address: string; picture?: string; numbers?: string }[] = [
  { what: "lines of several heads", address: `${BERT}&picture=lines&beside=1,4` },
  { what: "dimensions", address: `${GPT}&picture=dimensions`, numbers: "queries (Q)" },
  { what: "a mask under an edit", address: `${GPT}&picture=mask&edits=d2.2~window(w1)` },
  { what: "positions", address: `${BERT}&picture=positions` },
  { what: "steps", address: `${GPT}&picture=steps&number=attended.2-3` },
  { what: "two texts", address: `${BERT}&compare=other&other=The+dog+bites+the+cat.` },
  { what: "an edited run beside its original", address: `${GPT}&compare=original&edits=d1.1x0` },
  { what: "all heads", address: BERT, picture: "all heads as small pictures" },
  { what: "singular values", address: GPT, picture: "singular values" },
  { what: "tokens, coloured by the held query", address: BERT, picture: "tokens of the text" },
  { what: "tokens, coloured by several", address: `${GPT}&picked=s2,4`, picture: "tokens of the text" },
  { what: "strongest keys", address: BERT, picture: "where the held query looks most", numbers: "entropy, mean distance and role scores on this text" },
];

interface Files {
  names: string[];
  svg: string;
  png: Buffer;
  rows: string[][];
  array: ReturnType<typeof npyFile>;
}

async function save(page: Page, { picture, numbers }: { picture?: string; numbers?: string }): Promise<Files> {
  const menu = new ExportMenu(page);
  await menu.open();
  if (picture !== undefined) await menu.picture(picture);
  const [svg, png] = [await menu.save("Picture", "SVG"), await menu.save("Picture", "PNG")];
  if (numbers !== undefined) await menu.choose(numbers);
  const [csv, npy] = [await menu.save("Numbers", "CSV"), await menu.save("Numbers", ".npy")];
  await page.keyboard.press("Escape");
  return { names: [svg, png, csv, npy].map(({ name }) => name), svg: svg.text, png: png.bytes, rows: csvRows(csv.text), array: npyFile(npy.bytes) };
}

const near = (one: number, other: number): boolean => Object.is(one, other) || Math.abs(one - other) <= 2e-4 * Math.max(1, Math.abs(one));
/** Fields that are numbers are to be near, all others the same. */
const isSame = (one: string, other: string): boolean => one === other || (one !== "" && other !== "" && near(Number(one), Number(other)));

const COLOUR = /#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})\b/g;

/** The colours of an SVG, and all else that it says but its fonts, images of pixels, what computed it, and names that are made of all of that. */
function taken(svg: string): { colours: number[][]; words: string[] } {
  const plain = svg.replace(/<style>.*?<\/style>/s, "").replace(/data:image\/png;base64,[^"]*/g, "").replaceAll(/&(?:amp;)?backend=webgpu/g, "").replaceAll(/headscope-[0-9a-z]+-/g, "");
  const colours = [...plain.matchAll(COLOUR)].map(([, ...channels]) => channels.map((channel) => parseInt(channel, 16)));
  return { colours, words: plain.replaceAll(COLOUR, "colour").split(">") };
}

/** Of how many pixels two pictures have, in how many they differ by more than a shade. */
function pixelsApart(page: Page, pictures: readonly Buffer[]): Promise<{ sizes: string[]; all: number; other: number }> {
  return page.evaluate(async (files) => {
    const read = async (file: string): Promise<ImageData> => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0))]));
      const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (!brush) throw new Error("no canvas");
      brush.drawImage(image, 0, 0);
      return brush.getImageData(0, 0, image.width, image.height);
    };
    const [one, other] = await Promise.all(files.map(read));
    if (!one || !other) throw new Error("two pictures");
    const apart = one.data.reduce((count, channel, at) => count + (Math.abs(channel - (other.data[at] ?? NaN)) <= 6 ? 0 : 1), 0);
    return { sizes: [one, other].map(({ width, height }) => `${width} × ${height}`), all: one.data.length, other: apart };
  }, pictures.map((picture) => picture.toString("base64")));
}

async function compared({ gpu, cpu }: Pages, { what, address, ...chosen }: (typeof SAVED)[number]): Promise<void> {
  const files: Files[] = [];
  for (const [page, backend] of [[cpu, ""], [gpu, "&backend=webgpu"]] as const) {
    await new Patient(page).open(`${address}${backend}`);
    files.push(await save(page, chosen));
  }
  await expect(gpu.getByText("Kernel: ")).toContainText("WGSL");
  const [own, saved] = files;
  if (!own || !saved) throw new Error("two pages");
  expect(saved.names, what).toEqual(own.names);
  expect(saved.array.shape, what).toEqual(own.array.shape);
  const numbers = [...own.array.data];
  expect(numbers.filter((number, at) => !near(number, saved.array.data[at] ?? NaN)), `${what}: .npy`).toEqual([]);
  expect(new Set(numbers.map(String)).size, `${what}: more than one number`).toBeGreaterThan(1);
  expect(saved.rows.map(({ length }) => length), what).toEqual(own.rows.map(({ length }) => length));
  const fields = saved.rows.flat();
  expect(own.rows.flat().filter((field, at) => !isSame(field, fields[at] ?? "")), `${what}: CSV`).toEqual([]);
  const [one, other] = [taken(own.svg), taken(saved.svg)];
  expect(other.words.length, what).toBe(one.words.length);
  expect(one.words.flatMap((words, at) => (saysSame(words, other.words[at] ?? "") ? [] : [[words, other.words[at]]])).slice(0, 4), `${what}: SVG`).toEqual([]);
  expect(other.colours.length, what).toBe(one.colours.length);
  expect(one.colours.filter((colour, at) => colour.some((channel, index) => !(Math.abs(channel - (other.colours[at]?.[index] ?? NaN)) <= 3))), `${what}: SVG's colours`).toEqual([]);
  const pixels = await pixelsApart(cpu, [own.png, saved.png]);
  expect(pixels.sizes[1], what).toBe(pixels.sizes[0]);
  expect(pixels.other / pixels.all, `${what}: PNG`).toBeLessThan(0.001);
}

for (const [name, first] of [["tiny-bert", BERT], ["tiny-gpt", GPT]] as const) {
  test(`${name}: files of every picture but the heatmap have the CPU's numbers on the GPU`, async ({ shared }) => {
    const pages = await shared();
    await begin(pages.gpu, first, "WGSL");
    await begin(pages.cpu, first, "simd128");
    for (const one of SAVED) if (one.address.includes(`models/${name}&`)) await test.step(one.what, () => compared(pages, one));
  });
}
