import { describe, expect, it, vi } from "vitest";
import { layoutMatrix } from "./layout.js";
import { paintTouched } from "./stroke.js";
import type { Brush, Inks } from "./theme.js";

describe("cells under a stroke", () => {
  it("are outlined where they are only touched, and neither filled nor hatched", () => {
    const brush = { save: vi.fn(), restore: vi.fn(), strokeRect: vi.fn(), fillRect: vi.fn() };
    const layout = layoutMatrix({
      rows: 2,
      columns: 2,
      width: 300,
      ratio: 1,
      comfortableHeight: 200,
      queryLabel: 40,
      keyLabel: 40,
      legendText: null,
      marginalText: null,
    });
    paintTouched(
      brush as unknown as Brush,
      layout,
      [
        { query: 0, key: 0 },
        { query: 1, key: 1 },
      ],
      { accent: "red" } as Inks,
    );
    expect(brush.strokeRect).toHaveBeenCalledTimes(2);
    expect(brush.fillRect).not.toHaveBeenCalled();
  });
});
