// The fingerprint of a model's files: by what they have, whatever they are read from.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { fingerprintsOf } from "./fingerprint.js";

it("changes with each byte, also beyond the first piece, and is the same of a path", async () => {
  const bytes = new Uint8Array((1 << 22) + 1);
  const file = new Blob([bytes]);
  const before = await fingerprintsOf([{ name: "a", file }]);
  bytes[1 << 22] = 1;
  const after = await fingerprintsOf([{ name: "a", file: new Blob([bytes]) }]);
  expect(after.a).not.toBe(before.a);
  const root = mkdtempSync(join(tmpdir(), "headscope-prints-"));
  const path = join(root, "a");
  writeFileSync(path, bytes);
  expect(await fingerprintsOf([{ name: "a", file: path }])).toEqual(after);
  rmSync(root, { recursive: true });
});

it("is refused where a page has no SHA-256", async () => {
  vi.stubGlobal("crypto", {});
  const refused = fingerprintsOf([{ name: "a", file: new Blob(["a"]) }]);
  await expect(refused).rejects.toMatchObject({ code: "load/no-hash" });
  vi.unstubAllGlobals();
});
