// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { decodeAttributes, DEFAULT_STATE, togglePicked, type State } from "../../state/index.js";
import { embedCode } from "./embed-code.js";

const STATE: State = {
  ...DEFAULT_STATE,
  text: 'He said "<b>" & left.',
  stage: "masked",
  picture: "lines",
  theme: "dark",
  language: "zh-CN",
  locked: { query: 1, key: 2 },
};

/** The elements that a page has with this code in it. */
function pasted(code: string | null): Element[] {
  const page = document.createElement("div");
  page.innerHTML = code ?? "";
  return [...page.children];
}

describe("the code of a picture", () => {
  it("is a script and a figure that says all that the picture shows, and no more", () => {
    const [script, figure] = pasted(embedCode("picture", STATE));
    expect(script?.getAttribute("src")).toMatch(/^https?:.*\/embed\.js$|embed\.js$/);
    expect(figure?.localName).toBe("headscope-lines");
    expect(figure && decodeAttributes(figure).state).toEqual({
      ...STATE,
      picture: "heatmap",
      theme: "system",
      language: null,
    });
    for (const name of ["model", "text", "stack", "layer", "head"])
      expect(figure?.hasAttribute(name), name).toBe(true);
    expect(figure?.hasAttribute("theme")).toBe(false);
  });

  it("says how the numbers are looked at, and not which tokens are picked on the page", () => {
    const looking: State = { ...STATE, unit: "word", specials: "hidden", sink: "out" };
    const [, figure] = pasted(
      embedCode("picture", {
        ...looking,
        picked: togglePicked(null, "source", 1),
        otherText: "Another.",
      }),
    );
    expect(figure && decodeAttributes(figure).state).toEqual({
      ...looking,
      picture: "heatmap",
      theme: "system",
      language: null,
    });
  });

  it("is that of a difference where the page shows two runs, with all that sets them apart", () => {
    const compared: State = {
      ...STATE,
      compare: "other",
      otherText: "Another.",
      otherModel: "models/tiny-bert",
      pairs: [{ side: "source", one: 1, other: 0 }],
    };
    const [, figure] = pasted(embedCode("picture", compared));
    expect(figure?.localName).toBe("headscope-difference");
    expect(figure && decodeAttributes(figure).state).toEqual({
      ...compared,
      picture: "heatmap",
      theme: "system",
      language: null,
    });
    expect(embedCode("picture", { ...compared, otherModel: "opened/mine" })).toBeNull();
    const [, alone] = pasted(embedCode("grid", compared));
    expect([
      alone?.localName,
      alone?.hasAttribute("other"),
      alone?.hasAttribute("compare"),
    ]).toEqual(["headscope-grid", false, false]);
  });

  it("has a head's singular values as one figure, which has both lists", () => {
    const [, ...figures] = pasted(embedCode("spectrum", STATE));
    expect(figures.map(({ localName }) => localName)).toEqual(["headscope-spectrum"]);
    expect(figures.map((figure) => decodeAttributes(figure).state)).toEqual([
      { ...STATE, picture: "heatmap", theme: "system", language: null },
    ]);
  });

  it("has the tokens of a text, and of a translator's two texts, whatever is held of a head", () => {
    const [, tokens, ...more] = pasted(embedCode("tokens", STATE));
    expect([tokens?.localName, more]).toEqual(["headscope-tokens", []]);
    expect(tokens && decodeAttributes(tokens).state).toEqual({
      ...STATE,
      picture: "heatmap",
      theme: "system",
      language: null,
      locked: null,
    });
    const [, ...both] = pasted(
      embedCode("both-tokens", {
        ...STATE,
        stack: "cross",
        compare: "other",
        otherText: "Another.",
      }),
    );
    expect(both.map(({ localName }) => localName)).toEqual([
      "headscope-tokens",
      "headscope-tokens",
    ]);
    expect(
      both
        .map((figure) => decodeAttributes(figure).state)
        .map(({ stack, text, locked, compare }) => [stack, text, locked, compare]),
    ).toEqual([
      ["encoder", STATE.text, null, null],
      ["decoder", STATE.text, null, null],
    ]);
  });

  it("is that of the whole explorer where that is wanted", () => {
    const [, explorer] = pasted(embedCode("explorer", STATE));
    expect(explorer?.localName).toBe("head-scope");
    expect(explorer && decodeAttributes(explorer).state).toEqual(STATE);
  });

  it("cannot be had for a model that only the reader has", () => {
    expect(embedCode("picture", { ...STATE, model: "opened/mine" })).toBeNull();
  });
});
