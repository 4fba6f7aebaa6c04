import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, Run, RunInput, Tensor } from "../../www/headscope.js";
import { loadModel } from "./package.js";
import { expectClose, modelNames, reference, type ReferenceCase } from "./reference.js";

function inputOf(given: ReferenceCase): RunInput {
  const input: RunInput = { ids: given.ids };
  if (given.token_type_ids !== undefined) input.tokenTypeIds = given.token_type_ids;
  if (given.attention_mask !== undefined) input.attentionMask = given.attention_mask;
  if (given.target_ids !== undefined) input.targetIds = given.target_ids;
  if (given.edits !== undefined) input.edits = given.edits;
  return input;
}

/** Reads the tensor that a reference's name says: `encoder.hidden.2`, `cross.attention.0`, `logits`. */
async function read(run: Run, model: Model, part: string): Promise<Tensor> {
  const [stack, kind, index] = part.split(".");
  if (stack === "logits") return run.logits();
  if (stack !== "encoder" && stack !== "decoder" && stack !== "cross") throw new Error(`unknown part ${part}`);
  const layer = Number(index);
  if (kind === "hidden" && stack !== "cross") return run.hidden({ stack, layer });
  const heads = model.info.stacks[stack]?.heads ?? 0;
  const patterns = await Promise.all(Array.from({ length: heads }, (_, head) => run.attention({ stack, layer, head })));
  const [first] = patterns;
  const data = Float32Array.from(patterns.flatMap((pattern) => [...pattern.data]));
  return { data, shape: [heads, ...(first?.shape ?? [])], axes: ["head", ...(first?.axes ?? [])] };
}

describe.each(modelNames)("%s", (name) => {
  const { folder, cases, answers } = reference(name);
  let model: Model;

  beforeAll(async () => {
    model = await loadModel(folder);
  });
  afterAll(() => model.dispose());

  it.each(cases.filter(({ generated }) => generated === undefined))("computes $name as Hugging Face does", async (given) => {
    const run = await model.run(inputOf(given));
    const parts = [...answers.keys()].filter((key) => key.startsWith(`${given.name}.`));
    expect(parts.length).toBeGreaterThan(0);
    for (const key of parts) {
      const part = key.slice(given.name.length + 1);
      const expected = answers.get(key);
      if (expected !== undefined) expectClose(await read(run, model, part), expected, part);
    }
    run.release();
  });

  const written = cases.filter(({ generated }) => generated !== undefined);

  it.runIf(written.length > 0).each(written)("writes $name as Hugging Face does", async (given) => {
    const ids: number[] = [];
    for await (const { chosen, probability, candidates } of model.generate(inputOf(given), { maxTokens: given.max_new_tokens ?? 0 })) {
      ids.push(chosen.id);
      expect(candidates[0]).toMatchObject({ id: chosen.id, probability });
    }
    expect(ids).toEqual(given.generated);
  });
});
