// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { HeadRef } from "../../data/index.js";
import { Store } from "../../state/index.js";
import { Exchange } from "./exchange.js";
import { NoticeBoard } from "./notice-board.js";

let leave: () => void = () => undefined;
afterEach(() => leave());

/** What a page says that comes to an address, once it shows this head. */
function saidAt(address: string, entry: unknown): (string | undefined)[] {
  window.history.replaceState(entry, "", address);
  const [store, board] = [new Store(), new NoticeBoard(() => undefined)];
  const exchange = new Exchange(store, board, () => undefined);
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
});
