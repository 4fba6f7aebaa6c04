// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
} from "../../../tests/support/fake-model.js";
import type { Edits } from "../../data/index.js";
import { editLists } from "../../state/index.js";
import type { Session } from "../session.js";
import { answered, sessionOf } from "../testing/session.js";
import { givenOf, GrowingText, PRESS_TOKENS, tokensPerSecond } from "./pen.js";

const HEAD_OFF: Edits = { heads: [{ stack: "decoder", layers: [0], heads: [0], gate: 0 }] };

async function writer(text = "one two"): Promise<{ session: Session; model: FakeModel }> {
  const model = new FakeModel(FAKE_WRITER);
  // Slow enough to be stopped before the end.
  model.pauseMillis = 10;
  return { model, session: await sessionOf({ model: "models/tiny-gpt", text }, model) };
}

function goOn(session: Session): { pen: GrowingText; done: Promise<void> } {
  const given = givenOf(session);
  if (!given) throw new Error("nothing to go on with");
  const pen = new GrowingText(session.store, given);
  return { pen, done: session.computation.write(session.state, pen) };
}

/** Waits until so many tokens of a text are in the State. */
async function tokensIn(session: Session, count: number): Promise<void> {
  while (session.state.text.split(" ").length < count + 2)
    await new Promise((resolve) => setTimeout(resolve, 1));
}

describe("a text that the model goes on with", () => {
  it("grows by the tokens of one press, and one step takes them back", async () => {
    const { session, model } = await writer();
    const { pen, done } = goOn(session);
    await done;
    await answered(session);
    expect(session.state.text).toBe(`one two and so on${" and so on".repeat(5)} and so`);
    expect([pen.count, pen.ended, session.computation.pen]).toEqual([PRESS_TOKENS, false, null]);
    // The text is read again as if it were typed.
    expect(model.inputs.at(-1)).toEqual({ text: session.state.text });
    session.store.undo();
    expect(session.state.text).toBe("one two");
    expect(session.store.undoes).toBeNull();
  });

  it("is written by the settings of the State", async () => {
    const { session, model } = await writer();
    session.update({ sampling: { seed: 7, temperature: 0.5, top_k: 0, top_p: 1, min_p: 0 } });
    await answered(session);
    const { done } = goOn(session);
    await done;
    const asked = model.inputs.find(({ generate }) => generate !== undefined);
    const drawn = { do_sample: true, seed: 7, temperature: 0.5, max_new_tokens: PRESS_TOKENS };
    expect(asked?.generate).toMatchObject(drawn);
    await answered(session);
  });

  it("stays as it is when it is stopped, and is read", async () => {
    const { session, model } = await writer();
    const { done } = goOn(session);
    await tokensIn(session, 2);
    session.command("stop-run");
    await done;
    await answered(session);
    const { text } = session.state;
    expect(text.startsWith("one two and so")).toBe(true);
    expect(text.split(" ").length).toBeLessThan(PRESS_TOKENS);
    expect(model.inputs.at(-1)).toEqual({ text });
    expect([session.computation.pen, session.computation.stopped]).toEqual([null, false]);
  });

  it("goes on with an edit that is made meanwhile", async () => {
    const { session, model } = await writer();
    goOn(session);
    await tokensIn(session, 2);
    session.update({ edits: editLists(HEAD_OFF) });
    await answered(session);
    const [first, second] = model.inputs.filter(({ generate }) => generate !== undefined);
    const left = second?.generate?.max_new_tokens ?? 0;
    expect([first?.edits, second?.edits]).toEqual([undefined, HEAD_OFF]);
    expect(second?.text?.split(" ").length).toBe(2 + PRESS_TOKENS - left);
    expect(session.state.text.split(" ").length).toBe(2 + PRESS_TOKENS);
  });

  it("writes tokens anew that an edit met before they were in the text", async () => {
    const { session, model } = await writer();
    const given = givenOf(session);
    if (!given) throw new Error("nothing to go on with");
    const pen = new GrowingText(session.store, given);
    const { onToken } = pen.begin(session.state);
    for await (const event of model.generate({ text: "one two" })) {
      onToken?.(event);
      if (event.step < 2) pen.take();
    }
    expect(session.state.text).toBe("one two and so");
    expect(pen.begin(session.state).generate?.max_new_tokens).toBe(PRESS_TOKENS - 2);
  });

  it("ends where another text is typed", async () => {
    const { session } = await writer();
    goOn(session);
    await tokensIn(session, 1);
    session.update({ text: "three" });
    await answered(session);
    expect([session.state.text, session.computation.pen]).toEqual(["three", null]);
    expect(session.computation.run?.tokens.length).toBe(2);
  });
});

it("only a decoder's text, or the user's own translation, is gone on with", async () => {
  const given = async (info: typeof FAKE_INFO, target: string | null): Promise<unknown> => {
    const model = info === FAKE_WRITER ? "models/tiny-gpt" : "models/en-fr";
    const session = await sessionOf({ model, text: "one two", target }, new FakeModel(info));
    const { side, room } = givenOf(session) ?? {};
    return [side, room];
  };
  expect(await given(FAKE_WRITER, null)).toEqual(["text", FAKE_INFO.maxTokens - 3]);
  expect(await given(FAKE_INFO, "un")).toEqual(["target", FAKE_INFO.maxTokens - 2]);
  expect(await given(FAKE_INFO, null)).toEqual([undefined, undefined]);
  expect(await given(FAKE_READER, null)).toEqual([undefined, undefined]);
});

it("the speed is counted from the first token to the last", () => {
  expect(tokensPerSecond([])).toBeNull();
  expect(tokensPerSecond([5])).toBeNull();
  expect(tokensPerSecond([1000, 1500, 3000])).toBe(1);
});
