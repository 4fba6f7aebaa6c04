// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { FAKE_WRITER, FakeModel } from "../../tests/support/fake-model.js";
import { HeadscopeError } from "../headscope.js";
import { loadSentences } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { answered, sessionOf, show } from "../session/testing/session.js";
import { words } from "../ui/testing/controls.js";
import { HeadscopeHeadCircuits } from "./head-circuits.js";

let session: Session | null = null;
beforeAll(() => loadSentences("circuits"));
afterEach(() => {
  document.body.replaceChildren();
  session?.end();
  session = null;
  vi.restoreAllMocks();
});

async function live(model: FakeModel): Promise<HeadscopeHeadCircuits> {
  session = await sessionOf({ model: "models/tiny-gpt", text: "one two", stack: "decoder" }, model);
  const part = new HeadscopeHeadCircuits();
  await show(part, session);
  await settled(part);
  return part;
}

async function settled(part: HeadscopeHeadCircuits): Promise<void> {
  await answered(part.session);
  await vi.waitFor(() => expect(words(part.renderRoot)).not.toMatch(/^Reading/));
  await part.updateComplete;
}

const all = (part: HeadscopeHeadCircuits, selector: string): string[] =>
  [...part.renderRoot.querySelectorAll(selector)].map((one) => words(one));

it("are the scores of the chosen head, and those of another once that is chosen", async () => {
  const model = new FakeModel({ ...FAKE_WRITER, vocabSize: 2000 });
  const part = await live(model);
  expect(all(part, "[data-circuit]")).toEqual([
    "0.500",
    "0.250",
    "0.750",
    "0.800, through layer 1 · head 2 (0.900)",
  ]);
  expect(all(part, "li")).toEqual(Array(2).fill("two → three 1.500"));
  const asked = vi.spyOn(model, "circuits").mockResolvedValue({
    ...(await model.circuits()),
    copying: null,
    tokenCopying: null,
    previousToken: null,
    induction: null,
  });
  part.session.update({ layer: 1, head: 2 });
  await vi.waitFor(() =>
    expect(asked).toHaveBeenCalledWith({ stack: "decoder", layer: 1, head: 2 }),
  );
  await vi.waitFor(() =>
    expect(all(part, "[data-circuit]")).toEqual(Array(4).fill("not defined here")),
  );
});

it("name the size of a vocabulary that is too large, and why a head has no pairs", async () => {
  const refuse = (code: string): HeadscopeError =>
    new HeadscopeError({ code, message: "", doing: "", expected: "", got: "" });
  const large = new FakeModel({ ...FAKE_WRITER, vocabSize: 50_257 });
  large.tokenPairs = () => Promise.reject(refuse("selection/too-large"));
  expect(all(await live(large), "p")).toEqual([
    "Pairs of tokens are listed for at most 8,192 entries; this vocabulary has 50,257.",
  ]);
  session?.end();
  const cross = new FakeModel({ ...FAKE_WRITER, vocabSize: 2000 });
  cross.tokenPairs = () => Promise.reject(refuse("selection/bad-stack"));
  expect(all(await live(cross), "p")).toEqual([
    "This head does not read or predict tokens directly.",
  ]);
});
