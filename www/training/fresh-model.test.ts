import { describe, expect, it } from "vitest";
import { freshModel } from "./fresh-model.js";
import { formOf, NORMS, PLACES, POSITIONS } from "./forms.js";
import { KINDS } from "./tasks/index.js";
import { freshTensors } from "./tensors.js";
import { usualSettings } from "./settings.js";

const sizes = { width: 16, inner: 64, layers: 2, vocabulary: 20, positions: 9 };
const weightsOf = (seed: number) =>
  Buffer.from(freshModel({ ...usualSettings("copy"), seed }).files["model.safetensors"] ?? []);

describe("a fresh model", () => {
  it("follows from its seed to the bit", () => {
    expect(weightsOf(1).equals(weightsOf(1))).toBe(true);
    expect(weightsOf(1).equals(weightsOf(2))).toBe(false);
  });

  it("keeps its first weights where settings change the rest of it", () => {
    const settings = usualSettings("copy");
    const weights = (more: object) =>
      freshTensors("gpt2", { ...sizes, ...more }, settings).get("transformer.h.0.mlp.c_fc.weight");
    expect(weights({ layers: 1 })).toEqual(weights({ layers: 4 }));
  });

  it("draws each map with the deviation of its inner width", () => {
    const tensors = freshTensors("bart", sizes, usualSettings("copy"));
    for (const [name, inner] of [
      ["fc1", 16],
      ["fc2", 64],
    ] as const) {
      const { values } = tensors.get(`model.decoder.layers.1.${name}.weight`) ?? { values: [] };
      const squares = [...values].reduce((sum, value) => sum + value ** 2, 0);
      expect(Math.sqrt(squares / values.length)).toBeCloseTo(1 / Math.sqrt(inner), 1);
    }
  });

  it("has a form for every setting, or words for those that have one", () => {
    for (const kind of KINDS)
      for (const positions of POSITIONS)
        for (const norm of NORMS)
          for (const place of PLACES) {
            const form = formOf({ kind, positions, norm, place });
            if (typeof form !== "string") expect(form.expected).toMatch(/decoder|norm/);
          }
    expect(formOf({ kind: "decoder", positions: "none", norm: "layer", place: "pre" })).toBe(
      "gpt2",
    );
  });
});
