// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../elements/testing/mount.js";
import { HeadscopeChoice } from "./choice.js";
import { words } from "./testing/asked.js";

const CHOICES = [
  { value: "a", label: "one" },
  { value: "b", label: "eins", lang: "de" },
  { value: "c", label: "Viridis", swatch: ["rgb(1, 2, 3)", "rgb(4, 5, 6)"] },
];

const choice = (value = "a"): Promise<HeadscopeChoice> =>
  mount(new HeadscopeChoice(), { choices: CHOICES, value, label: "Which" });

afterEach(() => document.body.replaceChildren());

describe("<headscope-choice>", () => {
  it("says of a choice in which language it is, and of colours what they are called", async () => {
    const element = await choice();
    const labels = [...element.renderRoot.querySelectorAll("label")];
    expect(labels.map(({ lang, title }) => [lang, title])).toEqual([
      ["", ""],
      ["de", ""],
      ["", "Viridis"],
    ]);
    expect(labels.map(words)).toEqual(["one", "eins", "Viridis"]);
    expect(
      [...element.renderRoot.querySelectorAll<HTMLElement>(".swatch i")].map(
        ({ style }) => style.background,
      ),
    ).toEqual(["rgb(1, 2, 3)", "rgb(4, 5, 6)"]);
    expect(element.renderRoot.querySelector(".swatch")?.getAttribute("aria-hidden")).toBe("true");
  });
});
