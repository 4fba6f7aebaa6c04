// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest";
import type { HeadRef } from "../../data/index.js";
import { Store } from "../../state/index.js";
import { Exchange } from "./exchange.js";
import { NoticeBoard } from "./notice-board.js";

let leave: () => void = () => undefined;
const openBench = vi.fn();
afterEach(() => {
  leave();
  openBench.mockClear();
});

/** What a page says that comes to an address, once it shows this head. */
function saidAt(address: string, entry: unknown): (string | undefined)[] {
  window.history.replaceState(entry, "", address);
  const [store, board] = [new Store(), new NoticeBoard(() => undefined)];
  const exchange = new Exchange(store, board, () => undefined, openBench);
  leave = exchange.bindAddress();
  const chosen: HeadRef = { stack: "decoder", layer: 3, head: 0 };
  exchange.arrival.follow(store.state, { chosen, looked: null, sourceTokens: 0, targetTokens: 0 });
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
    const [store, board] = [new Store(), new NoticeBoard(() => undefined)];
    leave = new Exchange(store, board, () => undefined, openBench).bindAddress();
    store.update({ labs: "norm(token-1e9)alibi(heads-4)" });
    await vi.waitFor(() => expect(board.list.map(({ code }) => code)).toEqual(["link/unread"]), {
      timeout: 10_000,
    });
    expect(JSON.stringify(board.list)).toMatch(/labs: dim.*labs: token/);
    expect(store.state.labs).toBe("alibi(heads-4)");
  });
});
