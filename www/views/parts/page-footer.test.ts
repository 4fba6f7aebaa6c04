// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopePageFooter } from "./page-footer.js";

afterEach(() => document.body.replaceChildren());

describe("<headscope-page-footer>", () => {
  it("saves the page, and opens one that was saved", async () => {
    const asked: string[] = [];
    const footer = await mount(new HeadscopePageFooter(), {});
    footer.addEventListener("headscope-command", (event) => asked.push(event.detail));
    footer.addEventListener("headscope-page-file", (event) => asked.push(event.detail.name));
    footer.renderRoot.querySelector("button")?.click();
    const input = footer.renderRoot.querySelector("input");
    Object.defineProperty(input, "files", { value: [new File(["{}"], "saved.json")] });
    input?.dispatchEvent(new Event("change"));
    expect(asked).toEqual(["save-page", "saved.json"]);
  });

  it("says that the page opens offline only once it does", async () => {
    const footer = await mount(new HeadscopePageFooter(), {});
    const text = (): string => footer.renderRoot.querySelector(".private")?.textContent ?? "";
    expect(text()).not.toContain("without a network");
    footer.opensOffline = true;
    await footer.updateComplete;
    expect(text()).toContain("It opens again without a network.");
  });
});
