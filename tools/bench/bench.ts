/**
 * Measures of Headscope, each beside its anchor in the same run: medians and spreads over
 * alternating rounds. `cargo xtask bench` prepares the inputs and runs it.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { expect, test, type Page } from "@playwright/test";
import { SiteServer } from "../../tests/e2e/site.js";
import type * as Headscope from "../../www/headscope.js";
import { anchors } from "./anchors.js";
import { Engine, isRelaxed } from "./engine.js";
import { writeOnnx } from "./onnx.js";
import { GPT2, MINILM, randomGpt2, randomModel } from "./random-model.js";
import { openTrainings } from "./torch-training.js";
import { TransformerLens } from "./transformer-lens.js";
import { openDecoder, timeOfToken } from "./wllama.js";

const OUT = "target/bench";
const TOOLS = resolve("target/tools/bench/node_modules");
const LENGTHS = [8, 16, 32, 64, 128, 256, 512];
const ROUNDS = 9;
/** The number of ids that every measured model's vocabulary has. */
const FEWEST_IDS = 1000;

const against = new Set((process.env.HEADSCOPE_BENCH_AGAINST ?? "").split(",").filter(Boolean));
const ownModel = process.env.HEADSCOPE_BENCH_MODEL;
const ownGguf = process.env.HEADSCOPE_BENCH_GGUF;

interface Row {
  measure: string;
  median: number;
  least: number;
  most: number;
  unit: string;
  wanted?: string;
}
const rows: Row[] = [];

function note(measure: string, unit: string, samples: readonly number[], wanted?: string): void {
  const sorted = samples.toSorted((one, other) => one - other);
  const [least = NaN, median = NaN, most = NaN] = [0, sorted.length >> 1, sorted.length - 1].map(
    (at) => sorted[at],
  );
  rows.push({ measure, median, least, most, unit, ...(wanted !== undefined && { wanted }) });
  const spread = samples.length > 1 ? ` (${least.toFixed(2)} to ${most.toFixed(2)})` : "";
  process.stdout.write(
    `    ${measure}: ${median.toFixed(2)} ${unit}${spread}${wanted === undefined ? "" : `, wanted ${wanted}`}\n`,
  );
}

const ids = (count: number, seed = 0): number[] =>
  Array.from({ length: count }, (_, at) => 1 + ((at * 7919 + seed * 104729) % FEWEST_IDS));

/** Measures in alternating rounds, after a warm-up round. */
async function inTurns<Name extends string>(
  measures: Readonly<Record<Name, (round: number) => Promise<number>>>,
  rounds = ROUNDS,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const name of names) {
      const took = await measures[name](round);
      if (round > 0) found[name]?.push(took);
    }
  return found as Record<Name, number[]>;
}

const ratios = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((value, at) => value / (other[at] ?? NaN));

const { ceiling, reading } = anchors(isRelaxed);

test.describe.configure({ mode: "serial" });

let before = 0;
test.beforeAll(() => {
  mkdirSync(OUT, { recursive: true });
  ceiling(); // Its first call runs before it is optimised.
  before = ceiling();
  const build = isRelaxed ? "relaxed simd128" : "simd128";
  process.stdout.write(`\n${cpus()[0]?.model}, Node ${process.version}, ${build}, one thread\n`);
});

test.afterAll(() => {
  const after = ceiling();
  if (Math.abs(after / before - 1) > 0.1)
    process.stdout.write(
      `The machine was busy: the ceiling was ${(before / 1e9).toFixed(1)} GFLOP/s before and ${(after / 1e9).toFixed(1)} after.\n`,
    );
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"]).toString().trim();
  const text = JSON.stringify({ commit, cpu: cpus()[0]?.model, rows }, null, 2);
  writeFileSync(join(OUT, `${commit}.json`), text);
  process.stdout.write(`Written: ${join(OUT, `${commit}.json`)}\n`);
});

test("passes in this thread", async () => {
  const folder = ownModel ?? randomModel(MINILM);
  const engine = await Engine.open(folder);
  const bytes = await Engine.open(folder, true);
  const { pass, narrow, top } = await inTurns({
    pass: (round) => engine.time({ ids: ids(128, round) }),
    narrow: (round) => bytes.time({ ids: ids(128, round) }),
    top: () => Promise.resolve(ceiling()),
  });
  note("weights of 8 bits ÷ f32, 128 tokens", "", ratios(narrow, pass), "≤ 1");
  const { width, inner, layers } = MINILM;
  const operations = 2 * 128 * layers * (4 * width ** 2 + 2 * width * inner + 2 * 128 * width);
  if (ownModel === undefined)
    note(
      "share of the ceiling, 128 tokens",
      "%",
      pass.map((took, at) => (operations / (took / 1000) / (top[at] ?? NaN)) * 100),
      "≥ 75",
    );
});

test("a decoder of GPT-2 small's shape", async () => {
  const engine = await Engine.open(randomGpt2(GPT2));
  const weights = engine.bytes;
  const changed = (round: number): number[] => [...ids(255), 1 + (round % FEWEST_IDS)];
  const first = await engine.run({ ids: changed(0) });
  const causal = await inTurns({
    full: () => engine.time({ ids: ids(256, 1) }),
    edit: (round) => engine.time({ ids: changed(round + 1) }, first.run),
    head: (round) =>
      engine.time(
        { ids: changed(0), edits: { heads: [{ layers: [11], heads: [round % 12], gate: 0 }] } },
        first.run,
      ),
  });
  note("the last of 256 tokens changes ÷ full run", "", ratios(causal.edit, causal.full), "≤ 0.1");
  note(
    "a head's edit in the last layer ÷ full run",
    "",
    ratios(causal.head, causal.full),
    "≤ 0.15",
  );

  const { width, inner, layers, vocabulary } = GPT2;
  const read = 4 * (layers * (4 * width ** 2 + 2 * width * inner) + vocabulary * width);
  const written = 16;
  const decoding = await inTurns({
    rate: async (round) => {
      const generate = { max_new_tokens: written };
      const { run, wrote } = await engine.run({ ids: ids(32, round), generate });
      run.free();
      return (read * written) / (wrote / 1000);
    },
    sum: () => Promise.resolve(reading(read, written)),
  });
  note(
    "decoding, weights read per second ÷ a sum's",
    "",
    ratios(decoding.rate, decoding.sum),
    "≥ 0.8",
  );

  const long = await inTurns(
    {
      run: (round) => engine.time({ ids: ids(512, round) }),
      thumbnails: async (round) => {
        const { run } = await engine.run({ ids: ids(512, round) });
        const query = { what: "thumbnails", stack: "decoder", size: 16 } as const;
        const took = await engine.ask(run, query);
        run.free();
        return took;
      },
    },
    3,
  );
  note(
    "thumbnails of 12 × 12 heads, 512 tokens ÷ the run",
    "",
    ratios(long.thumbnails, long.run),
    "≤ 0.5",
  );
  first.run.free();
  await engine.time({ ids: ids(2048) });
  note("2,048 tokens: memory beyond that of the loaded model", "MB", [
    (engine.bytes - weights) / 1e6,
  ]);
  note(
    "… and beyond the weights alone",
    "MB",
    [(engine.bytes - read - 4 * GPT2.tokens * width) / 1e6],
    "≤ 400",
  );
});

test("beams", async () => {
  const engine = await Engine.open("models/en-fr");
  // No text ends before its fortieth token.
  const length = { min_new_tokens: 40, max_new_tokens: 40 };
  const write = async (round: number, beams: number): Promise<number> => {
    const generate = { ...length, num_beams: beams };
    const { run, wrote } = await engine.run({ ids: ids(16, round), generate });
    run.free();
    return wrote;
  };
  const writing = await inTurns({
    greedy: (round) => write(round, 1),
    beams: (round) => write(round, 4),
  });
  note("4 beams ÷ greedy, 40 tokens", "", ratios(writing.beams, writing.greedy), "≤ 2.0");
});

test("a lens and grids of patches", async () => {
  const folder = "models/tiny-gpt";
  const engine = await Engine.open(folder);
  const { run } = await engine.run({ ids: ids(64) });
  const lens = await inTurns({
    run: (round) => engine.time({ ids: ids(64, round + 1) }),
    lens: () => engine.ask(run, { what: "lens", topK: 10 }),
  });
  note("lens of all depths and positions, 64 tokens ÷ the run", "", ratios(lens.lens, lens.run));
  run.free();

  const { loadModel } = (await import(
    pathToFileURL(resolve("dist/npm/headscope.js")).href
  )) as typeof Headscope;
  const model = await loadModel(resolve(folder));
  const { layers = 0, heads = 0 } = model.info.stacks.decoder ?? {};
  const other = against.has("transformer_lens") ? await TransformerLens.open() : null;
  /** Two texts that differ in the token in the middle, or in all. */
  const texts = (round: number, differ: "one" | "all") => {
    const [clean, others] = [ids(32, round), ids(32, round + 50)];
    const isOther = (token: number): boolean => differ === "all" || token === 16;
    return {
      clean,
      corrupted: clean.map((id, token) => (isOther(token) ? (others[token] ?? id) : id)),
    };
  };
  const gridOf = async (round: number, differ: "one" | "all"): Promise<number> => {
    const start = performance.now();
    const { clean, corrupted } = texts(round, differ);
    const target = { id: 1, minus: 2 };
    const both = { clean: { ids: clean }, corrupted: { ids: corrupted } };
    let cells = 0;
    for await (const { done } of model.patchGrid({ ...both, target, what: "head" })) cells = done;
    expect(cells).toBe(layers * heads);
    return performance.now() - start;
  };
  const grids = await inTurns({
    run: async (round) => {
      const start = performance.now();
      (await model.run({ ids: ids(32, round + 100) })).release();
      return performance.now() - start;
    },
    grid: (round) => gridOf(round, "one"),
    apart: (round) => gridOf(round, "all"),
    other: (round) => other?.time(texts(round, "one")) ?? Promise.resolve(NaN),
  });
  model.dispose();
  other?.close();
  const runs = grids.run.map((took) => took * layers * heads);
  const what = "all heads patched, 32 tokens, ÷ (heads × a run)";
  note(`${what}: the middle token exchanged`, "", ratios(grids.grid, runs), "≤ 0.35");
  note(`${what}: all tokens exchanged`, "", ratios(grids.apart, runs));
  if (other) note("the grid ÷ TransformerLens", "", ratios(grids.grid, grids.other), "≤ 0.5");
});

for (const [width, wanted] of [
  [64, "≥ 1.5"],
  [128, "≥ 1.0"],
] as const)
  test(`a step of training, ${width} wide`, async () => {
    const trainings = await openTrainings(width, against.has("torch"));
    const apart: number[] = [];
    const losses: number[] = [];
    const found = await inTurns({
      own: async (round) => {
        const [loss, took] = await trainings.own(round);
        losses.push(loss);
        return took;
      },
      torch: async (round) => {
        const [loss, took] = await trainings.torch(round);
        apart.push(Math.abs(loss - (losses.at(-1) ?? NaN)));
        return took;
      },
    });
    trainings.close();
    const what = `AdamW, 2 layers, ${width} wide, 16 × 32 tokens`;
    note(`a step of ${what}, in Node`, "ms", found.own);
    if (!against.has("torch")) return;
    expect(Math.max(...apart)).toBeLessThan(1e-3);
    note(`PyTorch ÷ headscope, a step of ${what}`, "", ratios(found.torch, found.own), wanted);
  });

test("memory of a grid of patches", async () => {
  const engine = await Engine.open(randomGpt2(GPT2));
  const clean = await engine.run({ ids: ids(128) });
  const { run } = await engine.run({ ids: ids(128, 1) });
  const two = engine.bytes;
  for (let layer = GPT2.layers - 1; layer >= 0; layer -= 1) {
    const heads = Array.from({ length: 12 }, (_, head) => head);
    const at = heads.map((head) => ({ stack: "decoder", layer, step: "context", head }) as const);
    const target = { position: 127, ids: [1, 2] };
    for (let done = 0; done < at.length;) {
      const asked = { what: "patched", at: at.slice(done), other: 0, ...target } as const;
      const found = (await engine.answer(run, asked, clean.run)) as unknown[];
      done += found.length / target.ids.length;
    }
  }
  const beyond = (engine.bytes - two) / 1e6;
  note("a grid of 12 × 12 heads, 128 tokens: memory beyond two runs", "MB", [beyond], "≤ 50");
});

test("memory after many runs", async () => {
  const engine = await Engine.open("models/en-fr");
  let after10 = 0;
  for (let run = 1; run <= 1000; run += 1) {
    await engine.time({ ids: ids(4 + (run % 29), run), generate: { max_new_tokens: 4 } });
    if (run === 10) after10 = engine.bytes;
  }
  note("memory after 1,000 runs ÷ after 10", "", [engine.bytes / after10], "≤ 1.02");
});

test("files", () => {
  const assets = "dist/site/assets";
  for (const file of readdirSync(assets).filter((name) => name.endsWith(".wasm"))) {
    const bytes = brotliCompressSync(readFileSync(join(assets, file))).length;
    // Their limits are held by the tests of the package.
    note(`${file.replace(/-[^-]*$/, "")}, brotli`, "kB", [bytes / 1000]);
  }
});

/** A server of a model, a folder or a GGUF, with everything that the pages below load. */
async function served(model: string): Promise<SiteServer> {
  const site = join(OUT, "site");
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  writeFileSync(join(site, "index.html"), "<!doctype html><title>bench</title>");
  const links = {
    npm: "dist/npm",
    page: "dist/site",
    [model.endsWith(".gguf") ? "model.gguf" : "model"]: model,
    wllama: join(TOOLS, "@wllama/wllama/esm"),
    ort: join(TOOLS, "onnxruntime-web/dist"),
    transformers: join(TOOLS, "@huggingface/transformers/dist"),
    "transformers-ort": join(TOOLS, "@huggingface/transformers/node_modules/onnxruntime-web/dist"),
  };
  for (const [name, target] of Object.entries(links))
    symlinkSync(resolve(target), join(site, name));
  const server = new SiteServer(site, "/");
  await server.start();
  return server;
}

/**
 * Opens a tool in the page: it loads the model at `/model`, and returns the milliseconds of that
 * and a function that runs the tool.
 */
async function open(page: Page, tool: string): Promise<number> {
  return page.evaluate(async (name) => {
    const start = performance.now();
    type Run = (ids: number[]) => Promise<{ took: number; hidden: () => Promise<Float32Array> }>;
    const runs = ((globalThis as { runs?: Record<string, Run> }).runs ??= {});
    const timed = async <Value>(work: () => Promise<Value>): Promise<[number, Value]> => {
      const began = performance.now();
      const value = await work();
      return [performance.now() - began, value];
    };
    const load = (entry: string): Promise<unknown> => import(/* @vite-ignore */ entry);
    if (name === "headscope") {
      const { loadModel } = (await load("/npm/headscope.js")) as typeof Headscope;
      const model = await loadModel("/model");
      runs[name] = async (list) => {
        const [took, run] = await timed(() => model.run({ ids: list }));
        const layer = model.info.stacks.encoder?.layers ?? 0;
        const hidden = async (): Promise<Float32Array> =>
          (await run.hidden({ stack: "encoder", layer })).data;
        return { took, hidden };
      };
    } else {
      interface Tensors {
        last_hidden_state: { data: Float32Array };
      }
      interface Settings {
        numThreads: number;
        wasmPaths: string;
      }
      interface Ort {
        Tensor: new (type: string, data: BigInt64Array, dims: number[]) => unknown;
        env: { wasm: Settings };
        InferenceSession: {
          create(path: string, options: object): Promise<{ run(inputs: object): Promise<Tensors> }>;
        };
      }
      interface Transformers extends Pick<Ort, "Tensor"> {
        env: Record<string, unknown> & { backends: { onnx: Ort["env"] } };
        AutoModel: {
          from_pretrained(
            path: string,
            options: object,
          ): Promise<(inputs: object) => Promise<Tensors>>;
        };
      }
      const feed =
        ({ Tensor }: Pick<Ort, "Tensor">, run: (inputs: object) => Promise<Tensors>): Run =>
        async (list) => {
          const tensor = (of: readonly number[]): unknown =>
            new Tensor("int64", BigInt64Array.from(of, BigInt), [1, of.length]);
          const zeros = list.map(() => 0);
          const inputs = { input_ids: tensor(list), token_type_ids: tensor(zeros) };
          const [took, found] = await timed(() => run(inputs));
          return { took, hidden: () => Promise.resolve(found.last_hidden_state.data) };
        };
      if (name === "onnxruntime-web") {
        const ort = (await load("/ort/ort.wasm.min.mjs")) as Ort;
        Object.assign(ort.env.wasm, { numThreads: 1, wasmPaths: "/ort/" });
        const data = await (await fetch("/model/onnx/model.onnx_data")).arrayBuffer();
        const session = await ort.InferenceSession.create("/model/onnx/model.onnx", {
          executionProviders: ["wasm"],
          externalData: [{ path: "model.onnx_data", data: new Uint8Array(data) }],
        });
        runs[name] = feed(ort, (inputs) => session.run(inputs));
      } else {
        const tool = (await load("/transformers/transformers.min.js")) as Transformers;
        Object.assign(tool.env, {
          allowLocalModels: true,
          allowRemoteModels: false,
          localModelPath: "/",
        });
        const settings = { numThreads: 1, wasmPaths: "/transformers-ort/" };
        Object.assign(tool.env.backends.onnx.wasm, settings);
        const options = { dtype: "fp32", device: "wasm", use_external_data_format: true };
        runs[name] = feed(tool, await tool.AutoModel.from_pretrained("model", options));
      }
    }
    return performance.now() - start;
  }, tool);
}

type Runs = Record<
  string,
  (ids: number[]) => Promise<{ took: number; hidden: () => Promise<Float32Array> }>
>;

const timeIn = (page: Page, tool: string, list: number[]): Promise<number> =>
  page.evaluate(
    async ([name, of]) =>
      (await (globalThis as unknown as { runs: Runs }).runs[name]?.(of))?.took ?? NaN,
    [tool, list] as const,
  );

/** The largest difference between the hidden states of two tools. */
const apart = (page: Page, list: number[]): Promise<number> =>
  page.evaluate(async (of) => {
    const { runs } = globalThis as unknown as { runs: Runs };
    const all = Object.values(runs).map(async (run) => (await run(of)).hidden());
    const [one = new Float32Array(), other = one] = await Promise.all(all);
    return one.reduce((most, x, at) => Math.max(most, Math.abs(x - (other[at] ?? NaN))), 0);
  }, list);

test("in Chromium", async ({ page, browser }) => {
  const folder = join(resolve(OUT), "model");
  rmSync(folder, { recursive: true, force: true });
  cpSync(ownModel ?? randomModel(MINILM), folder, { recursive: true });
  writeOnnx(folder);
  const server = await served(folder);
  process.stdout.write(`    Chromium ${browser.version()}\n`);
  await page.goto(server.address);
  const others = [...against].filter(
    (tool) => !["transformer_lens", "torch", "wllama"].includes(tool),
  );
  const tools = ["headscope", ...others];
  for (const tool of tools)
    note(`${tool}: load a model of MiniLM's size`, "ms", [await open(page, tool)]);
  if (tools.length > 1) expect(await apart(page, ids(33))).toBeLessThan(1e-4);
  // The longest text first: browsers have optimised the code before the shortest.
  for (const length of LENGTHS.toReversed()) {
    const measures = tools.map(
      (tool) => [tool, (round: number) => timeIn(page, tool, ids(length, round))] as const,
    );
    const found = await inTurns(Object.fromEntries(measures));
    const own = found.headscope ?? [];
    note(`headscope, ${length} tokens`, "ms", own);
    for (const tool of tools.slice(1))
      note(`${tool} ÷ headscope, ${length} tokens`, "", ratios(found[tool] ?? [], own), "≥ 1.7");
  }
  const first: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const fresh = await browser.newPage();
    const start = performance.now();
    await fresh.goto(`${server.address}page/index.html`);
    await fresh.locator("headscope-heatmap").getByRole("application").waitFor();
    first.push(performance.now() - start);
    await fresh.close();
  }
  note("first visit to the first picture", "ms", first);
  await server.kill();
});

if (ownGguf !== undefined)
  test("decoding in Chromium", async ({ page }) => {
    const server = await served(ownGguf);
    await page.goto(server.address);
    const tools = ["headscope", ...(against.has("wllama") ? ["wllama" as const] : [])] as const;
    for (const tool of tools) await openDecoder(page, tool);
    const found = await inTurns(
      Object.fromEntries(
        tools.map((tool) => [tool, (round: number) => timeOfToken(page, tool, round)]),
      ),
    );
    const own = found.headscope ?? [];
    note("headscope: a token of the GGUF", "ms", own);
    if (found.wllama) note("wllama ÷ headscope, a token", "", ratios(found.wllama, own), "≥ 3");
    await server.kill();
  });
