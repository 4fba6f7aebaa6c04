// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { type ModelNotes, ROLES, type RoleScores } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { HeadscopeHeadOrder, HeadscopeHeadRole } from "./head-order.js";

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

const scores = (some: Partial<RoleScores>): RoleScores => ({
  ...(Object.fromEntries(ROLES.map(({ role }) => [role, null])) as RoleScores),
  ...some,
});
const NOTES: ModelNotes = {
  version: 1,
  heldOut: { sentences: 300, seed: 1, note: "" },
  roles: {},
  unigrams: [],
  sentences: [],
};

async function textOfHeadRole(properties: Partial<HeadscopeHeadRole>): Promise<string> {
  const element = await mount(new HeadscopeHeadRole(), properties);
  return element.renderRoot.textContent.replaceAll(/\s+/g, " ").trim();
}

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-head-role>", () => {
  it("says the role on held-out text, the score there and here, and what it means", async () => {
    const text = await textOfHeadRole({
      heldOut: scores({ previous: 0.93, self: 0.02 }),
      notes: NOTES,
      here: scores({ previous: 0.5 }),
    });
    expect(text).toContain("previous token on 300 held-out sentences 0.93 on this text 0.50");
    expect(text).toContain("Looks at the token just before.");
    expect(text).toMatch(
      /Role held out here threshold previous token 0\.93 0\.50 0\.50 Aq,q−1 itself 0\.02 – 0\.50 Aq,q Each score is the mean/,
    );
  });

  it("says from what induction was measured", async () => {
    const text = await textOfHeadRole({
      heldOut: scores({ induction: 0.8 }),
      notes: NOTES,
      here: scores({}),
    });
    expect(text).toContain("induction on repeated random tokens 0.80 on this text –");
  });

  it("does not force a role on a head that has none", async () => {
    const text = await textOfHeadRole({ heldOut: scores({ previous: 0.2 }), notes: NOTES });
    expect(text).toMatch(/^no single role On held-out text it reaches none/);
  });

  it("says why there is no role, and what can be said without one", async () => {
    expect(await textOfHeadRole({ here: scores({ first: 0.9 }) })).toMatch(
      /^Its role is unavailable: this model’s folder has no headscope\.json.*On this text: first token 0\.90/,
    );
    expect(await textOfHeadRole({ problem: "headscope.json is cut short." })).toBe(
      "Its role is unavailable: headscope.json is cut short.",
    );
  });
});
