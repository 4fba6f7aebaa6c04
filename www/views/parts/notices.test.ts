// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeNotices } from "./notices.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-notices>", () => {
  it("offers what can be done about a notice, and to dismiss it", async () => {
    const asked: string[] = [];
    const notices = await mount(new HeadscopeNotices(), { notices: [{ key: "notice.noLink", values: {}, action: { command: "save-page", label: "foot.save" } }] });
    notices.addEventListener("headscope-command", (event) => asked.push(event.detail));
    notices.addEventListener("headscope-notice-dismiss", (event) => asked.push(event.detail));
    const buttons = [...notices.renderRoot.querySelectorAll("button")];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Save page as file", "Dismiss"]);
    for (const button of buttons) button.click();
    expect(asked).toEqual(["save-page", "notice.noLink"]);
  });

  it("says what went wrong with its code, and offers to try again", async () => {
    const asked: string[] = [];
    const notices = await mount(new HeadscopeNotices(), { failure: { sentence: "It did not work.", code: "engine/internal", retry: "run-again" } });
    notices.addEventListener("headscope-command", (event) => asked.push(event.detail));
    expect(notices.renderRoot.querySelector("[role=alert]")?.textContent.replaceAll(/\s+/g, " ").trim()).toBe("It did not work. engine/internal Compute again");
    notices.renderRoot.querySelector("button")?.click();
    expect(asked).toEqual(["run-again"]);
  });
});
