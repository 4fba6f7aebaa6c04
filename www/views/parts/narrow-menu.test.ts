// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeNarrowMenu } from "./narrow-menu.js";

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
