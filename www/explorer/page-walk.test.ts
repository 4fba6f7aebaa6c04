// @vitest-environment happy-dom
// A first visit begins with the walk over the first row; a link with a State does not.
import { afterEach, expect, it, vi } from "vitest";
import { Explorer } from "../session/explorer.js";
import { bindPage } from "./page.js";

let leave: () => void = () => undefined;
afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

it.each([
  ["", [null]],
  ["#v=1&text=A+cat", []],
])("the address %j", (hash, expected) => {
  history.replaceState(null, "", hash === "" ? location.pathname : hash);
  const explorer = new Explorer({ load: () => new Promise<never>(() => undefined) });
  const pointed = vi.spyOn(explorer.session.pointing, "pointAt");
  leave = bindPage(explorer);
  // The walk ends at the first use, and points nowhere then.
  window.dispatchEvent(new Event("pointerdown"));
  expect(pointed.mock.calls.flat()).toEqual(expected);
});
