// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_WRITER, FakeModel } from "../../../tests/support/fake-model.js";
import type { BeamBranch, BeamEvent } from "../../data/index.js";
import { stubRoom, textsOf } from "../../elements/testing/mount.js";
import type { GenerateOptions, RunInput } from "../../headscope.js";
import { loadSentences, message } from "../../i18n/index.js";
import type { HeadscopeBeamTree } from "../../kit/beam-figure.js";
import { sessionOf, show } from "../../session/testing/session.js";
import type { Session } from "../../session/session.js";
import { HeadscopeBeamSearch } from "./beam-search.js";

const branch = (
  id: number,
  parent: number | null,
  sum: number,
  fate: BeamBranch["fate"],
): BeamBranch => {
  const token = { id: id + 2, text: `t${id}`, logit: 1, probability: 0.5 };
  return { id, parent, token, logProbability: -0.5, sum, fate };
};

/** A model whose search has two steps of two beams, and two complete texts. */
class SearchingModel extends FakeModel {
  readonly searches: GenerateOptions[] = [];

  override async *generate(
    input: RunInput,
    { signal: _signal, ...options }: GenerateOptions = {},
  ): AsyncGenerator<never> {
    if (options.num_beams === undefined) {
      for await (const event of super.generate(input, options)) yield event as never;
      return;
    }
    this.searches.push(options);
    await Promise.resolve();
    const first = [branch(0, null, -0.5, "kept"), branch(1, null, -0.75, "kept")];
    const second = [branch(2, 1, -1, "finished"), branch(3, 0, -1.25, "finished")];
    const events: BeamEvent[] = [
      { kind: "expand", step: 0, branches: [...first, branch(4, null, -2, "dropped")] },
      { kind: "expand", step: 1, branches: second },
      {
        kind: "finish",
        hypotheses: [
          { branch: 3, ids: [2, 5], text: "zero three", sum: -1.25, score: -0.5, rankBySum: 1 },
          { branch: 2, ids: [3, 4], text: "one two", sum: -1, score: -0.6, rankBySum: 0 },
        ],
      },
    ];
    for (const event of events) yield event as never;
  }
}

interface Opened {
  session: Session;
  model: SearchingModel;
  element: HeadscopeBeamSearch;
  tree: () => HeadscopeBeamTree | null;
}

async function opened(info = FAKE_WRITER, demos: string | null = null): Promise<Opened> {
  const model = new SearchingModel(info);
  const name = info === FAKE_WRITER ? "models/tiny-gpt" : "models/en-fr";
  const session = await sessionOf({ model: name, text: "one two", demos }, model);
  const element = Object.assign(new HeadscopeBeamSearch(), { model });
  await show(element, session);
  const tree = (): HeadscopeBeamTree | null =>
    element.renderRoot.querySelector("headscope-beam-tree");
  await vi.waitFor(() => expect(tree()).not.toBeNull(), { timeout: 4000 });
  return { session, model, element, tree };
}

beforeAll(() => loadSentences("beams", "writing", "experiments", "export"));
beforeEach(() => stubRoom());
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const bars = (element: HeadscopeBeamSearch): readonly string[] =>
  [...element.renderRoot.querySelectorAll("headscope-bars")].flatMap(({ items }) =>
    items.map(({ label }) => label),
  );

it("searches with the settings of the link, and shows the best text's branch", async () => {
  const { element, model, tree } = await opened(
    FAKE_WRITER,
    "beams(beams-2,penalty--0.5,early-true,tokens-2)",
  );
  expect(model.searches.filter((one) => one.num_beams !== undefined)).toEqual([
    { num_beams: 2, length_penalty: -0.5, early_stopping: true, max_new_tokens: 2 },
  ]);
  expect(tree()?.chosen).toBe(3);
  expect(tree()?.tree?.branches.size).toBe(5);
  const rows = textsOf(element, "tr").map((row) => row.replace(/\s+/g, " ").trim());
  expect(rows.slice(1)).toEqual([
    "1 2 zero three −0.5000 −1.250 2",
    "2 1 one two −0.6000 −1.000 2",
  ]);
  // The token of step 2 was chosen where the token of step 1 stands.
  await vi.waitFor(() => expect(bars(element)).not.toHaveLength(0));
  expect(model.inputs.at(-1)).toMatchObject({ ids: [2, 3, 1, 2] });
});

it("says what one beam writes, and gives both texts to the card of a question", async () => {
  const { session, element } = await opened(FAKE_WRITER, "beams(tokens-2)");
  const words = message("beams.greedy", { text: "and so", sum: "−1.386" });
  expect(element.renderRoot.textContent).toContain(words);
  expect(session.demoAnswers.get("beams")).toBeUndefined();
  session.update({ tour: "beams" });
  element.requestUpdate();
  await element.updateComplete;
  expect(session.demoAnswers.get("beams")?.map(({ value, beside }) => [value, beside])).toEqual([
    ["and so", "zero three"],
    ["zero three", "and so"],
  ]);
});

it("a branch is chosen by its key or in the ranking, and is in the State", async () => {
  const { session, element, tree } = await opened();
  const canvas = tree()?.renderRoot.querySelector("canvas");
  canvas?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
  expect(session.state.demos).toBe("beams(branch-1)");
  await element.updateComplete;
  expect(element.renderRoot.textContent).toContain(message("beams.fate.kept"));
  element.renderRoot.querySelectorAll<HTMLButtonElement>("button.link")[1]?.click();
  expect(session.state.demos).toBe("beams(branch-3)");
  // Another search has other branches.
  const beams = element.renderRoot.querySelector<HTMLInputElement>("#beams");
  if (beams) beams.value = "4";
  beams?.dispatchEvent(new Event("change"));
  expect(session.state.demos).toBe("beams(beams-4)");
});

it("of a translator one beam writes in the language of its decoder", async () => {
  const decoded = vi.spyOn(SearchingModel.prototype, "decode").mockReturnValue(" deux mots ");
  const { element } = await opened(FAKE_INFO, "beams(tokens-3)");
  const words = message("beams.greedy", { text: "deux mots", sum: "−2.079" });
  expect(element.renderRoot.textContent).toContain(words);
  expect(decoded).toHaveBeenCalledWith([1000, 1001, 1002], { target: true });
  decoded.mockRestore();
});

it("in a translator a branch looks at the sentence, by its own run", async () => {
  const { element, model } = await opened(FAKE_INFO, "beams(branch-4)");
  await vi.waitFor(() => expect(bars(element).length).toBeGreaterThan(0));
  const { startToken } = FAKE_INFO;
  expect(model.inputs.at(-1)).toMatchObject({ text: "one two", targetIds: [startToken, 2] });
  expect(bars(element)).toEqual(
    model.tokenize("one two").map(({ text }) => (text === "</s>" ? "end" : text)),
  );
});
