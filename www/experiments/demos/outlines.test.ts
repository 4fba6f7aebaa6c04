// @vitest-environment happy-dom
// What each demo shows of an answer, and what each of its controls changes. Sentences stand as
// their names and values. `npm run golden` writes the file; read the difference before you commit
// it.
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { GoldenSections } from "../../../tests/golden/golden.js";
import { FAKE_INFO, FakeModel } from "../../../tests/support/fake-model.js";
import { follow, WALK_MILLIS, walkOf } from "../../../tests/support/walk.js";
import { stubPainting } from "../../elements/testing/painted.js";
import { configure } from "../../session/models/home.js";
import { DEMOS } from "./testing/all.js";
import { ANSWERS, type Question } from "./testing/answers.js";
import { onPage, show, writer } from "./testing/demo.js";

vi.mock("../../i18n/index.js", async (original) => {
  const message = (key: string, values: Readonly<Record<string, unknown>> = {}): string => {
    const all = Object.entries(values).map(([name, value]) => `${name}=${String(value)}`);
    return all.length > 0 ? `${key}(${all.join(", ")})` : key;
  };
  type Message = typeof message;
  const laterMessage = (_: string, ...said: Parameters<Message>): string => message(...said);
  return { ...(await original<object>()), message, laterMessage };
});
vi.mock("../../headscope.js", async (original) => ({
  ...(await original<object>()),
  demoCore: () =>
    Promise.resolve({
      ask: (what: string, question: Question) => Promise.resolve(ANSWERS[what]?.(question)),
    }),
}));

/** What goes on in time: a demo that plays, and a file that is being written. */
const UNUSED = /play|export\.save/;

const file = new GoldenSections("demos.txt");
beforeAll(() => {
  stubPainting(600);
  configure({ home: "https://example.org/" });
});
afterEach(() => document.body.replaceChildren());
afterAll(() => file.end());

/** The demos of an answer that other tests give. */
const GIVEN = ["scores", "overflow", "pooled"];

it.each(
  DEMOS.filter(({ name }) => !GIVEN.includes(name)).map((demo) => [demo.name, demo] as const),
)(
  "%s: what is shown and changed is in the golden file",
  async (name, demo) => {
    const model = demo.work ? writer(1, { maxTokens: 8 }) : new FakeModel(FAKE_INFO);
    vi.useRealTimers();
    const element = await show(demo, demo.reads ? await onPage(model) : {});
    vi.useFakeTimers();
    const works = (): boolean => element.renderRoot.querySelector("#stop") !== null;
    const lines = await walkOf(element, element.explorer, () => follow(works), UNUSED);
    expect(lines).toEqual(file.textOf(name, lines.join("\n")).split("\n"));
  },
  WALK_MILLIS,
);
