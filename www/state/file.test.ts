import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeFile, encodeFile } from "./file.js";
import { DEFAULT_STATE, STATE_VERSION } from "./state.js";

describe("the file of a State", () => {
  it("is JSON with the names of the address", () => {
    const text = encodeFile({ ...DEFAULT_STATE, text: "Hello", layer: 2 });
    expect(JSON.parse(text)).toEqual({
      headscope: STATE_VERSION,
      state: { text: "Hello", layer: "3" },
    });
  });

  it.each([
    ["", "not-json"],
    [encodeFile({ ...DEFAULT_STATE, text: "cut short" }).slice(0, 30), "not-json"],
    ["null", "not-a-page"],
    ["[]", "not-a-page"],
    [`{"model_type": "bert"}`, "not-a-page"],
    [`{"headscope": 1, "state": []}`, "not-a-page"],
    [`{"headscope": "1", "state": {}}`, "not-a-page"],
  ])("%s is none", (text, problem) => {
    expect(decodeFile(text)).toBe(problem);
  });

  it("keeps what is readable beside what is not, and says which", () => {
    const text = `{"headscope": 99, "state": {"text": "Hello", "layer": 3, "__proto__": "x", "edits": "c2.3*AAAA", "surprise": "x"}}`;
    expect(decodeFile(text)).toEqual({
      state: { ...DEFAULT_STATE, text: "Hello" },
      said: ["text"],
      unread: ["layer", "__proto__", "edits", "surprise"],
      newer: true,
    });
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void decodeFile(text)));
  });
});
