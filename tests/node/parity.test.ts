import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, RunInput } from "../../www/headscope.js";
import { expectAsReference, ofEdits } from "./compare.js";
import { loadModel } from "./package.js";
import { modelNames, reference, type ReferenceCase } from "./reference.js";

function inputOf(given: ReferenceCase): RunInput {
  const input: RunInput = { ids: given.ids };
  if (given.token_type_ids !== undefined) input.tokenTypeIds = given.token_type_ids;
  if (given.attention_mask !== undefined) input.attentionMask = given.attention_mask;
  if (given.target_ids !== undefined) input.targetIds = given.target_ids;
  if (given.edits !== undefined) input.edits = given.edits;
  return input;
}

describe.each(modelNames)("%s", (name) => {
  const { folder, cases, answers } = reference(name);
  let model: Model;

  beforeAll(async () => {
    model = await loadModel(folder);
  });
  afterAll(() => model.dispose());

  it.each(cases.filter(({ generated }) => generated === undefined))(
    "computes $name as Hugging Face does",
    async (given) => {
      const run = await model.run(inputOf(given));
      await expectAsReference(run, model, given.name, answers, undefined, given.edits && ofEdits);
      run.release();
    },
  );

  const written = cases.filter(({ generated }) => generated !== undefined);

  it.runIf(written.length > 0).each(written)("writes $name as Hugging Face does", async (given) => {
    const ids: number[] = [];
    for await (const { chosen, probability, candidates } of model.generate(inputOf(given), {
      maxTokens: given.max_new_tokens ?? 0,
    })) {
      ids.push(chosen.id);
      expect(candidates[0]).toMatchObject({ id: chosen.id, probability });
    }
    expect(ids).toEqual(given.generated);
  });
});
