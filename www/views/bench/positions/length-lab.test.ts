// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_READER, FAKE_WRITER, FakeModel } from "../../../../tests/support/fake-model.js";
import type { ModelInfo, ModelNotes, Token } from "../../../data/index.js";
import { mount } from "../../../elements/testing/mount.js";
import { HeadscopeError, type Run, type RunInput, type RunOptions } from "../../../headscope.js";
import { loadSentences, message, setLanguage } from "../../../i18n/index.js";
import { DEFAULT_STATE, type State } from "../../../state/index.js";
import { HeadscopeLengthLab } from "./length-lab.js";
import { verdictOf } from "./length-verdict.js";

const NOTES: ModelNotes = {
  version: 1,
  heldOut: { sentences: 30, seed: 1, note: "" },
  roles: {},
  unigrams: [],
  sentences: Array.from({ length: 30 }, () => ({ text: "one two three four", targets: ["a b c"] })),
};

/** Adds no token of its own to a text. */
class OneTokenModel extends FakeModel {
  override tokenize(text: string): Token[] {
    return super.tokenize(text).slice(0, 1);
  }
}

/** Finds no word in any text. */
class NoTokenModel extends FakeModel {
  override tokenize(text: string): Token[] {
    return super.tokenize(text).slice(-1);
  }
}

/** Takes no more tokens than it has positions with its own scheme. */
class RefusingModel extends FakeModel {
  override run(input: RunInput, options?: RunOptions): Promise<Run> {
    if ((input.ids?.length ?? 0) > this.info.maxTokens && !input.edits?.positions)
      return Promise.reject(
        new HeadscopeError({
          code: "input/too-long",
          message: "",
          doing: "",
          expected: "",
          got: "",
        }),
      );
    return super.run(input, options);
  }
}

async function lab(model: FakeModel): Promise<HeadscopeLengthLab> {
  await loadSentences("bench");
  return mount(new HeadscopeLengthLab(), { model });
}

function writer(maxTokens = 16): FakeModel {
  const model = new FakeModel({ ...FAKE_WRITER, maxTokens });
  model.notes = NOTES;
  return model;
}

const texts = (element: HeadscopeLengthLab, selector: string): string[] =>
  [...element.renderRoot.querySelectorAll(selector)].map(({ textContent }) => textContent.trim());
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
    const pressed = element.renderRoot.querySelector("#go");
    await click(element, "#go");
    expect(element.renderRoot.querySelector("progress")).not.toBeNull();
    expect(element.renderRoot.querySelector("#stop")).toBe(pressed);
    await expect
      .poll(() => texts(element, "tbody th"), { timeout: 5000 })
      .toEqual([
        "the model’s own, begun anew",
        "the model’s own",
        "none",
        "rotary",
        "ALiBi",
        "T5 buckets",
      ]);
    await expect.poll(() => element.renderRoot.querySelector("#go")).not.toBeNull();
    expect(texts(element, ".verdict")[0]).toContain("Beyond 16 tokens");
    expect(model.held.size).toBe(0);
  });

  it("reads the reader's own text that a link brings, says so in the next link, and keeps no numbers of another text", async () => {
    let state: State = {
      ...DEFAULT_STATE,
      labs: "lengths(from-own,text-one_two.a.three,schemes-none)",
    };
    await loadSentences("bench");
    const element = new HeadscopeLengthLab();
    element.addEventListener("headscope-state", ({ detail }) => (detail.state = state));
    element.addEventListener(
      "headscope-set",
      ({ detail: { labs } }) => (state = { ...state, labs }),
    );
    const model = writer();
    await mount(element, { model });
    const area = element.renderRoot.querySelector("textarea");
    expect([area?.value, state.labs]).toEqual([
      "one two\nthree",
      "lengths(from-own,text-one_two.a.three,schemes-none)",
    ]);
    await click(element, "#go");
    await expect.poll(() => texts(element, "tbody th"), { timeout: 5000 }).toContain("none");
    if (!area) throw new Error("no text");
    area.value = "four";
    area.dispatchEvent(new Event("input"));
    await element.updateComplete;
    expect([texts(element, "tbody th"), state.labs]).toEqual([
      [],
      "lengths(from-own,text-four,schemes-none)",
    ]);
    // A translator cannot be read with it: the wish stays, for the next model.
    const translator = new FakeModel();
    translator.notes = NOTES;
    element.model = translator;
    await element.updateComplete;
    expect([element.renderRoot.querySelector("textarea"), state.labs]).toEqual([
      null,
      "lengths(from-own,text-four,schemes-none)",
    ]);
  });

  it.each([
    ["engine", "engine/crashed", "bench.crashed"],
    ["GPU", "gpu/lost", "bench.gpuLost"],
  ] as const)(
    "says that the %s stopped over it, keeps every line that it has, and goes on with the others",
    async (_, code, words) => {
      const model = writer();
      const element = await lab(model);
      const crash = new HeadscopeError({ code, message: "", doing: "", expected: "", got: "" });
      const failed = (): string => texts(element, ".failed").join().replace(/\s+/g, " ");
      model.failing = crash;
      await click(element, "#go");
      await expect.poll(failed).toBe(`${message(words)} ${code}`);
      expect(texts(element, "#go")).toEqual([message("lengths.go", { count: 5 })]);
      model.failing = null;
      await click(element, "#go");
      await expect
        .poll(() => texts(element, "tbody th").length, { timeout: 5000, interval: 1 })
        .toBeGreaterThan(1);
      model.failing = crash;
      await expect.poll(failed).toBe(`${message(`${words}.kept`)} ${code}`);
      const read = texts(element, "tbody th");
      model.failing = null;
      const asked = model.inputs.length;
      expect(texts(element, "#go")).toEqual([message("lengths.goOn", { count: 6 - read.length })]);
      await click(element, "#go");
      await expect
        .poll(() => texts(element, "#go"), { timeout: 5000 })
        .toEqual([message("lengths.go", { count: 5 })]);
      expect([failed(), texts(element, "tbody th")]).toEqual([
        "",
        ["the model’s own, begun anew", "the model’s own", "none", "sinusoidal", "rotary", "ALiBi"],
      ]);
      // Each scheme is one run of the whole text; what was begun anew had several.
      expect(model.inputs.length - asked).toBe(6 - read.length);
      // One that is added is read, and one that is taken away goes.
      await click(element, "[data-scheme=t5]");
      await click(element, "[data-scheme=none]");
      await click(element, "#go");
      await expect
        .poll(() => texts(element, "tbody th"), { timeout: 5000 })
        .toEqual([
          "the model’s own, begun anew",
          "the model’s own",
          "sinusoidal",
          "rotary",
          "ALiBi",
          "T5 buckets",
        ]);
      await expect.poll(() => element.renderRoot.querySelector("#go")).not.toBeNull();
      expect(model.inputs.length - asked).toBe(7 - read.length);
    },
  );

  it("marks the longest text of training and measures from there; the model's positions end later", async () => {
    const model = writer(32);
    model.notes = { ...NOTES, longest: { source: 10 } };
    const element = await lab(model);
    expect(element.renderRoot.textContent).toContain("had 10 tokens; it has 32 positions");
    await click(element, "#go");
    await expect
      .poll(() => texts(element, ".verdict").join(" "), { timeout: 5000 })
      .toContain("Beyond 10 tokens");
    const curves = element.renderRoot.querySelector("headscope-curves");
    expect([curves?.marked, curves?.markedAs, curves?.marks]).toEqual([
      10,
      "longest in training",
      [{ x: 32, words: "last position" }],
    ]);
    // The tokens are begun anew before training's length is over.
    expect(
      Math.max(
        ...model.inputs
          .filter(({ edits }) => !edits?.positions)
          .slice(0, 2)
          .map(({ ids }) => ids?.length ?? 0),
      ),
    ).toBe(10);
  });

  it("counts none of what stands around a text of a model that fills gaps, neither to training's end nor to the last position", async () => {
    const model = new RefusingModel({ ...FAKE_READER, maxTokens: 16, positions: "sinusoidal" });
    model.notes = NOTES;
    const read = async (): Promise<unknown[]> => {
      const element = await lab(model);
      await click(element, "#go");
      await expect
        .poll(() => texts(element, ".verdict").join(" "), { timeout: 5000 })
        .toContain("Positions end at 15 under the model’s own");
      expect(element.renderRoot.textContent).toContain("set up for 15:");
      expect(texts(element, "[data-line=model] td")[0]).toBe("15");
      const curves = element.renderRoot.querySelector("headscope-curves");
      return [curves?.marked, curves?.markedAs, curves?.marks];
    };
    // Of its 16 positions one is taken by what ends every text.
    expect(await read()).toEqual([15, "last position", []]);
    model.notes = { ...NOTES, longest: { source: 10 } };
    expect(await read()).toEqual([9, "longest in training", [{ x: 15, words: "last position" }]]);
  });

  it("claims of training what the model says of the side that is read, and of a translator's source where it is beyond it", async () => {
    const model = new FakeModel();
    model.notes = { ...NOTES, longest: { source: 7, target: 9 } };
    const element = await lab(model);
    expect(element.renderRoot.textContent).toContain("had 9 tokens");
    expect(element.renderRoot.textContent).toContain("where they have more than 7 tokens");
    const partly = new FakeModel();
    partly.notes = { ...NOTES, longest: { source: 7 } };
    expect((await lab(partly)).renderRoot.textContent).toContain(
      "how long its texts in training were it does not say",
    );
  });

  it("keeps what was read when it is stopped", async () => {
    const model = writer();
    const element = await lab(model);
    await click(element, "#go");
    await expect
      .poll(() => element.renderRoot.querySelectorAll("tbody tr").length)
      .toBeGreaterThan(0);
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
    area.dispatchEvent(new Event("input"));
    await element.updateComplete;
    await click(element, "#go");
    await expect
      .poll(() => element.renderRoot.querySelector("[data-line=alibi] td")?.textContent)
      .toBe("3");
    await expect
      .poll(() => texts(element, ".verdict")[0])
      .toContain("no longer than the 16 tokens that training went to");
    expect(texts(element, ".verdict")[0]).not.toContain("end at");
  });

  it("says of a text of one token that there is nothing to foresee, and runs nothing", async () => {
    const model = new OneTokenModel({ ...FAKE_WRITER, maxTokens: 16 });
    const element = await lab(model);
    const area = element.renderRoot.querySelector("textarea");
    if (!area) throw new Error("nothing to write into");
    area.value = "five";
    area.dispatchEvent(new Event("input"));
    await element.updateComplete;
    await click(element, "#go");
    expect([texts(element, ".failed")[0], model.inputs.length]).toEqual([
      "There is nothing to foresee: a text needs two tokens at least.",
      0,
    ]);
  });

  it("says of a text without tokens that there is nothing to hide, where gaps are filled", async () => {
    const element = await lab(new NoTokenModel(FAKE_READER));
    const area = element.renderRoot.querySelector("textarea");
    if (!area) throw new Error("nothing to write into");
    area.value = "\u200b";
    area.dispatchEvent(new Event("input"));
    await element.updateComplete;
    await click(element, "#go");
    expect(texts(element, ".failed")[0]).toBe(
      "There is nothing to hide: a text needs one token at least.",
    );
  });

  it("offers nothing to press where a translator has no translations to read", async () => {
    const element = await lab(new FakeModel());
    expect(element.renderRoot.querySelector("#unread")?.textContent).toContain("without sentences");
    expect(element.renderRoot.querySelectorAll("button, textarea, select")).toHaveLength(0);
  });

  it("says why a longer text was refused: no further row, or a size that is set", async () => {
    const refusing = async (positions: ModelInfo["positions"]): Promise<string> => {
      const model = new RefusingModel({ ...FAKE_WRITER, maxTokens: 16, positions });
      model.notes = NOTES;
      const element = await lab(model);
      await click(element, "#go");
      await expect
        .poll(() => texts(element, "[data-line=alibi]").length, { timeout: 5000 })
        .toBe(1);
      return element.renderRoot.textContent;
    };
    const learned = await refusing("learned");
    expect([learned.includes("no further row"), learned.includes("set up for 16")]).toEqual([
      true,
      false,
    ]);
    const computed = await refusing("sinusoidal");
    expect([computed.includes("no further row"), computed.includes("set up for 16")]).toEqual([
      false,
      true,
    ]);
  });

  it("says in the page's language why it failed", async () => {
    const model = writer();
    const element = await lab(model);
    model.failing = new HeadscopeError({
      code: "edit/unsupported",
      message: "the engine's own sentence",
      doing: "",
      expected: "",
      got: "",
    });
    await click(element, "#go");
    await expect.poll(() => texts(element, ".failed")[0]).toContain("This could not be measured.");
    expect(texts(element, ".failed")[0]).not.toContain("own sentence");
  });

  it("reads gaps of a model that fills them, says why one without a mask token has no loss, and offers no rotary for heads of an odd width", async () => {
    expect(
      (await lab(new FakeModel({ ...FAKE_READER, maskToken: null }))).renderRoot.textContent,
    ).toContain("no token that hides another");
    expect((await lab(new FakeModel(FAKE_READER))).renderRoot.textContent).toContain(
      "every 8th token",
    );
    const odd = new FakeModel({
      ...FAKE_WRITER,
      stacks: { decoder: { layers: 1, heads: 1, kvHeads: 1, headDim: 7 } },
    });
    const element = await lab(odd);
    expect(
      element.renderRoot.querySelector<HTMLButtonElement>("[data-scheme=rotary]")?.disabled,
    ).toBe(true);
  });
});

describe("the sentence about lengths", () => {
  it("follows from the numbers, as far as they are shown", async () => {
    await loadSentences("bench");
    const fare = { within: 4, beyond: 5, cost: 0.1, rows: 32, refused: false };
    const said = verdictOf(
      [
        { ...fare, name: "anew", rise: 0 },
        { ...fare, name: "model", beyond: null, rise: null, refused: true },
        { ...fare, name: "none", rise: 0.693, cost: 0.9 },
        { ...fare, name: "rotary", rise: -0.1 },
        { ...fare, name: "sinusoidal", rise: 0.7 },
      ],
      { trained: 16, positions: 32 },
    );
    expect(said).toEqual([
      "Beyond 16 tokens the loss rises by no more than 0.69 nats under none (+0.69), rotary (−0.10).",
      "Beyond 16 tokens it breaks, rising by more than 0.69 nats so that tokens become less than half as likely, under sinusoidal (+0.70).",
      "Positions end at 32 under the model’s own.",
      "Already within 16 tokens it loses more than 0.69 nats above the same tokens read anew under none (+0.90).",
    ]);
  });

  it("says of a text that does not reach beyond the positions only that", async () => {
    await loadSentences("bench");
    const fare = { within: 4, beyond: null, rise: null, cost: 0.9, rows: 3, refused: false };
    const said = verdictOf(
      [
        { ...fare, name: "anew" },
        { ...fare, name: "rotary" },
      ],
      { trained: 16, positions: 32 },
    );
    expect(said).toEqual([
      "The text is no longer than the 16 tokens that training went to, so nothing can be said of what lies beyond them.",
    ]);
  });
});
