// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { decodeAttributes, encodeAttributes, STATE_ATTRIBUTES, unreadAttribute } from "./link.js";
import { DEFAULT_STATE, NO_EDITS, type State } from "./index.js";

function elementWith(attributes: Iterable<readonly [string, string]>): Element {
  const element = document.createElement("div");
  for (const [name, text] of attributes) element.setAttribute(name, text);
  return element;
}

describe("a State as attributes", () => {
  it("reads back as it was written, numbers from one as people count", () => {
    const state: State = {
      ...DEFAULT_STATE,
      model: "models/tiny-bert",
      text: 'The "dog" & <cat>',
      stack: "encoder",
      layer: 2,
      head: 0,
      hidden: [1, 3],
      roleFilter: "previous",
      locked: { query: 0, key: 4 },
      edits: {
        ...NO_EDITS,
        masks: [{ stack: "encoder", layers: [2], heads: [0], block: [[1, 2]] }],
      },
    };
    const written = encodeAttributes(state);
    expect(Object.fromEntries(written)).toMatchObject({
      layer: "3",
      head: "1",
      "hidden-tokens": "2,4",
      "role-filter": "previous",
      cell: "1-5",
    });
    expect(decodeAttributes(elementWith(written)).state).toEqual(state);
  });

  it("uses no name that means something else in HTML", () => {
    for (const name of ["hidden", "role"]) {
      expect(STATE_ATTRIBUTES).not.toContain(name);
      expect(decodeAttributes(elementWith([[name, "1"]])).said).toEqual([]);
    }
  });

  it("names what it cannot read, takes any folder for a model, and leaves out what is asked for elsewhere", () => {
    const element = elementWith([
      ["layer", "0"],
      ["model", "./mine"],
      ["stack", "decoder"],
    ]);
    const decoded = decodeAttributes(element, ["stack"]);
    expect(decoded.unread).toEqual(["layer"]);
    expect(decoded.state).toEqual({ ...DEFAULT_STATE, model: "at/./mine" });
    expect(unreadAttribute(element, decoded)).toEqual({ written: 'layer="0"', form: "1, 2, 3 …" });
  });
});
