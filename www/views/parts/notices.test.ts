// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeNotices } from "./notices.js";

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
