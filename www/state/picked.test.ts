import { expect, it } from "vitest";
import { togglePicked } from "./index.js";

it("picked tokens come and go one by one; those of the other text give way", () => {
  const one = togglePicked(null, "source", 4);
  expect(one).toEqual({ side: "source", tokens: [4], pool: "sum", looking: "from" });
  const mean = one && { ...one, pool: "mean" as const };
  expect(togglePicked(mean, "source", 1)).toEqual({ ...mean, tokens: [4, 1] });
  expect(togglePicked(mean, "target", 0)).toEqual({ ...mean, side: "target", tokens: [0] });
  expect(togglePicked(mean, "source", 4)).toBeNull();
});
