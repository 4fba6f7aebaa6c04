import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test, type Download, type Locator, type Page } from "@playwright/test";
import { golden, goldenPath, IS_WRITING, jsonText } from "../golden/golden.js";
import { ExplorerPage } from "./explorer-page.js";
import { npyFile, npyRecord } from "./files.js";

type Format = "SVG" | "CSV" | "JSON" | ".npy";

/** A state of the page, and what is saved there; its golden files are in a folder of its name. */
interface Case {
  name: string;
  address: string;
  /** From the Export menu: which picture or numbers, or what is chosen for the picture, and the formats. */
  menu?: readonly (readonly [what: "picture" | "choice" | "numbers", value: string, ...Format[]])[];
  /** From all figures of the bench, so many, in these formats. */
  bench?: readonly [figures: number, ...Format[]];
  /** The button that computes them. */
  compute?: string;
}

const EN_FR = "#v=1&text=The+dog+bites.";
const GPT = "#v=1&model=models/tiny-gpt&text=The+cat+sees.&stack=decoder&layer=2&head=2";
const BERT = "#v=1&model=models/tiny-bert&text=The+dog+sees.&stack=encoder&layer=1&head=3";
const LAB = `${BERT}&bench=positions&labs=places(open-yes,part-`;

const CASES: readonly Case[] = [
  {
    name: "translation",
    address: `${EN_FR}&cell=2-2`,
    menu: [
      ["picture", "shown", "SVG"],
      ["picture", "grid", "SVG"],
      ["picture", "spectrum", "SVG"],
      ["picture", "tokens", "SVG"],
      ["picture", "strongest", "SVG"],
      ["numbers", "weights", "CSV", "JSON", ".npy"],
      ["numbers", "raw", "CSV"],
      ["numbers", "scores", "CSV"],
      ["numbers", "stages", "JSON"],
      ["numbers", "query", "JSON"],
      ["numbers", "key", ".npy"],
      ["numbers", "value", "CSV"],
      ["numbers", "singular-values", "CSV"],
      ["numbers", "thumbnails", ".npy"],
      ["numbers", "measures", "CSV", "JSON"],
      ["numbers", "divergence", "CSV"],
      ["numbers", "hidden encoder 0", ".npy"],
      ["numbers", "hidden decoder 3", "CSV"],
      ["numbers", "positions encoder", ".npy"],
      ["numbers", "logits", "CSV"],
    ],
  },
  {
    name: "dark",
    address: `${EN_FR}&theme=dark&colours=viridis&sink=out`,
    menu: [["choice", "screen", "SVG"]],
  },
  {
    name: "masked-and-ablated",
    address: `${GPT}&stage=masked&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'block':[[2,1]]}],'heads':[{'stack':'decoder','layers':[0],'heads':[0],'gate':0}]}`,
    menu: [
      ["picture", "shown", "SVG"],
      ["numbers", "masked", "CSV", "JSON", ".npy"],
      ["numbers", "mask", "CSV"],
    ],
  },
  {
    name: "lines",
    address: `${GPT}&picture=lines&mass=75&beside=1,4`,
    menu: [
      ["picture", "shown", "SVG"],
      ["numbers", "heads", "JSON"],
    ],
  },
  {
    name: "dimensions",
    address: `${BERT}&picture=dimensions`,
    menu: [["picture", "shown", "SVG"]],
  },
  {
    name: "steps",
    address: `${BERT}&picture=steps`,
    menu: [
      ["picture", "shown", "SVG"],
      ["numbers", "step context", "CSV"],
      ["numbers", "step ff-activated", ".npy"],
    ],
  },
  {
    name: "mask",
    address: `${BERT}&picture=mask&edits={'masks':[{'stack':'encoder','layers':[0],'heads':[2],'block':[[0,1]]}]}`,
    menu: [["picture", "shown", "SVG"]],
  },
  {
    name: "positions",
    address: `${BERT}&picture=positions`,
    menu: [
      ["picture", "shown", "SVG"],
      ["numbers", "positions encoder", "CSV"],
    ],
  },
  {
    name: "chinese",
    address: `${BERT}&language=zh-CN&hidden=3&by=word&specials=hidden`,
    menu: [
      ["picture", "shown", "SVG"],
      ["picture", "grid", "SVG"],
      ["numbers", "shown", "CSV", "JSON"],
    ],
  },
  {
    name: "region-of-a-long-text",
    address: `${GPT.replace("The+cat+sees.", "The+cat+sees+the+dog+".repeat(24))}&region=20-25x11-25`,
    menu: [
      ["picture", "shown", "SVG"],
      ["numbers", "weights", "CSV"],
    ],
  },
  {
    name: "comparison",
    address: `${EN_FR}&stack=encoder&compare=other&other=The+cat+bites.&picked=s2`,
    menu: [
      ["choice", "all", "SVG"],
      ["choice", "first", "SVG"],
      ["choice", "second", "SVG"],
      ["choice", "difference", "SVG"],
      ["numbers", "difference weights", "CSV", ".npy"],
      ["numbers", "first raw", "CSV"],
      ["numbers", "second weights", "JSON"],
      ["numbers", "cosines source", "CSV", "JSON"],
      ["picture", "cosines", "SVG"],
    ],
  },
  {
    name: "comparison-with-the-original",
    address: `${EN_FR}&edits={'heads':[{'stack':'cross','layers':[1],'heads':[4],'gate':0},{'stack':'cross','layers':[0],'heads':[0],'pattern':'uniform'}]}&layer=1&head=1&compare=original`,
    menu: [
      ["choice", "all", "SVG"],
      ["numbers", "difference weights", "CSV"],
    ],
  },
  {
    name: "bench-masks",
    address: `${GPT}&bench=masks&labs=masks(open-stages.cost.cheat)&edits={'masks':[{'stack':'decoder','layers':[1],'heads':[1],'mode':'or','preset':{'kind':'window','width':1}}]}`,
    bench: [3, "SVG", "CSV"],
  },
  {
    name: "bench-kinds",
    address: `${BERT}&bench=kinds&labs=scores(dim-9)&edits={'attention':[{'stack':'encoder','layers':[0],'heads':[2],'kind':'softmax','dropout':{'rate':0.4,'seed':3}}]}`,
    bench: [7, "SVG", "CSV"],
  },
  {
    name: "bench-residual-stream",
    address: `${BERT}&bench=heads&labs=heads(room-stream)`,
    bench: [2, "SVG", "CSV"],
  },
  {
    name: "bench-head-importance",
    address: `${GPT}&bench=heads&labs=heads(room-ranking)`,
    compute: "headscope-head-ranking button.go",
    bench: [1, "SVG", "CSV"],
  },
  {
    name: "bench-broken-heads",
    address: `${GPT}&bench=positions&edits={'positions':[{'stack':'decoder','scheme':'none'}]}`,
    compute: "headscope-broken-heads #measure",
    bench: [1, "CSV"],
  },
  {
    name: "bench-lengths",
    address: `${GPT}&bench=positions&labs=lengths(schemes-alibi,times-2)`,
    compute: "headscope-length-lab #go",
    bench: [1, "SVG", "CSV"],
  },
  {
    name: "bench-pruning",
    address: `${GPT}&bench=heads&labs=heads(room-pruning)pruning(sentences-12)`,
    compute: "headscope-pruning button.go",
    bench: [1, "SVG", "CSV"],
  },
  { name: "calculator", address: `${BERT}&bench=numbers`, bench: [8, "CSV"] },
  {
    name: "lab-sinusoidal",
    address: `${LAB}sinusoidal)waves(dim-8,length-6)`,
    bench: [4, "SVG", "CSV"],
  },
  { name: "lab-learned", address: `${LAB}learned)learned(length-6)`, bench: [3, "SVG", "CSV"] },
  { name: "lab-rotary", address: `${LAB}rotary)rotary(headDim-8)`, bench: [2, "SVG", "CSV"] },
  { name: "lab-alibi", address: `${LAB}alibi)alibi(heads-2,length-6)`, bench: [2, "SVG", "CSV"] },
  {
    name: "lab-buckets",
    address: `${LAB}buckets)buckets(length-8,heads-2,buckets-8,maxDistance-12)`,
    bench: [4, "SVG", "CSV"],
  },
  {
    name: "lab-four-terms",
    address: `${LAB}fourTerms)terms(length-4,dim-4)`,
    bench: [5, "SVG", "CSV"],
  },
];

/** A file with more characters is compared by its hash and its beginning. */
const LONGEST = 80_000;
const BEGINNING = 2_000;

/** The hash of the pixels of an image, which do not depend on how a browser packs them. */
async function pixelsOf(page: Page, image: string): Promise<string> {
  const pixels = await page.evaluate(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob());
    const brush = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    brush?.drawImage(bitmap, 0, 0);
    return Array.from(brush?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? []);
  }, image);
  return hashOf(Buffer.from(pixels));
}

const hashOf = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** A saved file as text, without what differs from build to build: the version, the page's address, packed fonts. */
async function textOf(page: Page, name: string, bytes: Buffer): Promise<string> {
  let text = name.endsWith(".npy")
    ? jsonText({ ...npyOf(bytes), record: npyRecord(bytes) })
    : bytes.toString("utf8");
  if (name.endsWith(".svg")) {
    const [id = ""] = /headscope-[0-9a-z]+(?=-title")/.exec(text) ?? [];
    text = text.replaceAll(id, "ID").replace(/(?<=<style>).*?(?=<\/style>)/s, fontsOf);
    for (const [image] of text.matchAll(/data:image\/png;base64,[^"]*/g))
      text = text.replace(image, await pixelsOf(page, image));
    text = text.replaceAll("><", ">\n<");
  }
  text = text
    .replaceAll(/(\blink("|&quot;)?: ?("|&quot;)).*?\3/g, "$1…$3")
    .replaceAll(/(\bheadscope("|&quot;)?: ?("|&quot;))[\d.]+/g, "$1…")
    .replaceAll(/Headscope \d+\.\d+\.\d+/g, "Headscope …");
  return text.length <= LONGEST
    ? text
    : `${text.slice(0, BEGINNING)}\n… ${text.length} characters, SHA-256 ${hashOf(text)}\n`;
}

/** The numbers of a file, a row for each place of all axes but the last. */
function npyOf(bytes: Buffer): { shape: number[]; rows: (number | string)[][] } {
  const { shape, data } = npyFile(bytes);
  const columns = shape.at(-1) ?? 1;
  const values = Array.from(data, (value) => (Number.isFinite(value) ? value : String(value)));
  return {
    shape,
    rows: Array.from({ length: values.length / columns }, (_, row) =>
      values.slice(row * columns, (row + 1) * columns),
    ),
  };
}

/** The families and weights of the fonts that a style sheet carries, of which each has many slices. */
const fontsOf = (rules: string): string =>
  [...new Set(rules.match(/font-family:[^;]*;font-weight:\d+/g))].sort().join("\n");

/** Presses a button that saves; returns the files, which the status beside it names where there is one. */
async function save(page: Page, button: Locator, status: Locator): Promise<[string, string][]> {
  const files = new Map<string, Download>();
  const take = (download: Download): unknown => files.set(download.suggestedFilename(), download);
  page.on("download", take);
  await button.click();
  await expect(async () => {
    expect(files.size).toBeGreaterThan(0);
    if ((await status.count()) === 0) return;
    const report = (await status.textContent())?.replaceAll(/[\u2066-\u2069]/g, "") ?? "";
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

async function saveFromMenu(page: Page, menu: Case["menu"] = []): Promise<[string, string][]> {
  const files: [string, string][] = [];
  const sheet = page.locator("headscope-export-sheet");
  await page.locator("headscope-export-menu .open").click();
  for (const [what, value, ...formats] of menu) {
    if (what === "choice") await sheet.locator(`input[value=${value}]`).check({ force: true });
    else
      await sheet
        .locator("select")
        .nth(what === "picture" ? 0 : 1)
        .selectOption(value);
    for (const format of formats) {
      const group = sheet.locator(".formats").nth(what === "numbers" ? 1 : 0);
      const button = group.getByText(format, { exact: true });
      files.push(...(await save(page, button, sheet.locator(".report"))));
    }
  }
  await page.keyboard.press("Escape");
  return files;
}

async function saveFromBench(page: Page, one: Case): Promise<[string, string][]> {
  const [count, ...formats] = one.bench ?? [0];
  if (one.compute !== undefined) await page.locator(one.compute).click();
  const figures = page.locator("headscope-save-figure, headscope-worked-matrices figure");
  await expect(page.locator("[aria-busy=true], progress")).toHaveCount(0, { timeout: 60_000 });
  await expect(figures).toHaveCount(count);
  const files: [string, string][] = [];
  for (const figure of await figures.all())
    for (const format of formats) {
      const button = figure.locator("button").getByText(format, { exact: true });
      if ((await button.count()) > 0)
        files.push(...(await save(page, button, figure.locator(".report"))));
    }
  return files;
}

test("all pictures and tables are saved as they were", async ({ page }) => {
  test.setTimeout(300_000);
  const explorer = new ExplorerPage(page);
  for (const one of CASES) {
    await explorer.open(one.address);
    const folder = `exports/${one.name}/`;
    if (IS_WRITING) rmSync(goldenPath(folder), { recursive: true, force: true });
    const files = [...(await saveFromMenu(page, one.menu)), ...(await saveFromBench(page, one))];
    const names = files.map(([name]) => name);
    for (const [name, text] of files)
      expect.soft(text, `${one.name}: ${name}`).toBe(golden(folder + name, text));
    expect.soft(readdirSync(goldenPath(folder)).sort(), one.name).toEqual(names.sort());
  }
});
