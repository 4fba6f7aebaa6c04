import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("each test that docs/features.md names exists", () => {
  const features = readFileSync("docs/features.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("* "));
  const missing = features.filter((line) => {
    const [, file = "", title = ""] = / — `([^`]+)` › (.+)$/.exec(line) ?? [];
    return title === "" || !existsSync(file) || !readFileSync(file, "utf8").includes(title);
  });
  expect(missing).toEqual([]);
  expect(features.length).toBeGreaterThan(150);
});
