// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { FAKE_INFO, FAKE_READER, FAKE_WRITER } from "../../tests/support/fake-model.js";
import type { ModelInfo } from "../data/index.js";
import { all, stubRoom, textOf, textsOf, tokensOf } from "../elements/testing/mount.js";
import { stubPainting } from "../elements/testing/painted.js";
import { loadSentences, message } from "../i18n/index.js";
import type { Session } from "../session/session.js";
import { sessionWith, show } from "../session/testing/session.js";
import type { State } from "../state/index.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeSentenceBar } from "./sentence-bar.js";

beforeAll(() => loadSentences("menus", "pairs"));
beforeEach(() => stubRoom());
afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const strip = (...words: string[]): object => {
  return { tokens: tokensOf(...words), focused: null, locked: [], byWord: false, shares: null };
};

/** The bar of a session in which this much is known of the run, and what tokens are touched for. */
async function bar(
  known: Partial<Record<keyof Session, unknown>> = {},
  state: Partial<State> = {},
) {
  const session = sessionWith(state, { source: strip("a", "b"), ...known });
  const touched = vi.spyOn(session.pointing, "touchToken").mockReturnValue();
  const part = await show(new HeadscopeSentenceBar(), session);
  const touch = (index: number | null, extend = false, at = 0): unknown => {
    const event = new CustomEvent("headscope-token-lock", { detail: { index, extend } });
    all(part, "headscope-tokens")[at]?.dispatchEvent(event);
    return touched.mock.lastCall?.[0];
  };
  const press = async (name: string): Promise<void> => {
    button(part, name).click();
    await part.updateComplete;
  };
  return { part, session, touch, press, touched };
}
const READER = { architecture: "encoder", info: FAKE_READER };
const TRANSLATOR = { architecture: "encoder-decoder", info: FAKE_INFO, result: strip("x") };

describe("a touch of a token", () => {
  it("masks it in a model that predicts masked tokens, or selects it if that is chosen", async () => {
    const { touch, press, part } = await bar(READER);
    expect(touch(1)).toEqual({ side: "source", index: 1, action: "mask" });
    expect(textsOf(part, ".masking p")).toEqual([message("text.clickToMask")]);
    await press(message("text.maskTokens"));
    expect(touch(1)).toEqual({ side: "source", index: 1, action: "lock" });
    expect(textsOf(part, ".masking p")).toEqual([]);
    await press(message("text.maskTokens"));
    await press(message("lens.several"));
    expect(touch(0)).toEqual({ side: "source", index: 0, action: "pick" });
  });

  it("selects it in a comparison, and one more with Shift", async () => {
    const { touch } = await bar(READER, { compare: "other" });
    expect(touch(1)).toMatchObject({ action: "lock" });
    expect(touch(1, true)).toMatchObject({ action: "pick" });
  });

  it("of the text that is written selects it, and a pointer only points", async () => {
    const { part, touch, touched } = await bar(TRANSLATOR);
    expect(touch(0, false, 1)).toEqual({ side: "target", index: 0, action: "lock" });
    const hover = new CustomEvent("headscope-token-hover", { detail: { index: 1 } });
    all(part, "headscope-tokens")[0]?.dispatchEvent(hover);
    expect(touched.mock.lastCall?.[0]).toEqual({ side: "source", index: 1, action: "hover" });
  });

  it.each<[string, Partial<ModelInfo>]>([
    ["predicts nothing", { predicts: false }],
    ["has no mask token", { maskToken: null }],
  ])("is not offered to mask in a model that %s", async (_, info) => {
    const { part } = await bar({ ...READER, info: { ...FAKE_READER, ...info } });
    expect(all(part, ".masking")).toEqual([]);
  });
});

describe("the display of tokens", () => {
  const changed = (part: HeadscopeSentenceBar): unknown =>
    part.renderRoot.querySelector<HTMLElement & { changed: number }>("headscope-narrow-menu")
      ?.changed;

  it("is of tokens or words, with or without special ones, and counts what is changed", async () => {
    const { part, session, press } = await bar(READER);
    expect(changed(part)).toBe(0);
    await press(message("lens.ordinaryOnly"));
    expect([session.state.specials, changed(part)]).toEqual(["hidden", 1]);
    await press(message("lens.several"));
    expect(changed(part)).toBe(2);
    all(part, "headscope-choice")[0]?.dispatchEvent(
      new CustomEvent("headscope-choose", { detail: "word" }),
    );
    await part.updateComplete;
    expect([session.state.unit, changed(part)]).toEqual(["word", 3]);
    await press(message("lens.ordinaryOnly"));
    expect(session.state.specials).toBe("shown");
  });

  it.each<[string, object]>([
    ["a text without tokens", { ...READER, source: strip() }],
    ["two runs, of which every token is shown", { ...READER, pairsShown: true }],
  ])("is not offered of %s", async (_, known) => {
    expect(all((await bar(known)).part, "headscope-narrow-menu")).toEqual([]);
  });

  it("says what dotted tokens are, where there are some", async () => {
    const unknown = { ...strip(), tokens: [{ ...tokensOf("?")[0], role: "unknown" }] };
    const words = async (source: object): Promise<string> =>
      textsOf((await bar({ ...READER, source })).part, ".read > p").join("");
    expect(await words(unknown)).toBe(message("text.unknownPieces"));
    expect(await words(strip("a"))).toBe("");
  });
});

describe("the texts", () => {
  it("are typed, and compared with another", async () => {
    const { part, session, press } = await bar(TRANSLATOR, { text: "not a sample" });
    const [source, target] = all(part, "headscope-growing-text");
    source?.dispatchEvent(new CustomEvent("headscope-text", { detail: "a dog" }));
    target?.dispatchEvent(new CustomEvent("headscope-text", { detail: "un chien" }));
    expect(session.state).toMatchObject({ text: "a dog", target: "un chien" });
    await part.updateComplete;
    await press(message("text.letModelWrite"));
    expect(session.state.target).toBeNull();
    await press(message("pairs.begin"));
    expect(session.state).toMatchObject({ compare: "other", otherModel: null, pairs: [] });
    expect(textsOf(part, "button")).not.toContain(message("pairs.begin"));
  });

  it("have one side in a model that writes nothing beside it", async () => {
    const sides = async (known: object): Promise<[number, string | null | undefined]> => {
      const { part } = await bar(known);
      const label = part.renderRoot.querySelector("section")?.getAttribute("aria-label");
      part.remove();
      return [all(part, ".side").length, label];
    };
    expect(await sides(READER)).toEqual([1, message("text.labelAlone")]);
    expect(await sides(TRANSLATOR)).toEqual([2, message("text.label")]);
    const writer = { architecture: "decoder", info: FAKE_WRITER };
    expect(await sides(writer)).toEqual([2, message("text.labelAlone")]);
  });

  it("of a model without a tokenizer are ids, and say so", async () => {
    const model = { hasTokenizer: false };
    const { part } = await bar({ ...READER, computation: { model, stale: false } });
    expect(textsOf(part, ".note")).toEqual([message("text.ids")]);
  });
});

describe("the image of a model of images", () => {
  const image = { width: 2, height: 1, data: Uint8ClampedArray.of(9, 8, 7, 255, 1, 2, 3, 255) };
  const info = { ...FAKE_READER, image: {} } as unknown as ModelInfo;
  const predictions = ["cat", "dog", "owl", "bee"].map((text, at) => ({
    text,
    probability: 0.5 - at / 10,
  }));
  const opened = vi.fn<(file: File | null) => void>();
  beforeEach(() => void opened.mockReset());
  const known = (isOwn: boolean): object => ({
    info,
    image,
    architecture: "encoder",
    expectation: { predictions },
    shownImage: { isOwn },
    openImage: opened,
  });

  const withImage = async (session: object): ReturnType<typeof bar> => {
    const made = await bar(session);
    await vi.waitFor(() => expect(all(made.part, ".image canvas")).toHaveLength(1));
    await made.part.updateComplete;
    return made;
  };

  it("stands in place of the text, with the three likeliest classes", async () => {
    stubPainting(400);
    const { part } = await withImage(known(false));
    expect(all(part, "headscope-growing-text")).toEqual([]);
    const canvas = part.renderRoot.querySelector("canvas");
    expect([canvas?.width, canvas?.height]).toEqual([2, 1]);
    expect(canvas?.getAttribute("aria-label")).toBe(message("image.sample"));
    const classes = textsOf(part, ".guesses")[0] ?? "";
    expect(classes.match(/cat|dog|owl|bee/g)).toEqual(["cat", "dog", "owl"]);
    expect(classes).toContain("50");
    // Patches are no words.
    expect(all(part, "headscope-choice")).toEqual([]);
  });

  it("is chosen from a file, and the sample comes back", async () => {
    stubPainting(400);
    const { part, press } = await withImage(known(true));
    const input = part.renderRoot.querySelector<HTMLInputElement>("input[type=file]");
    const file = new File(["x"], "x.png");
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input?.dispatchEvent(new Event("change"));
    expect(opened.mock.lastCall).toEqual([file]);
    Object.defineProperty(input, "files", { value: [], configurable: true });
    input?.dispatchEvent(new Event("change"));
    expect(opened).toHaveBeenCalledOnce();
    await press(message("image.sample"));
    expect(opened.mock.lastCall).toEqual([null]);
    part.remove();
    const sample = await withImage(known(false));
    expect(textsOf(sample.part, "button")).not.toContain(message("image.sample"));
  });

  it("opens the chooser of files by a press", async () => {
    stubPainting(400);
    const { part, press } = await withImage(known(false));
    const input = part.renderRoot.querySelector<HTMLInputElement>("input[type=file]");
    const clicked = vi.fn<() => void>();
    input?.addEventListener("click", clicked);
    await press(message("image.choose"));
    expect(clicked).toHaveBeenCalledOnce();
    expect(textOf(part.renderRoot.querySelector("section"))).toContain(message("image.drop"));
  });
});
