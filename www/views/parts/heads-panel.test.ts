// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type HeadLikeness,
  type HeadRef,
  type ModelNotes,
  ROLES,
  type RoleScores,
} from "../../data/index.js";
import { heard, mount } from "../../elements/testing/mount.js";
import { HeadscopeHeadsPanel, HeadscopeLikeHeads } from "./heads-panel.js";

const HEAD: HeadRef = { stack: "cross", layer: 0, head: 1 };
const LIKENESS: HeadLikeness[] = [0.5, 0, 0.3, 0.1, null, 0.2, 0.6, 0.4].map(
  (divergence, index) => ({ layer: Math.floor(index / 2), head: index % 2, divergence }),
);

const buttons = (element: HeadscopeLikeHeads): HTMLButtonElement[] => [
  ...element.renderRoot.querySelectorAll("button"),
];

afterEach(() => {
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

describe("<headscope-like-heads>", () => {
  it("lists the five most alike, not the head itself nor what cannot be compared", async () => {
    const element = await mount(new HeadscopeLikeHeads(), {
      head: HEAD,
      likeness: LIKENESS,
      worn: [
        [],
        [{ role: "previous", score: 0.9 }],
        [
          { role: "none", score: null },
          { role: "broad", score: 0.8 },
        ],
      ],
      captions: [[], ["previous token 0.90"]],
    });
    const lines = buttons(element).map(({ textContent }) =>
      textContent.replaceAll(/\s+/g, " ").trim(),
    );
    expect(lines).toEqual([
      "Layer 2 · head 2 0.100",
      "Layer 3 · head 2 broad 0.80 0.200",
      "Layer 2 · head 1 previous 0.90 0.300",
      "Layer 4 · head 2 0.400",
      "Layer 1 · head 1 0.500",
    ]);
    // Only the name gives way where room is short; the whole stands in the title.
    expect(
      [...(buttons(element)[2]?.querySelectorAll(".caption > *") ?? [])].map(
        ({ className, textContent }) => [className, textContent],
      ),
    ).toEqual([
      ["role", "previous"],
      ["", "0.90"],
    ]);
    expect(buttons(element)[2]?.querySelector<HTMLElement>(".caption")?.title).toBe(
      "previous token 0.90",
    );
    expect(element.renderRoot.querySelector("h2")?.textContent).toBe("Heads like layer 1 · head 2");
  });

  it("shows a head while it is pointed at, and chooses it", async () => {
    const element = await mount(new HeadscopeLikeHeads(), { head: HEAD, likeness: LIKENESS });
    const previews = heard(element, "headscope-head-hover");
    const patches: unknown[] = [];
    element.addEventListener("headscope-patch", ({ detail }) => patches.push(detail));
    buttons(element)[0]?.focus();
    buttons(element)[0]?.click();
    element.renderRoot.querySelector("ol")?.dispatchEvent(new Event("pointerleave"));
    expect(previews).toEqual([{ layer: 1, head: 1 }, null]);
    expect(patches).toEqual([{ layer: 1, head: 1 }]);
  });

  it("is folded where the parts of the page take turns, and open beside a picture", async () => {
    const open = async (folded: boolean): Promise<boolean | undefined> => {
      const element = await mount(new HeadscopeLikeHeads(), {
        head: HEAD,
        likeness: LIKENESS,
        folded,
      });
      return element.renderRoot.querySelector("details")?.open;
    };
    expect([await open(true), await open(false)]).toEqual([false, true]);
  });

  it("says when there is nobody to compare with, and nothing until it is known", async () => {
    const element = await mount(new HeadscopeLikeHeads(), {
      head: HEAD,
      likeness: LIKENESS.slice(1, 2),
    });
    expect(element.renderRoot.textContent).toContain("No other head");
    element.likeness = null;
    await element.updateComplete;
    expect(element.renderRoot.textContent.trim()).toBe("");
  });
});

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
