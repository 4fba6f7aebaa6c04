// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { HeadscopeExportMenu } from "./export-menu.js";

afterEach(() => document.body.replaceChildren());

describe("the Export menu", () => {
  it("waits while there is nothing to save, and names what it opens", async () => {
    const menu = new HeadscopeExportMenu();
    document.body.append(menu);
    await menu.updateComplete;
    const button = menu.renderRoot.querySelector<HTMLButtonElement>(".open");
    expect(button?.disabled).toBe(true);
    expect(button?.getAttribute("aria-haspopup")).toBe("dialog");
    expect(menu.renderRoot.querySelector("[popover]")?.getAttribute("aria-label")).toBe("Export");
    expect(menu.renderRoot.querySelectorAll("[popover] button")).toHaveLength(0);
  });

  it("keeps its keys to itself", async () => {
    const menu = new HeadscopeExportMenu();
    document.body.append(menu);
    await menu.updateComplete;
    let heard = 0;
    document.body.addEventListener("keydown", () => (heard += 1));
    menu.renderRoot
      .querySelector("[popover]")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true, composed: true }));
    expect(heard).toBe(0);
  });
});
