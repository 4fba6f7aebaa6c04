// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { wordToken } from "../elements/shared/checked.js";
import { codeOf } from "./figure-code.js";

const HOME = "https://example.org/headscope/";
const heatmap = (about: string): Parameters<typeof codeOf>[0][number] => ({
  figure: "heatmap",
  about,
  properties: {
    tensor: { data: Float32Array.of(0.25, 0.75), shape: [1, 2], axes: ["query", "key"] },
    queries: ["</script><b>"].map(wordToken),
    keys: ["b", "c"].map(wordToken),
  },
});

it("writes a figure with its numbers and a picture that says what it is", () => {
  const { html, files } = codeOf([heatmap("Mine & yours")], HOME, "<svg role=img></svg>");
  expect(files).toEqual([]);
  const place = document.createElement("div");
  place.innerHTML = html;
  const [script, figure] = place.children;
  expect(script?.getAttribute("src")).toBe(`${HOME}embed.js`);
  expect([figure?.localName, figure?.hasAttribute("caption")]).toEqual(["headscope-heatmap", true]);
  const [json, picture] = figure?.children ?? [];
  const read = JSON.parse(json?.textContent ?? "") as { figure: string; properties: object };
  expect(read).toMatchObject({
    format: "headscope-figure",
    figure: "heatmap",
    about: "Mine & yours",
    properties: { tensor: { data: [0.25, 0.75] }, queries: [{ text: "</script><b>" }] },
  });
  expect(picture?.getAttribute("role")).toBe("img");
});

it("names a file for many numbers, one for each figure", () => {
  const tensor = { data: new Float32Array(40_000).fill(0.005), shape: [200, 200], axes: [] };
  const many = (about: string): Parameters<typeof codeOf>[0][number] => ({
    figure: "positions",
    about,
    properties: { tensor },
  });
  const one = codeOf([many("One")], HOME, null);
  expect(one.html).toContain('<headscope-positions src="figure.json" caption>');
  expect(one.files.map(({ name }) => name)).toEqual(["figure.json"]);
  const two = codeOf([many("One"), many("Two")], HOME, null);
  expect(two.html).toContain(">\nTwo\n<");
  expect(two.files.map(({ name }) => name)).toEqual(["figure-1.json", "figure-2.json"]);
  expect(JSON.parse(two.files[1]?.text ?? "")).toMatchObject({ about: "Two" });
});
