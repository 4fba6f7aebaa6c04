import { expect, type Page } from "@playwright/test";
import { ExportMenu } from "./export-menu.js";
import { csvRows, npyFile } from "./files.js";
import { begin, Patient, test, type Pages } from "./gpu-pages.js";
import { expectSamePicture, expectSameRows, near } from "./same-files.js";

// On a machine with more to do an imitated GPU may take its time.
test.setTimeout(600_000);

const BERT =
  "#v=1&model=models/tiny-bert&text=The+cat+bites+the+dog.&stack=encoder&layer=2&head=3&cell=3-2";
const GPT =
  "#v=1&model=models/tiny-gpt&text=The+cat+bites+the+dog.&stack=decoder&layer=2&head=2&cell=3-2";

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
  {
    what: "tokens, coloured by several",
    address: `${GPT}&picked=s2,4`,
    picture: "tokens of the text",
  },
  {
    what: "strongest keys",
    address: BERT,
    picture: "where the held query looks most",
    numbers: "entropy, mean distance and role scores on this text",
  },
];

interface Files {
  names: string[];
  svg: string;
  png: Buffer;
  rows: string[][];
  array: ReturnType<typeof npyFile>;
}

async function save(
  page: Page,
  { picture, numbers }: { picture?: string; numbers?: string },
): Promise<Files> {
  const menu = new ExportMenu(page);
  await menu.open();
  if (picture !== undefined) await menu.picture(picture);
  const [svg, png] = [await menu.save("Picture", "SVG"), await menu.save("Picture", "PNG")];
  if (numbers !== undefined) await menu.choose(numbers);
  const [csv, npy] = [await menu.save("Numbers", "CSV"), await menu.save("Numbers", ".npy")];
  await page.keyboard.press("Escape");
  return {
    names: [svg, png, csv, npy].map(({ name }) => name),
    svg: svg.text,
    png: png.bytes,
    rows: csvRows(csv.text),
    array: npyFile(npy.bytes),
  };
}

async function compared(
  { gpu, cpu }: Pages,
  { what, address, ...chosen }: (typeof SAVED)[number],
): Promise<void> {
  const files: Files[] = [];
  for (const [page, backend] of [
    [cpu, ""],
    [gpu, "&backend=webgpu"],
  ] as const) {
    await new Patient(page).open(`${address}${backend}`);
    files.push(await save(page, chosen));
  }
  await expect(gpu.getByText("Kernel: ")).toContainText("WGSL");
  const [own, saved] = files;
  if (!own || !saved) throw new Error("two pages");
  expect(saved.names, what).toEqual(own.names);
  expect(saved.array.shape, what).toEqual(own.array.shape);
  const numbers = [...own.array.data];
  expect(
    numbers.filter((number, at) => !near(number, saved.array.data[at] ?? NaN)),
    `${what}: .npy`,
  ).toEqual([]);
  expect(new Set(numbers.map(String)).size, `${what}: more than one number`).toBeGreaterThan(1);
  expectSameRows(what, own.rows, saved.rows);
  await expectSamePicture(cpu, what, own, saved);
}

for (const [name, first] of [
  ["tiny-bert", BERT],
  ["tiny-gpt", GPT],
] as const) {
  test(`${name}: files of every picture but the heatmap have the CPU's numbers on the GPU`, async ({
    shared,
  }) => {
    const pages = await shared();
    await begin(pages.gpu, first, "WGSL");
    await begin(pages.cpu, first, "simd128");
    for (const one of SAVED)
      if (one.address.includes(`models/${name}&`))
        await test.step(one.what, () => compared(pages, one));
  });
}
