// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeDimensions } from "./dimensions.js";
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

const rows = (...values: number[]): ReturnType<typeof matrixOf> =>
  matrixOf(3, values, ["position", "head_dim"]);
const stages = {
  raw: matrixOf(2, [2, -3.5, 1, 9]),
  scores: matrixOf(2, [1.155, -2.021, 0.577, 5.196]),
  masked: matrixOf(2, [1.155, -Infinity, 0.577, 5.196]),
  weights: matrixOf(2, [1, 0, 0.01, 0.99]),
};
const vectors = { query: rows(1, 2, -1, 1, 1, 1), key: rows(2, 0.5, 1, -1, -1, 0.5) };

const dimensions = (properties: Partial<HeadscopeDimensions> = {}): Promise<HeadscopeDimensions> =>
  mount(new HeadscopeDimensions(), {
    stages,
    vectors,
    queries: tokensOf("le", "chat"),
    keys: tokensOf("the", "cat"),
    ...properties,
  });

afterEach(() => document.body.replaceChildren());

describe("<headscope-dimensions>", () => {
  it("calls stages that an edit makes otherwise by their own names, and no product their sum", async () => {
    const element = await dimensions({ focused: { query: 1, key: 0 } });
    expect(nameOf(element)).toBe("Dimensions of the query chat: 2 keys by 3 dimensions");
    expect(spoken(element)).toBe("chat looks at the: q · k 1.000, scaled 0.577, weight 0.010");
    await tabulate(element);
    const said = (): unknown[] => [
      rowsOf(element, "table:first-of-type thead tr")[0]?.slice(1, 5),
      rowsOf(element, "tbody tr").filter(([name]) => name === "sum").length,
    ];
    expect(said()).toEqual([["q · k", "÷ √3", "masked", "softmax"], 1]);
    await put(element, { unusual: ["raw", "scores", "weights"] });
    expect(said()).toEqual([["raw", "scores", "masked", "weights"], 0]);
    expect(spoken(element)).toBe("chat looks at the: raw 1.000, score 0.577, weight 0.010");
  });

  it("walks keys up and down and queries left and right, and says what the reader blocked", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    const foot = (): string => element.renderRoot.querySelector(".foot")?.textContent ?? "";
    await press(element, "ArrowDown");
    expect(spoken(element)).toBe(
      "le looks at cat: q · k −3.500, scaled −2.021, weight 0 · may not look",
    );
    await put(element, { blocked: [{ query: 0, key: 1 }] });
    expect(spoken(element)).toContain("blocked by you");
    expect(foot()).toContain("may not look");
    await press(element, "ArrowRight");
    expect(spoken(element)).toContain("chat looks at cat");
    expect(foot()).not.toContain("may not look");
    await press(element, "PageUp", "Home");
    expect(spoken(element)).toContain("le looks at the");
  });

  it("holds a query's strongest pair when that query is chosen", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    const locked = heard(element, "headscope-cell-lock");
    const select = element.renderRoot.querySelector("select");
    expect(Array.from(select?.options ?? [], ({ text }) => text)).toEqual(["1 · le", "2 · chat"]);
    if (select) select.value = "1";
    select?.dispatchEvent(new Event("change"));
    expect(locked).toEqual([{ query: 1, key: 1 }]);
  });

  it("shows tables of every key, and of every dimension of the pair with the engine's sum", async () => {
    const element = await dimensions({ focused: { query: 0, key: 0 } });
    await tabulate(element);
    expect(rowsOf(element, "tbody tr")).toEqual([
      ["the", "2.000", "1.155", "1.155", "1.000"],
      ["cat", "−3.500", "−2.021", "−∞", "0"],
      ["1", "1.000", "2.000", "2.000"],
      ["2", "2.000", "0.500", "1.000"],
      ["3", "−1.000", "1.000", "−1.000"],
      ["sum", "", "", "2.000"],
    ]);
  });

  it.each([[null], [{ query: rows(1, 2, 3), key: vectors.key }]])(
    "has its numbers without vectors, and with vectors of another size",
    async (given) => {
      const element = await dimensions({ vectors: given, focused: { query: 1, key: 1 } });
      expect(spoken(element)).toContain("q · k 9.000");
      await tabulate(element);
      expect(element.renderRoot.querySelectorAll("table")).toHaveLength(1);
    },
  );
});
