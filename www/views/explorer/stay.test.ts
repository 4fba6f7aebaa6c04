// @vitest-environment happy-dom
import { LitElement } from "lit";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Store } from "../../state/index.js";
import { Exchange } from "./exchange.js";
import { NoticeBoard } from "./notice-board.js";
import { Stay } from "./stay.js";

const work = { begin: vi.fn(), rest: vi.fn(), follow: vi.fn(), pressed: vi.fn() };
const store = new Store();

/** An explorer in somebody's page, without its parts. */
class Guest extends LitElement {
  readonly place = document.createElement("div");
  readonly stay = new Stay(
    this,
    store,
    new Exchange(
      store,
      new NoticeBoard(() => undefined),
      () => undefined,
      () => undefined,
    ),
    work,
  );
}
customElements.define("test-guest", Guest);

afterEach(() => document.body.replaceChildren());

describe("the stay of an explorer", () => {
  it("goes on where it is moved to, ends when it has gone, and begins again when it comes back", async () => {
    const [one, other] = [document.createElement("div"), document.createElement("div")];
    document.body.append(one, other);
    const guest = new Guest();
    one.append(guest);
    store.update({ text: "A cat" });
    other.append(guest);
    await Promise.resolve();
    expect([work.begin.mock.calls.length, work.rest.mock.calls.length, store.state.text]).toEqual([
      1,
      0,
      "A cat",
    ]);
    store.update({ text: "A dog" });
    expect(work.follow).toHaveBeenCalledTimes(2);
    guest.remove();
    await Promise.resolve();
    expect(work.rest).toHaveBeenCalledTimes(1);
    store.update({ text: "A bird" });
    expect(work.follow).toHaveBeenCalledTimes(2);
    one.append(guest);
    expect([work.begin.mock.calls.length, store.state.text]).toEqual([2, "A bird"]);
  });
});
