// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { all, textOf, textsOf } from "../elements/testing/mount.js";
import { HUB } from "../engine/remote-folder.js";
import { FolderStore, storedFolders } from "../engine/stored.js";
import { serveFiles, stubStorage } from "../engine/testing/stored-files.js";
import { formatBytes, loadSentences, message } from "../i18n/index.js";
import { modelLabel } from "../session/models/models.js";
import { sessionWith, show } from "../session/testing/session.js";
import { button } from "../ui/testing/controls.js";
import { HeadscopeHubForm, modelOf } from "./hub-form.js";

const MAIN = "https://huggingface.co/org/name/resolve/main/";

it.each([
  [" org/name ", MAIN, "org/name"],
  ["https://huggingface.co/org/name/", MAIN, "org/name"],
  ["https://huggingface.co/org/name/tree/main", MAIN, "org/name"],
  ["https://huggingface.co/org/name/tree/v2", MAIN.replace("main", "v2"), "org/name"],
  ["gpt2", "https://huggingface.co/gpt2/resolve/main/", "gpt2"],
  ["org/name/a.gguf", `${MAIN}a.gguf`, "org/name/a.gguf"],
  ["https://huggingface.co/org/name/blob/main/a.gguf", `${MAIN}a.gguf`, "org/name/a.gguf"],
  ["https://other.example/m", "https://other.example/m", "m"],
])("%s names the model at %s, %s on the page", (text, address, label) => {
  const model = modelOf(text, HUB);
  expect([model, modelLabel(model)]).toEqual([`at/${address}`, label]);
});

describe("<headscope-hub-form>", () => {
  const FILES = {
    [`${MAIN}config.json`]: { headers: { "content-length": "200000" } },
    [`${MAIN}model.safetensors`]: { headers: { "content-length": "500000" } },
  };

  beforeAll(() => loadSentences("hub"));
  beforeEach(() => stubStorage({ quota: 2 ** 40 }));
  afterEach(() => {
    document.body.replaceChildren();
    vi.unstubAllGlobals();
  });

  async function store(name: string, text: string, version: string): Promise<void> {
    const folder = await FolderStore.open(MAIN, true);
    const sink = await folder?.create(name, text.length);
    await sink?.write(new TextEncoder().encode(text));
    await sink?.close(version);
    await folder?.commit();
  }

  async function form() {
    const openAddress = vi.fn<(model: string, bytes: number | null) => void>();
    const opened = vi.fn<() => void>();
    const element = await show(new HeadscopeHubForm(), sessionWith({}, { openAddress }), {
      opened,
    });
    return { element, openAddress, opened };
  }

  async function ask(element: HeadscopeHubForm, text: string): Promise<void> {
    Object.assign(all(element, "form input")[0] ?? {}, { value: text });
    all(element, "form")[0]?.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    await element.updateComplete;
    await expect.poll(() => all(element, "form [aria-disabled=true]")).toEqual([]);
  }

  const facts = (element: HeadscopeHubForm): Record<string, string> => {
    const names = textsOf(element, "dt");
    const values = textsOf(element, "dd");
    return Object.fromEntries(names.map((name, at) => [name, values[at] ?? ""]));
  };

  it("shows the size of a model before it opens it", async () => {
    serveFiles(FILES);
    const { element, openAddress, opened } = await form();
    await ask(element, "org/name");
    const { [message("hub.memory")]: memory, ...others } = facts(element);
    expect(others).toEqual({
      "config.json": formatBytes(200_000),
      "model.safetensors": formatBytes(500_000),
      [message("hub.download")]: formatBytes(700_000),
    });
    expect(memory?.startsWith(formatBytes(500_000))).toBe(true);
    expect(textsOf(element, ".problem")).toEqual([]);
    expect(openAddress).not.toHaveBeenCalled();
    button(element, message("hub.load")).click();
    await expect.poll(() => opened.mock.calls.length).toBe(1);
    expect(openAddress.mock.calls).toEqual([[`at/${MAIN}`, 700_000]]);
  });

  it("is put away without opening anything", async () => {
    serveFiles(FILES);
    const { element, openAddress } = await form();
    await ask(element, "org/name");
    button(element, message("hub.cancel")).click();
    await element.updateComplete;
    expect([facts(element), openAddress.mock.calls]).toEqual([{}, []]);
  });

  it("says what storage lacks, and downloads only what is not stored", async () => {
    serveFiles(FILES);
    await store("config.json", "{}", '"1"');
    vi.spyOn(navigator.storage, "estimate").mockResolvedValue({ quota: 300_000, usage: 0 });
    const { element } = await form();
    await ask(element, "org/name");
    expect(facts(element)["config.json"]).toBe(message("hub.stored"));
    expect(facts(element)[message("hub.download")]).toBe(formatBytes(500_000));
    const missing = formatBytes(200_000);
    expect(textsOf(element, ".problem")).toEqual([message("hub.noRoom", { bytes: missing })]);
  });

  it.each([
    [true, 2],
    [false, 0.5],
  ])("warns (%s) of weights that a device with %d GiB of memory may not hold", async (_, gib) => {
    const headers = { "content-length": String(2 ** 30) };
    serveFiles({ ...FILES, [`${MAIN}model.safetensors`]: { headers } });
    Object.assign(navigator, { deviceMemory: gib });
    const { element } = await form();
    await ask(element, "org/name");
    const isTooLarge = gib < 1;
    expect(textsOf(element, ".problem")).toEqual(isTooLarge ? [message("hub.tooLarge")] : []);
  });

  it("has no size where the server states none", async () => {
    const headers = { "content-encoding": "gzip" };
    serveFiles({ ...FILES, [`${MAIN}model.safetensors`]: { headers } });
    const { element } = await form();
    await ask(element, "org/name");
    const unknown = message("hub.unknown");
    expect(facts(element)["model.safetensors"]).toBe(unknown);
    expect(facts(element)[message("hub.memory")]).toBe(unknown);
  });

  it("forgets stored files of an earlier version before it loads the model", async () => {
    serveFiles(FILES);
    await store("config.json", "{}", '"0"');
    const { element, openAddress } = await form();
    await ask(element, "org/name");
    button(element, message("hub.load")).click();
    await expect.poll(() => openAddress.mock.calls).toEqual([[`at/${MAIN}`, 700_000]]);
    expect(await storedFolders()).toEqual([]);
  });

  it("names the server that cannot be reached; a stored model opens without it", async () => {
    const lost = (): Promise<never> => Promise.reject(new TypeError("no network"));
    vi.stubGlobal("fetch", lost);
    const { element, openAddress } = await form();
    await ask(element, "org/name");
    const [failure] = all(element, ".failure");
    expect(textOf(failure)).toContain("huggingface.co");
    expect(textOf(failure)).toContain("load/network");
    expect(openAddress).not.toHaveBeenCalled();

    element.remove();
    await store("config.json", "{}", '"1"');
    const later = await form();
    await expect.poll(() => all(later.element, "li .name").length).toBe(1);
    await ask(later.element, "org/name");
    const [[model, bytes] = []] = later.openAddress.mock.calls;
    expect([model, bytes]).toEqual([`at/${MAIN}`, (await storedFolders())[0]?.bytes]);
    expect(all(later.element, ".failure")).toEqual([]);
  });

  it("says by its code why a model is not offered", async () => {
    serveFiles({});
    const { element } = await form();
    await ask(element, "org/name");
    expect(textsOf(element, ".failure code")).toEqual(["load/not-found"]);
  });

  it("lists stored models, opens one and removes one", async () => {
    await store("config.json", "{}", '"1"');
    const { element, openAddress } = await form();
    await expect.poll(() => textsOf(element, "li .name")).toEqual(["org/name"]);
    all(element, "li .name")[0]?.click();
    expect(openAddress.mock.lastCall?.[0]).toBe(`at/${MAIN}`);
    button(element, message("hub.remove")).click();
    await expect.poll(() => textsOf(element, "li")).toEqual([]);
    expect(await storedFolders()).toEqual([]);
  });

  it("takes another hub, but no address that is none", async () => {
    const { element } = await form();
    const { hub } = element.session.models;
    const enter = async (name: string, value: string): Promise<void> => {
      const [field] = all(element, `[name=${name}]`);
      Object.assign(field ?? {}, { value });
      field?.dispatchEvent(new Event("change"));
      await element.updateComplete;
    };
    await enter("hub", " https://mirror.example// ");
    await enter("token", " secret ");
    expect(hub).toEqual({ hub: "https://mirror.example", token: "secret" });
    await enter("hub", "mirror");
    expect(hub.hub).toBe(HUB);
  });
});
