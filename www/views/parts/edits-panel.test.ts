// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { message } from "../../i18n/index.js";
import { NO_EDITS } from "../../state/index.js";
import { HeadscopeEditsPanel } from "./edits-panel.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-edits-panel>", () => {
  it("says what undo would take back and redo would bring again; without that they are off", async () => {
    const panel = await mount(new HeadscopeEditsPanel(), { undoes: "masks" });
    const [undo, redo] = panel.renderRoot.querySelectorAll<HTMLButtonElement>(".history button");
    expect([undo?.title, undo?.disabled, redo?.title, redo?.disabled]).toEqual([
      "Undo: change of a mask",
      false,
      "",
      true,
    ]);
  });

  it("invites to edit only where nothing is edited; before there are words for the edits, they can be taken back and compared", async () => {
    const panel = await mount(new HeadscopeEditsPanel(), {
      edits: { ...NO_EDITS, heads: [{ gate: 0 }] },
      chips: [],
    });
    const changes: unknown[] = [];
    document.body.addEventListener("headscope-patch", ({ detail }) => changes.push(detail), {
      once: true,
    });
    expect(panel.renderRoot.querySelector(".chips p")).toBeNull();
    expect(panel.renderRoot.querySelector(".compare")).not.toBeNull();
    panel.renderRoot.querySelector<HTMLButtonElement>(".chips .clear")?.click();
    expect(changes).toEqual([{ edits: NO_EDITS }]);
    panel.edits = NO_EDITS;
    await panel.updateComplete;
    expect(panel.renderRoot.querySelector(".chips p")?.textContent).toBe(message("edits.none"));
    expect(panel.renderRoot.querySelector(".compare")).toBeNull();
  });
});
