// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { HeadscopeDownloadStatus } from "./download-status.js";
import { asked, button, words } from "../../ui/testing/asked.js";

const status = (
  download: HeadscopeDownloadStatus["download"],
  thin = false,
): Promise<HeadscopeDownloadStatus> => mount(new HeadscopeDownloadStatus(), { download, thin });

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-download-status>", () => {
  it("shows how much has come of how much, and cancels", async () => {
    const element = await status({
      phase: "loading",
      loadedBytes: 2_000_000,
      totalBytes: 8_000_000,
    });
    const commands = asked(element, "headscope-command");
    const bar = element.renderRoot.querySelector("progress");
    expect([
      bar?.getAttribute("value"),
      bar?.getAttribute("max"),
      bar?.getAttribute("aria-label"),
    ]).toEqual(["2000000", "8000000", "Loading the model"]);
    expect(words(element.renderRoot.querySelector(".numbers"))).toMatch(
      /^2(\.0)? MB of 8(\.0)? MB$/,
    );
    button(element, "Cancel").click();
    expect(commands).toEqual(["cancel-download"]);
  });

  it("has a bar without an end where the size is not known", async () => {
    const element = await status({ phase: "loading", loadedBytes: 2_000_000, totalBytes: null });
    const bar = element.renderRoot.querySelector("progress");
    expect([bar?.hasAttribute("value"), bar?.hasAttribute("max")]).toEqual([false, false]);
    expect(words(element.renderRoot.querySelector(".numbers"))).toMatch(/^2(\.0)? MB$/);
  });

  it("in a line of the page is a bar and a button, and its numbers are its title", async () => {
    const element = await status(
      { phase: "loading", loadedBytes: 2_000_000, totalBytes: null },
      true,
    );
    expect([
      words(element.renderRoot),
      element.renderRoot.querySelector("progress")?.title,
    ]).toEqual(["Cancel", expect.stringMatching(/^2(\.0)? MB$/)]);
  });

  it("says that a download was cancelled, and begins again", async () => {
    const element = await status({ phase: "cancelled" });
    const commands = asked(element, "headscope-command");
    expect(words(element.renderRoot.querySelector("[role=status] p"))).toBe(
      "The model was not loaded. What you typed is kept.",
    );
    button(element, "Load the model").click();
    expect(commands).toEqual(["load-model"]);
  });

  it("is not there when the model is", async () => {
    expect(words((await status({ phase: "ready" })).renderRoot)).toBe("");
  });

  it("speaks Chinese", async () => {
    setLanguage("zh-CN");
    for (const download of [
      { phase: "loading", loadedBytes: 0, totalBytes: null },
      { phase: "cancelled" },
    ] as const) {
      const element = await status(download);
      expect(
        [...element.renderRoot.querySelectorAll("p:not(.numbers), button")].map(words).join(""),
      ).not.toMatch(/[a-z]/i);
    }
  });
});
