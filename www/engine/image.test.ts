import { expect, it } from "vitest";
import type { ImageConfig } from "../data/index.js";
import { ImageReader } from "./image.js";

it("names patches and classes", () => {
  const format: ImageConfig = {
    channels: 3,
    size: [4, 6],
    patch: [2, 2],
    grid: [2, 3],
    specials: 2,
  };
  const images = new ImageReader(format, '{"id2label": {"0": "cat"}}');
  const { tokens } = images.encode();
  expect(tokens.map(({ text }) => text).join(" ")).toBe("[CLS] [DIST] 1,1 1,2 1,3 2,1 2,2 2,3");
  expect([images.text(0), images.text(1)]).toEqual(["cat", "#1"]);
});
