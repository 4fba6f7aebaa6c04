// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { decodeAttributes, DEFAULT_STATE, togglePicked, type State } from "../../state/index.js";
import { embedCode, type Embedded } from "./embed-code.js";

const STATE: State = {
  ...DEFAULT_STATE,
  text: 'He said "<b>" & left.',
  stage: "masked",
  picture: "lines",
  theme: "dark",
  language: "zh-CN",
  locked: { query: 1, key: 2 },
};
const BY_WORD: State = { ...STATE, unit: "word", specials: "hidden", sink: "out" };
const COMPARED: State = {
  ...STATE,
  compare: "other",
  otherText: "Another.",
  otherModel: "models/tiny-bert",
  pairs: [{ side: "source", one: 1, other: 0 }],
};
/** What a figure does not get: its tag names the picture, and the page around it decides the theme. */
const ALONE = { picture: "heatmap", theme: "system", language: null } as const;

/** The elements that a page has with this code in it. */
function pasted(code: string | null): Element[] {
  const page = document.createElement("div");
  page.innerHTML = code ?? "";
  return [...page.children];
}

describe("the code of a picture", () => {
  it.each<[what: Embedded, state: State, figures: [tag: string, state: State][]]>([
    ["picture", STATE, [["headscope-lines", { ...STATE, ...ALONE }]]],
    [
      "picture",
      { ...BY_WORD, picked: togglePicked(null, "source", 1), otherText: "Another." },
      [["headscope-lines", { ...BY_WORD, ...ALONE }]],
    ],
    ["picture", COMPARED, [["headscope-difference", { ...COMPARED, ...ALONE }]]],
    ["grid", COMPARED, [["headscope-grid", { ...STATE, ...ALONE }]]],
    ["spectrum", STATE, [["headscope-spectrum", { ...STATE, ...ALONE }]]],
    ["tokens", STATE, [["headscope-tokens", { ...STATE, ...ALONE, locked: null }]]],
    [
      "both-tokens",
      { ...COMPARED, stack: "cross" },
      (["encoder", "decoder"] as const).map((stack): [string, State] => [
        "headscope-tokens",
        { ...STATE, ...ALONE, stack, locked: null },
      ]),
    ],
    ["explorer", STATE, [["head-scope", STATE]]],
  ])("is a script and what says all that is shown, and no more: %s", (what, state, figures) => {
    const [script, ...made] = pasted(embedCode(what, state));
    expect(script?.getAttribute("src")).toMatch(/embed\.js$/);
    expect(made.map((one) => [one.localName, decodeAttributes(one).state])).toEqual(figures);
    // Said even where a first visit has the same, so that the code can be read and changed.
    for (const name of ["model", "text", "stack", "layer", "head"])
      expect(made[0]?.hasAttribute(name), name).toBe(true);
  });

  it("cannot be had for a model that only the reader has", () => {
    expect(embedCode("picture", { ...STATE, model: "opened/mine" })).toBeNull();
    expect(embedCode("picture", { ...COMPARED, otherModel: "opened/mine" })).toBeNull();
  });
});
