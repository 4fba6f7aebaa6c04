import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FakeModel, FAKE_WRITER } from "../../../tests/support/fake-model.js";
import { ModelTokenizer } from "../../engine/tokenizer/tokenizer.js";
import type { DecodeOptions, GenerationEvent, Token } from "../../headscope.js";
import { goOn, type Continuation } from "./continuation.js";

const TOKENIZER = new ModelTokenizer(
  readFileSync(new URL("../../../models/tiny-gpt/tokenizer.json", import.meta.url), "utf8"),
);

const idsOf = (text: string): number[] =>
  TOKENIZER.encode(text, null)
    .tokens.filter(({ special }) => !special)
    .map(({ id }) => id);

/** Reads and spells as the bundled writer does, and writes what it is given. */
class Scribe extends FakeModel {
  constructor(
    private readonly writes: readonly number[],
    private readonly offers: readonly number[] = [],
  ) {
    super(FAKE_WRITER);
  }

  override tokenize(text: string): Token[] {
    return TOKENIZER.encode(text, null).tokens;
  }

  override decode(ids: number[], options?: DecodeOptions): string {
    return TOKENIZER.decode(ids, options);
  }

  override async *generate(): AsyncIterable<GenerationEvent> {
    for (const [step, id] of this.writes.entries()) {
      const candidates = [id, ...this.offers].map((one) => ({
        id: one,
        text: TOKENIZER.text(one),
        logit: 0,
        probability: 0.1,
      }));
      await Promise.resolve();
      yield {
        step,
        candidates,
        chosen: { id, text: TOKENIZER.text(id), logit: 0, probability: 0.1 },
        probability: 0.1,
      };
    }
  }
}

async function follow(model: Scribe, text: string): Promise<Continuation[]> {
  const seen: Continuation[] = [];
  await goOn(model, { text }, new AbortController().signal, (continuation) =>
    seen.push(continuation),
  );
  return seen;
}

describe("how a model goes on", () => {
  it("names the bytes of a character until it is whole", async () => {
    const smile = idsOf("🙂").slice(-4);
    expect(smile.map((id) => TOKENIZER.text(id))).toEqual(["⟨F0⟩", "⟨9F⟩", "⟨99⟩", "⟨82⟩"]);
    const seen = await follow(new Scribe(smile), "The dog");
    expect(seen.map(({ written }) => written)).toEqual(["⟨F0⟩", "⟨F0⟩⟨9F⟩", "⟨F0⟩⟨9F⟩⟨99⟩", "🙂"]);
  });

  it("offers a part of a character as nothing that can be added", async () => {
    const [dog = NaN] = idsOf(" dog");
    const [, half = NaN] = idsOf("🙂").slice(-4);
    const [{ candidates } = { candidates: [] }] = await follow(new Scribe([dog], [half]), "The 🙂");
    expect(candidates.map(({ addition }) => addition)).toEqual([" dog", null]);
  });

  it("keeps a replacement character that was typed or is written in full", async () => {
    const seen = await follow(new Scribe(idsOf("\uFFFD").slice(-3)), "A \uFFFD");
    expect(seen.map(({ written }) => written)).toEqual(["⟨EF⟩", "⟨EF⟩⟨BF⟩", "\uFFFD"]);
    const [{ candidates } = { candidates: [] }] = await follow(
      new Scribe(idsOf(" dog")),
      "A \uFFFD",
    );
    expect(candidates[0]?.addition).toBe(" dog");
  });

  it("offers a sign after a space as it is, beside a replacement character that was typed, and writes it alike while bytes are pending", async () => {
    const sign = idsOf("A .").slice(idsOf("A").length);
    const seen = await follow(new Scribe([...sign, ...idsOf("🙂").slice(-4)]), "A \uFFFD");
    expect(seen[0]?.candidates[0]?.addition).toBe(TOKENIZER.decode(sign.slice(0, 1)));
    expect(seen.at(sign.length)?.written).toBe(" .⟨F0⟩");
    expect(seen.at(-1)?.written).toBe(" .🙂");
  });
});
