// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Token } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { NO_STRIP } from "../parts/sentence-bar.js";
import { asked, button, choices, choose, pick, words } from "../../ui/testing/asked.js";
import { HeadscopeOtherBar } from "./other-bar.js";
import { pairSamplesOf, stateOfPair } from "./compare-entry.js";

const tokens = (...texts: string[]): Token[] =>
  texts.map((text, id) => ({ id, text, word: id, special: false, role: null }));
const SOURCE = { ...NO_STRIP, tokens: tokens("The", "cat"), focused: 1, locked: [0] };

const bar = (properties: Partial<HeadscopeOtherBar> = {}): Promise<HeadscopeOtherBar> =>
  mount(new HeadscopeOtherBar(), properties);
const lists = ({ renderRoot }: HeadscopeOtherBar): Record<string, string[]> =>
  Object.fromEntries(
    [...renderRoot.querySelectorAll("select")].map((list) => [
      list.getAttribute("aria-label") ?? "",
      [...list.options].map(({ text }) => text),
    ]),
  );

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-other-bar>", () => {
  it("takes another text, whose pairs by hand are none any more", async () => {
    const element = await bar({ text: "The cat" });
    const patches = asked(element, "headscope-patch");
    const field = element.renderRoot.querySelector("headscope-growing-text");
    expect([field?.value, field?.label, field?.placeholder]).toEqual([
      "The cat",
      "The other sentence",
      "Type another sentence",
    ]);
    field?.dispatchEvent(new CustomEvent("headscope-text", { detail: "A dog" }));
    expect(patches).toEqual([{ otherText: "A dog", pairs: [] }]);
  });

  it("offers every other model, and pairs of texts of the first one's", async () => {
    const element = await bar({
      model: "models/tiny-gpt",
      opened: ["opened/own"],
      otherModel: "models/en-fr",
    });
    const steps = asked(element, "headscope-step");
    const { "The other model": models = [], "Try a pair": pairs = [] } = lists(element);
    expect(models).toHaveLength(4);
    expect([models[0], models.at(-1)]).toEqual(["The same model", "own"]);
    const samples = pairSamplesOf("models/tiny-gpt");
    expect(pairs.slice(1)).toEqual(samples.map(({ text, other }) => `${text} · ${other}`));
    pick(element, "The other model", (text) => text === "own");
    pick(element, "The other model", (text) => text === "The same model");
    pick(element, "Try a pair", (text) => text.startsWith(samples[1]?.text ?? "?"));
    pick(element, "Try a pair", (text) => text === "Try a pair");
    const [, second] = samples;
    expect(steps).toEqual([
      { otherModel: "opened/own", pairs: [] },
      { otherModel: null, pairs: [] },
      second && stateOfPair(second),
    ]);
    expect(Object.keys(lists(await bar({ model: "opened/own" })))).toEqual(["The other model"]);
  });

  it("shows both texts of a translator, and of another model only what it reads", async () => {
    const element = await bar({ source: SOURCE });
    const strips = (): string[] =>
      [...element.renderRoot.querySelectorAll("headscope-tokens")].map(({ label }) => label);
    expect(strips()).toEqual(["Tokens of the other sentence"]);
    const [strip] = element.renderRoot.querySelectorAll("headscope-tokens");
    expect([strip?.tokens, strip?.hovered, strip?.locked]).toEqual([SOURCE.tokens, 1, [0]]);
    Object.assign(element, {
      translation: "Le chat",
      result: { ...NO_STRIP, tokens: tokens("Le", "chat") },
    } satisfies Partial<HeadscopeOtherBar>);
    await element.updateComplete;
    expect(strips()).toEqual(["Tokens of the other sentence", "Tokens of the other translation"]);
    expect(words(element.renderRoot.querySelector(".written"))).toBe(
      "What the model wrote Le chat",
    );
    expect(element.renderRoot.querySelector(".stale")).toBeNull();
    element.stale = true;
    await element.updateComplete;
    expect(element.renderRoot.querySelector(".strips.stale")).not.toBeNull();
  });

  it("says which token was pointed at or clicked, and on which side", async () => {
    const element = await bar({
      source: SOURCE,
      translation: "Le chat",
      result: { ...NO_STRIP, tokens: tokens("Le", "chat") },
    });
    const said = asked(element, "headscope-other-token");
    const [source, target] = element.renderRoot.querySelectorAll("headscope-tokens");
    source?.renderRoot
      .querySelectorAll("button")[1]
      ?.dispatchEvent(new PointerEvent("pointerenter"));
    target?.renderRoot.querySelectorAll("button")[0]?.click();
    target?.renderRoot.querySelector(".strip")?.dispatchEvent(new PointerEvent("pointerleave"));
    expect(said).toEqual([
      { side: "source", index: 1, action: "hover" },
      { side: "target", index: 0, action: "lock" },
      { side: "target", index: null, action: "hover" },
    ]);
  });

  it("says how to pair tokens by hand, and aligns the others by word or by position", async () => {
    const element = await bar();
    const steps = asked(element, "headscope-step");
    const hint = (): string => words(element.renderRoot.querySelector(".hint p"));
    expect(hint()).toBe("Hold a token above, then click its counterpart here.");
    element.held = true;
    await element.updateComplete;
    expect(hint()).toBe("Click the counterpart of the token that you hold.");
    expect(choices(element)).toEqual({
      "What stands beside what": "[aligned by word] aligned by position",
    });
    choose(element, "What stands beside what", "positions");
    expect(steps).toEqual([{ aligned: "positions" }]);
  });

  it("says what fails and asks for it again, and how far the other model is", async () => {
    const element = await bar({ failure: "The text is too long." });
    let again = 0;
    element.addEventListener("headscope-other-again", () => (again += 1));
    const alert = element.renderRoot.querySelector("[role=alert]");
    expect(words(alert)).toContain("The text is too long.");
    alert?.querySelector("button")?.click();
    expect(again).toBe(1);
    Object.assign(element, {
      failure: null,
      download: { phase: "loading", loadedBytes: 3, totalBytes: 8 },
    } satisfies Partial<HeadscopeOtherBar>);
    await element.updateComplete;
    const progress = element.renderRoot.querySelector("progress");
    expect([
      element.renderRoot.querySelector("[role=alert]"),
      progress?.getAttribute("value"),
      progress?.getAttribute("max"),
    ]).toEqual([null, "3", "8"]);
    element.download = { phase: "loading", loadedBytes: 3, totalBytes: null };
    await element.updateComplete;
    expect([progress?.hasAttribute("value"), progress?.hasAttribute("max")]).toEqual([
      false,
      false,
    ]);
    element.download = { phase: "ready" };
    await element.updateComplete;
    expect(element.renderRoot.querySelector("[role=status]")).toBeNull();
  });

  it("beside the original has nothing to choose, and ends either way", async () => {
    const element = await bar({ compare: "original", source: SOURCE });
    const steps = asked(element, "headscope-step");
    expect(element.renderRoot.querySelector("section")?.getAttribute("aria-label")).toBe(
      "Without your edits",
    );
    expect([
      lists(element),
      element.renderRoot.querySelector(
        "headscope-growing-text, headscope-tokens, headscope-choice",
      ),
    ]).toEqual([{}, null]);
    button(element, "Stop comparing").click();
    element.compare = "other";
    await element.updateComplete;
    button(element, "Stop comparing").click();
    expect(steps).toEqual([{ compare: null }, { compare: null }]);
  });
});
