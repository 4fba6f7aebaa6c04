// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { ROLES, type HeadMeasures, type RoleScores } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeHeadMeasures, HeadscopeOtherUnit } from "./head-measures.js";

const roles = Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores;
const MEASURES: HeadMeasures = { layer: 0, head: 0, entropy: Math.LN2, distance: 2.5, roles };
const SPECTRUM = { scores: { values: [3, 1], rank90: 1 }, weights: { values: [1, 0], rank90: 1 } };

const measure = (element: HeadscopeHeadMeasures, name: string): string | undefined =>
  element.renderRoot.querySelector(`[data-measure=${name}]`)?.textContent.trim();

afterEach(() => document.body.replaceChildren());

describe("<headscope-head-measures>", () => {
  it("says how wide a head looks, in nats and in bits, and how far", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), {
      measures: MEASURES,
      spectrum: SPECTRUM,
    });
    const entropy = element.renderRoot.querySelector("headscope-other-unit");
    expect([entropy?.value, entropy?.other]).toEqual(["0.693 nats", "= 1.000 bits"]);
    expect(measure(element, "distance")).toBe("2.500 tokens");
  });

  it("says what is not defined", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), {
      measures: { ...MEASURES, entropy: null, distance: null },
    });
    expect([measure(element, "entropy"), measure(element, "distance")]).toEqual(["–", "–"]);
    element.measures = { ...MEASURES, distance: null };
    await element.updateComplete;
    expect(measure(element, "distance")).toContain("not defined between two texts");
  });

  it("draws both spectra and has every value in a table", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), {
      measures: MEASURES,
      spectrum: SPECTRUM,
    });
    const drawn = element.renderRoot
      .querySelector("headscope-spectrum")
      ?.lists.map(({ heading, values, rank }) => [heading, values, rank]);
    expect(drawn).toEqual([
      ["Scores, before mask and softmax", [3, 1], 1],
      ["Weights, after mask and softmax", [1, 0], 1],
    ]);
    expect(
      [...element.renderRoot.querySelectorAll("td")].map(({ textContent }) => textContent),
    ).toEqual(["3.000", "1.000", "1.000", "0"]);
  });

  it("speaks of no softmax where edits make other weights, and of one where they change the scores alone", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), {
      measures: MEASURES,
      spectrum: SPECTRUM,
      unusual: ["raw", "scores", "weights"],
    });
    const headings = (): string[] | undefined =>
      element.renderRoot.querySelector("headscope-spectrum")?.lists.map(({ heading }) => heading);
    expect(headings()).toEqual(["Scores, before the mask", "Weights, as your edits make them"]);
    element.unusual = ["scores"];
    await element.updateComplete;
    expect(headings()).toEqual([
      "Scores, before mask and softmax",
      "Weights, after mask and softmax",
    ]);
  });

  it("has no value of a matrix that has none", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), {
      measures: MEASURES,
      spectrum: { ...SPECTRUM, scores: { values: [], rank90: 0 } },
    });
    expect(
      [...element.renderRoot.querySelectorAll("td")].map(({ textContent }) => textContent),
    ).toEqual(["–", "1.000", "–", "0"]);
  });

  it("says that it computes, and when it cannot", async () => {
    const element = await mount(new HeadscopeHeadMeasures(), { measures: MEASURES });
    expect(element.renderRoot.textContent).toContain("Computing");
    element.spectrum = "too-long";
    await element.updateComplete;
    expect(element.renderRoot.textContent).toContain("too long");
  });
});

describe("<headscope-other-unit>", () => {
  it("describes its number, and Escape puts that away until it is asked for again", async () => {
    const element = await mount(new HeadscopeOtherUnit(), { value: "1 nat", other: "1.443 bits" });
    const button = element.renderRoot.querySelector("button");
    expect(
      element.renderRoot.querySelector(`#${button?.getAttribute("aria-describedby") ?? ""}`)
        ?.textContent,
    ).toBe("1.443 bits");
    button?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    expect(element.dismissed).toBe(true);
    button?.click();
    expect(element.dismissed).toBe(false);
  });
});
