import type { LitElement, ReactiveController } from "lit";
import type { State, Store } from "../../state/index.js";
import type { Exchange } from "./exchange.js";
import { Ground } from "./ground.js";

/** What an explorer does in a page. */
export interface Work {
  /** Loads and computes what the State asks for. */
  begin: () => void;
  /** Lets go of all that it holds. */
  rest: () => void;
  follow: (now: State, before: State) => void;
  pressed: (event: KeyboardEvent) => void;
}

/** An explorer's time in a page: it works from when it comes until it has gone, and does not notice that it is moved. */
export class Stay implements ReactiveController {
  private ground: Ground | null = null;
  private working = false;
  private readonly leave: (() => void)[] = [];

  constructor(
    private readonly host: LitElement & { readonly place: HTMLElement | null },
    private readonly store: Store,
    private readonly exchange: Exchange,
    private readonly work: Work,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    const { host, store, exchange, work } = this;
    host.toggleAttribute("page", host.place === null);
    this.ground ??= new Ground(host.place, store, exchange);
    this.leave.push(this.ground.enter(work.pressed), store.listen(work.follow));
    if (!this.working) work.begin();
    this.working = true;
  }

  hostDisconnected(): void {
    for (const undo of this.leave.splice(0)) undo();
    // What is only moved within its page is there again by then.
    queueMicrotask(() => {
      if (this.host.isConnected || !this.working) return;
      this.working = false;
      this.work.rest();
    });
  }
}
