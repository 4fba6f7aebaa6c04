// What the page saves: every picture and table beside its golden file, the menu, the fonts.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { inflateSync } from "node:zlib";
import type { BrowserContext, Download } from "@playwright/test";
import { GoldenSections, jsonText } from "../golden/golden.js";
import { BITES, expect, NOTHING, test, watch } from "./page.js";
import type { ExplorerPage, Locator, Page } from "./page.js";

/**
 * What is saved from the Export menu: a choice there, or values of a list, each in some formats.
 */
interface Saves {
  /** A radio button, or the list of pictures or of numbers. */
  what: "choice" | "picture" | "numbers";
  values: readonly string[];
  formats: readonly string[];
}

/**
 * What is saved of a state of the page: from the Export menu, or from so many figures of the
 * experiments, once the demo that is named has computed them.
 */
type Case = { address: string } & (
  { saves: readonly Saves[] } | { figures: number; formats: readonly string[]; demo?: string }
);

const EN_FR = "text=The+dog+bites.";
const GPT = "model=models/tiny-gpt&text=The+cat+sees.&stack=decoder&layer=2&head=2";
const BERT = "model=models/tiny-bert&text=The+dog+sees.&stack=encoder&layer=1&head=3";
const CORE = `${BERT}&experiment=positions&demos=places(open-yes,part-`;

const CASES: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  pictures: {
    translation: {
      address: `${EN_FR}&cell=2-2`,
      saves: [
        {
          what: "picture",
          values: ["shown", "grid", "spectrum", "tokens", "strongest"],
          formats: ["SVG"],
        },
        {
          what: "numbers",
          values: [
            "weights",
            "raw",
            "scores",
            "value",
            "singular-values",
            "divergence",
            "measures",
          ],
          formats: ["CSV"],
        },
        { what: "numbers", values: ["hidden decoder 3", "logits"], formats: ["CSV"] },
        { what: "numbers", values: ["weights", "stages", "query", "measures"], formats: ["JSON"] },
        {
          what: "numbers",
          values: ["weights", "key", "thumbnails", "hidden encoder 0", "positions encoder"],
          formats: [".npy"],
        },
      ],
    },
    dark: {
      address: `${EN_FR}&theme=dark&colours=viridis&sink=out`,
      saves: [{ what: "choice", values: ["screen"], formats: ["SVG"] }],
    },
    "masked-and-ablated": {
      address: `${GPT}&stage=masked&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'block':[[2,1]]}],'heads':[{'stack':'decoder','layers':[0],'heads':[0],'gate':0}]}`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "numbers", values: ["masked"], formats: ["CSV", "JSON", ".npy"] },
        { what: "numbers", values: ["mask"], formats: ["CSV"] },
      ],
    },
    lines: {
      address: `${GPT}&picture=lines&mass=75&beside=1,4`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "numbers", values: ["heads"], formats: ["JSON"] },
      ],
    },
    "heads-in-order": {
      address: `${GPT}&sort=entropy&edits={'heads':[{'stack':'decoder','layers':[1],'heads':[0],'gate':0}]}&colours=cividis`,
      saves: [{ what: "picture", values: ["grid"], formats: ["SVG"] }],
    },
    "odd-tokens": {
      address: `${BERT.replace("dog+sees.", "darkness+fell+☃")}&masked=3`,
      saves: [{ what: "picture", values: ["tokens"], formats: ["SVG"] }],
    },
    dimensions: {
      address: `${BERT}&picture=dimensions`,
      saves: [{ what: "picture", values: ["shown"], formats: ["SVG"] }],
    },
    steps: {
      address: `${BERT}&picture=steps`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "numbers", values: ["step context"], formats: ["CSV"] },
        { what: "numbers", values: ["step ff-activated"], formats: [".npy"] },
      ],
    },
    mask: {
      address: `${BERT}&picture=mask&edits={'masks':[{'stack':'encoder','layers':[0],'heads':[2],'block':[[0,1]]}]}`,
      saves: [{ what: "picture", values: ["shown"], formats: ["SVG"] }],
    },
    positions: {
      address: `${BERT}&picture=positions`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "numbers", values: ["positions encoder"], formats: ["CSV"] },
      ],
    },
    chinese: {
      address: `${BERT}&language=zh-CN&hidden=3&by=word&specials=hidden`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "picture", values: ["grid"], formats: ["SVG"] },
        { what: "numbers", values: ["shown"], formats: ["CSV", "JSON"] },
      ],
    },
    "region-of-a-long-text": {
      address: `${GPT.replace("The+cat+sees.", "The+cat+sees+the+dog+".repeat(24))}&region=20-25x11-25`,
      saves: [
        { what: "picture", values: ["shown"], formats: ["SVG"] },
        { what: "numbers", values: ["weights"], formats: ["CSV"] },
      ],
    },
    comparison: {
      address: `${EN_FR}&stack=encoder&compare=other&other=The+cat+bites.&picked=s2`,
      saves: [
        { what: "choice", values: ["all", "first", "second", "difference"], formats: ["SVG"] },
        { what: "numbers", values: ["difference weights"], formats: ["CSV", ".npy"] },
        { what: "numbers", values: ["first raw"], formats: ["CSV"] },
        { what: "numbers", values: ["second weights"], formats: ["JSON"] },
        { what: "numbers", values: ["cosines source"], formats: ["CSV", "JSON"] },
        { what: "picture", values: ["cosines"], formats: ["SVG"] },
      ],
    },
    "comparison-with-the-original": {
      address: `${EN_FR}&edits={'heads':[{'stack':'cross','layers':[1],'heads':[4],'gate':0},{'stack':'cross','layers':[0],'heads':[0],'pattern':'uniform'}]}&layer=1&head=1&compare=original`,
      saves: [
        { what: "choice", values: ["all"], formats: ["SVG"] },
        { what: "numbers", values: ["difference weights"], formats: ["CSV"] },
      ],
    },
  },
  experiments: {
    "experiment-masks": {
      address: `${GPT}&experiment=masks&demos=masks(open-cost.cheat)&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'mode':'or','preset':{'kind':'window','width':1}}]}`,
      figures: 2,
      formats: ["SVG", "CSV"],
    },
    "experiment-kinds": {
      address: `${BERT}&experiment=variants&demos=scores(dim-9)&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[2],'kind':'softmax','dropout':{'rate':0.4,'seed':3}}]}`,
      figures: 7,
      formats: ["SVG", "CSV"],
    },
    "experiment-residual-stream": {
      address: `${BERT}&experiment=heads&demos=heads(room-stream)`,
      figures: 2,
      formats: ["SVG", "CSV"],
    },
    "experiment-head-importance": {
      address: `${GPT}&experiment=heads&demos=heads(room-ranking)`,
      figures: 1,
      formats: ["SVG", "CSV"],
      demo: "effect",
    },
    "experiment-patching": {
      address:
        "model=models/tiny-gpt&text=He+heard&other=She+heard&stack=decoder" +
        "&experiment=patching&entry=404&against=457",
      figures: 1,
      formats: ["SVG", "CSV", "JSON"],
      demo: "patching",
    },
    "experiment-broken-heads": {
      address: `${GPT}&experiment=positions&edits={'positions':[{'stack':'decoder','scheme':'none'}]}`,
      figures: 1,
      formats: ["CSV"],
      demo: "broken",
    },
    "experiment-lengths": {
      address: `${GPT}&experiment=positions&demos=lengths(schemes-alibi,times-2)`,
      figures: 1,
      formats: ["SVG", "CSV"],
      demo: "lengths",
    },
    "experiment-pruning": {
      address: `${GPT}&experiment=heads&demos=heads(room-pruning)pruning(sentences-12)`,
      figures: 1,
      formats: ["SVG", "CSV"],
      demo: "pruning",
    },
    calculator: { address: `${BERT}&experiment=calculator`, figures: 8, formats: ["CSV"] },
  },
  positions: {
    "demo-sinusoidal": {
      address: `${CORE}sinusoidal)waves(dim-8,length-6)`,
      figures: 4,
      formats: ["SVG", "CSV"],
    },
    "demo-learned": {
      address: `${CORE}learned)learned(length-6)`,
      figures: 3,
      formats: ["SVG", "CSV"],
    },
    "demo-rotary": {
      address: `${CORE}rotary)rotary(headDim-8)`,
      figures: 2,
      formats: ["SVG", "CSV"],
    },
    "demo-alibi": {
      address: `${CORE}alibi)alibi(heads-2,length-6)`,
      figures: 2,
      formats: ["SVG", "CSV"],
    },
    "demo-buckets": {
      address: `${CORE}buckets)buckets(length-8,heads-2,buckets-8,maxDistance-12)`,
      figures: 4,
      formats: ["SVG", "CSV"],
    },
    "demo-four-terms": {
      address: `${CORE}fourTerms)terms(length-4,dim-4)`,
      figures: 5,
      formats: ["SVG", "CSV"],
    },
  },
};

const hashOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** Cells along a side, at most, in which an image is written. */
const MOST_CELLS = 24;

/**
 * An image as text that a reviewer can compare: its size, and the mean luminance of each cell of a
 * grid over it, 00 to ff, a line for each row.
 */
async function cellsOf(page: Page, image: string): Promise<string> {
  const { width, height, data } = await page.evaluate(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const { width, height } = bitmap;
    const brush = new OffscreenCanvas(width, height).getContext("2d");
    brush?.drawImage(bitmap, 0, 0);
    return { width, height, data: Array.from(brush?.getImageData(0, 0, width, height).data ?? []) };
  }, image);
  const luminance = (x: number, y: number): number => {
    const [red = 0, green = 0, blue = 0] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const edges = (side: number): number[] => {
    const count = Math.min(side, MOST_CELLS);
    return Array.from({ length: count + 1 }, (_, at) => Math.round((at * side) / count));
  };
  const range = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, at) => from + at);
  const columns = edges(width);
  const rows = edges(height);
  const meanOf = (row: number, column: number): number => {
    const found = range(rows[row] ?? 0, rows[row + 1] ?? 0).flatMap((y) =>
      range(columns[column] ?? 0, columns[column + 1] ?? 0).map((x) => luminance(x, y)),
    );
    return found.reduce((sum, one) => sum + one, 0) / found.length;
  };
  const lines = range(0, rows.length - 1).map((row) =>
    range(0, columns.length - 1)
      .map((column) => Math.round(meanOf(row, column)).toString(16).padStart(2, "0"))
      .join(" "),
  );
  return [`image ${width} × ${height}`, ...lines].join("\n");
}

/**
 * The families and weights of the fonts that a style sheet carries, of which each has many slices.
 */
const fontsOf = (rules: string): string[] =>
  [...new Set(rules.match(/font-family:[^;]*;font-weight:\d+/g))].sort();

/**
 * A saved file as text, without what differs from build to build: the version, the page's address,
 * packed fonts.
 */
async function textOf(page: Page, name: string, bytes: Buffer): Promise<string> {
  let text = name.endsWith(".npy") ? jsonText(npyOf(bytes)) : bytes.toString("utf8");
  if (name.endsWith(".svg")) {
    const [id = ""] = /headscope-[0-9a-z]+(?=-title")/.exec(text) ?? [];
    text = text
      .replaceAll(id, "ID")
      .replace(/(?<=<style>).*?(?=<\/style>)/s, (rules) => fontsOf(rules).join("\n"));
    for (const [image] of text.matchAll(/data:image\/png;base64,[^"]*/g))
      text = text.replace(image, await cellsOf(page, image));
    text = text.replaceAll("><", ">\n<");
  }
  text = text
    .replaceAll(/(\blink("|&quot;)?: ?("|&quot;)).*?\3/g, "$1…$3")
    .replaceAll(/(\bheadscope("|&quot;)?: ?("|&quot;))[\d.]+/g, "$1…")
    .replaceAll(/Headscope \d+\.\d+\.\d+/g, "Headscope …");
  // A long file is compared by its hash and its first characters.
  return text.length <= 80_000
    ? text
    : `${text.slice(0, 2_000)}\n… ${text.length} characters, SHA-256 ${hashOf(text)}\n`;
}

/**
 * A .npy file of version 1.0: a row for each place of all axes but the last, and where they come
 * from, the text behind the numbers.
 */
function npyOf(bytes: Buffer): { shape: number[]; rows: unknown[][]; record: unknown } {
  const block = (at: number): { shape: number[]; start: number; end: number } => {
    const start = at + 10 + bytes.readUInt16LE(at + 8);
    const header = bytes.subarray(at, start).toString("latin1");
    const [, kind = "", width = "", sizes] =
      /^.NUMPY....\{'descr': '<([fU])(\d+)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \} *\n$/s.exec(
        header,
      ) ?? [];
    if (sizes === undefined) throw new Error(`no .npy header: ${header}`);
    const shape = sizes.split(",").flatMap((size) => (size.trim() === "" ? [] : [Number(size)]));
    const count = shape.reduce((product, size) => product * size, 1);
    return { shape, start, end: start + count * Number(width) * (kind === "U" ? 4 : 1) };
  };
  const { shape, start, end } = block(0);
  const numberAt = (at: number): unknown => {
    const value = bytes.readFloatLE(start + 4 * at);
    return Number.isFinite(value) ? value : String(value);
  };
  const columns = shape.at(-1) ?? 1;
  const rows = Array.from({ length: (end - start) / 4 / columns }, (_, row) =>
    Array.from({ length: columns }, (__, column) => numberAt(row * columns + column)),
  );
  const points = new Uint32Array(new Uint8Array(bytes.subarray(block(end).start)).buffer);
  return { shape, rows, record: JSON.parse(String.fromCodePoint(...points)) };
}

/**
 * Presses a button that saves; returns the files, which the status beside it names where there is
 * one.
 */
async function save(page: Page, button: Locator, status: Locator): Promise<[string, string][]> {
  const files = new Map<string, Download>();
  const take = (download: Download): unknown => files.set(download.suggestedFilename(), download);
  page.on("download", take);
  const said = async (): Promise<string> => (await status.allTextContents()).join("");
  await button.click();
  await expect(async () => {
    // A figure that shows an earlier question has nothing to save until it is computed anew.
    if (files.size === 0 && (await said()).startsWith("Nothing to save")) await button.click();
    expect(files.size).toBeGreaterThan(0);
    if ((await status.count()) === 0) return;
    const report = (await said()).replaceAll(/[\u2066-\u2069]/g, "");
    for (const name of files.keys()) expect(report).toContain(name);
    expect(report.match(/headscope_/g)).toHaveLength(files.size);
  }).toPass({ timeout: 30_000 });
  page.off("download", take);
  return Promise.all(
    [...files].map(async ([name, download]): Promise<[string, string]> => {
      const text = await textOf(page, name, await readFile(await download.path()));
      return [name, text];
    }),
  );
}

async function savedOf(explorer: ExplorerPage, one: Case): Promise<[string, string][]> {
  const { page } = explorer;
  const files: [string, string][] = [];
  await explorer.open(one.address);
  if ("saves" in one) {
    const sheet = page.locator("headscope-export-sheet");
    await explorer.openSheet();
    for (const { what, values, formats } of one.saves) {
      const at = what === "numbers" ? 1 : 0;
      for (const value of values) {
        if (what === "choice") await sheet.locator(`input[value=${value}]`).check({ force: true });
        else await sheet.locator("select").nth(at).selectOption(value);
        for (const format of formats) {
          const button = sheet.locator(".formats").nth(at).getByText(format, { exact: true });
          files.push(...(await save(page, button, sheet.locator(".report"))));
        }
      }
    }
    await explorer.keys("Escape");
    return files;
  }
  if (one.demo !== undefined) await page.locator(`headscope-demo[name=${one.demo}] #go`).click();
  const figures = page.locator("headscope-save-figure, headscope-demo[name=worked] figure");
  await expect(page.locator("[aria-busy=true], progress")).toHaveCount(0, { timeout: 60_000 });
  await expect(figures).toHaveCount(one.figures);
  for (const figure of await figures.all())
    for (const format of one.formats) {
      const button = figure.locator("button").getByText(format, { exact: true });
      if ((await button.count()) > 0)
        files.push(...(await save(page, button, figure.locator(".report"))));
    }
  return files;
}

for (const [file, cases] of Object.entries(CASES))
  test(`all pictures and tables are saved as they were: ${file}`, async ({ page, explorer }) => {
    // Without the probe of relaxed SIMD the plain build runs, whose digits are those of any
    // processor.
    await page.addInitScript(() => Reflect.deleteProperty(WebAssembly, "Module"));
    const saved = new Map<string, string>();
    for (const [of, one] of Object.entries(cases))
      for (const [name, text] of await savedOf(explorer, one)) saved.set(`${of}/${name}`, text);
    // Beyond twelve digits a sine or an angle depends on the processor.
    const rounded = (text: string): string =>
      text.replaceAll(/-?\d+\.\d{9,}(e-?\d+)?/g, (number) => Number(number).toPrecision(12));
    const known = new GoldenSections(`exports/${file}.txt`);
    for (const [name, text] of saved)
      expect.soft(rounded(text), name).toBe(rounded(known.textOf(name, text)));
    expect.soft([...saved.keys()].sort()).toEqual(known.titles);
    known.end();
  });

test("the export menu by keyboard, with many files", async ({ page, explorer }) => {
  await explorer.open(BITES);
  const button = page.locator("headscope-export-menu .open");
  await expect(button).toBeEnabled();
  await button.focus();
  await explorer.keys("Enter");
  await expect(explorer.sheet.getByRole("button", { name: "Picture as SVG" })).toBeFocused();
  // None of the page's own keys works in here.
  await explorer.keys("s");
  await expect(explorer.chips).toHaveCount(0);
  const svg = await explorer.saveFromSheet("Picture", "SVG");
  const png = (await explorer.saveFromSheet("Picture", "PNG")).bytes;
  expect(png.readUInt32BE(16)).toBe(3 * Number(/ width="(\d+)"/.exec(svg.text)?.[1]));
  // In its iTXt chunks stand the title and the record.
  const title = /<title[^>]*>([^<]*)</.exec(svg.text)?.[1] ?? "";
  for (const words of [title, '"text":"The dog bites the man."'])
    expect(png.toString("utf8")).toContain(words);
  const names: string[] = [];
  page.on("download", (download) => names.push(download.suggestedFilename()));
  const csv = explorer.sheet.getByRole("button", { name: "Values as CSV" });
  await csv.evaluate((element: HTMLElement) => {
    for (let at = 0; at < 24; at += 1) element.click();
  });
  await expect.poll(() => names.length, { timeout: 20_000 }).toBe(24);
  await explorer.sheet.getByLabel("Which values").selectOption("logits");
  await expect(explorer.sheet).toContainText("9 × 6000 values");
  await explorer.keys("Escape");
  await expect(explorer.sheet).toBeHidden();
  await expect(button).toBeFocused();
});

const familiesIn = (svg: string): string[] =>
  svg.match(/(?<=@font-face\{font-family:")[^"]+/g) ?? [];

/**
 * Opens a picture as a document of its own, with its fonts under names that no system has, and
 * measures every text in it.
 */
async function textsInside(
  context: BrowserContext,
  svg: string,
): Promise<{ text: string; width: number; size: number }[]> {
  const renamed = svg.replaceAll(
    /("|&quot;)Noto Sans( Math| SC)?\1/g,
    (_, quote: string, more = "") => `${quote}Headscope Proof${String(more)}${quote}`,
  );
  const page = await context.newPage();
  await page.route("**/saved.svg", (route) =>
    route.fulfill({ body: renamed, contentType: "image/svg+xml" }),
  );
  await page.goto("http://localhost/saved.svg");
  const measured = await page.evaluate(async () => {
    await Promise.all([...document.fonts].map((face) => face.load()));
    return [...document.querySelectorAll("text")].map((element) => ({
      text: element.textContent,
      width: element.getComputedTextLength(),
      size: Number(element.getAttribute("font-size")),
    }));
  });
  await page.close();
  return measured;
}

test("a PDF of a long text has the colours of its cells", async ({ explorer }) => {
  const words = Array.from({ length: 110 }, (_, at) => (at % 2 ? "dog" : "the"));
  await explorer.open(`model=models/tiny-gpt&text=${words.join("+")}`);
  await explorer.openSheet();
  const { bytes } = await explorer.saveFromSheet("Picture", "PDF");
  const found = /\/Subtype \/Image .*?\/Length (\d+) >>\nstream\n/.exec(bytes.toString("latin1"));
  const start = (found?.index ?? 0) + (found?.[0].length ?? 0);
  const pixels = inflateSync(bytes.subarray(start, start + Number(found?.[1])));
  // Most cells are masked, and so as light as the paper; weights are in colours.
  expect(pixels.filter((one) => one > 200).length).toBeGreaterThan(pixels.length / 2);
  expect(new Set(pixels).size).toBeGreaterThan(20);
});

test("a saved picture carries the slices of its letters", async ({ page, context, explorer }) => {
  const seen = watch(page);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes(".woff2") && asked.push(request.url()));
  await explorer.open(`${BITES}&stack=encoder&layer=2&head=3`);
  await explorer.openSheet();
  expect(asked).toEqual([]);
  const svg = (await explorer.saveFromSheet("Picture", "SVG")).text;
  expect(familiesIn(svg)).toEqual(["Noto Sans", "Noto Sans", "Noto Sans Math"]);
  expect(asked).toHaveLength(3);
  expect(svg.replaceAll(/xmlns="[^"]*"|https?:\/\/localhost[^"&]*/g, "")).not.toMatch(
    /https?:|url\((?!data:|#)/,
  );
  // Set in what the file carries, and as wide as without: the system's fonts would be others.
  const texts = await textsInside(context, svg);
  const bare = await textsInside(context, svg.replace(/<style>[^]*?<\/style>/, ""));
  expect(texts.map(({ width }) => width)).not.toEqual(bare.map(({ width }) => width));
  expect(seen).toEqual(NOTHING);
});

test("a Chinese picture carries its characters", async ({ page, context, explorer }) => {
  await explorer.open("text=The+dog.&stack=encoder&layer=2&head=3&picture=steps&language=zh-CN");
  const title = page.getByRole("heading").first();
  const before = await title.boundingBox();
  await explorer.openSheet();
  const sheet = page.getByRole("dialog", { name: "导出" });
  const { text } = await explorer.save(
    sheet.getByRole("button", { name: "图，存为 SVG", exact: true }),
  );
  expect(familiesIn(text)).toContain("Noto Sans SC");
  // Each of these characters is as wide as it is high in these fonts.
  const chinese = (await textsInside(context, text)).filter((one) =>
    /^\p{Script=Han}+$/u.test(one.text),
  );
  expect(chinese.length).toBeGreaterThan(3);
  for (const { text: words, width, size } of chinese)
    expect(width, words).toBeCloseTo(size * Array.from(words).length, 1);
  expect(await title.boundingBox()).toEqual(before);
});
