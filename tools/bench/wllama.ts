/** Decoding of a GGUF in Chromium: wllama (llama.cpp as wasm) and Headscope, one thread each. */
import type { Page } from "@playwright/test";
import type * as Headscope from "../../www/headscope.js";

/** The new tokens of a text; the first of them is not counted, since it waits for the prompt. */
const TOKENS = 48;
const PROMPT = "The history of the city begins with a small harbour, which in the year";

interface Wllama {
  loadModel(files: readonly Blob[], options: object): Promise<void>;
  createCompletion(options: object): Promise<AsyncIterable<unknown>>;
}

/** Loads the model of the file at `/model.gguf` in a tool, one of these two. */
export function openDecoder(page: Page, tool: "headscope" | "wllama"): Promise<void> {
  return page.evaluate(
    async ([name, prompt, tokens]) => {
      // Each time another prompt: a text that was written before is taken over.
      type Write = (round: number) => Promise<number>;
      const writers = ((globalThis as { writers?: Record<string, Write> }).writers ??= {});
      const load = (entry: string): Promise<unknown> => import(/* @vite-ignore */ entry);
      const perToken = async (events: AsyncIterable<unknown>): Promise<number> => {
        const arrivals: number[] = [];
        for await (const _ of events) arrivals.push(performance.now());
        return ((arrivals.at(-1) ?? NaN) - (arrivals[0] ?? NaN)) / (arrivals.length - 1);
      };
      if (name === "headscope") {
        const { loadModel } = (await load("/npm/headscope.js")) as typeof Headscope;
        const model = await loadModel("/model.gguf");
        writers[name] = (round) =>
          perToken(
            model.generate({ text: `${prompt} ${1800 + round}` }, { max_new_tokens: tokens }),
          );
        return;
      }
      const { Wllama } = (await load("/wllama/index.js")) as {
        Wllama: new (paths: object) => Wllama;
      };
      const own = new Wllama({ default: "/wllama/wasm/wllama.wasm" });
      const file = await (await fetch("/model.gguf")).blob();
      await own.loadModel([file], { n_threads: 1, n_gpu_layers: 0, n_ctx: 512 });
      const options = { max_tokens: tokens, temperature: 0, stream: true };
      writers[name] = async (round) =>
        perToken(await own.createCompletion({ ...options, prompt: `${prompt} ${1800 + round}` }));
    },
    [tool, PROMPT, TOKENS] as const,
  );
}

/** The milliseconds of a token that a tool writes behind the prompt of a round. */
export const timeOfToken = (page: Page, tool: string, round: number): Promise<number> =>
  page.evaluate(
    ([name, of]) => {
      type Writers = Record<string, (round: number) => Promise<number>>;
      return (globalThis as unknown as { writers: Writers }).writers[name]?.(of) ?? NaN;
    },
    [tool, round] as const,
  );
