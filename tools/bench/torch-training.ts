/**
 * A step of training beside PyTorch's on one thread, eager, in a process of its own, which
 * `torch_training.py` serves. `HEADSCOPE_PYTHON` names a Python that has `torch` and
 * `transformers`.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type * as Headscope from "../../www/headscope.js";
import { randomGpt2 } from "./random-model.js";

const SCRIPT = "tools/bench/torch_training.py";
const [TEXTS, LENGTH, VOCABULARY] = [16, 32, 64];

/** The loss and the milliseconds of a step. */
type Step = [loss: number, took: number];

/** A training of the same model, by Headscope and perhaps by PyTorch. */
export interface BothTrainings {
  own(round: number): Promise<Step>;
  torch(round: number): Promise<Step>;
  close(): void;
}

/** The texts of a round, with one token more than is read. */
function textsOf(round: number): number[][] {
  const token = (text: number, at: number): number =>
    (text * 7919 + at * at * 31 + round * 104729) % VOCABULARY;
  return Array.from({ length: TEXTS }, (_, text) =>
    Array.from({ length: LENGTH + 1 }, (__, at) => token(text, at)),
  );
}

/** Opens both: a decoder of 2 layers and 4 heads, of this width. */
export async function openTrainings(width: number, withTorch: boolean): Promise<BothTrainings> {
  const folder = randomGpt2({
    layers: 2,
    heads: 4,
    width,
    inner: 4 * width,
    tokens: LENGTH,
    vocabulary: VOCABULARY,
    spread: 0.05,
  });
  const { openTrainer } = (await import(
    pathToFileURL(resolve("dist/npm/headscope.js")).href
  )) as typeof Headscope;
  const config = readFileSync(join(folder, "config.json"), "utf8");
  const weights = new Uint8Array(readFileSync(join(folder, "model.safetensors")));
  const settings = { method: "adamw", learningRate: 1e-3, clip: 1 } as const;
  const trainer = await openTrainer({ config, weights }, settings);
  const torch = withTorch ? await Torch.open(folder) : null;
  return {
    own: async (round) => {
      const examples = textsOf(round).map((ids) => ({
        ids: ids.slice(0, -1),
        targets: ids.slice(1).map((id, at): [number, number] => [at, id]),
      }));
      const start = performance.now();
      const { loss } = await trainer.step({ examples });
      return [loss, performance.now() - start];
    },
    torch: (round) => torch?.step(textsOf(round)) ?? Promise.resolve<Step>([NaN, NaN]),
    close: () => {
      trainer.dispose();
      torch?.close();
    },
  };
}

class Torch {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string>,
  ) {}

  /** Starts Python; resolves once the model is loaded. */
  static async open(folder: string): Promise<Torch> {
    const python = process.env.HEADSCOPE_PYTHON ?? "python3";
    const env = { ...process.env, HF_HUB_OFFLINE: "1", OMP_NUM_THREADS: "1" };
    const child = spawn(python, [SCRIPT, folder], { env, stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const own = new Torch(child, lines);
    for (let line = ""; line !== "ready"; line = await own.#line()) continue;
    return own;
  }

  async step(texts: number[][]): Promise<Step> {
    this.child.stdin.write(`${JSON.stringify(texts)}\n`);
    return JSON.parse(await this.#line()) as Step;
  }

  close(): void {
    this.child.stdin.end();
  }

  async #line(): Promise<string> {
    const next = await this.lines.next();
    if (next.done !== true) return next.value;
    throw new Error(`${SCRIPT} ended: HEADSCOPE_PYTHON needs torch and transformers`);
  }
}
