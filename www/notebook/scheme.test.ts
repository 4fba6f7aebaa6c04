// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { followScheme } from "./scheme.js";

afterEach(() => {
  document.body.className = "";
  document.documentElement.className = "";
  for (const name of ["data-jp-theme-light", "data-vscode-theme-kind"])
    document.body.removeAttribute(name);
});

function scheme(set: () => void): string[] {
  set();
  const figure = document.createElement("div");
  followScheme(figure)();
  return [figure.style.colorScheme, figure.dataset.theme ?? ""];
}

it.each([
  ["JupyterLab", () => (document.body.dataset.jpThemeLight = "false"), "dark"],
  ["JupyterLab", () => (document.body.dataset.jpThemeLight = "true"), "light"],
  ["VS Code", () => (document.body.dataset.vscodeThemeKind = "vscode-dark"), "dark"],
  ["VS Code", () => (document.body.dataset.vscodeThemeKind = "vscode-light"), "light"],
  ["marimo", () => (document.body.className = "dark"), "dark"],
  ["marimo", () => (document.documentElement.className = "light"), "light"],
  ["another page", () => undefined, ""],
])("a figure has the colours of its notebook: %s, %#", (_, set, expected) => {
  expect(scheme(set)).toEqual([expected, expected]);
});

it("a figure follows a notebook that becomes dark, until it is removed", async () => {
  const figure = document.createElement("div");
  const stop = followScheme(figure);
  document.body.dataset.jpThemeLight = "false";
  await vi.waitFor(() => expect(figure.style.colorScheme).toBe("dark"));
  stop();
  document.body.dataset.jpThemeLight = "true";
  await new Promise((resolve) => setTimeout(resolve));
  expect(figure.style.colorScheme).toBe("dark");
});
