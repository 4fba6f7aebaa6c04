import { describe, expect, it } from "vitest";
import { savedFolder } from "./folder.js";
import { freshModel } from "./fresh-model.js";
import { tensorsOf } from "./safetensors.js";
import { decodeSettings } from "./settings.js";

const saved = (link: string) => {
  const settings = decodeSettings(link);
  const fresh = freshModel(settings);
  const weights = fresh.files["model.safetensors"] ?? new Uint8Array();
  const folder = savedFolder(fresh, settings, weights);
  const read = (name: string) => new TextDecoder().decode(folder.files[name]);
  return { ...folder, weights, read };
};

describe("a saved folder", () => {
  it("has the weights as they were trained, and names the settings", () => {
    const { files, weights, isWhole, read } = saved("copy_width.16");
    expect(files["model.safetensors"]).toBe(weights);
    expect(isWhole).toBe(true);
    expect(read("README.md")).toContain("copy_width.16");
    expect(read("config.json")).not.toContain("is_causal");
  });

  it("has longer queries, and no others, if scores were not divided by √d_h", () => {
    const { files, weights } = saved("copy_kind.encoder_width.16_heads.1_scale.false");
    const before = tensorsOf(weights);
    for (const [name, { values }] of tensorsOf(files["model.safetensors"] ?? weights)) {
      const factor = name.includes(".query.") ? 4 : 1;
      expect(values, name).toEqual(before.get(name)?.values.map((value) => value * factor));
    }
  });

  it("says that transformers knows no model without residuals", () => {
    const { isWhole, read } = saved("copy_width.16_residuals.false");
    expect(isWhole).toBe(false);
    expect(read("README.md")).toContain("without residuals");
  });
});
