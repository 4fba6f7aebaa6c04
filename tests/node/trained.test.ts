import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Model, RunInput } from "../../www/headscope.js";
import { expectAsReference } from "./compare.js";
import { loadModel, ROLES } from "./package.js";
import { type Sentence, trainedReference } from "./reference.js";

/** Loads a bundled model for the tests of a block. */
function bundled(name: string): () => Model {
  let model: Model | undefined;
  beforeAll(async () => {
    model = await loadModel(trainedReference(name).folder);
  });
  afterAll(() => model?.dispose());
  return () => {
    if (model === undefined) throw new Error(`${name} is not loaded`);
    return model;
  };
}

/** A sentence as a person gives it. */
function inputOf({ text, pair, hidden, target_ids: targetIds }: Sentence): RunInput {
  return {
    text,
    ...(pair !== undefined && { textPair: pair }),
    ...(hidden !== undefined && { hidden }),
    ...(targetIds !== undefined && { targetIds }),
  };
}

describe.each(["en-fr", "tiny-gpt", "tiny-bert"])("%s", (name) => {
  const { sentences, given, described, answers } = trainedReference(name);
  const model = bundled(name);

  it.each(sentences)("reads $text and computes what Hugging Face does", async (sentence) => {
    const run = await model().run(inputOf(sentence));
    expect(run.tokens.map(({ id }) => id)).toEqual(sentence.ids);
    expect(run.tokens.flatMap(({ hiddenId }) => hiddenId ?? [])).toEqual(sentence.hidden_ids ?? []);
    await expectAsReference(run, model(), sentence.name, answers, [sentence.logits_position]);
    run.release();
  });

  it.each(given)(
    "computes $name as Hugging Face does",
    async ({ ids, token_type_ids: types, target_ids: targetIds, edits, ...input }) => {
      const run = await model().run({
        ids,
        ...(types && { tokenTypeIds: types }),
        ...(targetIds && { targetIds }),
        ...(edits && { edits }),
      });
      await expectAsReference(run, model(), input.name, answers, [input.logits_position]);
      run.release();
    },
  );

  it("has notes, whose sentences its tokenizer reads as they were measured", () => {
    const { notes, notesProblem } = model();
    expect(notesProblem).toBeNull();
    expect(
      notes?.sentences.map(({ text }) =>
        model()
          .tokenize(text)
          .map(({ id }) => id),
      ),
    ).toEqual(described.map(({ ids }) => ids));
  });

  it("says of every head what it did on a text", async () => {
    const run = await model().run({ text: "The dog saw the cat, and the dog ran." });
    for (const stack of ["encoder", "decoder", "cross"] as const) {
      if (model().info.stacks[stack] === undefined) continue;
      const measured = await run.measures({ stack });
      for (const { layer, head, roles } of measured) {
        const known = model().notes?.roles[stack]?.[layer]?.[head];
        // What the notes leave open no text of the model can have.
        for (const { role } of ROLES)
          if (known?.[role] === null) expect(roles[role], role).toBeNull();
        expect(roles.rare).not.toBeNull();
      }
    }
    run.release();
  });
});

describe("the trained translator", () => {
  const { sentences } = trainedReference("en-fr");
  const loaded = bundled("en-fr");
  let model: Model;
  beforeAll(() => {
    model = loaded();
  });

  it.each(sentences)(
    "translates $text as Hugging Face does",
    async ({ text, target_ids: read = [], written = [] }) => {
      const run = await model.run({ text });
      expect(run.targetTokens.map(({ id }) => id)).toEqual(read);
      expect(run.targetText).toBe(model.decode(written));
      run.release();
    },
  );

  it("an abort gets through while it computes", async () => {
    const text = Array.from({ length: 60 }, () => "one two").join(" ");
    const controller = new AbortController();
    const run = model.run(
      { text },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(run).rejects.toMatchObject({ code: "run/aborted" });
    await expect(model.run({ text: "Hello!" })).resolves.toBeDefined();
  });

  it("generates token by token", async () => {
    const seen: number[] = [];
    for await (const { step, candidates } of model.generate({ text: "I like cats." })) {
      seen.push(step);
      expect(candidates.length).toBeGreaterThan(1);
    }
    expect(seen).toEqual(seen.map((_, step) => step));
    expect(seen.length).toBeGreaterThan(2);
  });

  it.each(["", "   ", "☃ 世界 🙂", "שלום עולם", "a\u0000b", "e".repeat(200)])(
    "translates %j without complaint",
    async (text) => {
      const run = await model.run({ text });
      expect(run.targetTokens[0]?.role).toBe("start");
      expect(run.targetText).not.toContain("\uFFFD");
    },
  );

  it("refuses 10,000 words with its limit, and then still translates", async () => {
    const text = Array.from({ length: 10_000 }, (_, word) => `word${word}`).join(" ");
    await expect(model.run({ text })).rejects.toMatchObject({
      code: "input/too-long",
      expected: expect.stringContaining(String(model.info.maxTokens)) as string,
    });
    await expect(model.run({ text: "Hello!" })).resolves.toBeDefined();
  });

  it("a target of one's own is read as written", async () => {
    const run = await model.run({ text: "I like it.", target: "J'aime ça." });
    expect(run.targetText).toBe("J'aime ça.");
    expect(run.targetTokens.map(({ role }) => role).indexOf("end")).toBe(-1);
  });

  it("silencing heads changes what it writes", async () => {
    const text = "The little black cat likes milk.";
    const plain = await model.run({ text });
    const silenced = await model.run({ text, edits: { heads: [{ stack: "cross", gate: 0 }] } });
    expect(silenced.targetText).not.toBe(plain.targetText);
  });
});

describe("the trained writer", () => {
  const { sentences } = trainedReference("tiny-gpt");
  const model = bundled("tiny-gpt");

  it.each(sentences)(
    "goes on with the beginning of $text as Hugging Face does",
    async ({ prompt_ids: ids = [], written = [] }) => {
      const seen: number[] = [];
      for await (const { chosen } of model().generate({ ids }, { maxTokens: written.length }))
        seen.push(chosen.id);
      // The engine stops where the text ends, the reference does not.
      expect(seen).toEqual(written.slice(0, seen.length));
      expect(seen.length === written.length || seen.at(-1) === model().info.endToken).toBe(true);
    },
  );
});

describe("the trained reader", () => {
  const { sentences } = trainedReference("tiny-bert");
  const model = bundled("tiny-bert");

  it("fills most gaps with words that fit better than chance", async () => {
    const ranks = await Promise.all(
      sentences.map(async ({ text, pair, hidden = [], hidden_ids: [truth] = [] }) => {
        const run = await model().run({
          text,
          ...(pair !== undefined && { textPair: pair }),
          hidden,
        });
        const [guesses = []] = await run.predictions({ positions: hidden, topK: 100 });
        return guesses.findIndex(({ id }) => id === truth);
      }),
    );
    expect(ranks.filter((rank) => rank >= 0).length).toBeGreaterThan(sentences.length / 2);
  });
});
