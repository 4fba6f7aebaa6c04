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
  return new FakeRun(model, model.tokenize(text), { text });
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

  it("of effects are read head by head, of the chosen layer alone in a large stack", async () => {
    const asked = { stack: "decoder", layer: 1, of: "effects", entry: 7 } as const;
    const read = async (run: FakeRun): Promise<boolean[]> => {
      const effects = vi.spyOn(run, "effects");
      const { data, shape } = await readEffects(run, asked, FAKE_INFO.stacks);
      expect(shape).toEqual([3, 8, THUMBNAIL_SIZE, THUMBNAIL_SIZE]);
      expect(effects.mock.calls.every(([{ id }]) => id === 7)).toBe(true);
      const heads = [1, 8, 17].map((at) => at * THUMBNAIL_SIZE * THUMBNAIL_SIZE);
      return heads.map((at) => Number.isNaN(data[at]));
    };
    const short = newRun();
    expect(await read(short)).toEqual([false, false, false]);
    // All layers are known.
    const effects = vi.spyOn(short, "effects");
    effects.mockClear();
    await readEffects(short, { ...asked, layer: 2 }, FAKE_INFO.stacks);
    expect(effects).not.toHaveBeenCalled();
    await readEffects(short, { ...asked, entry: 8 }, FAKE_INFO.stacks);
    expect(effects).toHaveBeenCalledTimes(24);
    const long = newRun(Array.from({ length: 80 }, () => "word").join(" "));
    expect(await read(long)).toEqual([true, false, true]);
  });

  it("of effects are no longer read once others are wanted", async () => {
    const run = newRun();
    const effects = vi.spyOn(run, "effects");
    const asked = { stack: "decoder", layer: 1, of: "effects", entry: null } as const;
    const isWanted = (): boolean => effects.mock.calls.length < 3;
    const reading = readEffects(run, asked, FAKE_INFO.stacks, isWanted);
    await expect(reading).rejects.toMatchObject({ code: "run/aborted" });
    expect(effects).toHaveBeenCalledTimes(3);
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
    vi.spyOn(FakeRun.prototype, "effects").mockResolvedValue(matrixOf(1, [-4]));
    session.update({ text: "other words" });
    await answered(session);
    expect(session.thumbnails?.data[0]).toBe(-4);
  });
});
