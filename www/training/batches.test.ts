import { describe, expect, it } from "vitest";
import { heldOutBatch, trainingBatch } from "./batches.js";
import { freshModel } from "./fresh-model.js";
import { usualSettings } from "./settings.js";

const settings = { ...usualSettings("copy"), dropout: 0.1, width: 16 as const };
const model = freshModel(settings);

describe("the batches of a training", () => {
  it("follow from seed and step", () => {
    const batch = trainingBatch(model, settings, 7);
    expect(batch.examples).toHaveLength(settings.batch);
    expect(trainingBatch(model, settings, 7)).toEqual(batch);
    expect(trainingBatch(model, settings, 8).examples).not.toEqual(batch.examples);
    expect(trainingBatch(model, { ...settings, seed: 2 }, 7).examples).not.toEqual(batch.examples);
  });

  it("drop weights, except where the model is measured", () => {
    expect(trainingBatch(model, settings, 7).edits.attention).toHaveLength(1);
    expect(heldOutBatch(model, settings).edits).toEqual({});
    expect(heldOutBatch(model, settings)).toEqual(heldOutBatch(model, settings));
  });
});
