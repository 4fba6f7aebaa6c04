// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../testing/mount.js";
import { HeadscopeCurves } from "./index.js";

const LINES = [
  { name: "Encoder", points: [{ x: 0, y: 1 }, { x: 0.5, y: 2 }] },
  { name: "Decoder", points: [{ x: 0, y: 1 }] },
];

afterEach(() => document.body.replaceChildren());

describe("<headscope-curves>", () => {
  it("names its lines, and has all their numbers in a table; a missing one is a dash", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: LINES, titles: { x: "heads removed", y: "loss" }, marked: 0.6 });
    expect([...element.renderRoot.querySelectorAll(".keys li")].map(({ textContent }) => textContent)).toEqual(["Encoder", "Decoder"]);
    element.renderRoot.querySelector("button")?.click();
    await element.updateComplete;
    const rows = [...element.renderRoot.querySelectorAll("tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(rows).toEqual([["heads removed", "Encoder", "Decoder"], ["0%", "1.000", "1.000"], ["50%", "2.000", "–"]]);
  });

  it("shows nothing where there is nothing", async () => {
    const element = await mount(new HeadscopeCurves(), { lines: [] });
    expect(element.renderRoot.querySelector("figure")).toBeNull();
  });
});
