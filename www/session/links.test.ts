// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HeadRef } from "../data/index.js";
import { matrixOf } from "../elements/testing/mount.js";
import { FAKE_INFO, FAKE_READER } from "../../tests/support/fake-model.js";
import { encodeFile, LARGEST_FILE_BYTES } from "../state/file.js";
import { DEFAULT_STATE, type State, Store } from "../state/index.js";
import type { HeadFigures } from "./run/head.js";
import { PageLinks } from "./links.js";
import { NoticeBoard } from "./run/notices.js";

let store: Store;
let board: NoticeBoard;
let links: PageLinks;
let leave: () => void = () => undefined;
const openExperiment = vi.fn();
/** The image of the page: that of its user, or null for the sample. */
const image = {
  shown: null as string | null,
  written: () => Promise.resolve(image.shown),
  read: (url: string | null) => {
    if (url?.includes("broken")) return Promise.reject(new Error("no image"));
    image.shown = url;
    return Promise.resolve();
  },
};

beforeEach(() => {
  image.shown = null;
  store = new Store();
  board = new NoticeBoard();
  links = new PageLinks(store, board, openExperiment, image);
});
afterEach(() => {
  leave();
  leave = () => undefined;
  openExperiment.mockClear();
  vi.restoreAllMocks();
});

const codes = (): (string | undefined)[] => board.list.map(({ code }) => code);

describe("the notices", () => {
  it("are there once each, the newest last, until they are dismissed", () => {
    for (const key of ["notice.restarted", "notice.noLink", "notice.restarted"] as const)
      board.post(key);
    expect(board.list.map(({ key }) => key)).toEqual(["notice.noLink", "notice.restarted"]);
    board.remove("notice.noLink");
    expect(board.list).toHaveLength(1);
  });

  it("name what of a link could not be read, also later, each once, and of that link alone", () => {
    const steps: [() => void, codes: string[], fields?: string][] = [
      [
        () => board.report({ unread: ["layer", "edits"], newer: true }),
        ["link/newer", "link/unread"],
        "layer, edits",
      ],
      [() => board.report({ unread: ["#"], newer: false }), ["link/too-long"]],
      [() => board.report({ unread: ["layer"], newer: false }), ["link/unread"], "layer"],
      [() => board.reportMore(["demos: dim"]), ["link/unread"], "layer, demos: dim"],
      [() => board.reportMore(["demos: dim"]), ["link/unread"], "layer, demos: dim"],
      [() => board.report({ unread: [], newer: false }), []],
      [() => board.reportMore(["demos: seed"]), ["link/unread"], "demos: seed"],
    ];
    for (const [report, expected, fields] of steps) {
      report();
      expect([codes(), board.list.at(-1)?.values.fields]).toEqual([expected, fields]);
    }
  });

  it("offer a file once when the page is too much for a link, and no longer when it fits", () => {
    const counts = [
      () => board.followLength(false),
      () => board.remove("notice.noLink"),
      () => board.followLength(false),
      () => board.offerFile(),
      () => board.followLength(true),
      () => board.followLength(false),
    ].map((act) => {
      act();
      return board.list.length;
    });
    expect(counts).toEqual([1, 0, 0, 1, 0, 1]);
    expect(board.list[0]?.action?.command).toBe("save-page");
  });
});

const SHOWN: HeadRef = { stack: "encoder", layer: 2, head: 3 };
const STEP = matrixOf(2, new Array<number>(8).fill(0), ["position", "model_dim"]);

/**
 * Compares the page with a head that was read, and in a picture of them with the steps of its
 * block.
 */
function compare(isGone = false): Promise<void> {
  const run = { tokens: Array(4), targetTokens: [], fit: () => null };
  const steps =
    isGone || store.state.picture !== "steps" ? null : [{ step: "query" as const, tensor: STEP }];
  return links.compare(
    store.state,
    { head: SHOWN, run } as unknown as HeadFigures,
    FAKE_READER,
    steps,
  );
}

/** Comes to an address, as a person who followed a link, or one that comes back. */
function arriveAt(fields: string, entry: unknown = null): void {
  window.history.replaceState(entry, "", `#v=1&${fields}`);
  leave();
  leave = links.bindAddress();
}

const NUMBER = "stack=encoder&layer=3&head=4&picture=steps&number=";

describe("what a link asks for and is not there", () => {
  it.each<[string, string[], Partial<State>?, isGone?: boolean]>([
    ["stack=cross&layer=3&head=4", ["place/stack"]],
    ["stack=encoder&layer=9&head=4", ["place/head"]],
    ["stack=encoder&layer=3&head=12", ["place/head"]],
    ["stack=encoder&layer=3&head=4", []],
    // Another model has other heads by itself.
    ["model=models/tiny-bert", []],
    ["cell=5-1", ["place/held"]],
    ["cell=4-4", []],
    ["picked=s5", ["place/held"]],
    ["picked=s4", []],
    ["entry=99999", ["place/entry"]],
    ["entry=0&against=99999", ["place/entry"]],
    ["entry=0&against=1", []],
    [`${NUMBER}query.4-2`, []],
    [`${NUMBER}query.999-999`, ["place/number"]],
    [`${NUMBER}key.1-1`, ["place/number"]],
    ["stack=encoder&layer=3&head=4&picture=heatmap&number=query.999-999", []],
    // Nothing is missed that the user let go of since, or that could not be read.
    ["stack=encoder&layer=9&head=4", [], { layer: 0 }],
    ["cell=5-1", [], { locked: null }],
    [`${NUMBER}query.999-999`, [], { number: null }],
    [`${NUMBER}query.999-999`, [], {}, true],
  ])("%s: %o", async (fields, expected, later = {}, isGone = false) => {
    arriveAt(fields);
    store.update(later);
    await compare(isGone);
    expect(codes()).toEqual(expected);
  });

  it.each<[string, string[]]>([
    ["joined=rollout", ["place/joined"]],
    ["joined=mean", []],
  ])("%s of cross-attention: %o", async (fields, expected) => {
    arriveAt(fields);
    // What the stack does not have, the session lets go of.
    if (expected.length > 0) store.update({ joined: null });
    const head: HeadRef = { stack: "cross", layer: 0, head: 0 };
    const run = { tokens: Array(4), targetTokens: Array(4), fit: () => null };
    await links.compare(store.state, { head, run } as unknown as HeadFigures, FAKE_INFO);
    expect(codes()).toEqual(expected);
  });

  it("is named as it was asked for, beside what is shown instead", async () => {
    const posted = vi.spyOn(board, "post");
    const places = { layer: "3", head: "4" };
    for (const fields of ["stack=cross&layer=9&head=12", "stack=encoder&layer=9&head=12"]) {
      arriveAt(fields);
      await compare();
    }
    const asked = { ...places, askedLayer: "9", askedHead: "12" };
    const names = (stack: string): object => ({ asked: `stack.${stack}`, stack: "stack.encoder" });
    expect(posted.mock.calls).toEqual([
      ["notice.place.stack", asked, { code: "place/stack", names: names("cross") }],
      ["notice.place.head", asked, { code: "place/head", names: names("encoder") }],
    ]);
    posted.mockClear();
    arriveAt("joined=flow");
    store.update({ joined: null });
    const run = { tokens: Array(4), targetTokens: Array(4), fit: () => null };
    const cross: HeadRef = { stack: "cross", layer: 2, head: 3 };
    await links.compare(store.state, { head: cross, run } as unknown as HeadFigures, FAKE_INFO);
    expect(posted.mock.calls).toEqual([
      [
        "notice.place.joined",
        places,
        { code: "place/joined", names: { asked: "stage.flow", stack: "stack.cross" } },
      ],
    ]);
  });

  it("is said once, and forgotten with the next link", async () => {
    arriveAt("stack=encoder&layer=9&cell=9-9");
    await compare();
    expect(codes()).toEqual(["place/head", "place/held"]);
    board.remove("notice.place.head");
    await compare();
    expect(codes()).toEqual(["place/held"]);
    arriveAt("text=a");
    expect(codes()).toEqual([]);
  });
});

describe("an address", () => {
  it("names what of it could not be read, also of one that the page wrote itself", () => {
    for (const entry of [null, { own: true }]) {
      arriveAt("text=a&layer=none&nonsense=1", entry);
      expect(board.list.map(({ code, values }) => [code, values.fields])).toEqual([
        ["link/unread", "layer, nonsense"],
      ]);
      arriveAt("text=a");
      expect(codes()).toEqual([]);
    }
  });

  it("without a model has that of the element, unless a step of the tour shows another", async () => {
    links.usual = "models/tiny-vit";
    const models = ["text=a", "text=a&model=models/tiny-gpt"].map((fields) => {
      arriveAt(fields);
      return store.state.model;
    });
    expect(models).toEqual(["models/tiny-vit", "models/tiny-gpt"]);
    // The guides come with the first link to one.
    arriveAt("tour=1");
    await vi.waitFor(() => expect(store.state.model).toBe("models/tiny-bert"));
  });

  it("that the page wrote itself asks for nothing, and does not open the experiments", async () => {
    // As after a switch of models, which keeps the stack, the layer and the head of the model
    // before.
    arriveAt("text=a&stack=cross&layer=6&experiment=masks", { own: true });
    await compare();
    expect([codes(), openExperiment.mock.calls]).toEqual([[], []]);
    arriveAt("text=a&experiment=masks");
    expect(openExperiment).toHaveBeenCalledTimes(1);
  });
});

/** Saves the page; null if nothing was saved. */
async function save(): Promise<File | null> {
  let blob = new Blob();
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
    blob = made as Blob;
    return "blob:saved";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  await links.saveFile();
  const [name] = names;
  return name === undefined ? null : new File([blob], name);
}

describe("a saved page", () => {
  it("has the image of its user, and opens with it; one without has the sample", async () => {
    const own = "data:image/png;base64,aGk=";
    const plain = await save();
    image.shown = own;
    const pictured = await save();
    image.shown = null;
    if (!plain || !pictured) throw new Error("nothing was saved");
    await links.openFile(pictured);
    expect(image.shown).toBe(own);
    await links.openFile(plain);
    expect([image.shown, board.list]).toEqual([null, []]);
  });

  it("whose image cannot be read, or is too large, says so and changes nothing", async () => {
    const file = encodeFile({ ...DEFAULT_STATE, text: "A cat" }, "data:image/broken;base64,aGk=");
    await links.openFile(new File([file], "page.json"));
    expect([codes(), store.state]).toEqual([["input/bad-image"], DEFAULT_STATE]);
    image.shown = " ".repeat(LARGEST_FILE_BYTES);
    expect(await save()).toBeNull();
    // In base64 an image of 18 MB is a file of 24 MB.
    const values = { limit: "18 MB" };
    expect(board.list.at(-1)).toMatchObject({ key: "notice.largeImage", values });
  });

  it.each([
    ["The dog / bites: 你好?", "The dog bites 你好.json"],
    [" … ", "page.json"],
  ])("of “%s” is named %s, and is opened again", async (text, expected) => {
    store.update({ text });
    const file = await save();
    expect(file?.name).toBe(expected);
    store.replace({ ...DEFAULT_STATE, backend: "webgpu" });
    if (file) await links.openFile(file);
    // A page that was saved where the CPU computes is no reason to leave the GPU.
    expect(store.state).toEqual({ ...DEFAULT_STATE, text, backend: "webgpu" });
  });

  it("about a model from a disk opens once that model is open", async () => {
    const model = "opened/mine" as const;
    const file = new File([encodeFile({ ...DEFAULT_STATE, text: "A cat", model })], "page.json");
    store.replace(DEFAULT_STATE);
    await links.openFile(file);
    expect([board.list.map(({ key }) => key), store.state]).toEqual([
      ["notice.needs"],
      DEFAULT_STATE,
    ]);
    store.replace({ ...DEFAULT_STATE, model });
    await links.openFile(file);
    expect([board.list, store.state]).toEqual([[], { ...DEFAULT_STATE, text: "A cat", model }]);
  });

  it.each([
    ["file/not-json", `{"headscope": 1, "sta`],
    ["file/not-a-page", `{"model_type": "bert"}`],
    ["file/too-large", " ".repeat(LARGEST_FILE_BYTES + 1)],
    ["file/unreadable", encodeFile(DEFAULT_STATE)],
  ])("that cannot be opened has the code %s", async (code, content) => {
    const file = new File([content], "page.json");
    if (code === "file/unreadable") vi.spyOn(file, "text").mockRejectedValue(new Error("moved"));
    await links.openFile(file);
    expect([codes(), store.state]).toEqual([[code], DEFAULT_STATE]);
  });
});
