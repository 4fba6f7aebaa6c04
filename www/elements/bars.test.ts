// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeBars } from "./bars.js";
import { mount } from "./testing/mount.js";

const lengths = (element: HeadscopeBars): string[] =>
  [...element.renderRoot.querySelectorAll<HTMLElement>("i")].map((bar) => bar.style.width);

afterEach(() => document.body.replaceChildren());

describe("<headscope-bars>", () => {
  it("draws shares of one whole, with their words and numbers", async () => {
    const items = [
      { label: "gave", value: 0.75, text: "0.750" },
      { label: "cat", value: 0, text: "0" },
    ];
    const element = await mount(new HeadscopeBars(), { items, heading: "This query looks at" });
    expect(element.renderRoot.querySelector("h3")?.textContent).toBe("This query looks at");
    expect(lengths(element)).toEqual(["75%", "0%"]);
    expect(element.renderRoot.querySelector("li")?.textContent.replace(/\s+/g, " ").trim()).toBe(
      "gave 0.750",
    );
  });

  it("marks the one to find", async () => {
    const items = [true, false].map((marked) => ({ label: "", value: 0.5, text: "", marked }));
    const element = await mount(new HeadscopeBars(), { items });
    expect(
      [...element.renderRoot.querySelectorAll("li")].map(({ classList }) =>
        classList.contains("marked"),
      ),
    ).toEqual([true, false]);
  });

  it("keeps bars inside their track, whatever the numbers", async () => {
    const items = [5, NaN].map((value) => ({ label: "", value, text: "" }));
    const element = await mount(new HeadscopeBars(), { items, max: 2 });
    expect(lengths(element)).toEqual(["100%", "0%"]);
    element.items = [5, -7, NaN].map((value) => ({ label: "", value, text: "" }));
    await element.updateComplete;
    expect(lengths(element)).toEqual(["50%", "50%", "0%"]);
    element.max = 0;
    await element.updateComplete;
    expect(lengths(element)).toEqual(["0%", "0%", "0%"]);
  });

  it("draws what is negative to the left of zero, and moves zero no further than it has to", async () => {
    const items = [0.5, -0.25].map((value) => ({ label: "", value, text: "" }));
    const element = await mount(new HeadscopeBars(), { items });
    const places = (): string[] =>
      [...element.renderRoot.querySelectorAll<HTMLElement>("i")].map((bar) => bar.style.marginLeft);
    expect([lengths(element), places()]).toEqual([
      ["40%", "20%"],
      ["20%", "0%"],
    ]);
    expect(
      element.renderRoot.querySelector<HTMLElement>("ol.signed")?.style.getPropertyValue("--_zero"),
    ).toBe("20%");
    element.items = items.slice(0, 1);
    await element.updateComplete;
    expect([lengths(element), places(), element.renderRoot.querySelector("ol.signed")]).toEqual([
      ["50%"],
      [""],
      null,
    ]);
  });

  it("has no empty heading", async () => {
    const element = await mount(new HeadscopeBars(), {});
    expect(element.renderRoot.querySelector("h3")).toBeNull();
  });
});
