import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as Canvas from "./canvas.js";

let paintCanvas: (typeof Canvas)["paintCanvas"];
// One easel serves all pictures: each story begins without.
beforeEach(async () => {
  vi.resetModules();
  ({ paintCanvas } = await import("./canvas.js"));
});
afterEach(() => vi.unstubAllGlobals());

it("paints on the page itself where there is no brush beside it", () => {
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      width = 1;
      height = 1;
      getContext(): null {
        return null;
      }
    },
  );
  const shown = { setTransform: () => undefined, clearRect: () => undefined };
  const canvas = { width: 0, height: 0, getContext: () => shown } as unknown as HTMLCanvasElement;
  const paint = vi.fn();
  paintCanvas(canvas, 20, 10, 2, paint);
  expect([paint.mock.calls, canvas.width, canvas.height]).toEqual([[[shown]], 40, 20]);
});

it("paints beside the page in the corner of what is large enough, and hands over no more than the picture", () => {
  const easels: Easel[] = [];
  class Easel {
    readonly sizes: string[] = [];
    readonly cleared: number[][] = [];
    constructor(
      private w: number,
      private h: number,
    ) {
      easels.push(this);
    }
    get width(): number {
      return this.w;
    }
    set width(width: number) {
      this.w = width;
      this.sizes.push("width");
    }
    get height(): number {
      return this.h;
    }
    set height(height: number) {
      this.h = height;
      this.sizes.push("height");
    }
    getContext(): unknown {
      const quiet = (): void => undefined;
      return {
        save: quiet,
        restore: quiet,
        setTransform: quiet,
        clearRect: (...box: number[]) => this.cleared.push(box),
      };
    }
  }
  vi.stubGlobal("OffscreenCanvas", Easel);
  const drawn: unknown[][] = [];
  const quiet = (): void => undefined;
  const shown = {
    setTransform: quiet,
    clearRect: quiet,
    save: quiet,
    restore: quiet,
    resetTransform: quiet,
    drawImage: (...all: unknown[]) => drawn.push(all),
  };
  const paint = vi.fn();
  const sized = (width: number, height: number): (number | undefined)[] => {
    paintCanvas(
      { width: 0, height: 0, getContext: () => shown } as unknown as HTMLCanvasElement,
      width,
      height,
      1,
      paint,
    );
    return [easels[0]?.width, easels[0]?.height];
  };
  expect([sized(300, 200), sized(290, 210), sized(280, 150), sized(20, 10), sized(40, 5)]).toEqual([
    [300, 200],
    [300, 210],
    [300, 210],
    [20, 10],
    [40, 10],
  ]);
  expect(easels).toHaveLength(1);
  expect(easels[0]?.cleared).toEqual([
    [0, 0, 300, 200],
    [0, 0, 290, 210],
    [0, 0, 280, 150],
    [0, 0, 20, 10],
    [0, 0, 40, 5],
  ]);
  expect(drawn.map(([, ...box]) => box)).toEqual(
    [
      [300, 200],
      [290, 210],
      [280, 150],
      [20, 10],
      [40, 5],
    ].map(([width, height]) => [0, 0, width, height, 0, 0, width, height]),
  );
  expect(paint).toHaveBeenCalledTimes(5);
});
