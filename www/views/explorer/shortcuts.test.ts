// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { shortcutOf } from "./shortcuts.js";

/** Presses a key on an element and gives back what the page made of it. */
function press(
  key: string,
  options: KeyboardEventInit = {},
  on: Element = document.createElement("button"),
): string | undefined {
  document.body.append(on);
  let shortcut: string | undefined;
  const listen = (event: KeyboardEvent): void => {
    shortcut = shortcutOf(event);
  };
  document.addEventListener("keydown", listen);
  on.dispatchEvent(
    new KeyboardEvent("keydown", {
      key,
      bubbles: true,
      composed: true,
      cancelable: true,
      ...options,
    }),
  );
  document.removeEventListener("keydown", listen);
  return shortcut;
}

describe("keys", () => {
  it("ask for what the list of keys says", () => {
    expect(["[", "]", ",", ".", "Escape", "s", "?", "a"].map((key) => press(key))).toEqual([
      "layer-before",
      "layer-after",
      "head-before",
      "head-after",
      "release",
      "silence",
      "show-keys",
      undefined,
    ]);
  });

  it("undo and redo as the system has them", () => {
    expect(press("z", { ctrlKey: true })).toBe("undo");
    expect(press("z", { metaKey: true })).toBe("undo");
    expect(press("Z", { metaKey: true, shiftKey: true })).toBe("redo");
    expect(press("y", { ctrlKey: true })).toBe("redo");
    expect(press("[", { ctrlKey: true })).toBeUndefined();
    expect(press("[", { altKey: true })).toBeUndefined();
  });

  it("are left to fields and dialogs", () => {
    expect(press("z", { ctrlKey: true }, document.createElement("textarea"))).toBeUndefined();
    const search = Object.assign(document.createElement("input"), { type: "search" });
    expect([press("z", { ctrlKey: true }, search), press("s", {}, search)]).toEqual([
      undefined,
      undefined,
    ]);
    const radio = Object.assign(document.createElement("input"), { type: "radio" });
    expect(press("z", { ctrlKey: true }, radio)).toBe("undo");
    expect(press("[", {}, document.createElement("select"))).toBeUndefined();
    const dialog = document.createElement("dialog");
    const close = dialog.appendChild(document.createElement("button"));
    document.body.append(dialog);
    let shortcut: unknown = "not asked";
    document.addEventListener("keydown", (event) => (shortcut = shortcutOf(event)), { once: true });
    close.dispatchEvent(
      new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }),
    );
    expect(shortcut).toBeUndefined();
  });
});
