// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { ROLES, type ModelNotes, type RoleScores } from "../../data/index.js";
import { mount } from "../../elements/testing/mount.js";
import { HeadscopeHeadsPanel } from "./heads-panel.js";

const NOTHING = Object.fromEntries(ROLES.map(({ role }) => [role, 0])) as unknown as RoleScores;
const NOTES = {
  roles: { encoder: [[{ ...NOTHING, previous: 0.9 }, NOTHING]] },
  sentences: 3,
} as unknown as ModelNotes;

afterEach(() => document.body.replaceChildren());

describe("<headscope-heads-panel>", () => {
  it("lets heads wear their role, unless they are told apart by the score of one, which is not said twice", async () => {
    const worn = [
      [
        { role: "previous", score: 0.9 },
        { role: "none", score: null },
      ],
    ] as const;
    const thumbnails = {
      data: new Float32Array(8),
      shape: [1, 2, 2, 2],
      axes: ["layer", "head", "query", "key"],
    };
    const panel = await mount(new HeadscopeHeadsPanel(), {
      stacks: ["encoder"],
      stack: "encoder",
      notes: NOTES,
      thumbnails,
      worn,
    });
    const shown = async (properties: Partial<HeadscopeHeadsPanel>): Promise<unknown> => {
      await mount(Object.assign(panel, properties), {});
      return panel.renderRoot.querySelector("headscope-grid")?.worn;
    };
    expect(await shown({})).toBe(worn);
    expect(await shown({ filter: "previous" })).toBeNull();
    expect(await shown({ filter: null, sort: "previous" })).toBeNull();
    expect(await shown({ sort: "entropy" })).toBe(worn);
    expect(await shown({ filter: "none", sort: "place" })).toBe(worn);
  });
});
