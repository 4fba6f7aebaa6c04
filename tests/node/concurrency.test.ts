import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Model, Token } from "../../www/headscope.js";
import { latest, loadModel } from "./package.js";
import { caseNamed, folderOf } from "./reference.js";

const {
  ids,
  read_ids: read = [],
  generated = [],
} = caseNamed("marian-tiny", "written-to-the-limit");
const idsOf = (tokens: Token[]): number[] => tokens.map(({ id }) => id);

describe("several things at once", () => {
  let model: Model;
  beforeEach(async () => {
    model = await loadModel(folderOf("marian-tiny"));
  });
  afterEach(() => model.dispose());

  it("two runs of one model do not disturb each other", async () => {
    const other = caseNamed("marian-tiny", "written-to-the-end-token");
    const [first, second] = await Promise.all([model.run({ ids }), model.run({ ids: other.ids })]);
    expect([idsOf(first.tokens), idsOf(second.tokens)]).toEqual([ids, other.ids]);
    // The first one stops for want of positions: what it wrote last is still read.
    expect([idsOf(first.targetTokens), idsOf(second.targetTokens)]).toEqual([
      [read[0], ...generated],
      other.read_ids,
    ]);
  });

  it("of 200 keystrokes the last is answered, with its own ids", async () => {
    const run = latest((signal, last: number) => model.run({ ids: [...ids, last] }, { signal }));
    const answers = await Promise.all(Array.from({ length: 200 }, (_, key) => run(key % 60)));
    expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true);
    expect(answers.at(-1)?.tokens.at(-1)?.id).toBe(199 % 60);
  });

  it("disposing while a run is computed rejects it and all that follows", async () => {
    const run = model.run({ ids });
    model.dispose();
    await expect(run).rejects.toMatchObject({ code: "engine/disposed" });
    await expect(model.run({ ids })).rejects.toMatchObject({ code: "engine/disposed" });
  });

  it("loading can be stopped", async () => {
    const loading = loadModel(folderOf("marian-tiny"), { signal: AbortSignal.abort() });
    await expect(loading).rejects.toMatchObject({ code: "load/aborted" });
  });
});
