// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HeadRef, StepTensor, Token } from "../../data/index.js";
import { type Decoded, decodeState, DEFAULT_STATE, type State, Store } from "../../state/index.js";
import type { DisplayedPattern } from "./displayed.js";
import { LinkCheck, PageLinks, readPage, savePage, type Available } from "./links.js";
import { NoticeBoard } from "./notices.js";

const codesOn = ({ list }: NoticeBoard): (string | undefined)[] => list.map(({ code }) => code);

describe("the notices", () => {
  const of = (unread: readonly string[], newer = false): Decoded => ({
    state: DEFAULT_STATE,
    said: [],
    unread: [...unread],
    newer,
  });

  it("are there once each, the newest last, until they are dismissed", () => {
    const board = new NoticeBoard();
    for (const key of ["notice.restarted", "bar.linkFailed", "notice.restarted"] as const)
      board.post(key);
    expect(board.list.map(({ key }) => key)).toEqual(["bar.linkFailed", "notice.restarted"]);
    board.take("bar.linkFailed");
    expect(board.list).toHaveLength(1);
  });

  it("name what of a link could not be read, also later, each once, and of that link alone", () => {
    const board = new NoticeBoard();
    const steps: [() => void, codes: string[], fields?: string][] = [
      [() => board.report(of([])), []],
      [
        () => board.report(of(["layer", "edits"], true)),
        ["link/newer", "link/unread"],
        "layer, edits",
      ],
      [() => board.report(of(["#"])), ["link/too-long"]],
      [() => board.report(of(["layer"])), ["link/unread"], "layer"],
      [() => board.reportMore(["labs: dim"]), ["link/unread"], "layer, labs: dim"],
      [() => board.reportMore(["labs: dim"]), ["link/unread"], "layer, labs: dim"],
      [() => board.report(of([])), []],
      [() => board.reportMore(["labs: seed"]), ["link/unread"], "labs: seed"],
    ];
    for (const [report, codes, fields] of steps) {
      report();
      expect([codesOn(board), board.list.at(-1)?.values.fields]).toEqual([codes, fields]);
    }
  });

  it("offer a file once when the page is too much for a link, and no longer when it fits", () => {
    const board = new NoticeBoard();
    const counts: number[] = [];
    for (const act of [
      () => board.followLength(false),
      () => board.take("notice.noLink"),
      () => board.followLength(false),
      () => board.offerFile(),
      () => board.followLength(true),
      () => board.followLength(false),
    ]) {
      act();
      counts.push(board.list.length);
    }
    expect(counts).toEqual([1, 0, 0, 1, 0, 1]);
    expect(board.list[0]?.action?.command).toBe("save-page");
  });
});

const SHOWN: HeadRef = { stack: "encoder", layer: 2, head: 3 };
const TOKENS = Array.from({ length: 4 }, (_, id): Token => {
  return { id, text: "a", word: id, special: false, role: null };
});
const STEPS: StepTensor[] = [
  {
    step: "query",
    tensor: { data: new Float32Array(8), shape: [4, 2], axes: ["position", "model_dim"] },
  },
];

/** The head that is shown, and its pattern once it was read. */
function there(isRead: boolean, steps = Promise.resolve(STEPS)): Available {
  const figures = { queries: TOKENS, keys: TOKENS, head: SHOWN, run: { steps: () => steps } };
  const displayed = isRead ? ({ figures } as unknown as DisplayedPattern) : null;
  return { chosen: SHOWN, displayed, sourceTokens: 4, targetTokens: 0 };
}

function arriveAt(address: string): { board: NoticeBoard; check: LinkCheck; state: State } {
  const board = new NoticeBoard();
  const check = new LinkCheck(board);
  const decoded = decodeState(address);
  check.expect(decoded, decoded.state);
  return { board, check, state: decoded.state };
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
    [`${NUMBER}query.4-2`, []],
    [`${NUMBER}query.999-999`, ["place/number"]],
    [`${NUMBER}key.1-1`, ["place/number"]],
    ["stack=encoder&layer=3&head=4&picture=heatmap&number=query.999-999", []],
    // Nothing is missed that the user let go of since, or that could not be read.
    ["stack=encoder&layer=9&head=4", [], { layer: 0 }],
    ["cell=5-1", [], { locked: null }],
    [`${NUMBER}query.999-999`, [], { number: null }],
    [`${NUMBER}query.999-999`, [], {}, true],
  ])("%s: %o", async (address, codes, later = {}, isGone = false) => {
    const steps = isGone ? Promise.reject(new Error("gone")) : Promise.resolve(STEPS);
    steps.catch(() => undefined);
    const { board, check, state } = arriveAt(address);
    const now = { ...state, ...later };
    if ("number" in later) check.follow(state, there(true, steps));
    check.follow(now, there(true, steps));
    await new Promise((resolve) => setTimeout(resolve));
    expect(codesOn(board)).toEqual(codes);
  });

  it("waits for a model and its run, is said once, and forgotten with the next link", () => {
    const { board, check, state } = arriveAt("stack=encoder&layer=9&cell=9-9");
    check.follow(state, { ...there(false), chosen: null });
    expect(codesOn(board)).toEqual([]);
    check.follow(state, there(true));
    expect(codesOn(board)).toEqual(["place/head", "place/held"]);
    board.take("notice.place.head");
    check.follow(state, there(true));
    expect(codesOn(board)).toEqual(["place/held"]);
    check.clear();
    check.follow(state, there(true));
    expect(codesOn(board)).toEqual([]);
  });
});

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

let leave: () => void = () => undefined;
const openBench = vi.fn();
afterEach(() => {
  leave();
  openBench.mockClear();
});

/** What a page says that comes to an address, once it shows this head. */
function saidAt(address: string, entry: unknown): (string | undefined)[] {
  window.history.replaceState(entry, "", address);
  const [store, board] = [new Store(), new NoticeBoard()];
  const links = new PageLinks(store, board, openBench);
  leave = links.bindAddress();
  const chosen: HeadRef = { stack: "decoder", layer: 3, head: 0 };
  links.check.follow(store.state, {
    chosen,
    displayed: null,
    sourceTokens: 0,
    targetTokens: 0,
  });
  return codesOn(board);
}

describe("an address", () => {
  // As after a switch of models, which keeps the stack, the layer and the head of the model before.
  const ADDRESS = "#v=1&model=models/tiny-gpt&text=a&stack=cross&layer=6";

  it("that somebody followed asks for what may not be there", () => {
    expect(saidAt(ADDRESS, null)).toEqual(["place/stack"]);
  });

  it("that the page wrote itself asks for nothing", () => {
    expect(saidAt(ADDRESS, { own: true })).toEqual([]);
  });

  it("leads to the bench where somebody followed it there, and nobody who comes back or asks for none", () => {
    const bench = "#v=1&text=a&bench=masks";
    saidAt(bench, { own: true });
    leave();
    saidAt(ADDRESS, null);
    leave();
    expect(openBench).not.toHaveBeenCalled();
    saidAt(bench, null);
    expect(openBench).toHaveBeenCalledTimes(1);
  });

  it("says of every laboratory what it cannot be, also while an open one takes its own part out", async () => {
    window.history.replaceState(
      null,
      "",
      "#v=1&text=a&labs=waves(dim-NaN)norm(token-1e9)alibi(heads-4)",
    );
    const [store, board] = [new Store(), new NoticeBoard()];
    leave = new PageLinks(store, board, openBench).bindAddress();
    store.update({ labs: "norm(token-1e9)alibi(heads-4)" });
    await vi.waitFor(() => expect(board.list.map(({ code }) => code)).toEqual(["link/unread"]), {
      timeout: 10_000,
    });
    expect(JSON.stringify(board.list)).toMatch(/labs: dim.*labs: token/);
    expect(store.state.labs).toBe("alibi(heads-4)");
  });
});
