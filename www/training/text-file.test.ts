import { describe, expect, it } from "vitest";
import { readTextFile } from "./text-file.js";

const read = (...bytes: number[]) => readTextFile(new Blob([Uint8Array.from(bytes)]));

describe("a text file", () => {
  it("is read as UTF-8, with the line ends of Unix and without a byte order mark", async () => {
    const text = "Ünï\r\n二\r𝔸\n";
    expect(await readTextFile(new Blob([text]))).toBe("Ünï\n二\n𝔸\n");
    expect(await read(0xef, 0xbb, 0xbf, 0x61)).toBe("a");
  });

  it.each([
    ["UTF-16", [0xff, 0xfe, 0x61, 0]],
    ["UTF-16", [0xfe, 0xff, 0, 0x61]],
    ["another encoding", [0x61, 0xe4, 0x62]],
    ["a file that is no text", [0x61, 0, 0x62]],
  ])("that is %s is refused", async (got, bytes) => {
    const refused = { code: "training/text-encoding", got };
    await expect(read(...bytes)).rejects.toMatchObject(refused);
  });

  it("of 100 MB is refused before it is read", async () => {
    const arrayBuffer = () => Promise.reject(new Error("read"));
    const file = { size: 100_000_000, arrayBuffer } as unknown as Blob;
    const refused = { code: "training/text-too-large", got: "100 MB" };
    await expect(readTextFile(file)).rejects.toMatchObject(refused);
  });
});
