import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as Canvas from "./canvas.js";

let paintCanvas: (typeof Canvas)["paintCanvas"];
// One canvas off the page serves all pictures: each test begins without it.
beforeEach(async () => {
  vi.resetModules();
  ({ paintCanvas } = await import("./canvas.js"));
});
afterEach(() => vi.unstubAllGlobals());

/** A context that draws nothing and remembers the calls of one kind. */
function contextOf(remembered: string): { context: object; calls: unknown[][] } {
  const calls: unknown[][] = [];
  const context = new Proxy(
    {},
    {
      get: (_, name) =>
        name === remembered ? (...args: unknown[]) => calls.push(args) : () => undefined,
    },
  );
  return { context, calls };
}
const onPage = (context: object): HTMLCanvasElement =>
  ({ width: 0, height: 0, getContext: () => context }) as unknown as HTMLCanvasElement;

it("paints beside the page in the corner of what is large enough, and hands over no more than the picture", () => {
  const made: { width: number; height: number }[] = [];
  const [behind, shown] = [contextOf("clearRect"), contextOf("drawImage")];
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      constructor(
        public width: number,
        public height: number,
      ) {
        made.push(this);
      }
      getContext = (): object => behind.context;
    },
  );
  const pictures = [
    [300, 200],
    [290, 210],
    [280, 150],
    [20, 10],
    [40, 5],
  ] as const;
  const sizes = pictures.map(([width, height]) => {
    paintCanvas(onPage(shown.context), width, height, 1, () => undefined);
    return [made[0]?.width, made[0]?.height];
  });
  expect(sizes).toEqual([
    [300, 200],
    [300, 210],
    [300, 210],
    [20, 10],
    [40, 10],
  ]);
  expect(made).toHaveLength(1);
  expect(behind.calls).toEqual(pictures.map((size) => [0, 0, ...size]));
  expect(shown.calls.map(([, ...box]) => box)).toEqual(
    pictures.map((size) => [0, 0, ...size, 0, 0, ...size]),
  );
});
