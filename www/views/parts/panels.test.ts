// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  FAKE_INFO,
  FAKE_READER,
  FAKE_WRITER,
  FakeModel,
  FakeRun,
  failed,
} from "../../../tests/support/fake-model.js";
import {
  type Executed,
  type HeadMeasures,
  type ModelInfo,
  ROLES,
  type RoleScores,
  type Token,
} from "../../data/index.js";
import { loadSentences, setLanguage } from "../../i18n/index.js";
import { NO_EDITS, type State } from "../../state/index.js";
import { button, choices, choose, words } from "../../ui/testing/controls.js";
import { type Session, type SessionPart } from "../session.js";
import { answered, sessionOf, sessionWith, show } from "../testing/session.js";
import { HeadscopeGpuSwitch } from "./gpu-switch.js";
import { HeadscopeHeadsPanel } from "./heads-panel.js";
import { HeadscopeInspector } from "./inspector.js";
import { HeadscopeModelPicker } from "./menus.js";
import { HeadscopeNotices } from "./notices.js";
import { HeadscopePageFooter } from "./page-frame.js";
import { HeadscopePicturePanel } from "./picture-panel.js";
import { HeadscopeSentenceBar } from "./sentence-bar.js";
import { HeadscopeStepsPanel } from "./steps-panel.js";
import { HeadscopeTopBar } from "./top-bar.js";

const ENCODER = { text: "one two three", stack: "encoder", layer: 0, head: 1 } as const;

let session: Session | null = null;
beforeAll(() => loadSentences("gpu"));
afterEach(() => {
  document.body.replaceChildren();
  session?.end();
  session = null;
  setLanguage("en");
  vi.restoreAllMocks();
});

/** A panel of a session in which that is known, without a run. */
const shown = <Part extends SessionPart>(
  part: Part,
  known: Partial<Record<keyof Session, unknown>> = {},
  state: Partial<State> = {},
): Promise<Part> => show(part, sessionWith(state, known));

/** A panel of a session whose model has answered. */
async function live<Part extends SessionPart>(
  part: Part,
  state: Partial<State> = ENCODER,
  model = new FakeModel(),
): Promise<{ part: Part; page: Session }> {
  session = await sessionOf(state, model);
  await show(part, session);
  return { part, page: session };
}

async function settled(part: SessionPart): Promise<void> {
  await answered(part.session);
  await part.updateComplete;
}

const all = (part: SessionPart, selector: string): string[] =>
  [...part.renderRoot.querySelectorAll(selector)].map((one) => words(one));

const scores = (some: Partial<RoleScores> = {}): RoleScores => ({
  ...(Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores),
  ...some,
});
const HEAD = { stack: "cross", layer: 0, head: 0 } as const;

describe("the heads", () => {
  it("say what the numbers below them are, and are all shown again where none is left", async () => {
    const ordered = (ranked: number[]): Promise<HeadscopeHeadsPanel> =>
      shown(new HeadscopeHeadsPanel(), { heldOut: [], ranked }, { roleFilter: "induction" });
    expect(all(await ordered([1]), ".order + p")).toEqual([
      "Below each head: its score for “induction” on held-out sentences · on this text.",
    ]);
    const none = await ordered([]);
    expect(all(none, ".order + p")).toEqual(["No head here reaches the threshold. Show all heads"]);
    button(none, "Show all heads").click();
    expect(none.session.state.roleFilter).toBeNull();
  });

  it.each<[RoleScores | null, RoleScores | null, RegExp]>([
    [
      scores({ previous: 0.93, self: 0.02 }),
      scores({ previous: 0.5 }),
      /^previous token on 0 held-out sentences 0\.93 on this text 0\.50.*Role held out here threshold previous token 0\.93 0\.50 0\.50 Aq,q−1 itself 0\.02 – 0\.50/,
    ],
    [
      scores({ induction: 0.8 }),
      scores(),
      /induction on repeated random tokens 0\.80 on this text –/,
    ],
    [scores({ previous: 0.2 }), null, /^no single role On held-out text it reaches none/],
    [
      null,
      scores({ first: 0.9 }),
      /^Its role is unavailable: this model’s folder has no headscope\.json.*On this text: first token 0\.90/,
    ],
  ])("play roles on held-out text and on this one", async (heldOut, here, said) => {
    const known = {
      shown: HEAD,
      heldOut: heldOut && [[heldOut]],
      measured: here && { roles: here },
    };
    const part = await shown(new HeadscopeHeadsPanel(), known);
    expect(words(part.renderRoot.querySelector(".role"))).toMatch(said);
  });
});

/** Enough of a run for the parts of the inspector that are not about a pair. */
const READ = { figures: {}, displayed: null };

describe("the measures of a head", () => {
  const MEASURED = { layer: 0, head: 0, entropy: Math.LN2, distance: 2.5 } as HeadMeasures;
  const SPECTRUM = { scores: { values: [3, 1], rank90: 1 }, weights: { values: [1], rank90: 1 } };

  it.each([
    [{}, "0.693 nats = 1.000 bits", "2.500 tokens"],
    [{ entropy: null, distance: null }, "–", "–"],
    [{ distance: null }, "0.693 nats = 1.000 bits", "not defined between two texts"],
  ])("say how wide and how far it attends: %o", async (change, entropy, distance) => {
    const measured = { ...MEASURED, ...change };
    const part = await shown(new HeadscopeInspector(), { ...READ, measured, spectrum: SPECTRUM });
    expect(all(part, "[data-measure]")).toEqual([entropy, distance]);
    expect(all(part, "td")).toEqual(["3.000", "1.000", "1.000", "–"]);
  });

  it.each([
    [null, [], "Computing", []],
    ["too-long", [], "too long", []],
    [SPECTRUM, ["weights"], "", ["Scores, before the mask", "Weights, as your edits make them"]],
    [SPECTRUM, [], "", ["Scores, before mask and softmax", "Weights, after mask and softmax"]],
  ])(
    "have two spectra, named by what edits make of them",
    async (spectrum, unusual, said, names) => {
      const part = await shown(new HeadscopeInspector(), { ...READ, spectrum, unusual });
      const { lists = [] } = part.renderRoot.querySelector("headscope-spectrum") ?? {};
      expect(lists.map(({ heading }) => heading)).toEqual(names);
      expect(words(part.renderRoot.querySelector(".measures"))).toContain(said);
    },
  );
});

const DOG: Token = { id: 7, text: "dog", word: 0, special: false, role: null };
const guess = (id: number, text: string, probability: number, more = {}): object => ({
  id,
  text,
  logit: 0,
  probability,
  ...more,
});

describe("what the model expects", () => {
  const expected = async (info: ModelInfo, expectation: object | null): Promise<SessionPart> =>
    shown(new HeadscopeInspector(), { ...READ, info, expectation });
  const said = (part: SessionPart): string => words(part.renderRoot.querySelector(".predictions"));
  const bars = (part: SessionPart): string[] => {
    const { heading = "", items = [] } = part.renderRoot.querySelector("headscope-bars") ?? {};
    return [heading, ...items.map(({ label, marked }) => `${label}${marked ? "*" : ""}`)];
  };

  it.each([
    [0.3, "The true one, “dog”, has 30.0%."],
    [0.0000012, "The true one, “dog”, has < 0.1%."],
  ])(
    "in place of a hidden token has a true one, with a share of %d",
    async (probability, truth) => {
      const predictions = [guess(3, "cat", 0.6), guess(7, "dog", 0.3)];
      const part = await expected(FAKE_READER, {
        at: DOG,
        predictions,
        truth: { id: 7, probability },
      });
      expect(bars(part)).toEqual(["What the model would put in place of “dog”", "cat", "dog*"]);
      expect(said(part)).toBe(truth);
    },
  );

  it("after a token has no right answer, calls the end by its name, and tells pieces that go on with a word", async () => {
    const predictions = [
      guess(1, "</s>", 1),
      guess(3, "ouv", 0.5),
      guess(4, "ouv", 0.4, { continuesWord: true }),
    ];
    const after = async (at: Token): Promise<string[]> =>
      bars(await expected(FAKE_INFO, { at, predictions, truth: null }));
    expect(await after(DOG)).toEqual([
      "What the model would write after “dog”",
      "end",
      "ouv",
      "…ouv",
    ]);
    expect((await after({ ...DOG, text: "c'" })).slice(2)).toEqual(["ouv", "ouv"]);
  });

  it.each([
    [FAKE_READER, "Hide a token"],
    [FAKE_INFO, "Choose the decoder"],
    [FAKE_WRITER, ""],
    [{ ...FAKE_READER, maskToken: null }, ""],
    [{ ...FAKE_READER, predicts: false }, "no output head"],
  ])("is invited to, as fits the model", async (info, hint) => {
    expect(said(await expected(info, null))).toContain(hint);
  });
});

describe("the pair", () => {
  it("is not said to have a softmax or √d where an edit made it otherwise", async () => {
    const { part, page } = await live(new HeadscopeInspector(), {
      ...ENCODER,
      locked: { query: 0, key: 0 },
    });
    const names = async (kind: "low-rank" | "cosine" | null): Promise<string[]> => {
      page.store.update({ edits: { ...NO_EDITS, attention: kind ? [{ kind }] : [] } });
      await settled(part);
      return all(part, "section:nth-of-type(1) dt");
    };
    const [raw, , mask] = await names(null);
    expect(await names(null)).toEqual(["q · k", "÷ √24", "mask", "softmax over 4 keys"]);
    expect(await names("low-rank")).toEqual([raw, "÷ √24", mask, "weights"]);
    expect(await names("cosine")).toEqual(["raw", "scores", mask, "softmax over 4 keys"]);
    page.store.update({ text: "" });
    await settled(part);
    expect(all(part, "section > .muted")).toEqual(["Nothing to show yet."]);
  });

  it("of several tokens is one list, combined and directed as the reader asks", async () => {
    const picked = { side: "source", tokens: [0, 2], pool: "sum", looking: "from" } as const;
    const { part, page } = await live(new HeadscopeInspector(), { ...ENCODER, picked });
    expect(words(part.renderRoot.querySelector(".picked"))).toBe("one, three");
    expect(part.renderRoot.querySelector("headscope-bars")).toMatchObject({ max: 2 });
    choose(part, "How they are combined", "mean");
    choose(part, "Direction", "to");
    expect(page.state.picked).toEqual({ ...picked, pool: "mean", looking: "to" });
    button(part, "Let go").click();
    await settled(part);
    expect([page.state.picked, all(part, ".together")]).toEqual([null, []]);
  });
});

describe("the steps", () => {
  beforeAll(() => {
    const Canvas = class {
      getContext = (): null => null;
    };
    vi.stubGlobal("OffscreenCanvas", Canvas);
  });
  const TORN = failed("engine/internal", { message: "torn", got: "a torn page" });
  const alert = (part: SessionPart): string => words(part.renderRoot.querySelector("[role=alert]"));
  const hidden = (part: SessionPart): boolean | undefined =>
    part.renderRoot.querySelector("headscope-steps")?.parentElement?.hasAttribute("hidden");
  const read = async (part: HeadscopeStepsPanel): Promise<void> => {
    await vi.waitFor(async () => {
      await part.updateComplete;
      expect(part.getAttribute("aria-busy")).toBe("false");
    });
    await part.updateComplete;
  };

  it.each([
    ["steps", true],
    ["explain", false],
  ] as const)(
    "say with its code why %s could not be read, and read it once more",
    async (what, gone) => {
      const asked = vi.spyOn(FakeRun.prototype, what).mockRejectedValueOnce(TORN);
      const { part } = await live(new HeadscopeStepsPanel(), { ...ENCODER, picture: "steps" });
      await read(part);
      expect([alert(part), hidden(part)]).toEqual([
        expect.stringMatching(/^The engine made a mistake: a torn page\..* engine\/internal$/),
        gone,
      ]);
      part.renderRoot.querySelector<HTMLButtonElement>(".failure button")?.click();
      await read(part);
      expect([alert(part), hidden(part), asked.mock.calls.length]).toEqual(["", false, 2]);
    },
  );

  it("say nothing of a run that a newer one has replaced, and show no other head's", async () => {
    const asked = vi
      .spyOn(FakeRun.prototype, "steps")
      .mockRejectedValueOnce(failed("run/released"));
    const { part, page } = await live(new HeadscopeStepsPanel(), { ...ENCODER, picture: "steps" });
    await read(part);
    expect(alert(part)).toBe("");
    asked.mockRejectedValueOnce(TORN);
    page.store.update({ head: 2 });
    await settled(part);
    await read(part);
    expect([alert(part) === "", hidden(part)]).toEqual([false, true]);
  });
});

describe("the sentence", () => {
  it("has its remark, which is about what the model made of it by itself", async () => {
    const text = "The white house is old.";
    const note = async (state: Partial<State>, edited = false): Promise<string> =>
      words(
        (
          await shown(new HeadscopeSentenceBar(), { edited }, { text, ...state })
        ).renderRoot.querySelector(".note"),
      );
    const alone = await note({});
    expect(alone).toContain("agree with “maison”");
    expect([await note({ target: "Le chat" }), await note({}, true)]).toEqual(
      Array(2).fill(`Before your changes: ${alone}`),
    );
  });

  it("goes on with a candidate that is clicked; the end, and a part of a character, cannot be added", async () => {
    const next = (id: number, text: string, addition: string | null): object => ({
      prediction: guess(id, text, 0.25),
      addition,
    });
    const candidates = [
      next(5, "sleeps", " sleeps"),
      next(0, "<|endoftext|>", ""),
      next(7, "⟨F0⟩", null),
    ];
    const computation = {
      continuation: { text: "The dog", written: " sleeps.", candidates },
      busy: false,
      run: {},
    };
    const info = { ...FAKE_WRITER, endToken: 0 };
    const part = await shown(new HeadscopeSentenceBar(), {
      info,
      architecture: "decoder",
      computation: { ...computation, model: null },
    });
    expect(words(part.renderRoot.querySelector(".written"))).toBe("sleeps.");
    expect(all(part, "li")).toEqual([
      "sleeps 25.0%",
      "end 25.0%",
      "⟨F0⟩ part of a character 25.0%",
    ]);
    part.renderRoot.querySelector<HTMLButtonElement>("li button")?.click();
    expect(part.session.state.text).toBe("The dog sleeps");
    const none = await shown(new HeadscopeSentenceBar(), {
      architecture: "decoder",
      computation: { ...computation, model: null, continuation: null },
    });
    expect(all(none, ".written")).toEqual(["The model has nothing to add."]);
  });
});

describe("the picture", () => {
  it("does not tell to click cells before clicks block them, and says what to do where there is none", async () => {
    for (const picture of ["heatmap", "lines", "dimensions", "mask"] as const) {
      const { part, page } = await live(new HeadscopePicturePanel(), { ...ENCODER, picture });
      const hint = (): string => words(part.renderRoot.querySelector(".below p"));
      expect(hint()).not.toMatch(/^$|[Cc]lick/);
      page.pointing.blocking = true;
      await part.updateComplete;
      expect(hint()).toMatch(/^Click a/);
      page.store.update({ text: " " });
      await settled(part);
      expect(all(part, ".invitation")).toEqual(["Type a sentence to see its attention."]);
      page.end();
    }
    const { part } = await live(new HeadscopePicturePanel(), { text: "word ".repeat(70) });
    expect(all(part, ".invitation")).toEqual(["Shorten the text to see its attention."]);
  });
});

describe("notices", () => {
  it("offer what can be done about them, and to dismiss them", async () => {
    const commands: string[] = [];
    const part = await shown(new HeadscopeNotices(), {
      command: (name: string) => commands.push(name),
    });
    const { notices } = part.session;
    notices.offerFile();
    await part.updateComplete;
    expect(all(part, "button")).toEqual(["Save page as file", "Dismiss"]);
    for (const one of part.renderRoot.querySelectorAll("button")) one.click();
    expect([commands, notices.list]).toEqual([["save-page"], []]);
  });

  it("say what failed with its code, and offer to try again, or the way back from a model", async () => {
    const goBack = vi.fn();
    const back = "models/tiny-gpt";
    const of = (code: string, retry: string): Promise<HeadscopeNotices> =>
      shown(new HeadscopeNotices(), {
        failure: { sentence: "It failed.", code, retry },
        back,
        goBack,
      });
    const part = await of("load/network", "load-model");
    expect(words(part.renderRoot.querySelector("[role=alert]"))).toBe(
      "It failed. load/network Load the model Back to Tiny GPT",
    );
    button(part, "Back to Tiny GPT").click();
    expect(goBack).toHaveBeenCalled();
    expect(all(await of("engine/internal", "run-again"), ".failure button")).toEqual([
      "Compute again",
    ]);
  });
});

describe("the frame of the page", () => {
  it("says what the model is made of, and offers languages, themes, the tour and the link", async () => {
    const info = { ...FAKE_INFO, parameters: { ...FAKE_INFO.parameters, total: 4_400_000 } };
    const page = { startTour: vi.fn(), showKeys: vi.fn() };
    const part = await shown(
      new HeadscopeTopBar(),
      { info, page },
      { theme: "dark", model: "opened/own" },
    );
    expect(words(part.renderRoot.querySelector(".model p"))).toMatch(
      /^.+ · 4\.4M parameters · 3 layers × 8 heads · from your disk, in no link$/,
    );
    expect(choices(part)).toEqual({ Language: "[English] 简体中文", Theme: "Light [Dark] System" });
    choose(part, "Theme", "light");
    expect(part.session.state.theme).toBe("light");
    for (const name of ["Tour", "Shortcuts"]) button(part, name).click();
    expect(page.startTour).toHaveBeenCalledOnce();
    expect(page.showKeys).toHaveBeenCalledOnce();
    expect(button(part, "Export").disabled).toBe(true);
    part.session.links.linkCopied = true;
    await part.updateComplete;
    expect(words(part.renderRoot.querySelector("[role=status]"))).toBe("Link copied");
    part.focus();
    expect(part.shadowRoot?.activeElement).toBe(button(part, "Tour"));
    const openExport = vi.fn();
    const whole = await shown(new HeadscopeTopBar(), { subject: {}, page: { openExport } });
    button(whole, "Export").click();
    expect(openExport).toHaveBeenCalledWith(button(whole, "Export"));
  });

  it.each<[Executed, string]>([
    [{ blocks: 4, reusedBlocks: 0, reusedTokens: 0 }, "4 blocks computed, 0 reused"],
    [{ blocks: 4, reusedBlocks: 2, reusedTokens: 9 }, "4 blocks computed, 2 reused"],
    [{ blocks: 1, reusedBlocks: 0, reusedTokens: 1 }, "1 block computed, 1 token kept"],
  ])("says what was computed: %o", async (executed, said) => {
    const part = await shown(new HeadscopePageFooter(), { executed, opensOffline: true });
    expect(words(part.renderRoot.querySelector(".executed"))).toBe(said);
    expect(words(part.renderRoot.querySelector(".private"))).toContain(
      "opens again without a network",
    );
  });

  it.each([
    [{}, "Compute on the GPU (maker line)"],
    [{ vendor: "", architecture: "" }, "Compute on the GPU (unnamed)"],
  ])("offers a GPU by its name: %o", async (change, said) => {
    const adapter = {
      vendor: "maker",
      architecture: "line",
      description: "",
      software: false,
      ...change,
    };
    const part = await shown(new HeadscopeGpuSwitch(), { backend: { adapter } });
    expect(words(part.renderRoot)).toBe(said);
    part.session.store.update({ backend: "webgpu" });
    Object.defineProperty(part.session, "onCpu", {
      value: (["encoder", "decoder", "cross"] as const).map((stack) => ({ stack, layer: 1 })),
    });
    part.requestUpdate();
    await part.updateComplete;
    expect(words(part.renderRoot)).toContain("The CPU computes the attention of 2 layers.");
  });

  it("lists the models, those that work offline, and what has no effect in the config of the one in use", async () => {
    const Toggle = class extends Event {
      readonly newState = "open";
    };
    vi.stubGlobal("ToggleEvent", Toggle);
    const part = await shown(
      new HeadscopeModelPicker(),
      {
        info: { warnings: [{ field: "eos_token_id", value: "50256" }] },
        models: { opened: ["opened/mine"], ready: ["models/en-fr"] },
      },
      { model: "opened/mine" },
    );
    part.findKept = () => Promise.resolve(["models/en-fr"]);
    part.renderRoot.querySelector(".list")?.dispatchEvent(new Toggle("beforetoggle"));
    await Promise.resolve();
    await part.updateComplete;
    const items = all(part, "[role=menuitemradio]");
    expect(items).toHaveLength(4);
    expect(items.map((item) => item.includes("works offline"))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(items[3]).toContain("Without effect in config.json: eos_token_id = 50256");
  });
});
