// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeLines } from "./lines.js";
import {
  heard,
  matrixOf,
  mount,
  nameOf,
  press,
  put,
  rowsOf,
  spoken,
  tabulate,
  tokensOf,
} from "./testing/mount.js";

const FIRST = { head: 2, weights: matrixOf(3, [0.25, 0.75, 0, 0.1, 0.2, 0.7]) };
const OTHER = { head: 0, weights: matrixOf(3, [1, 0, 0, 0, 1, 0]) };

const lines = (properties: Partial<HeadscopeLines> = {}): Promise<HeadscopeLines> =>
  mount(new HeadscopeLines(), {
    patterns: [FIRST],
    heads: 4,
    queries: tokensOf("le", "chat"),
    keys: tokensOf("the", "cat", "."),
    ...properties,
  });

afterEach(() => document.body.replaceChildren());

describe("<headscope-lines>", () => {
  it("says how many links hold the mass, and asks for another mass by its slider", async () => {
    const element = await lines({ mass: 90 });
    const asked = heard(element, "headscope-mass-change");
    expect(nameOf(element)).toBe("Lines: 2 queries by 3 keys, 4 links");
    expect(element.renderRoot.querySelector(".foot")?.textContent).toContain("4 of 5 lines");
    await put(element, { mass: 70 });
    expect(nameOf(element)).toBe("Lines: 2 queries by 3 keys, 2 links");
    const slider = element.renderRoot.querySelector("input");
    expect([slider?.value, slider?.getAttribute("aria-valuetext")]).toEqual(["70", "70%"]);
    if (slider) slider.value = "40";
    slider?.dispatchEvent(new Event("input"));
    expect(asked).toEqual([40]);
  });

  it("walks by the keyboard: a query's strongest link first, then each of its keys", async () => {
    const element = await lines({ locked: { query: 0, key: 1 } });
    const walked = [spoken(element)];
    for (const keys of [
      ["ArrowDown"],
      ["ArrowRight", "ArrowUp"],
      ["Home"],
      ["ArrowLeft", "PageUp"],
    ]) {
      await press(element, ...keys);
      walked.push(spoken(element));
    }
    expect(walked).toEqual([
      "le looks at cat: 0.750",
      "chat looks at .: 0.700",
      "chat looks at cat: 0.200",
      "chat looks at the: 0.100",
      "le looks at cat: 0.750",
    ]);
  });

  it("draws several heads, each named where its number is said, in the choice and in the tables", async () => {
    const element = await lines({ patterns: [FIRST, OTHER], focused: { query: 0, key: 0 } });
    expect(spoken(element)).toBe("le looks at the: head 3 0.250 · head 1 1.000");
    const asked = heard(element, "headscope-beside-toggle");
    const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".heads button")];
    expect(
      buttons.map((button) =>
        ["aria-label", "aria-pressed"].map((name) => button.getAttribute(name)).join(" "),
      ),
    ).toEqual(["Head 1 true", "Head 2 false", "Head 4 false"]);
    buttons[1]?.click();
    expect(asked).toEqual([1]);
    await tabulate(element);
    expect(rowsOf(element, "table").map(([caption]) => caption)).toEqual([
      "Weights of head 3",
      "Weights of head 1",
    ]);
    expect(rowsOf(element, "tbody tr")[1]).toEqual(["chat", "0.100", "0.200", "0.700"]);
    await put(element, { heads: 1 });
    expect(element.renderRoot.querySelector(".heads")).toBeNull();
  });

  it("says why a pair weighs nothing", async () => {
    const element = await lines({
      patterns: [{ head: 0, weights: matrixOf(2, [0, 1, 0, 0]) }],
      keys: tokensOf("a", "b"),
      blocked: [{ query: 0, key: 0 }],
      fullyMasked: [1],
    });
    await put(element, { focused: { query: 0, key: 0 } });
    expect(spoken(element)).toBe("le looks at a: 0 · blocked by you");
    await put(element, { focused: { query: 1, key: 0 } });
    expect(spoken(element)).toBe("chat looks at a: 0 · may look at nothing");
  });
});
