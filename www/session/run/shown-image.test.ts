// @vitest-environment happy-dom
// The image that models read: the sample, the file of a user, and that file in a saved page.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Model } from "../../headscope.js";
import { imageInput, sampleImage, ShownImage } from "./shown-image.js";

const PIXELS = { width: 2, height: 1, data: new Uint8ClampedArray(8) };
const done: unknown[] = [];

beforeEach(() => {
  done.length = 0;
  const bitmap = { width: 2, height: 1, close: () => done.push("closed") };
  vi.stubGlobal("createImageBitmap", (file: Blob) =>
    file.type === "text/plain"
      ? Promise.reject(new TypeError("no image"))
      : Promise.resolve(bitmap),
  );
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext(): object {
        const context = {
          fillStyle: "",
          fillRect: (...at: number[]) => done.push([context.fillStyle, ...at]),
          drawImage: (drawn: unknown) => done.push(drawn === bitmap ? "drawn" : "other"),
          getImageData: () => PIXELS,
        };
        return context;
      }
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

it("is the sample at first: a yellow ring on a gradient, of opaque pixels", async () => {
  const image = new ShownImage();
  const { width, height, data } = image.current;
  expect([width, height, data.length]).toEqual([224, 224, 224 * 224 * 4]);
  const at = (x: number, y: number): unknown[] =>
    [0, 1, 2, 3].map((channel) => data[(y * 224 + x) * 4 + channel]);
  expect([at(126 + 50, 104), at(126, 104 - 50)]).toEqual([
    [250, 205, 40, 255],
    [250, 205, 40, 255],
  ]);
  expect([at(0, 0), at(200, 210)]).toEqual([
    [40, 90, 190, 255],
    [90, 160, 150, 255],
  ]);
  expect([image.isOwn, await image.written(), image.current]).toEqual([false, null, sampleImage()]);
});

it("is the file of a user on white, until the sample is taken again", async () => {
  const image = new ShownImage();
  const file = new Blob(["hi"], { type: "image/png" });
  await image.open(file);
  expect([image.isOwn, image.current]).toEqual([true, PIXELS]);
  expect(done).toEqual([["white", 0, 0, 2, 1], "drawn", "closed"]);
  expect(await image.written()).toBe("data:image/png;base64,aGk=");
  await expect(image.open(new Blob(["hi"], { type: "text/plain" }))).rejects.toThrow("no image");
  expect(image.current).toBe(PIXELS);
  await image.open(null);
  expect([image.isOwn, image.current, await image.written()]).toEqual([false, sampleImage(), null]);
});

it("comes out of a saved page as it went in", async () => {
  const image = new ShownImage();
  const url = "data:image/gif;base64,R0lG/w==";
  await image.read(url);
  expect([image.isOwn, await image.written()]).toEqual([true, url]);
  await image.read(null);
  expect(image.isOwn).toBe(false);
});

it("is the input of a model of images, not of one that reads texts", () => {
  const image = new ShownImage();
  const modelOf = (read: object | null): Model => ({ info: { image: read } }) as unknown as Model;
  expect(imageInput(modelOf({}), image)).toEqual({ image: image.current });
  expect(imageInput(modelOf(null), image)).toBeNull();
});
