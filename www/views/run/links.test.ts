// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HeadRef, StepTensor, Token } from "../../data/index.js";
import type { Run } from "../../headscope.js";
import { decodeState, DEFAULT_STATE, type State, Store } from "../../state/index.js";
import type { DisplayedPattern } from "../run/displayed.js";
import { Arrival, Exchange, readPage, savePage, type There } from "./links.js";
import { NoticeBoard } from "./notices.js";

const keysOf = ({ list }: NoticeBoard): string[] => list.map(({ key }) => key);

describe("the notices", () => {
  it("are there once each, the newest last, until they are taken", () => {
    const board = new NoticeBoard();
    board.post("notice.restarted");
    board.post("bar.linkFailed");
    board.post("notice.restarted");
    expect(keysOf(board)).toEqual(["bar.linkFailed", "notice.restarted"]);
    board.take("bar.linkFailed");
    expect(keysOf(board)).toEqual(["notice.restarted"]);
  });

  it("say what of a link could not be read", () => {
    const board = new NoticeBoard();
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    expect(board.list).toEqual([]);
    board.report({ state: DEFAULT_STATE, said: [], unread: ["layer", "edits"], newer: true });
    expect(board.list).toEqual([
      { key: "notice.hashVersion", values: {}, code: "link/newer" },
      { key: "notice.hash", values: { fields: "layer, edits" }, code: "link/unread" },
    ]);
    board.report({ state: DEFAULT_STATE, said: [], unread: ["#"], newer: false });
    expect(board.list).toEqual([{ key: "notice.hashTooLong", values: {}, code: "link/too-long" }]);
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    expect(board.list).toEqual([]);
  });

  it("say what else of it cannot be once that is known, each once, and of that link alone", () => {
    const board = new NoticeBoard();
    const fields = (): string | undefined => board.list.at(-1)?.values.fields;
    board.report({ state: DEFAULT_STATE, said: [], unread: ["layer"], newer: false });
    board.reportMore(["labs: dim"]);
    board.reportMore(["labs: dim"]);
    expect(fields()).toBe("layer, labs: dim");
    board.report({ state: DEFAULT_STATE, said: [], unread: [], newer: false });
    board.reportMore([]);
    expect(board.list).toEqual([]);
    board.reportMore(["labs: seed"]);
    expect([fields(), board.list.length]).toEqual(["labs: seed", 1]);
  });

  it("offer a file once when a link is too short, also after it was dismissed, and take it back when it fits", () => {
    const board = new NoticeBoard();
    board.followLength(false);
    expect(board.list[0]?.action?.command).toBe("save-page");
    board.take("notice.noLink");
    board.followLength(false);
    expect(board.list).toEqual([]);
    board.offerFile();
    board.followLength(true);
    expect(board.list).toEqual([]);
    board.followLength(false);
    expect(keysOf(board)).toEqual(["notice.noLink"]);
  });
});

const SHOWN: HeadRef = { stack: "encoder", layer: 2, head: 3 };
const tokens = (count: number): Token[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    text: "a",
    word: id,
    special: false,
    role: null,
  }));
const displayed = { figures: { queries: tokens(4), keys: tokens(4) } } as DisplayedPattern;
const there = (chosen: HeadRef | null = SHOWN): There => ({
  chosen,
  displayed,
  sourceTokens: 4,
  targetTokens: 0,
});

function codesOf(
  address: string,
  chosen: HeadRef | null,
  later: Partial<State> = {},
): (string | undefined)[] {
  const board = new NoticeBoard();
  const arrival = new Arrival(board);
  const decoded = decodeState(address);
  arrival.expect(decoded, decoded.state);
  arrival.follow({ ...decoded.state, ...later }, there(chosen));
  return board.list.map(({ code }) => code);
}

describe("what a link asks for and is not there", () => {
  it("is said of a stack, a layer and a head that the link names", () => {
    expect(codesOf("stack=cross&layer=3&head=4", SHOWN)).toEqual(["place/stack"]);
    expect(codesOf("stack=encoder&layer=9&head=4", SHOWN)).toEqual(["place/head"]);
    expect(codesOf("stack=encoder&layer=3&head=12", SHOWN)).toEqual(["place/head"]);
    expect(codesOf("stack=encoder&layer=3&head=4", SHOWN)).toEqual([]);
  });

  it("is nothing that it did not say: another model has other heads by itself", () => {
    expect(codesOf("model=models/tiny-bert", SHOWN)).toEqual([]);
  });

  it("is said of a pair and of tokens beyond the text", () => {
    expect(codesOf("cell=5-1", null)).toEqual(["place/held"]);
    expect(codesOf("cell=4-4", null)).toEqual([]);
  });

  it("is said of a number that the steps of the block do not have", async () => {
    const steps = [
      {
        step: "query",
        tensor: { data: new Float32Array(8), shape: [4, 2], axes: ["position", "model_dim"] },
      },
    ] satisfies StepTensor[];
    const codes = async (
      address: string,
      later: Partial<State> = {},
      read = Promise.resolve<StepTensor[]>(steps),
    ): Promise<(string | undefined)[]> => {
      const board = new NoticeBoard();
      const arrival = new Arrival(board);
      const decoded = decodeState(address);
      const figures = {
        ...displayed.figures,
        run: { steps: () => read } as Partial<Run> as Run,
        head: SHOWN,
      };
      arrival.expect(decoded, decoded.state);
      arrival.follow(decoded.state, { ...there(null), displayed: { ...displayed, figures } });
      arrival.follow({ ...decoded.state, ...later }, there(null));
      await new Promise((resolve) => setTimeout(resolve));
      return board.list.map(({ code }) => code);
    };
    expect(await codes("picture=steps&number=query.4-2")).toEqual([]);
    expect(await codes("picture=steps&number=query.999-999")).toEqual(["place/number"]);
    expect(await codes("picture=steps&number=key.1-1")).toEqual(["place/number"]);
    // Where no number is shown none is missed; nor one that the reader let go of, or that could not be read.
    expect(await codes("picture=heatmap&number=query.999-999")).toEqual([]);
    expect(await codes("picture=steps&number=query.999-999", { number: null })).toEqual([]);
    expect(
      await codes("picture=steps&number=query.999-999", {}, Promise.reject(new Error("gone"))),
    ).toEqual([]);
  });

  it("is no matter any more once the reader asked for something else", () => {
    expect(codesOf("stack=encoder&layer=9&head=4", SHOWN, { layer: 0 })).toEqual([]);
    expect(codesOf("cell=5-1", null, { locked: null })).toEqual([]);
  });

  it("waits for a model and for its run, is said once, and forgotten with the next link", () => {
    const board = new NoticeBoard();
    const arrival = new Arrival(board);
    const decoded = decodeState("stack=encoder&layer=9&cell=9-9");
    arrival.expect(decoded, decoded.state);
    arrival.follow(decoded.state, { ...there(null), displayed: null });
    expect(board.list).toEqual([]);
    arrival.follow(decoded.state, there());
    expect(board.list.map(({ code }) => code)).toEqual(["place/head", "place/held"]);
    board.take("notice.place.head");
    arrival.follow(decoded.state, there());
    expect(board.list.map(({ code }) => code)).toEqual(["place/held"]);
    arrival.comeBack();
    arrival.follow(decoded.state, there());
    expect(board.list).toEqual([]);
    arrival.expect(decoded, decoded.state);
    arrival.follow(decoded.state, there());
    expect(board.list).toHaveLength(2);
    const next = decodeState("");
    arrival.expect(next, next.state);
    expect(board.list).toEqual([]);
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
  const exchange = new Exchange(store, board, openBench);
  leave = exchange.bindAddress();
  const chosen: HeadRef = { stack: "decoder", layer: 3, head: 0 };
  exchange.arrival.follow(store.state, {
    chosen,
    displayed: null,
    sourceTokens: 0,
    targetTokens: 0,
  });
  return board.list.map(({ code }) => code);
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
    leave = new Exchange(store, board, openBench).bindAddress();
    store.update({ labs: "norm(token-1e9)alibi(heads-4)" });
    await vi.waitFor(() => expect(board.list.map(({ code }) => code)).toEqual(["link/unread"]), {
      timeout: 10_000,
    });
    expect(JSON.stringify(board.list)).toMatch(/labs: dim.*labs: token/);
    expect(store.state.labs).toBe("alibi(heads-4)");
  });
});
