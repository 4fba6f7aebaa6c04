import { afterEach, expect, it, vi } from "vitest";
import { paintCanvas } from "./canvas.js";

afterEach(() => vi.unstubAllGlobals());

it("paints on the page itself where there is no brush beside it", () => {
  vi.stubGlobal("OffscreenCanvas", class {
    width = 1;
    height = 1;
    getContext(): null {
      return null;
    }
  });
  const shown = { setTransform: () => undefined, clearRect: () => undefined };
  const canvas = { width: 0, height: 0, getContext: () => shown } as unknown as HTMLCanvasElement;
  const paint = vi.fn();
  paintCanvas(canvas, 20, 10, 2, paint);
  expect([paint.mock.calls, canvas.width, canvas.height]).toEqual([[[shown]], 40, 20]);
});
