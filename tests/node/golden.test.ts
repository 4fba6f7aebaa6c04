import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { golden, jsonText } from "../golden/golden.js";
import { differencesOfVisits, replay, type Visit } from "../golden/replay.js";
import { publicTypes } from "../golden/public-types.js";
import { folder } from "./package.js";
import visits from "../golden/visits.json" with { type: "json" };

it("the package answers the questions of the visits as it did", async () => {
  const answered = await replay({
    entry: new URL("headscope.js", folder).href,
    models: fileURLToPath(new URL("../site/models", folder)),
    backend: "cpu",
    visits: visits as Visit[],
  });
  const expected = JSON.parse(golden("visits.json", jsonText(answered))) as Visit[];
  expect(differencesOfVisits(expected, answered)).toEqual([]);
});

it("the package has the public types that it had", () => {
  const types = publicTypes(folder);
  expect(types).toBe(golden("types.txt", types));
});
