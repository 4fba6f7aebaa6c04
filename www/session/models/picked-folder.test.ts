import { expect, it } from "vitest";
import type { PlacedFile } from "./picked-files.js";
import {
  cachedModel,
  modelFolder,
  nameInConfig,
  pageFile,
  textFile,
} from "./picked-folder.js";

const placed = (paths: readonly string[]): PlacedFile[] =>
  paths.map((path) =>
    Object.assign(new File([path], path.slice(path.lastIndexOf("/") + 1)), { path }),
  );

it.each([
  // The outermost one with a config.json, without what lies in folders inside it.
  ["bert", ["bert/onnx/config.json", "bert/config.json", "bert/model.safetensors"], [1, 2]],
  // Without a config.json the outermost one, so that the engine can say what it lacks.
  ["photos", ["photos/summer/one.jpg", "photos/two.jpg"], [1]],
  // A file that is a model by itself gives its name.
  ["smol", ["./smol.gguf"], [0]],
] as const)("the folder of a model is %s of %o", async (name, paths, inside) => {
  const folder = modelFolder(placed(paths));
  const texts = await Promise.all(folder?.files.map((file) => file.text()) ?? []);
  expect([folder?.name, texts]).toEqual([name, inside.map((at) => paths[at])]);
});

it.each([
  ["org/a-name", ["/models--org--a-name/refs/main", "/models--org--a-name/blobs/1f3e"]],
  ["gpt2", ["/hub/models--gpt2/blobs/1f3e"]],
  // On Windows the cache has files.
  [null, ["/models--org--name/refs/main", "/models--org--name/snapshots/abc/config.json"]],
  [null, ["/blobs/1f3e"]],
  [null, []],
])("only the cache folder of %s was picked: %o", (id, paths) => {
  expect(cachedModel(placed(paths))).toBe(id);
});

it.each([
  [true, ["The dog.json"]],
  [true, ["bert/page.json"]],
  [false, ["config.json"]],
  [false, ["a.json", "b.json"]],
  [false, ["photo.jpg"]],
  [false, []],
])("a saved page (%s) is a file that comes alone: %o", (isPage, paths) => {
  expect(pageFile(placed(paths)) !== null).toBe(isPage);
});

it.each([
  ['{"_name_or_path": "org/my-bert", "model_type": "bert"}', "my-bert"],
  ['{"_name_or_path": "", "model_type": "gpt2"}', "gpt2"],
  ['{"_name_or_path": 3}', ""],
  ["null", ""],
  ["{", ""],
])("loose files have the name that their config.json says: %s", async (config, name) => {
  expect(await nameInConfig([new File([config], "config.json")])).toBe(name);
  expect(await nameInConfig([])).toBe("");
});

it("takes one text file for a text", () => {
  const names = (...paths: string[]): string | undefined => textFile(placed(paths))?.name;
  expect([names("./notes.md"), names("./a.txt", "./b.txt"), names("./config.json")]).toEqual([
    "notes.md",
    undefined,
    undefined,
  ]);
});
