// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { ROLES, type ModelNotes, type RoleScores } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { setLanguage } from "../../i18n/index.js";
import { HeadscopeHeadRole } from "./head-role.js";

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

async function textOf(properties: Partial<HeadscopeHeadRole>): Promise<string> {
  const element = await mount(new HeadscopeHeadRole(), properties);
  return element.renderRoot.textContent.replaceAll(/\s+/g, " ").trim();
}

afterEach(() => {
  document.body.replaceChildren();
  setLanguage("en");
});

describe("<headscope-head-role>", () => {
  it("says the role on held-out text, the score there and here, and what it means", async () => {
    const text = await textOf({
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
    const text = await textOf({
      heldOut: scores({ induction: 0.8 }),
      notes: NOTES,
      here: scores({}),
    });
    expect(text).toContain("induction on repeated random tokens 0.80 on this text –");
  });

  it("does not force a role on a head that has none", async () => {
    const text = await textOf({ heldOut: scores({ previous: 0.2 }), notes: NOTES });
    expect(text).toMatch(/^no single role On held-out text it reaches none/);
  });

  it("says why there is no role, and what can be said without one", async () => {
    expect(await textOf({ here: scores({ first: 0.9 }) })).toMatch(
      /^Its role is unavailable: this model’s folder has no headscope\.json.*On this text: first token 0\.90/,
    );
    expect(await textOf({ problem: "headscope.json is cut short." })).toBe(
      "Its role is unavailable: headscope.json is cut short.",
    );
  });

  it("names every role in both languages", async () => {
    for (const { role } of ROLES) {
      setLanguage("en");
      const english = await textOf({ heldOut: scores({ [role]: 1 }), notes: NOTES });
      setLanguage("zh-CN");
      const chinese = await textOf({ heldOut: scores({ [role]: 1 }), notes: NOTES });
      expect([english, chinese].map((text) => /\p{Script=Han}/u.test(text))).toEqual([false, true]);
    }
  });
});
