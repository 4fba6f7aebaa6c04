// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeChips } from "./chips.js";
import { heard, mount } from "./testing/mount.js";

const chips = [
  { id: "mask-0", label: "j may not look at gave" },
  { id: "head-1", label: "1.6 silenced", inactive: true },
];

afterEach(() => document.body.replaceChildren());

describe("<headscope-chips>", () => {
  it("shows each chip with a button that names what it takes back", async () => {
    const element = await mount(new HeadscopeChips(), { chips, label: "Your edits" });
    const labels = [...element.renderRoot.querySelectorAll(".remove")].map((button) =>
      button.getAttribute("aria-label"),
    );
    expect(labels).toEqual([
      "Undo this edit: j may not look at gave",
      "Undo this edit: 1.6 silenced",
    ]);
    expect(element.renderRoot.querySelector("ul")?.getAttribute("aria-label")).toBe("Your edits");
    expect(element.renderRoot.querySelectorAll(".inactive")).toHaveLength(1);
  });

  it("says what else there is to say beside a chip, and not in the name of its button", async () => {
    const element = await mount(new HeadscopeChips(), {
      chips: [{ id: "mask-0", label: "j may not look at gave", note: "computed on the CPU" }],
    });
    expect(element.renderRoot.querySelector(".chip small")?.textContent).toBe(
      "computed on the CPU",
    );
    expect(element.renderRoot.querySelector(".remove")?.getAttribute("aria-label")).toBe(
      "Undo this edit: j may not look at gave",
    );
  });

  it("says which one goes, or that all go", async () => {
    const element = await mount(new HeadscopeChips(), { chips });
    const removed = heard(element, "headscope-chip-remove");
    const cleared = heard(element, "headscope-chips-clear");
    element.renderRoot.querySelectorAll<HTMLButtonElement>(".remove")[1]?.click();
    element.renderRoot.querySelector<HTMLButtonElement>(".clear")?.click();
    expect(removed).toEqual([{ id: "head-1" }]);
    expect(cleared).toEqual([null]);
  });

  it("is not there without chips", async () => {
    const element = await mount(new HeadscopeChips(), {});
    expect(element.renderRoot.textContent.trim()).toBe("");
  });
});
