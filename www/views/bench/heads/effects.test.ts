import { describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../../tests/support/fake-model.js";
import type { HeadRef } from "../../../data/index.js";
import type { Run, RunInput, RunOptions } from "../../../headscope.js";
import { askable, headsInTurn, measureEffects, ranked, type Effect } from "./effects.js";

const HELPFUL: HeadRef = { stack: "cross", layer: 2, head: 3 };

/** The word loses a nat's worth of logit without one head. */
class Planted extends FakeModel {
  override async run(input: RunInput, options: RunOptions = {}): Promise<Run> {
    const run = await super.run({ text: "one two", ...input }, options);
    const silent = input.edits?.heads?.some(
      ({ stack, layers, heads, gate }) =>
        stack === HELPFUL.stack &&
        layers?.[0] === HELPFUL.layer &&
        heads?.[0] === HELPFUL.head &&
        gate === 0,
    );
    run.logits = () =>
      Promise.resolve({
        data: Float32Array.from({ length: 10 }, (_, id) => (id === 2 ? (silent ? 1 : 3) : 0)),
        shape: [1, 10],
        axes: ["position", "vocabulary"],
      });
    return run;
  }
}

describe("what heads do for a word", () => {
  it("is asked of words that are predicted, of hidden ones, and of an encoder's states", async () => {
    const translated = await new FakeModel().run({ text: "one two" });
    expect(askable(translated, FAKE_INFO).map(({ kind, position }) => [kind, position])).toEqual([
      ["share", 0],
      ["share", 1],
    ]);
    const written = await new FakeModel(FAKE_WRITER).run({ text: "one two" });
    expect(askable(written, FAKE_WRITER).map(({ kind, token }) => [kind, token.text])).toEqual([
      ["share", "two"],
      ["share", "</s>"],
    ]);
    const read = await new FakeModel(FAKE_READER).run({ text: "one two", hidden: [1] });
    expect(askable(read, FAKE_READER).map(({ kind, token }) => [kind, token.text])).toEqual([
      ["state", "one"],
      ["share", "two"],
      ["state", "</s>"],
    ]);
  });

  it("is measured head by head, on the very same tokens, and ranks the one that counts first", async () => {
    const model = new Planted();
    const run = await model.run({ text: "one two" });
    const asked = askable(run, model.info)[0];
    if (asked?.kind !== "share") throw new Error("no word");
    const effects: Effect[] = [];
    await measureEffects(
      { model, run, edits: { heads: [{ stack: "encoder", gate: 2 }] } },
      { ...asked, id: 2 },
      headsInTurn(model.info),
      { signal: new AbortController().signal, tell: (effect) => effects.push(effect) },
    );
    expect(effects).toHaveLength(72);
    const [first, second] = ranked(effects);
    expect(first?.head).toEqual(HELPFUL);
    const share = (logit: number): number => Math.exp(logit) / (Math.exp(logit) + 9);
    expect(first?.value).toBeCloseTo(Math.log(share(1)) - Math.log(share(3)), 6);
    expect(second?.value).toBe(0);
    // The reader's edits stay, and so do the tokens.
    const last = model.inputs.at(-1);
    expect(last?.ids).toEqual(run.tokens.map(({ id }) => id));
    expect(last?.targetIds).toEqual(run.targetTokens.map(({ id }) => id));
    expect(last?.edits?.heads?.[0]).toEqual({ stack: "encoder", gate: 2 });
    expect(model.held.size).toBe(1);
  });

  it("begins with the heads before which most can be taken over, and stops when it is told to", async () => {
    expect(
      headsInTurn(FAKE_INFO)
        .map(({ stack, layer }) => `${stack} ${layer}`)
        .filter((name, at, all) => name !== all[at - 1]),
    ).toEqual([
      "decoder 2",
      "cross 2",
      "decoder 1",
      "cross 1",
      "decoder 0",
      "cross 0",
      "encoder 2",
      "encoder 1",
      "encoder 0",
    ]);
    const model = new Planted();
    const run = await model.run({ text: "one two" });
    const asked = askable(run, model.info)[0];
    const running = new AbortController();
    const effects: Effect[] = [];
    const measured =
      asked &&
      measureEffects({ model, run, edits: {} }, asked, headsInTurn(model.info), {
        signal: running.signal,
        tell: (effect) => {
          effects.push(effect);
          if (effects.length === 3) running.abort();
        },
      });
    await expect(measured).rejects.toMatchObject({ code: "run/aborted" });
    expect(effects).toHaveLength(3);
  });
});
