// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_STATE } from "../../state/index.js";
import { readPage, savePage } from "./saved-page.js";

afterEach(() => {
  vi.restoreAllMocks();
});

/** What a save would put on the disk. */
async function saved(text: string): Promise<{ name: string; content: string }> {
  let blob = new Blob();
  let name = "";
  vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    blob = made as Blob;
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    name = this.download;
  });
  await savePage({ ...DEFAULT_STATE, text });
  return { name, content: await blob.text() };
}

describe("a saved page", () => {
  it("is named after its text, and is read back", async () => {
    const { name, content } = await saved("The dog / bites: 你好?");
    expect(name).toBe("The dog bites 你好.json");
    const read = await readPage(new File([content], name));
    expect(read).toEqual({
      state: { ...DEFAULT_STATE, text: "The dog / bites: 你好?" },
      said: ["text"],
      unread: [],
      newer: false,
    });
  });

  it("without a text has a name all the same", async () => {
    expect((await saved(" … ")).name).toBe("page.json");
  });

  it("that is broken, foreign or huge has a code", async () => {
    const problems = [`{"headscope": 1, "sta`, `{"model_type": "bert"}`, " ".repeat(4_000_001)].map(
      (content) => readPage(new File([content], "page.json")),
    );
    expect(await Promise.all(problems)).toEqual([
      "file/not-json",
      "file/not-a-page",
      "file/too-large",
    ]);
    const gone = Object.assign(new File(["{}"], "page.json"), {
      text: () => Promise.reject(new Error("moved")),
    });
    expect(await readPage(gone)).toBe("file/unreadable");
  });
});
