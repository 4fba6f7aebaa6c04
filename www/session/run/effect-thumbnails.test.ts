// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_WRITER, FakeModel, FakeRun } from "../../../tests/support/fake-model.js";
import { matrixOf } from "../../elements/testing/mount.js";
import { HeadscopeError } from "../../headscope.js";
import { DEFAULT_STATE } from "../../state/index.js";
import type { Session } from "../session.js";
import { answered, sessionOf } from "../testing/session.js";
import { readEffects, signedThumbnail } from "./effect-thumbnails.js";
import { THUMBNAIL_SIZE } from "./head.js";
import { askedThumbnails } from "./other-numbers.js";

const HEAD = { stack: "decoder", layer: 1, head: 2 } as const;
const EFFECTS = { ...DEFAULT_STATE, picture: "heatmap", stage: "effects" } as const;
const TEXT = "one two three";
const newRun = (text = TEXT): FakeRun => {
  const model = new FakeModel(FAKE_WRITER);
  const tokens = model.tokenize(text);
  return Object.assign(new FakeRun(model, tokens, { text }), { targetTokens: tokens });
};

/** Effects of all heads that are one number. */
const allOf = (effect: number): FakeRun["effects"] =>
  function (this: FakeRun) {
    const { length } = this.targetTokens;
    const data = new Float32Array(24 * length * length).fill(effect);
    const axes = ["layer", "head", "query", "key"] as const;
    return Promise.resolve({ data, shape: [3, 8, length, length], axes: [...axes] });
  };

let session: Session | null = null;
afterEach(() => {
  session?.end();
  session = null;
  vi.restoreAllMocks();
});

it("a cell is the largest effect that it covers, up or down", () => {
  const effects = matrixOf(3, [1, -2, 0, 0.5, 0, -0.25, -3, 0, 2]);
  expect([...signedThumbnail(effects, 3)]).toEqual([...effects.data]);
  expect([...signedThumbnail(effects, 1)]).toEqual([-3]);
  expect([...signedThumbnail(effects, 2)]).toEqual([-2, -2, -3, 2]);
  // A small matrix is repeated.
  expect([...signedThumbnail(matrixOf(1, [-1]), 2)]).toEqual([-1, -1, -1, -1]);
});

describe("small pictures", () => {
  it("are of what the picture shows of heads", () => {
    const asked = (state: object): unknown =>
      askedThumbnails({ ...EFFECTS, ...state }, HEAD, { vocabSize: 10 });
    const effects = { stack: "decoder", of: "effects", layer: 1 };
    expect(asked({ entry: 9 })).toEqual({ ...effects, entry: 9 });
    expect(asked({ picture: "lines", entry: 10 })).toEqual({ ...effects, entry: null });
    const weights = { stack: "decoder", stage: "weights" };
    expect(asked({ stage: "norms", entry: 9 })).toEqual({ ...weights, stage: "norms" });
    expect([asked({ stage: "raw" }), asked({ joined: "flow" })]).toEqual([weights, weights]);
  });

  it("of effects are read at once, of the chosen layer alone in a large stack", async () => {
    const asked = { stack: "decoder", layer: 1, of: "effects", entry: 7 } as const;
    const read = async (run: FakeRun, layers = 3): Promise<unknown> => {
      const effects = vi.spyOn(run, "effects");
      const stacks = { decoder: { layers, heads: 8, kvHeads: 8, headDim: 2 } };
      const { data, shape } = await readEffects(run, asked, stacks);
      expect(shape).toEqual([layers, 8, THUMBNAIL_SIZE, THUMBNAIL_SIZE]);
      const heads = [1, 8, 17].map((at) => at * THUMBNAIL_SIZE * THUMBNAIL_SIZE);
      const { calls } = effects.mock;
      return [calls, ...heads.map((at) => Number.isNaN(data[at]))];
    };
    const short = newRun();
    expect(await read(short)).toEqual([[[{ stack: "decoder", id: 7 }]], false, false, false]);
    // All layers are known.
    const effects = vi.spyOn(short, "effects");
    effects.mockClear();
    await readEffects(short, { ...asked, layer: 2 }, FAKE_INFO.stacks);
    expect(effects).not.toHaveBeenCalled();
    await readEffects(short, { ...asked, entry: 8 }, FAKE_INFO.stacks);
    expect(effects).toHaveBeenCalledTimes(1);
    const only = { stack: "decoder", layer: 1, id: 7 };
    expect(await read(newRun(), 500)).toEqual([[[only]], true, false, true]);
  });

  it("of the page are of weights where the model has no effects", async () => {
    const refused = new HeadscopeError({
      code: "output/none",
      message: "",
      doing: "",
      expected: "",
      got: "",
    });
    vi.spyOn(FakeRun.prototype, "effects").mockRejectedValue(refused);
    session = await sessionOf(
      { text: TEXT, ...HEAD, stage: "effects" },
      new FakeModel(FAKE_WRITER),
    );
    expect([session.thumbnails?.data[0], session.failure]).toEqual([0, null]);
    vi.restoreAllMocks();
    vi.spyOn(FakeRun.prototype, "effects").mockImplementation(allOf(-4));
    session.update({ text: "other words" });
    await answered(session);
    expect(session.thumbnails?.data[0]).toBe(-4);
  });
});
