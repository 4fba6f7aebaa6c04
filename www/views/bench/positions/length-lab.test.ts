// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { ModelNotes } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError } from "../../../headscope.js";
import { loadSentences, setLanguage } from "../../../i18n/index.js";
import { HeadscopeLengthLab } from "./length-lab.js";
import { verdictOf } from "./length-verdict.js";

const NOTES: ModelNotes = { version: 1, heldOut: { sentences: 30, seed: 1, note: "" }, roles: {}, unigrams: [], sentences: Array.from({ length: 30 }, () => ({ text: "one two three four", targets: ["a b c"] })) };

async function lab(model: FakeModel): Promise<HeadscopeLengthLab> {
  await loadSentences("bench");
  return mount(new HeadscopeLengthLab(), { model });
}

function writer(maxTokens = 16): FakeModel {
  const model = new FakeModel({ ...FAKE_WRITER, maxTokens });
  model.notes = NOTES;
  return model;
}

const texts = (element: HeadscopeLengthLab, selector: string): string[] => [...element.renderRoot.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
const click = async (element: HeadscopeLengthLab, selector: string): Promise<void> => {
  element.renderRoot.querySelector<HTMLElement>(selector)?.click();
  await element.updateComplete;
};

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-length-lab>", () => {
  it("reads nothing before it is asked, then every scheme that is chosen, and gives back its runs", async () => {
    const model = writer();
    const element = await lab(model);
    expect(model.inputs).toHaveLength(0);
    expect(texts(element, "#go")).toEqual(["Read under 5 schemes"]);
    await click(element, "[data-scheme=sinusoidal]");
    await click(element, "[data-scheme=t5]");
    await click(element, "#go");
    expect(element.renderRoot.querySelector("progress")).not.toBeNull();
    await expect.poll(() => texts(element, "tbody th"), { timeout: 5000 }).toEqual(["the model’s own, begun anew", "the model’s own", "none", "rotary", "ALiBi", "T5 buckets"]);
    await expect.poll(() => element.renderRoot.querySelector("#go")).not.toBeNull();
    expect(texts(element, ".verdict")[0]).toContain("Beyond 16 tokens");
    expect(model.held.size).toBe(0);
  });

  it("keeps what was read when it is stopped", async () => {
    const model = writer();
    const element = await lab(model);
    await click(element, "#go");
    await expect.poll(() => element.renderRoot.querySelectorAll("tbody tr").length).toBeGreaterThan(0);
    await click(element, "#stop");
    expect(element.renderRoot.querySelector("#go")).not.toBeNull();
    expect(element.renderRoot.querySelectorAll("tbody tr").length).toBeGreaterThan(0);
    await expect.poll(() => model.held.size).toBe(0);
  });

  it("takes a text of the reader's own", async () => {
    const model = writer();
    const element = await lab(model);
    const select = element.renderRoot.querySelector<HTMLSelectElement>("#text");
    if (!select) throw new Error("no choice of text");
    select.value = "own";
    select.dispatchEvent(new Event("change"));
    await element.updateComplete;
    expect(element.renderRoot.querySelector<HTMLButtonElement>("#go")?.disabled).toBe(true);
    const area = element.renderRoot.querySelector("textarea");
    if (!area) throw new Error("nothing to write into");
    area.value = "five six seven";
    area.dispatchEvent(new Event("change"));
    await element.updateComplete;
    await click(element, "#go");
    await expect.poll(() => element.renderRoot.querySelector("[data-line=alibi] td")?.textContent).toBe("3");
  });

  it("says in the page's language why it failed", async () => {
    const model = writer();
    const element = await lab(model);
    model.failing = new HeadscopeError({ code: "edit/unsupported", message: "the engine's own sentence", doing: "", expected: "", got: "" });
    await click(element, "#go");
    await expect.poll(() => texts(element, ".failed")[0]).toContain("This could not be measured.");
    expect(texts(element, ".failed")[0]).not.toContain("own sentence");
  });

  it("says why a model that fills gaps has no such loss, and offers no rotary for heads of an odd width", async () => {
    expect((await lab(new FakeModel(FAKE_READER))).renderRoot.textContent).toContain("foresees no next token");
    const odd = new FakeModel({ ...FAKE_WRITER, stacks: { decoder: { layers: 1, heads: 1, kvHeads: 1, headDim: 7 } } });
    const element = await lab(odd);
    expect(element.renderRoot.querySelector<HTMLButtonElement>("[data-scheme=rotary]")?.disabled).toBe(true);
  });
});

describe("the sentence about lengths", () => {
  it("follows from the numbers, as far as they are shown", async () => {
    await loadSentences("bench");
    const fare = { within: 4, beyond: 5, cost: 0.1, rows: 32 };
    const said = verdictOf(
      [
        { ...fare, name: "anew", rise: 0 },
        { ...fare, name: "model", beyond: null, rise: null },
        { ...fare, name: "none", rise: 0.693, cost: 0.9 },
        { ...fare, name: "rotary", rise: -0.1 },
        { ...fare, name: "sinusoidal", rise: 0.7 },
      ],
      16,
    );
    expect(said).toEqual(
      ["Beyond 16 tokens the loss rises by no more than 0.69 nats under none (+0.69), rotary (−0.10).", "It breaks there, rising by more than 0.69 nats so that tokens become less than half as likely, under sinusoidal (+0.70).", "Positions end at 16 under the model’s own.", "Already within 16 tokens it loses more than 0.69 nats above the same tokens read anew under none (+0.90): what holds there holds a loss that is high."],
    );
  });
});
