import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadModel } from "./package.js";

interface Answer {
  logits: number[];
  /** The weights of the class token in the last layer, by head. */
  class_token: number[][];
}

const SIDE = 64;
const file = new URL("../reference/tiny-vit.json", import.meta.url);
const ANSWER = JSON.parse(readFileSync(file, "utf8")) as Answer;

/** The image that `tests/reference/tiny_vit.py` draws. */
function drawn(): { width: number; height: number; data: Uint8ClampedArray } {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => {
    const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
    const away = (x - 34) ** 2 + (y - 30) ** 2;
    const isRing = away < 18 ** 2 && away > 10 ** 2;
    return isRing ? [250, 220, 30, 255] : [40 + x, 90 + y, 200 - x, 255];
  });
  return { width: SIDE, height: SIDE, data: Uint8ClampedArray.from(pixels.flat()) };
}

it("the small image model names a shape with the numbers of PyTorch, and looks at it", async () => {
  const model = await loadModel(fileURLToPath(new URL("../../models/tiny-vit", import.meta.url)));
  const run = await model.run({ image: drawn() });
  const { data } = await run.logits();
  const logits = [...data.slice(0, ANSWER.logits.length)];
  const distance = (all: number[], wanted: number[]): number =>
    Math.max(...all.map((value, at) => Math.abs(value - (wanted[at] ?? NaN))));
  expect(distance(logits, ANSWER.logits)).toBeLessThan(1e-4);
  const [[best] = []] = await run.predictions({ positions: [0], topK: 1 });
  expect(best?.text).toBe("ring");
  for (const [head, wanted] of ANSWER.class_token.entries()) {
    const at = { stack: "encoder", layer: 3, head, stage: "weights" } as const;
    const weights = await run.attention(at);
    expect(distance([...weights.data.slice(0, wanted.length)], wanted)).toBeLessThan(1e-5);
  }
  model.dispose();
});
