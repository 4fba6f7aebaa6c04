import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadscopeError } from "../engine/errors.js";
import {
  checkSettings,
  decodeSettings,
  editsOf,
  encodeSettings,
  problemOf,
  type TrainingSettings,
  usualSettings,
} from "./settings.js";
import { TASKS, type TaskName } from "./tasks/index.js";

const NAMES = Object.keys(TASKS) as TaskName[];
const changed = (settings: Partial<TrainingSettings>): TrainingSettings => ({
  ...usualSettings("copy"),
  ...settings,
});

function failure(act: () => unknown): HeadscopeError {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof HeadscopeError) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

describe("the settings of a training", () => {
  it.each(NAMES)("of the task %s are right as they usually are", (task) => {
    expect(problemOf(usualSettings(task))).toBeNull();
    expect(encodeSettings(usualSettings(task))).toBe(task);
  });

  it("are the same after a link, whose text no address changes", () => {
    const some = record({
      layers: integer({ min: 1, max: 4 }),
      width: constantFrom(16, 96, 128),
      heads: constantFrom(1, 8),
      positions: constantFrom("learned", "none"),
      place: constantFrom("pre", "post"),
      residuals: constantFrom(true, false),
      learningRate: constantFrom(1e-6, 0.003, 1.5),
      epsilon: constantFrom(1e-12, 1e-8),
      clip: constantFrom(null, 0.5),
      steps: integer({ min: 50, max: 9999 }),
    });
    assert(
      property(array(some, { maxLength: 2 }), (changes) => {
        const settings = changed(Object.assign({}, ...changes) as Partial<TrainingSettings>);
        const text = encodeSettings(settings);
        expect(decodeSettings(text)).toEqual(settings);
        expect(new URLSearchParams({ training: text }).toString()).toBe(`training=${text}`);
      }),
    );
  });

  it.each([
    ["sort it_layers.2"],
    ["copy_depth.2"],
    ["copy_layers"],
    ["copy_task.copy"],
    ["copy_toString.1"],
    [""],
  ])("in the link %j are refused", (text) => {
    expect(failure(() => decodeSettings(text)).code).toBe("training/bad-link");
  });

  it.each([
    ["copy_layers.5", "layers"],
    ["copy_layers.", "layers"],
    ["copy_layers.1.5", "layers"],
    ["copy_width.20", "width"],
    ["copy_scale.1", "scale"],
    ["copy_clip.off", "clip"],
    ["copy_learningRate.NaN", "learningRate"],
    ["copy_length.2", "length"],
    ["induction_length.64", "length"],
  ])("in the link %s have a value that is refused", (text, name) => {
    const { code, expected } = failure(() => decodeSettings(text));
    expect([code, expected]).toEqual(["training/bad-setting", expect.stringContaining(name)]);
  });

  it.each([
    [{ task: "induction", length: 32, kind: "encoder" }, "kind"],
    [{ kind: "encoder", mask: false }, "mask"],
    [{ warmUp: 9, steps: 8 }, "warmUp"],
    [{ positions: "rotary", place: "post" }, "positions"],
    [{ positions: "rotary", kind: "encoder" }, "positions"],
    [{ positions: "rotary", kind: "encoder-decoder" }, "positions"],
    [{ norm: "rms" }, "positions"],
    [{ norm: "rms", positions: "rotary", place: "post" }, "positions"],
    [{ norm: "rms", positions: "rotary", kind: "encoder-decoder" }, "positions"],
  ] as [Partial<TrainingSettings>, string][])("%o contradict each other", (settings, name) => {
    const { code } = failure(() => checkSettings(changed(settings)));
    expect([code, problemOf(changed(settings))?.setting]).toEqual(["training/contradiction", name]);
  });

  it("become edits where no config says them", () => {
    expect(editsOf(changed({}), 3)).toEqual({});
    const off = changed({ scale: false, mask: false, residuals: false, positions: "none" });
    expect(editsOf(off)).toEqual({
      masks: [{ stack: "decoder", preset: { kind: "none" }, mode: "replace" }],
      blocks: [{ residual: false }],
      attention: [{ scale: "none" }],
      positions: [{ scheme: "none" }],
    });
  });

  it("drop other weights in each step, and none in a trained model", () => {
    const drops = changed({ dropout: 0.1, seed: 2 ** 31 - 1 });
    const [first, second] = [0, 1].map((step) => editsOf(drops, step).attention?.[0]?.dropout);
    expect(first?.rate).toBe(0.1);
    expect(first?.seed).not.toBe(second?.seed);
    expect(Number.isSafeInteger(first?.seed)).toBe(true);
    expect(editsOf(drops)).toEqual({});
  });
});
