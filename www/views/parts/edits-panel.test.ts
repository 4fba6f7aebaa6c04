// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeEditsPanel } from "./edits-panel.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-edits-panel>", () => {
  it("says what undo would take back and redo would bring again; without that they are off", async () => {
    const panel = await mount(new HeadscopeEditsPanel(), { undoes: "masks" });
    const [undo, redo] = panel.renderRoot.querySelectorAll<HTMLButtonElement>(".history button");
    expect([undo?.title, undo?.disabled, redo?.title, redo?.disabled]).toEqual(["Undo: change of a mask", false, "", true]);
  });
});
