// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { FAKE_INFO } from "../../../tests/support/fake-model.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { asked, button, choices, choose, words } from "../../ui/testing/asked.js";
import { HeadscopeTopBar } from "./top-bar.js";

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

const bar = (properties: Partial<HeadscopeTopBar> = {}): Promise<HeadscopeTopBar> =>
  mount(new HeadscopeTopBar(), properties);
const detail = ({ renderRoot }: HeadscopeTopBar): string =>
  words(renderRoot.querySelector(".model p"));

describe("<headscope-top-bar>", () => {
  it("says what the model is made of once it is known, and where a folder comes from", async () => {
    const element = await bar();
    expect(element.renderRoot.querySelector(".model p")).toBeNull();
    element.info = { ...FAKE_INFO, parameters: { ...FAKE_INFO.parameters, total: 4_400_000 } };
    await element.updateComplete;
    expect(detail(element)).toMatch(/^.+ · 4\.4M parameters · 3 layers × 8 heads$/);
    element.model = "opened/own";
    element.opened = ["opened/own"];
    await element.updateComplete;
    expect(detail(element)).toMatch(/heads · from your disk, in no link$/);
    element.info = {
      ...FAKE_INFO,
      stacks: { decoder: { layers: 1, heads: 1, kvHeads: 1, headDim: 8 } },
    };
    await element.updateComplete;
    expect(detail(element)).toContain("1 layer × 1 head");
  });

  it("offers languages by their own names and themes by theirs, and asks for what was chosen", async () => {
    const element = await bar({ theme: "dark" });
    const patches = asked(element, "headscope-patch");
    expect(choices(element)).toEqual({
      Language: "[English] 简体中文",
      Theme: "Light [Dark] System",
    });
    choose(element, "Language", "zh-CN");
    choose(element, "Theme", "light");
    expect(patches).toEqual([{ language: "zh-CN" }, { theme: "light" }]);
  });

  it("starts the tour, copies the link, and lists the keys", async () => {
    const element = await bar();
    const commands = asked(element, "headscope-command");
    for (const name of ["Tour", "Copy link", "Shortcuts"]) button(element, name).click();
    expect(commands).toEqual(["start-tour", "copy-link", "show-keys"]);
  });

  it("says that the link is copied where it is seen and where it is heard", async () => {
    const element = await bar();
    const status = (): string => words(element.renderRoot.querySelector("[role=status]"));
    expect(status()).toBe("");
    element.linkCopied = true;
    await element.updateComplete;
    expect([button(element, "Link copied").textContent, status()]).toEqual([
      "Link copied",
      "Link copied",
    ]);
  });

  it("opens the export under its own button, and only where there is something to export", async () => {
    const element = await bar();
    const places = asked(element, "headscope-export");
    const exporting = button(element, "Export");
    expect([exporting.disabled, exporting.getAttribute("aria-haspopup")]).toEqual([true, "dialog"]);
    exporting.click();
    expect(places).toEqual([]);
    element.exports = true;
    await element.updateComplete;
    exporting.click();
    expect(places).toEqual([exporting]);
  });

  it("takes the keyboard to the tour", async () => {
    const element = await bar();
    element.focus();
    expect(element.shadowRoot?.activeElement).toBe(button(element, "Tour"));
  });
});
