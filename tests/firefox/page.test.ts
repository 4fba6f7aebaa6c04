/**
 * The built page in Firefox: it opens with its picture, computes what the package computes in Node,
 * reads a typed sentence, ablates a head, shows each picture, opens links with the State that they
 * were written from, opens a folder and saves a file; and as one file it runs from the disk.
 * `npm run firefox` runs it against `dist/`, with the Firefox that
 * `HEADSCOPE_FIREFOX` names or that is installed.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { filesOf } from "../../tools/serve/files.js";
import {
  decodeState,
  DEFAULT_STATE,
  editLists,
  encodeState,
  FIELD_KEYS,
  type State,
} from "../../www/state/index.js";
import { loadModel } from "../node/package.js";

const FIREFOX = [
  process.env.HEADSCOPE_FIREFOX ?? "",
  "/usr/bin/firefox",
  "/usr/bin/firefox-esr",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];
const SENTENCE = "The cat bites the dog.";
const HEAD = { stack: "decoder", layer: 0, head: 1 } as const;
const CELL = { query: 3, key: 2 };
const GPT = `model=models/tiny-gpt&text=${SENTENCE.replaceAll(" ", "+")}&stack=decoder`;
/** The folder into which Firefox saves. */
const saved = mkdtempSync(join(tmpdir(), "headscope-firefox-"));

let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const executablePath = FIREFOX.find((path) => path !== "" && existsSync(path));
  if (executablePath === undefined)
    throw new Error("No Firefox was found: install it, or set HEADSCOPE_FIREFOX to its path.");
  server = createServer((request, response) => filesOf(["dist/site"])(request, response));
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const extraPrefsFirefox = { "browser.download.folderList": 2, "browser.download.dir": saved };
  browser = await puppeteer.launch({ browser: "firefox", executablePath, extraPrefsFirefox });
  page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 900 });
}, 120_000);

afterAll(async () => {
  await browser.close();
  server.close();
  rmSync(saved, { recursive: true });
});

/** Goes to a State. */
async function goTo(state: string): Promise<void> {
  const { port } = server.address() as AddressInfo;
  await page.goto("about:blank");
  await page.goto(`http://localhost:${port}/#v=1&${state}`, { timeout: 60_000 });
}

/** Opens a State and waits for the weight that the inspector shows. */
async function open(state: string): Promise<string> {
  await goTo(state);
  return weight();
}

/** Clicks what has these words in an element. */
async function click(element: string, words: string): Promise<void> {
  const found = await page.waitForSelector(`>>> ${element} >>> ::-p-text(${words})`, {
    timeout: 30_000,
  });
  await found?.click();
}

async function weight(): Promise<string> {
  const shown = await page.waitForSelector(">>> headscope-inspector >>> [data-stage=weights]", {
    timeout: 60_000,
  });
  return (await shown?.evaluate((element) => element.textContent)) ?? "";
}

it("shows the weight that the package computes in Node", async () => {
  const model = await loadModel(new URL("../../models/tiny-gpt/", import.meta.url));
  const run = await model.run({ text: SENTENCE });
  const { data, shape } = await run.attention(HEAD);
  const expected = data[CELL.query * (shape[1] ?? 0) + CELL.key] ?? NaN;
  model.dispose();

  expect(await open(`${GPT}&layer=1&head=2&cell=4-3`)).toContain(expected.toFixed(3));
});

it("draws the same tokens by a seed as the package does in Node", async () => {
  const model = await loadModel(new URL("../../models/tiny-gpt/", import.meta.url));
  const settings = { temperature: 1.5, top_k: 0, top_p: 1, min_p: 0, seed: 11 };
  const ids = model.tokenize("She lives").map(({ id }) => id);
  const options = { do_sample: true, ...settings, max_new_tokens: 20 };
  for await (const { chosen } of model.generate({ text: "She lives" }, options))
    ids.push(chosen.id);
  const expected = model.decode(ids).trim();
  model.dispose();

  const link = "model=models/tiny-gpt&stack=decoder&text=She+lives";
  await open(`${link}&sampling=temperature-1.5,seed-11`);
  await click("headscope-writer", "Continue 20 tokens");
  await page.waitForSelector(">>> headscope-writer >>> ::-p-text(tokens/s)", { timeout: 30_000 });
  const sentence = await page.waitForSelector(">>> headscope-sentence-bar >>> textarea");
  await vi.waitFor(async () => {
    expect(await sentence?.evaluate(({ value }) => value)).toBe(expected);
  });
});

it("reads a sentence as it is typed", async () => {
  await open(GPT);
  const sentence = await page.waitForSelector(">>> headscope-sentence-bar >>> textarea");
  await sentence?.press("End");
  await sentence?.type(" We sleep.");
  await page.waitForFunction(() => location.hash.includes("We+sleep."), { timeout: 30_000 });
  const tokens = await page.$$eval(">>> headscope-tokens >>> button", (chips) =>
    chips.map(({ textContent }) => textContent.trim()),
  );
  expect(tokens.slice(-3).join(" ")).toMatch(/We\s+sleep\s+\./);
});

it("ablates a head and shows what that does to the next token", async () => {
  await open(`${GPT}&layer=2&head=1`);
  await click("headscope-heads-panel", "Ablate head");
  await page.waitForFunction(() => location.hash.includes("edits="), { timeout: 30_000 });
  const row = await page.waitForSelector(">>> headscope-output-ribbon >>> tbody tr", {
    timeout: 30_000,
  });
  expect(await row?.evaluate(({ textContent }) => textContent)).toMatch(/%\s+[\d.]+%/);
});

it.each(["lines", "dimensions", "steps", "layers", "mask", "positions"])(
  "draws %s",
  async (picture) => {
    await goTo(`${GPT}&picture=${picture}`);
    const tag = picture === "layers" ? "lens" : picture;
    const canvas = `>>> headscope-${tag} >>> canvas`;
    expect(await page.waitForSelector(canvas, { timeout: 30_000 })).not.toBeNull();
  },
);

/** Signs that a browser may write into an address in another way than JavaScript in Node. */
const SIGNS = 'A “dog”\'s "bite" & <b> `100%` #1 + {a|b} ^ \\ é 犬 🐕.';

/**
 * States that together differ from the default in each field but the backend: where there is no
 * GPU, the page goes back to the CPU.
 */
const STATES: readonly Partial<State>[] = [
  {
    text: SIGNS,
    target: "Le chien mord l'homme.",
    stack: "cross",
    layer: 2,
    head: 1,
    otherTarget: "Le chat mord l'homme.",
    stage: "effects",
    locked: { query: 1, key: 2 },
    colours: "viridis",
    theme: "dark",
    joined: "layer-mean",
    language: "zh-CN",
    edits: editLists({ masks: [{ stack: "cross", layers: [1], heads: [2], block: [[1, 1]] }] }),
  },
  {
    model: "models/tiny-gpt",
    text: SENTENCE,
    stack: "decoder",
    picture: "lines",
    mass: 60,
    beside: [2],
    chat: "on",
    sampling: { seed: 7, temperature: 0.8, top_k: 50, top_p: 0.9, min_p: 0.1 },
    headSort: "entropy",
    roleFilter: "induction",
    unit: "word",
    specials: "hidden",
    sink: "out",
    picked: { side: "target", tokens: [1, 2], pool: "mean", looking: "from" },
  },
  {
    model: "models/tiny-bert",
    text: SENTENCE,
    stack: "encoder",
    masked: [2],
    picture: "steps",
    number: { step: "query", row: 1, column: 2 },
  },
  {
    model: "models/tiny-gpt",
    text: SENTENCE,
    stack: "decoder",
    picture: "layers",
    shade: "rank",
    depth: { layer: 2, position: 1 },
    entry: 5,
    against: 6,
  },
  {
    text: SENTENCE,
    compare: "other",
    otherText: "A cat bites a dog.",
    aligned: "positions",
    otherModel: null,
    otherHead: { stack: "cross", layer: 1, head: 2 },
    pairs: [{ side: "source", one: 1, other: 2 }],
  },
  {
    text: SENTENCE,
    compare: "other",
    otherModel: "models/tiny-bert",
    stack: "encoder",
    region: { query: 1, key: 1, rows: 3, columns: 2 },
  },
  { experiment: "positions", demos: "places(open-yes)waves(dim-128)", tour: "mask" },
  { training: "" },
  { text: SENTENCE, lesson: "heads.2" },
  {
    experiment: "calculator",
    numbers: decodeState(
      "numbers={'words':['w₁'],'x':[[1]],'query':[[2]],'key':[[0.5]],'value':[[-1]],'output':null,'mask':[[0]],'heads':1,'divisor':'root'}",
    ).state.numbers,
  },
];

it("opens a link with the State that it was written from", async () => {
  const states = STATES.map((fields): State => ({ ...DEFAULT_STATE, ...fields }));
  for (const state of states) {
    const link = encodeState(state);
    await goTo(link.replace(/^v=1&/, ""));
    await page.waitForSelector(">>> headscope-heads-panel >>> canvas", { timeout: 30_000 });
    expect(decodeState(await copiedLink()).state).toEqual(state);
  }
  const differs = (key: keyof State): boolean =>
    states.some((state) => JSON.stringify(state[key]) !== JSON.stringify(DEFAULT_STATE[key]));
  expect(FIELD_KEYS.filter((key) => !differs(key))).toEqual(["backend"]);
});

/** The address in the link that the page copies. */
async function copiedLink(): Promise<string> {
  await page.evaluate(() => {
    navigator.clipboard.writeText = (text) => {
      document.title = text;
      return Promise.resolve();
    };
  });
  const menu = await page.waitForSelector(">>> headscope-share-menu >>> button");
  await menu?.click();
  const copy = await page.waitForSelector(
    ">>> headscope-share-sheet >>> headscope-embed-buttons >>> button",
  );
  await copy?.click();
  await page.waitForFunction(() => document.title.includes("#v=1"));
  return page.evaluate(() => new URL(document.title).hash);
}

it("opens the files of a model and saves its picture", async () => {
  await open(GPT);
  const input = await page.waitForSelector(">>> headscope-model-picker >>> input[type=file]");
  await input?.evaluate((element) => {
    element.webkitdirectory = false;
  });
  const folder = resolve("models/tiny-bert");
  const files = readdirSync(folder).map((name) => join(folder, name));
  await input?.uploadFile(...files);
  const picker = await page.waitForSelector(">>> headscope-model-picker >>> button.current");
  await vi.waitFor(async () => {
    const name = await picker?.evaluate(({ textContent }) => textContent.trim());
    expect(name).not.toBe("Tiny GPT");
  }, 30_000);
  await weight();

  const menu = await page.waitForSelector(">>> headscope-export-menu >>> button.open:enabled");
  await menu?.click();
  await click("headscope-export-sheet", "SVG");
  // The file is empty until the download is complete.
  await vi.waitFor(() => {
    const [name = ""] = readdirSync(saved).filter((one) => one.endsWith(".svg"));
    expect(readFileSync(join(saved, name), "utf8")).toMatch(/<\/svg>\s*$/);
  }, 30_000);
});

it("runs from the disk as one file with its model", async () => {
  const file = join(saved, "page.html");
  const given = ["--model", "models/tiny-gpt", "--address", "text=A+dog+runs&layer=2&head=3"];
  execFileSync(process.execPath, ["dist/npm/cli.js", "file", "--out", file, ...given]);
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).protocol));
  await page.goto(pathToFileURL(file).href, { timeout: 60_000 });
  await page.waitForSelector(">>> headscope-heatmap >>> canvas", { timeout: 60_000 });
  const tokens = (): Promise<string[]> =>
    page.$$eval(">>> headscope-tokens >>> button", (chips) =>
      chips.map(({ textContent }) => textContent.trim()),
    );
  expect(await tokens()).toEqual(["start", "A", "dog", "runs"]);
  const title = await page.waitForSelector(">>> headscope-heads-panel >>> .head ::-p-text(head 3)");
  expect(await title?.evaluate(({ textContent }) => textContent.trim())).toBe("Layer 2 · head 3");
  const sentence = await page.waitForSelector(">>> headscope-sentence-bar >>> textarea");
  await sentence?.press("End");
  await sentence?.type(" far");
  await vi.waitFor(async () => expect(await tokens()).toHaveLength(5), 30_000);
  for (const scheme of asked) expect(["file:", "blob:", "data:"]).toContain(scheme);
});
