/** A run that holds what the model wrote: its tokens, their reasons, and numbers behind them. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GenerationEvent, Model, Run } from "../../www/headscope.js";
import { loadModel } from "./package.js";

const bundled = (name: string): string =>
  fileURLToPath(new URL(`../../models/${name}`, import.meta.url));

const DRAWN = { do_sample: true, temperature: 0.8, top_k: 20, seed: 3, max_new_tokens: 8 };

describe.each([
  ["tiny-gpt", { text: "She lives in a" }],
  ["en-fr", { text: "I have a cat.", target: "J'ai" }],
])("a run of %s that goes on with its text", (name, input) => {
  let model: Model;
  beforeAll(async () => {
    model = await loadModel(bundled(name));
  });
  afterAll(() => model.dispose());

  it("writes what generate writes, and holds what a run of the whole text holds", async () => {
    const generated: GenerationEvent[] = [];
    for await (const event of model.generate(input, DRAWN)) generated.push(event);
    const events: GenerationEvent[] = [];
    const run = await model.run(
      { ...input, generate: DRAWN },
      { onToken: (event) => events.push(event) },
    );
    expect(events).toEqual(generated);
    expect(events[0]?.stages.map(({ processor }) => processor)).toContain("temperature");

    const written = events.map(({ chosen }) => chosen.id);
    const isEnd = model.info.endTokens.includes(written.at(-1) ?? -1);
    const read = isEnd ? written.slice(0, -1) : written;
    const ids = run.targetTokens.map(({ id }) => id);
    expect(ids.slice(-read.length)).toEqual(read);
    const whole = await model.run(
      name === "en-fr" ? { text: input.text, targetIds: ids } : { ids },
    );
    expect(run.tokens.map(({ id }) => id)).toEqual(whole.tokens.map(({ id }) => id));
    const head = { stack: "decoder", layer: 1, head: 0 } as const;
    expect(await run.attention(head)).toEqual(await whole.attention(head));
  });
});

it("a run can be read while its text grows", async () => {
  const model = await loadModel(bundled("tiny-gpt"));
  const sizes: number[] = [];
  const onUpdate = async (run: Run): Promise<void> => {
    const { shape } = await run.attention({ stack: "decoder", layer: 0, head: 0 });
    sizes.push(shape[0] ?? 0);
  };
  const updates: Promise<void>[] = [];
  const generate = { max_new_tokens: 40, eos_token_id: [] };
  const run = await model.run(
    { text: "She", generate },
    { onUpdate: (growing) => updates.push(onUpdate(growing)) },
  );
  await Promise.all(updates);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
  expect([sizes[0], sizes.at(-1)]).toEqual([expect.any(Number), run.tokens.length]);
  model.dispose();
});

it("settings in two places, and names that are none, are refused", async () => {
  const model = await loadModel(bundled("tiny-gpt"));
  const input = { text: "She", generate: DRAWN };
  const first = (): Promise<unknown> => model.generate(input)[Symbol.asyncIterator]().next();
  await expect(first()).rejects.toMatchObject({ code: "input/malformed" });
  const misspelt = { text: "She", generate: { topK: 3 } as object };
  await expect(model.run(misspelt)).rejects.toMatchObject({ code: "input/unsupported-option" });
  model.dispose();
});
