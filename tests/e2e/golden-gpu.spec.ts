import { resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { differencesOfVisits, replay, type Visit } from "../golden/replay.js";
import visits from "../golden/visits.json" with { type: "json" };
import { SOFTWARE_GPU } from "./software-gpu.js";

test.use(SOFTWARE_GPU);
test.setTimeout(300_000);

test("the package answers the questions of the visits on a GPU as on the CPU", async ({ page }) => {
  await page.route("**/npm/**", (route) =>
    route.fulfill({ path: resolve("dist", new URL(route.request().url()).pathname.slice(1)) }),
  );
  await page.goto("./npm/package.json");
  const answered = await page.evaluate(replay, {
    entry: "/npm/headscope.js",
    models: "/models",
    backend: "webgpu",
    visits: visits as Visit[],
  } as const);
  expect(differencesOfVisits(visits as Visit[], answered)).toEqual([]);
});
