// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Executed } from "../../data/index.js";
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

  it("says what was computed, and which tokens were kept where a text goes on", async () => {
    const footer = await mount(new HeadscopePageFooter(), {});
    const said = async (executed: Executed | null): Promise<string | undefined> => {
      footer.executed = executed;
      await footer.updateComplete;
      return footer.renderRoot.querySelector(".executed")?.textContent;
    };
    expect(await said(null)).toBeUndefined();
    expect(await said({ blocks: 4, reusedBlocks: 0, reusedTokens: 0 })).toBe(
      "4 blocks computed, 0 reused",
    );
    // All tokens of a block that is taken over are kept: that is said by the block.
    expect(await said({ blocks: 4, reusedBlocks: 2, reusedTokens: 9 })).toBe(
      "4 blocks computed, 2 reused",
    );
    expect(await said({ blocks: 4, reusedBlocks: 0, reusedTokens: 9 })).toBe(
      "4 blocks computed, 9 tokens kept",
    );
    expect(await said({ blocks: 1, reusedBlocks: 0, reusedTokens: 1 })).toBe(
      "1 block computed, 1 token kept",
    );
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
