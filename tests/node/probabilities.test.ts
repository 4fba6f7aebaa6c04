import { describe, expect, it } from "vitest";
import { loadModel } from "./package.js";
import { reference } from "./reference.js";

describe("probabilities of named entries", () => {
  it.each(["marian-tiny", "bert-tiny", "gpt2-tiny", "llama-tiny"])(
    "of %s add up to 1, and are those of its predictions",
    async (name) => {
      const model = await loadModel(reference(name).folder);
      const run = await model.run(
        name === "marian-tiny" ? { ids: [14, 3, 9], targetIds: [60, 7] } : { ids: [14, 3, 9] },
      );
      const ids = Array.from({ length: model.info.vocabSize }, (_, id) => id);
      const found = await run.probabilities({ positions: ids.map(() => 1), ids });
      expect(found.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
      for (const { probability, logProbability } of found)
        expect(Math.exp(logProbability)).toBeCloseTo(probability, 12);
      const [ranked = []] = await run.predictions({ positions: [1], topK: ids.length });
      for (const { id, probability } of ranked)
        expect(found[id]?.probability, `entry ${id}`).toBeCloseTo(probability, 5);
      model.dispose();
    },
  );
});
