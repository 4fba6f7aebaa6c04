import { describe, expect, it } from "vitest";
import { downloadOf } from "./download.js";

describe("a model's download", () => {
  it("is that of all its files, of as much as the page knows to come", () => {
    const added = downloadOf("models/tiny-gpt");
    added({ file: "config.json", loadedBytes: 844, totalBytes: 844 });
    added({ file: "tokenizer.json", loadedBytes: 50_000, totalBytes: 107_824 });
    expect(added({ file: "tokenizer.json", loadedBytes: 107_824, totalBytes: 107_824 })).toEqual({
      phase: "loading",
      loadedBytes: 108_668,
      totalBytes: 2_820_000,
    });
    expect(added({ file: "model.safetensors", loadedBytes: 3_000_000 })).toEqual({
      phase: "loading",
      loadedBytes: 3_108_668,
      totalBytes: 3_108_668,
    });
  });

  it("of a model that the page does not know has a whole once its last file has begun, if that is told", () => {
    const small = { file: "config.json", loadedBytes: 800, totalBytes: 800 };
    const added = downloadOf("opened/mine");
    expect(added(small)).toEqual({ phase: "loading", loadedBytes: 800, totalBytes: null });
    expect(added({ file: "model.safetensors", loadedBytes: 100, totalBytes: 5000 })).toEqual({
      phase: "loading",
      loadedBytes: 900,
      totalBytes: 5800,
    });
    const untold = downloadOf("opened/mine");
    untold(small);
    expect(untold({ file: "model.safetensors", loadedBytes: 100 })).toEqual({
      phase: "loading",
      loadedBytes: 900,
      totalBytes: null,
    });
  });
});
