// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { BeamBranch, BeamStep } from "../data/index.js";
import { recorder, testInks } from "../draw/testing/recorder.js";
import {
  all,
  mount,
  rowsOf,
  spoken,
  stubCanvas,
  stubRoom,
  tabulate,
} from "../elements/testing/mount.js";
import { loadSentences } from "../i18n/index.js";
import { HeadscopeBeamTree } from "./beam-figure.js";
import { treeOf } from "./beam-tree.js";

const branch = (
  id: number,
  parent: number | null,
  fate: BeamBranch["fate"],
  text = `t${id}`,
): BeamBranch => {
  const token = { id: id + 10, text, logit: 1, probability: 0.5 };
  return { id, parent, token, logProbability: -0.25, sum: -id / 2, fate };
};
/** A search whose branches have numbers that follow from no place. */
const STEPS: BeamStep[] = [
  { kind: "expand", step: 0, branches: [branch(4, null, "kept"), branch(7, null, "dropped")] },
  {
    kind: "expand",
    step: 1,
    branches: [branch(9, 4, "kept"), branch(1, 4, "finished"), branch(8, 4, "dropped")],
  },
  { kind: "expand", step: 2, branches: [branch(3, 9, "finished", "a long and winding name")] },
];
/** Of each branch, the step and the row. */
const PLACES = [
  [4, 0, 0],
  [7, 0, 1],
  [9, 1, 0],
  [1, 1, 1],
  [8, 1, 2],
  [3, 2, 0],
] as const;

beforeAll(() => loadSentences("beams"));
beforeEach(() => {
  stubRoom();
  stubCanvas();
});
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

const shown = (properties: Partial<HeadscopeBeamTree> = {}): Promise<HeadscopeBeamTree> =>
  mount(new HeadscopeBeamTree(), { tree: treeOf(STEPS), ...properties });

/** What the tree paints into a file. */
function printed(element: HeadscopeBeamTree): ReturnType<typeof recorder> & { size: number[] } {
  const record = recorder();
  const print = element.print(testInks);
  print?.paint(record.brush);
  return { ...record, size: print ? [print.width, print.height] : [] };
}

/** The frames of branches, in the order in which they are listed. */
function framesOf(element: HeadscopeBeamTree): number[][] {
  const papers = printed(element).done("fillRect");
  return papers.map(({ args }) => args as number[]);
}

function detailsOf(element: HeadscopeBeamTree, name: string): unknown[] {
  const details: unknown[] = [];
  element.addEventListener(name, (event) => details.push((event as CustomEvent).detail));
  return details;
}

function send(element: HeadscopeBeamTree, event: Event): Event {
  all(element, "canvas")[0]?.dispatchEvent(event);
  return event;
}
const point = (name: string, clientX: number, clientY: number): PointerEvent =>
  new PointerEvent(name, { clientX, clientY });
const key = (name: string): KeyboardEvent =>
  new KeyboardEvent("keydown", { key: name, cancelable: true });

it("has a column for each step and a row for each of its branches, none over another", async () => {
  const frames = framesOf(await shown());
  expect(frames).toHaveLength(PLACES.length);
  const [[left = 0, top = 0, width = 0, height = 0] = [], , [right = 0] = []] = frames;
  const [, [, low = 0] = []] = frames;
  expect(right - left).toBeGreaterThan(width);
  expect(low - top).toBeGreaterThan(height);
  expect(frames).toEqual(
    PLACES.map(([, step, row]) => [
      left + step * (right - left),
      top + row * (low - top),
      width,
      height,
    ]),
  );
});

it("takes the branch whose frame is under the pointer, and none beside it", async () => {
  const element = await shown();
  const frames = framesOf(element);
  const hovered = detailsOf(element, "headscope-branch-hover");
  const chosen = detailsOf(element, "headscope-branch");
  for (const [at, [id]] of PLACES.entries()) {
    const [x = 0, y = 0, width = 0, height = 0] = frames[at] ?? [];
    const corners = [
      [x, y],
      [x + width - 1, y + height - 1],
    ];
    const beside = [
      [x - 1, y],
      [x, y - 1],
      [x + width, y],
      [x, y + height],
    ];
    hovered.length = 0;
    chosen.length = 0;
    for (const [left = 0, top = 0] of corners) {
      send(element, point("pointermove", left, top));
      send(element, point("click", left, top));
    }
    // A move within a frame is no other branch.
    expect([hovered, chosen]).toEqual([[id], [id, id]]);
    for (const [left = 0, top = 0] of beside) {
      send(element, point("pointermove", x, y));
      send(element, point("pointermove", left, top));
      send(element, point("click", left, top));
    }
    expect(hovered).toEqual([id, null, id, null, id, null, id, null]);
    expect(chosen).toEqual([id, id]);
  }
});

it("marks the path of the branch under the pointer, else of the chosen one", async () => {
  const element = await shown({ chosen: 3 });
  const marked = (): unknown[][] => {
    const { brush, done } = recorder();
    const accents: unknown[][] = [];
    const noting = new Proxy(brush, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as unknown;
        if (name !== "strokeRect" && name !== "lineTo") return call;
        return (...args: unknown[]) => {
          if (target.strokeStyle === testInks.accent) accents.push([name, ...args.slice(0, 2)]);
          return (call as (...args: unknown[]) => unknown)(...args);
        };
      },
      set: (target, name, value) => Reflect.set(target, name, value),
    });
    element.print(testInks)?.paint(noting);
    expect(done("strokeRect")).not.toHaveLength(0);
    return accents;
  };
  const frames = framesOf(element);
  const cornerOf = (id: number): number[] =>
    frames[PLACES.findIndex(([other]) => other === id)]?.slice(0, 2) ?? [];
  const framed = (id: number): unknown[] => ["strokeRect", ...cornerOf(id)];
  const linked = (id: number): unknown[] => {
    const [x = 0, y = 0] = cornerOf(id);
    return ["lineTo", x, y + (frames[0]?.[3] ?? 0) / 2];
  };
  // A complete branch has a second frame, within the first.
  const [x = 0, y = 0] = cornerOf(3);
  expect(marked()).toEqual([
    linked(9),
    linked(3),
    framed(4),
    framed(9),
    framed(3),
    ["strokeRect", x + 3, y + 3],
  ]);
  send(element, point("pointermove", cornerOf(8)[0] ?? 0, cornerOf(8)[1] ?? 0));
  expect(marked()).toEqual([linked(8), framed(4), framed(8)]);
  send(element, new PointerEvent("pointerleave"));
  expect(marked()).toHaveLength(6);
});

it("tells fates apart without hue: dashes of a dropped branch, two frames of a complete one", async () => {
  const { done } = printed(await shown());
  const dashes = done("setLineDash").filter((_, at) => at % 2 === 0);
  expect(dashes.map(({ args: [dash] }) => (dash as number[]).length > 0)).toEqual(
    PLACES.map(([id]) => [7, 8].includes(id)),
  );
  expect(done("strokeRect")).toHaveLength(PLACES.length + 2);
});

it("writes steps from one, the name and the sum of each branch, and cuts a name to its frame", async () => {
  const element = await shown();
  const { done } = printed(element);
  const words = done("fillText").map(({ args: [text] }) => String(text));
  expect(words.slice(0, 3)).toEqual(["1", "2", "3"]);
  expect(words.slice(3, 7)).toEqual(["t4", "−2.00", "t7", "−3.50"]);
  const cut = words.find((text) => text.endsWith("…")) ?? "";
  const [, , width = 0] = framesOf(element)[0] ?? [];
  // Six pixels a letter: one letter more would reach the frame.
  expect(cut.length * 6).toBeLessThan(width);
  expect((cut.length + 2) * 6).toBeGreaterThanOrEqual(width - 10);
  expect("a long and winding name").toContain(cut.slice(0, -1));
  element.nameOf = ({ token }) => `<${token.id}>`;
  expect(printed(element).done("fillText")[3]?.args[0]).toBe("<14>");
});

it("is as wide as its steps and as high as its branches, in a file with room for the legend", async () => {
  const element = await shown();
  const [canvas] = all(element, "canvas");
  const frames = framesOf(element);
  const right = Math.max(...frames.map(([x = 0, , width = 0]) => x + width));
  const bottom = Math.max(...frames.map(([, y = 0, , height = 0]) => y + height));
  const { width, height } = canvas?.style ?? {};
  const [left = 0] = frames[0] ?? [];
  expect(Number.parseFloat(width ?? "")).toBe(right + left);
  expect(Number.parseFloat(height ?? "")).toBeGreaterThanOrEqual(bottom);
  expect(printed(element).size[0]).toBeGreaterThan(right + left);
  expect(printed(element).size[1]).toBeGreaterThan(Number.parseFloat(height ?? ""));
  const many = Array.from({ length: 9 }, (_, step): BeamStep => {
    return { kind: "expand", step, branches: [branch(step, step === 0 ? null : step - 1, "kept")] };
  });
  element.tree = treeOf(many);
  await element.updateComplete;
  expect(`${printed(element).size[0]}px`).toBe(canvas?.style.width);
});

it("moves along the tree by keys, from the first branch where none is chosen", async () => {
  const element = await shown();
  const chosen = detailsOf(element, "headscope-branch");
  expect(send(element, key("ArrowRight")).defaultPrevented).toBe(true);
  expect(send(element, key("ArrowLeft")).defaultPrevented).toBe(false);
  element.chosen = 8;
  send(element, key("ArrowUp"));
  await element.updateComplete;
  expect(chosen).toEqual([9, 1]);
  expect(spoken(element)).toContain("t8");
  element.tree = treeOf([]);
  await element.updateComplete;
  send(element, key("ArrowRight"));
  expect(chosen).toHaveLength(2);
});

it.each([
  // Of a window 100 wide, where it stands and where a key leaves it.
  ["ArrowRight", 4, 0, "right"],
  ["ArrowLeft", 9, 150, "left"],
  ["ArrowDown", 4, 0, "stays"],
] as const)("%s from branch %i scrolls the next one into a window at %i: %s", async (...given) => {
  const [name, from, at, side] = given;
  const element = await shown({ chosen: from });
  const [room] = all(element, ".scroll");
  if (!room) throw new Error("there is no window");
  Object.defineProperty(room, "clientWidth", { value: 100 });
  room.scrollLeft = at;
  send(element, key(name));
  const [[left = 0] = [], , [right = 0, , width = 0] = []] = framesOf(element);
  expect(room.scrollLeft).toBe({ right: right + width - 100, left, stays: 0 }[side]);
});

it("gives its numbers as a table, on the page and for files; without a search nothing", async () => {
  const element = await shown();
  await tabulate(element);
  expect(rowsOf(element)[1]).toEqual(["4", "", "1", "t4", "−0.250", "−2", "kept"]);
  expect(element.table()?.rows).toHaveLength(PLACES.length);
  element.tree = null;
  await element.updateComplete;
  expect([element.table(), element.print(testInks), all(element, "canvas")]).toEqual([
    null,
    null,
    [],
  ]);
});
