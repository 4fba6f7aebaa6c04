// What a model gives for an input without its edits, and the text that tokens add behind others.
import { expect, it, vi } from "vitest";
import {
  failed,
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { GenerateOptions, RunInput } from "../../headscope.js";
import { additionsTo, uneditedOutput } from "./continuation.js";

const { signal } = new AbortController();
const EDITED = {
  edits: { heads: [{ stack: "encoder", layers: [0], gate: 0 }] },
  lenient: true,
  specialTokens: false,
} as const satisfies RunInput;
const unedited = (model: FakeModel, input: RunInput): Promise<string | null> =>
  uneditedOutput(model, input, { top_k: 3 }, signal);

it("an input without its edits keeps all else, and its run is not held", async () => {
  const translator = new FakeModel(FAKE_INFO);
  const generate = { num_beams: 2 };
  expect(await unedited(translator, { ...EDITED, text: "one two", generate })).toBe("TWO ONE");
  expect(translator.inputs).toEqual([{ text: "one two", specialTokens: false, generate }]);
  const reader = new FakeModel(FAKE_READER);
  await unedited(reader, { ...EDITED, text: "one two", masked: [1] });
  expect(reader.inputs).toEqual([{ text: "one two", specialTokens: false, masked: [1] }]);
  expect([translator.held.size, reader.held.size]).toEqual([0, 0]);
});

it("of a decoder it is the whole continuation, by the settings of the page", async () => {
  const model = new FakeModel(FAKE_WRITER);
  const asked = vi.spyOn(model, "generate");
  const written = " and so on and so on and so on and so on";
  expect(await unedited(model, { ...EDITED, text: "one" })).toBe(written);
  const [input, settings] = asked.mock.calls[0] as [RunInput, GenerateOptions];
  expect(input).toEqual({ text: "one", specialTokens: false });
  expect(settings).toEqual({ top_k: 3, max_new_tokens: 12, signal });
});

it("there is none of a text that only edited positions can take; other failures are thrown", async () => {
  const model = new FakeModel(FAKE_INFO);
  expect(await unedited(model, { ...EDITED, text: "word ".repeat(90) })).toBeNull();
  model.failing = failed("engine/crashed");
  await expect(unedited(model, { text: "one" })).rejects.toMatchObject({ code: "engine/crashed" });
});

it("tokens add what they read as behind the text, alone where the text before would change", () => {
  const words = ["", "don", " '", "t"];
  // As tokenizers do that clean up spaces: the space before the apostrophe is removed.
  const decode = (ids: readonly number[]): string =>
    ids
      .map((id) => words[id])
      .join("")
      .replace(" 't", "'t");
  expect(additionsTo({ decode }, [1])([2], false)).toBe(" '");
  expect(additionsTo({ decode }, [1, 2])([3], false)).toBe("t");
});
