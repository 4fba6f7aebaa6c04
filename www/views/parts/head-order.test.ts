// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { ROLES } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeHeadOrder } from "./head-order.js";

const select = (element: HeadscopeHeadOrder, name: "filter" | "sort"): HTMLSelectElement => {
  const found = element.renderRoot.querySelector<HTMLSelectElement>(`#${name}`);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

function choose(from: HTMLSelectElement, value: string): void {
  from.value = value;
  from.dispatchEvent(new Event("change"));
}

function patches(element: HeadscopeHeadOrder): unknown[] {
  const all: unknown[] = [];
  element.addEventListener("headscope-patch", ({ detail }) => all.push(detail));
  return all;
}

const textOf = (element: HeadscopeHeadOrder): string =>
  element.renderRoot.querySelector("p")?.textContent.trim() ?? "";

afterEach(() => document.body.replaceChildren());

describe("<headscope-head-order>", () => {
  it("offers every role to show and to sort by", async () => {
    const element = await mount(new HeadscopeHeadOrder(), { measured: true });
    expect(select(element, "filter").querySelectorAll("option")).toHaveLength(ROLES.length + 2);
    expect(select(element, "sort").querySelectorAll("option")).toHaveLength(ROLES.length + 3);
  });

  it("says nothing of roles before it is known whether there are any", async () => {
    const element = await mount(new HeadscopeHeadOrder(), { loading: true });
    const first = (): string | undefined =>
      select(element, "filter").options[0]?.textContent.trim();
    expect([first(), select(element, "filter").disabled]).toEqual(["all heads", true]);
    element.loading = false;
    await element.updateComplete;
    expect([first(), select(element, "filter").disabled]).toEqual([
      "all heads (roles unavailable)",
      true,
    ]);
  });

  it("asks for what was chosen, and for all heads again", async () => {
    const element = await mount(new HeadscopeHeadOrder(), { measured: true });
    const asked = patches(element);
    choose(select(element, "filter"), "previous");
    choose(select(element, "filter"), "");
    choose(select(element, "sort"), "likeness");
    expect(asked).toEqual([
      { roleFilter: "previous" },
      { roleFilter: null },
      { headSort: "likeness" },
    ]);
  });

  it("says what the numbers below the heads are", async () => {
    const element = await mount(new HeadscopeHeadOrder(), {
      measured: true,
      filter: "previous",
      count: 3,
    });
    expect(textOf(element)).toBe(
      "Below each head: its score for “previous token” on held-out sentences · on this text.",
    );
    element.sort = "entropy";
    await element.updateComplete;
    expect(textOf(element)).toContain("entropy");
    element.count = null;
    await element.updateComplete;
    expect(textOf(element)).toBe("");
  });

  it("leads back when nobody is left", async () => {
    const element = await mount(new HeadscopeHeadOrder(), {
      measured: true,
      filter: "induction",
      count: 0,
    });
    const asked = patches(element);
    element.renderRoot.querySelector("button")?.click();
    expect(asked).toEqual([{ roleFilter: null }]);
  });

  it("says that roles are unavailable, and sorts by those on this text", async () => {
    const element = await mount(new HeadscopeHeadOrder(), {
      measured: false,
      filter: "previous",
      sort: "self",
      count: 8,
    });
    expect(select(element, "filter").disabled).toBe(true);
    expect(select(element, "filter").textContent).toContain("unavailable");
    expect(textOf(element)).toBe("Below each head: its score for “itself” on this text.");
  });
});
