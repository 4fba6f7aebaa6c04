import { describe, expect, it } from "vitest";
import type { ReadKind } from "./protocol.js";
import { question } from "./question.js";

const HEAD = { stack: "encoder", layer: 1, head: 2 };

describe("question", () => {
  it("hands on what is asked, and nothing else", () => {
    expect(question("qkv", { ...HEAD, part: "key", colour: "blue" })).toEqual({
      ...HEAD,
      part: "key",
      rotated: true,
    });
    expect(question("qkv", { ...HEAD, part: "key", rotated: false })).toEqual({
      ...HEAD,
      part: "key",
      rotated: false,
    });
    expect(question("attention", { ...HEAD, stage: "raw" })).toEqual({
      ...HEAD,
      stage: "raw",
      rows: null,
    });
    expect(question("logits", { positions: [2] })).toEqual({ positions: [2] });
  });

  it("knows the defaults", () => {
    expect(question("attention", { ...HEAD, rows: [2, 5] })).toEqual({
      ...HEAD,
      stage: "weights",
      rows: [2, 5],
    });
    expect(question("thumbnails", { stack: "cross", size: 8, stage: undefined })).toEqual({
      stack: "cross",
      size: 8,
      stage: "weights",
    });
    expect(question("logits", {})).toEqual({ positions: null });
  });

  it.each<[string, ReadKind, unknown, string, string]>([
    ["no question", "attention", undefined, "selection/bad-stack", "undefined"],
    ["a question that is null", "mask", null, "selection/bad-stack", "undefined"],
    [
      "a stack that is a function",
      "positions",
      { stack: () => "encoder" },
      "selection/bad-stack",
      "a function",
    ],
    ["no layer", "hidden", { stack: "encoder" }, "selection/bad-layer", "undefined"],
    [
      "a layer that is a bigint",
      "hidden",
      { stack: "encoder", layer: 1n },
      "selection/bad-layer",
      "a bigint",
    ],
    [
      "a head that is a text",
      "fullyMasked",
      { ...HEAD, head: "2" },
      "selection/bad-head",
      "a string",
    ],
    ["a stage that is null", "attention", { ...HEAD, stage: null }, "selection/bad-stage", "null"],
    [
      "a rotation that is neither true nor false",
      "qkv",
      { ...HEAD, part: "key", rotated: 1 },
      "selection/bad-stage",
      "a number",
    ],
    [
      "rows that are no list",
      "attention",
      { ...HEAD, rows: 2 },
      "selection/bad-position",
      "a number",
    ],
    ["no part", "qkv", HEAD, "selection/bad-stage", "undefined"],
    [
      "a size that is an object",
      "thumbnails",
      { stack: "encoder", size: {} },
      "selection/bad-size",
      "an object",
    ],
    [
      "no number of predictions",
      "predictions",
      { positions: [0] },
      "selection/bad-size",
      "undefined",
    ],
    [
      "no positions to predict at",
      "predictions",
      { topK: 3 },
      "selection/bad-position",
      "undefined",
    ],
    [
      "a position that is no list",
      "logits",
      { positions: 3 },
      "selection/bad-position",
      "a number",
    ],
    ["no entries to ask about", "probabilities", { positions: [0] }, "input/bad-id", "undefined"],
    [
      "an entry that is a text",
      "probabilities",
      { positions: [0], ids: ["the"] },
      "input/bad-id",
      "a list of string",
    ],
    [
      "a position that is a bigint",
      "logits",
      { positions: [0, 1n] },
      "selection/bad-position",
      "a list of number and bigint",
    ],
  ])("refuses %s", (_, what, which, code, got) => {
    expect(() => question(what, which)).toThrow(expect.objectContaining({ code, got }) as Error);
  });
});
