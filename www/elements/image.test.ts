// @vitest-environment happy-dom
// @isolate: texts are measured on a canvas that stands for all later ones.
// How clear the patches of an image are beside those of another head, and what the picture says.
import { afterEach, beforeEach, expect, it } from "vitest";
import { HeadscopeImage } from "./image.js";
import { matrixOf, PATCH_TOKENS, PATCHES } from "./testing/mount.js";
import { painted, stubPainting } from "./testing/painted.js";

beforeEach(() => stubPainting(320));
afterEach(() => document.body.replaceChildren());

const weights = (...row: number[]): ReturnType<typeof matrixOf> =>
  matrixOf(5, Array.from({ length: 5 }, () => row).flat());
const drawn = (beside: number[] | null): Promise<string> =>
  painted(new HeadscopeImage(), {
    queries: PATCH_TOKENS,
    keys: PATCH_TOKENS,
    tensor: weights(0.5, 0.1, 0.2, 0.2, 0),
    image: { width: 2, height: 2, data: new Uint8ClampedArray(16) },
    grid: { ...PATCHES, channels: 3 },
    focused: { query: 1, key: 1 },
    ...(beside && { scaledWith: { weights: weights(...beside), query: 1 } }),
  } as unknown as Partial<HeadscopeImage>);

it("patches are as clear as the largest weight of a patch in either head allows", async () => {
  const alone = await drawn(null);
  const dimmed = await drawn([0.1, 0.4, 0.2, 0.2, 0.1]);
  expect(dimmed).not.toBe(alone);
  // The class token of the other head is no patch, and a weaker head changes nothing.
  expect(await drawn([0.9, 0.4, 0, 0, 0])).toBe(dimmed);
  expect(await drawn([0.9, 0.05, 0.05, 0, 0])).toBe(alone);
});
