// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, button, words } from "../../ui/testing/asked.js";
import { HeadscopeDownloadStatus, HeadscopeNotices } from "./notices.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-notices>", () => {
  it("offers what can be done about a notice, and to dismiss it", async () => {
    const asked: string[] = [];
    const notices = await mount(new HeadscopeNotices(), {
      notices: [
        { key: "notice.noLink", values: {}, action: { command: "save-page", label: "foot.save" } },
      ],
    });
    notices.addEventListener("headscope-command", (event) => asked.push(event.detail));
    notices.addEventListener("headscope-notice-dismiss", (event) => asked.push(event.detail));
    const buttons = [...notices.renderRoot.querySelectorAll("button")];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Save page as file", "Dismiss"]);
    for (const button of buttons) button.click();
    expect(asked).toEqual(["save-page", "notice.noLink"]);
  });

  it("says which layer of how many is being computed, and in steps where none is alone", async () => {
    const stack = { layers: 12, heads: 12, kvHeads: 12, headDim: 8 };
    const progress = {
      done: 700,
      total: 6144,
      at: { stack: "encoder" as const, layer: 1 },
      sourceReady: false,
      generated: 0,
      finished: false,
    };
    const notices = await mount(new HeadscopeNotices(), { progress, stacks: { encoder: stack } });
    const said = (): string => notices.renderRoot.querySelector(".numbers")?.textContent ?? "";
    expect(said()).toBe("Computing: Encoder, layer 2 of 12");
    expect(notices.renderRoot.querySelector("progress")?.getAttribute("aria-label")).toBe(
      "Computing: 700 of 6,144 steps",
    );
    for (const other of [
      { ...progress, at: null },
      { ...progress, generated: 3 },
    ]) {
      notices.progress = other;
      await notices.updateComplete;
      expect(said()).toBe("Computing: 700 of 6,144 steps");
    }
  });

  it("offers the way back from a model that cannot be loaded, and from nothing else", async () => {
    const failure = {
      sentence: "It is not here.",
      code: "load/network",
      retry: "load-model" as const,
    };
    const notices = await mount(new HeadscopeNotices(), { failure });
    const words = (): string[] =>
      [...notices.renderRoot.querySelectorAll(".failure button")].map(
        ({ textContent }) => textContent,
      );
    expect(words()).toEqual(["Load the model"]);
    notices.back = "models/tiny-gpt";
    await notices.updateComplete;
    expect(words()).toEqual(["Load the model", "Back to Tiny GPT"]);
    const asked: string[] = [];
    notices.addEventListener("headscope-model", ({ detail }) => asked.push(detail));
    notices.renderRoot.querySelectorAll<HTMLElement>(".failure button")[1]?.click();
    expect(asked).toEqual(["models/tiny-gpt"]);
    notices.failure = { ...failure, code: "engine/internal", retry: "run-again" };
    await notices.updateComplete;
    expect(words()).toEqual(["Compute again"]);
  });

  it("says what went wrong with its code, and offers to try again", async () => {
    const asked: string[] = [];
    const notices = await mount(new HeadscopeNotices(), {
      failure: { sentence: "It did not work.", code: "engine/internal", retry: "run-again" },
    });
    notices.addEventListener("headscope-command", (event) => asked.push(event.detail));
    expect(
      notices.renderRoot.querySelector("[role=alert]")?.textContent.replaceAll(/\s+/g, " ").trim(),
    ).toBe("It did not work. engine/internal Compute again");
    notices.renderRoot.querySelector("button")?.click();
    expect(asked).toEqual(["run-again"]);
  });
});

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
});
