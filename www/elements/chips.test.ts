// @vitest-environment happy-dom
import { afterEach, expect, it } from "vitest";
import { HeadscopeChips } from "./chips.js";
import { heard, mount, put } from "./testing/mount.js";

afterEach(() => document.body.replaceChildren());

it("<headscope-chips> names what each button takes back, and says which one goes, or that all go", async () => {
  const chips = [
    { id: "mask-0", label: "j may not look at gave", note: "computed on the CPU" },
    { id: "head-1", label: "1.6 silenced", inactive: true },
  ];
  const element = await mount(new HeadscopeChips(), { chips, label: "Your edits" });
  const [removed, cleared] = [
    heard(element, "headscope-chip-remove"),
    heard(element, "headscope-chips-clear"),
  ];
  const buttons = [...element.renderRoot.querySelectorAll<HTMLButtonElement>(".remove")];
  expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual([
    "Undo this edit: j may not look at gave",
    "Undo this edit: 1.6 silenced",
  ]);
  expect(element.renderRoot.querySelector("ul")?.getAttribute("aria-label")).toBe("Your edits");
  expect(element.renderRoot.querySelectorAll(".inactive")).toHaveLength(1);
  expect(element.renderRoot.querySelector("small")?.textContent).toBe("computed on the CPU");
  buttons[1]?.click();
  element.renderRoot.querySelector<HTMLButtonElement>(".clear")?.click();
  expect([removed, cleared]).toEqual([[{ id: "head-1" }], [null]]);
  await put(element, { chips: [] });
  expect(element.renderRoot.textContent.trim()).toBe("");
});
