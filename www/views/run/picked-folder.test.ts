import { describe, expect, it } from "vitest";
import { modelFolder, pageFile, type PlacedFile } from "./picked-folder.js";

const placed = (...paths: string[]): PlacedFile[] =>
  paths.map((path) => ({ path, file: new File([path], path.slice(path.lastIndexOf("/") + 1)) }));

async function chosen(...paths: string[]): Promise<{ name: string; texts: string[] } | null> {
  const folder = modelFolder(placed(...paths));
  return (
    folder && {
      name: folder.name,
      texts: await Promise.all(folder.files.map((file) => file.text())),
    }
  );
}

describe("the folder of a model", () => {
  it("is the outermost one with a config.json, without what lies in folders inside it", async () => {
    const found = await chosen(
      "bert/onnx/config.json",
      "bert/config.json",
      "bert/model.safetensors",
      "bert/onnx/model.onnx",
    );
    expect(found).toEqual({ name: "bert", texts: ["bert/config.json", "bert/model.safetensors"] });
  });

  it("without a config.json is the outermost one, so that the engine can say what it lacks", async () => {
    expect(await chosen("photos/summer/one.jpg", "photos/two.jpg")).toEqual({
      name: "photos",
      texts: ["photos/two.jpg"],
    });
  });

  it("is told from a saved page, which comes alone", () => {
    const isPage = (...paths: string[]): boolean => pageFile(placed(...paths)) !== null;
    expect([
      isPage("The dog.json"),
      isPage("config.json"),
      isPage("bert/page.json"),
      isPage("a.json", "b.json"),
      isPage("photo.jpg"),
      isPage(),
    ]).toEqual([true, false, true, false, false, false]);
  });
});
