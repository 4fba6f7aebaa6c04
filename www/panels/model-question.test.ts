// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { all, textOf, textsOf } from "../elements/testing/mount.js";
import { FolderStore } from "../engine/stored.js";
import { serveFiles, stubStorage } from "../engine/testing/stored-files.js";
import { formatBytes, loadSentences, message } from "../i18n/index.js";
import { sessionWith, show } from "../session/testing/session.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeModelQuestion } from "./model-question.js";

const FOLDER = "https://far.example/mine/";
const FILES = {
  [`${FOLDER}config.json`]: { headers: { "content-length": "200000" } },
  [`${FOLDER}model.safetensors`]: { headers: { "content-length": "500000" } },
};
const NAMES = { model: "mine", host: "far.example" };

beforeAll(() => loadSentences("hub", "notices"));
beforeEach(() => stubStorage({ quota: 2 ** 40 }));
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

async function question() {
  const agree = vi.fn<(model: string, bytes: number | null) => void>();
  const refuse = vi.fn<(model: string) => void>();
  const session = sessionWith({}, { agree, refuse });
  const model = `at/${FOLDER}` as const;
  const element = await show(new HeadscopeModelQuestion(), session, { model });
  return { element, agree, refuse, words: () => textOf(all(element, "p")[0]) };
}

it("names the server and the size, of which alone it asks, and fetches what the reader agrees to", async () => {
  const asked = serveFiles(FILES);
  const { element, agree, refuse, words } = await question();
  const sized = message("ask.size", { ...NAMES, bytes: formatBytes(700_000) });
  await expect.poll(words).toBe(sized);
  expect(textsOf(element, "dt")).toContain("model.safetensors");
  expect(asked.filter((one) => !one.startsWith("HEAD "))).toEqual([]);
  expect(agree).not.toHaveBeenCalled();
  button(element, message("ask.yes")).click();
  await expect.poll(() => agree.mock.calls).toEqual([[`at/${FOLDER}`, 700_000]]);
  button(element, message("ask.no")).click();
  expect(refuse.mock.calls).toEqual([[`at/${FOLDER}`]]);
});

it("says that the size is unknown", async () => {
  const headers = { "content-encoding": "gzip" };
  serveFiles({ ...FILES, [`${FOLDER}model.safetensors`]: { headers } });
  const { element, agree, words } = await question();
  await expect.poll(words).toBe(message("ask.unknown", NAMES));
  button(element, message("ask.yes")).click();
  await expect.poll(() => agree.mock.calls).toEqual([[`at/${FOLDER}`, null]]);
});

it("names what could not be asked, by its code, and asks again", async () => {
  serveFiles({});
  const { element, words } = await question();
  await expect.poll(() => textsOf(element, "code")).toEqual(["load/not-found"]);
  serveFiles(FILES);
  button(element, message("ask.again")).click();
  await expect.poll(words).toContain(formatBytes(700_000));
});

it("asks nothing about a model that is stored", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  const folder = await FolderStore.open(FOLDER, true);
  const sink = await folder?.create("config.json", 2);
  await sink?.write(new TextEncoder().encode("{}"));
  await sink?.close('"1"');
  await folder?.commit();
  const { agree } = await question();
  await expect.poll(() => agree.mock.calls.length).toBe(1);
});
