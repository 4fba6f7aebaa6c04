// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Executed } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, words } from "../../ui/testing/asked.js";
import { HeadscopeDropTarget, HeadscopePageFooter } from "./page-frame.js";

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

/** What a browser says of things that are dragged: as much of it as the page asks for. */
function dragged(
  type: string,
  {
    files = [],
    types = ["Files"],
    to = null,
  }: { files?: File[]; types?: string[]; to?: Element | null } = {},
): Event {
  const event = new Event(type, { cancelable: true, bubbles: true });
  const items = files.map((file) => ({ webkitGetAsEntry: () => null, getAsFile: () => file }));
  return Object.assign(event, { dataTransfer: { types, items }, relatedTarget: to });
}

const file = (name: string): File => new File(["{}"], name);
const target = (): Promise<HeadscopeDropTarget> => mount(new HeadscopeDropTarget(), {});

beforeEach(() => {
  // The top layer is the browser's.
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined });
});
afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-drop-target>", () => {
  it("says what may be dropped while files are held over the page, and no longer", async () => {
    const element = await target();
    expect(words(element.renderRoot)).toBe("");
    const over = dragged("dragover");
    window.dispatchEvent(over);
    await element.updateComplete;
    expect([words(element.renderRoot), over.defaultPrevented]).toEqual([
      "Drop a model’s folder here to open it.",
      true,
    ]);
    window.dispatchEvent(dragged("dragleave", { to: document.body }));
    await element.updateComplete;
    expect(words(element.renderRoot)).not.toBe("");
    window.dispatchEvent(dragged("dragleave"));
    await element.updateComplete;
    expect(words(element.renderRoot)).toBe("");
  });

  it("leaves text that is dragged to the page", async () => {
    const element = await target();
    const [over, drop] = [
      dragged("dragover", { types: ["text/plain"] }),
      dragged("drop", { types: ["text/plain"] }),
    ];
    window.dispatchEvent(over);
    window.dispatchEvent(drop);
    await element.updateComplete;
    expect([words(element.renderRoot), over.defaultPrevented, drop.defaultPrevented]).toEqual([
      "",
      false,
      false,
    ]);
  });

  it("tells a model's files from a page that was saved", async () => {
    const element = await target();
    const [folders, pages] = [
      asked(element, "headscope-folder"),
      asked(element, "headscope-page-file"),
    ];
    window.dispatchEvent(
      dragged("drop", { files: [file("config.json"), file("model.safetensors")] }),
    );
    await vi.waitFor(() => expect(folders).toHaveLength(1));
    expect(folders[0]?.files.map(({ name }) => name)).toEqual(["config.json", "model.safetensors"]);
    window.dispatchEvent(dragged("drop", { files: [file("saved.json")] }));
    await vi.waitFor(() => expect(pages.map(({ name }) => name)).toEqual(["saved.json"]));
    expect(folders).toHaveLength(1);
  });

  it("takes nothing any more once it has left the page", async () => {
    const element = await target();
    element.remove();
    const drop = dragged("drop", { files: [file("saved.json")] });
    window.dispatchEvent(drop);
    expect(drop.defaultPrevented).toBe(false);
  });
});
