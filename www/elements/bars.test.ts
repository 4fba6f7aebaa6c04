// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { HeadscopeBars } from "./bars.js";
import { mount, put } from "./testing/mount.js";

const bars = (element: HeadscopeBars): string[] =>
  Array.from(
    element.renderRoot.querySelectorAll<HTMLElement>("i"),
    ({ style }) => `${style.marginLeft} ${style.width}`,
  );
const items = (...values: number[]): HeadscopeBars["items"] =>
  values.map((value) => ({ label: "gave", value, text: "0.5", marked: value === 0.75 }));

afterEach(() => document.body.replaceChildren());

it.each([
  ["shares of one whole", [0.75, 0], 1, [" 75%", " 0%"]],
  ["what is no share, inside its track", [5, NaN], 2, [" 100%", " 0%"]],
  ["nothing where there is no longest bar", [5], 0, [" 0%"]],
  ["what is negative to the left of zero", [0.5, -0.25], 1, ["20% 40%", "0% 20%"]],
] as const)("<headscope-bars> draws %s", async (_, values, max, expected) => {
  const element = await mount(new HeadscopeBars(), { items: items(...values), max });
  expect(bars(element)).toEqual(expected);
});

it("<headscope-bars> says what they are, and marks the one to find", async () => {
  const element = await mount(new HeadscopeBars(), { items: items(0.75, 0.5) });
  expect(element.renderRoot.querySelector("h3")).toBeNull();
  await put(element, { heading: "This query looks at" });
  expect(element.renderRoot.querySelector("h3")?.textContent).toBe("This query looks at");
  const marked = Array.from(element.renderRoot.querySelectorAll("li"), ({ className }) =>
    className.includes("marked"),
  );
  expect(marked).toEqual([true, false]);
});
