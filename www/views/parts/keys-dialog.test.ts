// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import type * as i18n from "../../i18n/index.js";
import { HeadscopeKeysDialog } from "./keys-dialog.js";

const sentences = vi.hoisted(() => ({ haveCome: false }));

vi.mock("../../i18n/index.js", async (original) => {
  const real = await original<typeof i18n>();
  return {
    ...real,
    message: (...asked: Parameters<typeof real.message>) =>
      sentences.haveCome ? real.message(...asked) : "",
  };
});

afterEach(() => document.body.replaceChildren());

it("is opened with its words, though it stood on the page before they came", async () => {
  const dialog = new HeadscopeKeysDialog();
  document.body.append(dialog);
  await dialog.updateComplete;
  expect(dialog.renderRoot.querySelector("h2")?.textContent).toBe("");
  sentences.haveCome = true;
  await dialog.show();
  expect(dialog.renderRoot.querySelector("dialog")?.open).toBe(true);
  expect(dialog.renderRoot.querySelector("h2")?.textContent).toBe("Shortcuts");
  for (const meaning of dialog.renderRoot.querySelectorAll("dd"))
    expect(meaning.textContent).not.toBe("");
  // What cannot be taken back is no mistake of the page: it is said.
  expect(dialog.renderRoot.querySelector("p")?.textContent).toMatch(
    /^Undo takes back .* Where you look is no step/,
  );
});
