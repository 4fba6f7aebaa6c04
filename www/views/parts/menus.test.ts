// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeModelPicker, HeadscopeNarrowMenu } from "./menus.js";

afterEach(() => document.body.replaceChildren());

async function mounted(changed = 0): Promise<HeadscopeNarrowMenu> {
  const menu = new HeadscopeNarrowMenu();
  menu.label = "Tokens";
  menu.changed = changed;
  menu.append(document.createElement("button"));
  document.body.append(menu);
  await menu.updateComplete;
  return menu;
}

describe("controls behind a button", () => {
  it("is named by its button, or by more than that", async () => {
    const menu = await mounted();
    const group = menu.renderRoot.querySelector("[role=group]");
    expect([
      menu.renderRoot.querySelector("button")?.textContent.trim(),
      group?.getAttribute("aria-label"),
    ]).toEqual(["Tokens", "Tokens"]);
    menu.name = "How tokens are looked at";
    await menu.updateComplete;
    expect(group?.getAttribute("aria-label")).toBe("How tokens are looked at");
  });

  it("says how many of them are not as they were", async () => {
    expect((await mounted()).renderRoot.textContent).not.toContain("changed");
    expect((await mounted(2)).renderRoot.textContent).toContain("2 changed");
  });

  it("leaves keys to the page while it is closed, where its controls stand in their row", async () => {
    const menu = await mounted();
    let heard = 0;
    document.body.addEventListener("keydown", () => (heard += 1), { once: true });
    menu.renderRoot
      .querySelector("[role=group]")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "[", bubbles: true, composed: true }));
    expect(heard).toBe(1);
  });
});

afterEach(() => document.body.replaceChildren());

/** A list opens: happy-dom has no popovers. */
function opening(): Event {
  const Toggle = class extends Event {
    readonly newState = "open";
  };
  Object.assign(globalThis, { ToggleEvent: Toggle });
  return new Toggle("beforetoggle");
}

describe("<headscope-model-picker>", () => {
  it("marks the models that are kept for a visit without a network, as they are when the list opens", async () => {
    const picker = await mount(new HeadscopeModelPicker(), {
      opened: ["opened/mine" as const],
      ready: ["models/en-fr" as const],
    });
    let kept: ("models/en-fr" | "models/tiny-gpt")[] = ["models/en-fr"];
    picker.findKept = () => Promise.resolve(kept);
    const marked = (): (string | undefined)[] =>
      [...picker.renderRoot.querySelectorAll("[role=menuitemradio]")].map(
        (item) => item.querySelector(".kept")?.textContent,
      );
    const open = async (): Promise<void> => {
      picker.renderRoot.querySelector(".list")?.dispatchEvent(opening());
      await Promise.resolve();
      await picker.updateComplete;
    };
    expect(marked()).toEqual([undefined, undefined, undefined, undefined]);
    await open();
    expect(marked()).toEqual(["works offline", undefined, undefined, undefined]);
    kept = ["models/en-fr", "models/tiny-gpt"];
    await open();
    expect(marked()).toEqual(["works offline", "works offline", undefined, undefined]);
  });

  it("names fields of the config without effect under the model in use", async () => {
    const picker = await mount(new HeadscopeModelPicker(), {
      model: "opened/mine" as const,
      opened: ["opened/mine" as const, "opened/other" as const],
      warnings: [{ field: "eos_token_id", value: "50256" }],
    });
    const named = [...picker.renderRoot.querySelectorAll("[role=menuitemradio]")].filter((item) =>
      item.textContent.includes("Without effect in config.json: eos_token_id = 50256"),
    );
    expect(named.map((item) => item.querySelector(".name")?.textContent)).toEqual(["mine"]);
  });
});
