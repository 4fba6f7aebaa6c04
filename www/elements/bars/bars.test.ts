// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../testing/mount.js";
import { HeadscopeBars } from "./index.js";

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
    expect(element.renderRoot.querySelector("li")?.textContent.replace(/\s+/g, " ").trim()).toBe("gave 0.750");
  });

  it("marks the one to find", async () => {
    const items = [true, false].map((marked) => ({ label: "", value: 0.5, text: "", marked }));
    const element = await mount(new HeadscopeBars(), { items });
    expect([...element.renderRoot.querySelectorAll("li")].map(({ classList }) => classList.contains("marked"))).toEqual([true, false]);
  });

  it("keeps bars inside their track, whatever the numbers", async () => {
    const items = [5, -1, NaN].map((value) => ({ label: "", value, text: "" }));
    const element = await mount(new HeadscopeBars(), { items, max: 2 });
    expect(lengths(element)).toEqual(["100%", "0%", "0%"]);
    element.max = 0;
    await element.updateComplete;
    expect(lengths(element)).toEqual(["0%", "0%", "0%"]);
  });

  it("has no empty heading", async () => {
    const element = await mount(new HeadscopeBars(), {});
    expect(element.renderRoot.querySelector("h3")).toBeNull();
  });
});
