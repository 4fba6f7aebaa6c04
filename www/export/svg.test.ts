// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { SvgBrush } from "./svg.js";

const brush = (): SvgBrush => new SvgBrush("test", "sans-serif");

/** What was painted, read by a parser of XML. */
async function painted(given: SvgBrush): Promise<Element[]> {
  const file = new DOMParser().parseFromString(
    `<svg xmlns="http://www.w3.org/2000/svg">${await given.markup()}</svg>`,
    "image/svg+xml",
  );
  return [...file.documentElement.children];
}

const attributes = (element: Element | undefined, names: string): string =>
  names
    .split(" ")
    .map((name) => element?.getAttribute(name) ?? "–")
    .join(" ");

/**
 * Whole pictures stand in the golden files; these are the rules of a canvas that they depend on.
 */
it("a brush that writes SVG writes text as text, any sign", async () => {
  const given = brush();
  given.fillText('<&">\u0000   a', 5, 5);
  expect((await painted(given))[0]?.textContent).toBe('<&">\uFFFD\u00A0\u00A0 a');
});

it("a text that is read from the right hangs where it does on a canvas", async () => {
  const given = brush();
  given.direction = "rtl";
  for (const align of ["left", "right", "center", "start", "end"] as const) {
    given.textAlign = align;
    given.fillText("כלב!", 0, 0);
  }
  const anchors = (await painted(given)).map((text) => attributes(text, "direction text-anchor"));
  expect(anchors).toEqual(["rtl end", "rtl –", "rtl middle", "rtl –", "rtl end"]);
});

it("a full circle is drawn in halves, and a part of one is drawn as far as it goes", async () => {
  const given = brush();
  for (const to of [2 * Math.PI, Math.PI / 2]) {
    given.beginPath();
    given.arc(10, 10, 4, 0, to);
    given.fill();
  }
  const paths = (await painted(given)).map((path) => path.getAttribute("d"));
  expect(paths).toEqual([
    "M14 10A4 4 0 0 1 6 10A4 4 0 0 1 14 10",
    "M14 10A4 4 0 0 1 12.83 12.83A4 4 0 0 1 10 14",
  ]);
});
